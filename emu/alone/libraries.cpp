// No libraries: neither oneTBB lends threads, nor hwloc says where they may be pinned.

#include "emu/libraries.hpp"

namespace dcube::detail {

std::vector<LoadedLibrary> loaded_libraries()
{
    return {};
}

}  // namespace dcube::detail
