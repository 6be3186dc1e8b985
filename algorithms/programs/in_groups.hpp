#pragma once
// Groups (Problem::within): algorithms are asked about the network of one group, and every node runs that network's
// program, under its rank and over its group's ports.

#include <dcube/catalogue.hpp>

namespace dcube::detail {

// The program of every node of the whole, where `program` is that of the groups' network.
CollectiveProgram in_groups(CollectiveProgram program, std::shared_ptr<const Group> groups);

// The same for all that an entry answers but for its program, storage and obstacle, which program_of(), storage_of()
// and obstacle_of() ask about a group.
Entry in_groups(Entry entry);

}  // namespace dcube::detail
