// No libraries: no threads are lent, and nothing is pinned.

#include "emu/libraries.hpp"

namespace dcube::detail {

std::vector<LoadedLibrary> loaded_libraries()
{
    return {};
}

}  // namespace dcube::detail
