#include "emu/libraries.hpp"

#include <fmt/format.h>
#include <hwloc.h>
#include <oneapi/tbb/version.h>

namespace dcube::detail {

namespace {

// hwloc says only which API it has: 0x00020800 is that of 2.8.
std::string hwloc_version()
{
    const unsigned api = hwloc_get_api_version();
    return fmt::format("{}.{} (API)", api >> 16, api >> 8 & 0xFF);
}

}  // namespace

std::vector<LoadedLibrary> loaded_libraries()
{
    return {{"oneTBB", TBB_runtime_version()}, {"hwloc", hwloc_version()}};
}

}  // namespace dcube::detail
