#pragma once
// Algorithms that are not the catalogue's: those that the caller has added, and schedules in files.

#include <dcube/catalogue.hpp>
#include <string_view>

namespace dcube::detail {

// Whether it names a file: "@FILE".
bool is_file(std::string_view algorithm);

// The schedule in that file. It is read and judged when it is asked for a problem on a network, once for each.
const Entry& algorithm_in_file(Collective collective, PortModel ports, std::string_view name);

}  // namespace dcube::detail
