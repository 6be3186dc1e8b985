#pragma once
// The names of the collectives: their own, the papers', those of MPI and NCCL, and the textbooks'.

#include <dcube/collective.hpp>

#include <string>
#include <string_view>
#include <vector>

namespace dcube {

/// The calls of MPI and NCCL that do the same, MPI's first: "MPI_Bcast", "ncclBroadcast". None for what they lack.
std::vector<std::string_view> library_calls(Collective collective);

/// A call's name as people type it: "bcast" for MPI_Bcast.
std::string short_name_of(std::string_view call);

/// All names of a collective other than its own: the papers', those of the libraries, short and in full, and the
/// textbooks'.
std::vector<std::string> other_names(Collective collective);

/// Whether the text names the collective. Case, hyphens, underscores and spaces do not count: "All_Reduce",
/// "allreduce".
bool is_name_of(Collective collective, std::string_view text);

/// For a name that two collectives could have: both collectives, and their other names. Empty for others.
std::string_view either_of(std::string_view text);

}  // namespace dcube
