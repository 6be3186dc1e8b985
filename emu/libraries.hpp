#pragma once
// The libraries that the machine runs on, as they are loaded, not as they were compiled with.

#include <string>
#include <vector>

namespace dcube::detail {

struct LoadedLibrary {
    std::string name;
    std::string version;
};

/// oneTBB and hwloc, in a build that has them.
std::vector<LoadedLibrary> loaded_libraries();

}  // namespace dcube::detail
