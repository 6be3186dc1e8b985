#include "measure/pages.hpp"

#include "base/sizes.hpp"
#include "measure/effort.hpp"
#include "measure/host.hpp"
#include "measure/host_files.hpp"

#include <dcube/memory.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cstring>

namespace dcube::measure {

namespace {

// Of this process, in bytes.
std::optional<std::uint64_t> bytes_in_huge_pages()
{
    const auto kib = value_in("/proc/self/smaps_rollup", "AnonHugePages");  // "2048 kB"
    const auto number = kib ? bytes_in(*kib) : std::nullopt;
    return number ? std::optional(*number << 10) : std::nullopt;
}

std::string used_text(std::uint64_t page, std::uint64_t bytes, const std::optional<std::uint64_t>& huge)
{
    if (!huge)
        return "unknown: not reported by the system";
    if (*huge == 0)
        return fmt::format("pages of {}", size_text(page));
    if (*huge >= bytes)
        return "transparent huge pages";
    return fmt::format("transparent huge pages for {} of {}, pages of {} for the rest", size_text(*huge),
                       size_text(bytes), size_text(page));
}

}  // namespace

Pages pages_in_use(const Host& host, std::uint64_t bytes)
{
    const auto before = bytes_in_huge_pages();
    const Memory memory(bytes);
    std::memset(memory.bytes().data(), 1, memory.bytes().size());
    use(memory.bytes().data());
    const auto after = bytes_in_huge_pages();
    std::optional<std::uint64_t> huge;
    if (before && after)
        huge = *after - std::min(*before, *after);
    return {host.page_bytes, host.huge_pages, used_text(host.page_bytes, bytes, huge)};
}

}  // namespace dcube::measure
