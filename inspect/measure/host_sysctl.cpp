// The facts about a host on macOS, which has no files with them.

#include "inspect/measure/host.hpp"
#include "inspect/measure/host_files.hpp"

#ifdef __APPLE__

#include <sys/sysctl.h>
#include <sys/types.h>

namespace dcube::measure {

namespace {

// A number of 32 or 64 bits.
std::optional<std::uint64_t> number_by_sysctl(const char* name)
{
    std::uint64_t number = 0;  // little-endian on all that macOS runs on
    std::size_t bytes = sizeof number;
    return sysctlbyname(name, &number, &bytes, nullptr, 0) == 0 ? std::optional(number) : std::nullopt;
}

std::string text_by_sysctl(const char* name)
{
    std::array<char, 256> text{};
    std::size_t bytes = text.size() - 1;
    return sysctlbyname(name, text.data(), &bytes, nullptr, 0) == 0 ? text.data() : "";
}

std::optional<unsigned> count_by_sysctl(const char* name)
{
    const auto number = number_by_sysctl(name);
    return number ? std::optional(static_cast<unsigned>(*number)) : std::nullopt;
}

// Its processors are not placed: macOS does not say which of them share a core.
void add_processors(Host& host)
{
    for (unsigned number = 0; number < count_by_sysctl("hw.logicalcpu").value_or(0); ++number)
        host.processors.push_back({.number = number, .core = number});
    host.cores = count_by_sysctl("hw.physicalcpu");
    host.sockets = count_by_sysctl("hw.packages");
}

void add_caches(Host& host)
{
    struct Name {
        const char* name;
        unsigned level;
        const char* kind;
    };
    for (const auto& [name, level, kind] :
         {Name{"hw.l1dcachesize", 1, "data"}, Name{"hw.l1icachesize", 1, "instruction"},
          Name{"hw.l2cachesize", 2, "unified"}, Name{"hw.l3cachesize", 3, "unified"}})
        if (const auto bytes = number_by_sysctl(name); bytes && *bytes != 0)
            host.caches.push_back({level, kind, *bytes, 1});
}

}  // namespace

void add_facts_by_sysctl(Host& host)
{
    host.cpu = text_by_sysctl("machdep.cpu.brand_string");
    add_processors(host);
    add_caches(host);
    host.memory_bytes = number_by_sysctl("hw.memsize");
    host.kernel = text_by_sysctl("kern.ostype") + " " + text_by_sysctl("kern.osrelease");
    host.system = "macOS " + text_by_sysctl("kern.osproductversion");
}

}  // namespace dcube::measure

#else

namespace dcube::measure {

void add_facts_by_sysctl(Host&) {}

}  // namespace dcube::measure

#endif
