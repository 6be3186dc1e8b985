#include "measure/host_warnings.hpp"

#include "base/numbers.hpp"
#include "measure/build_facts.hpp"
#include "measure/host.hpp"

#include <fmt/format.h>

namespace dcube::measure {

namespace {

void warn_of_others(const Host& host, unsigned threads, std::vector<std::string>& all)
{
    if (host.usable_threads < threads)
        all.push_back(fmt::format("{} were asked for, but this process may use {} of the {} processors",
                                  counted(threads, "thread"), host.usable_threads, host.processors.size()));
    constexpr double half = 0.5;  // of a processor: less is what any system does for itself
    if (host.idle_processors && host.usable_threads >= threads && *host.idle_processors + half < threads)
        all.push_back(fmt::format("{:.1f} processors were idle at the start, for {}", *host.idle_processors,
                                  counted(threads, "thread")));
    const auto processors = static_cast<double>(host.processors.size());
    if (host.load_average && host.load_average->front() > half && processors > 0 &&
        host.load_average->front() + threads > processors + half)
        all.push_back(fmt::format("the machine is busy: a load average of {:.1f} over the last minute",
                                  host.load_average->front()));
    constexpr double little = 0.01;
    if (host.steal_share && *host.steal_share > little)
        all.push_back(
            fmt::format("the hypervisor took {:.0f} % of the processors' time for others", 100 * *host.steal_share));
}

void warn_of_frequency(const Host& host, std::vector<std::string>& all)
{
    if (host.throttled && *host.throttled > 0)
        all.push_back(fmt::format("heat has slowed cores down {} times since the system started", *host.throttled));
    if (host.governor && (*host.governor == "powersave" || *host.governor == "conservative"))
        all.push_back(fmt::format("the frequency governor is {}: set it to performance", *host.governor));
}

void warn_of_build(std::vector<std::string>& all)
{
    const BuildFacts facts = build_facts();
    if (!facts.sanitizers.empty())
        all.push_back(fmt::format("this build has sanitizers ({}), which slow everything down", facts.sanitizers));
    else if (facts.build_type != "Release")
        all.push_back(fmt::format("the build type is {}, not Release, which alone is fast",
                                  facts.build_type.empty() ? "none" : facts.build_type));
}

}  // namespace

std::vector<std::string> warnings(const Host& host, unsigned most_threads)
{
    std::vector<std::string> all;
    warn_of_others(host, most_threads, all);
    warn_of_frequency(host, all);
    warn_of_build(all);
    return all;
}

std::string warning_of_others(const std::optional<double>& processors)
{
    constexpr double half = 0.5;
    if (!processors || *processors <= half)
        return "";
    return fmt::format("other programs took {:.1f} processors while it was measured", *processors);
}

}  // namespace dcube::measure
