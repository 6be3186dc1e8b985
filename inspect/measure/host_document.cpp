#include "inspect/measure/host_document.hpp"

#include "base/cgroups.hpp"
#include "base/numbers.hpp"
#include "inspect/measure/host.hpp"
#include "run/field.hpp"

#include <fmt/chrono.h>
#include <fmt/format.h>

#include <cmath>
#include <ctime>

namespace dcube::measure {

namespace {

Json caches_document(const Host& host)
{
    Json list = Json::array();
    for (const Cache& cache : host.caches)
        list.push_back(
            {{"level", cache.level}, {"kind", cache.kind}, {"bytes", cache.bytes}, {"shared_by", cache.shared_by}});
    return list;
}

}  // namespace

nlohmann::ordered_json program_document()
{
    const BuildFacts facts = build_facts();
    return {{"version", facts.version}, {"commit", facts.commit},         {"compiler", facts.compiler},
            {"flags", facts.flags},     {"build_type", facts.build_type}, {"sanitizers", facts.sanitizers}};
}

nlohmann::ordered_json host_document(const Host& host)
{
    Json json;
    json["cpu"] = or_null(host.cpu);
    json["architecture"] = or_null(host.architecture);
    json["processors"] = host.processors.empty() ? Json() : Json(host.processors.size());
    json["usable_threads"] = host.usable_threads;
    json["affinity"] = or_null(host.affinity);
    json["processor_quota"] = or_null(host.processor_quota);
    json["cores"] = or_null(host.cores);
    json["sockets"] = or_null(host.sockets);
    json["threads_per_core"] = or_null(host.threads_per_core());
    json["caches"] = caches_document(host);
    json["numa_nodes"] = or_null(host.numa_nodes);
    json["memory_bytes"] = or_null(host.memory_bytes);
    json["page_bytes"] = host.page_bytes;
    json["huge_pages"] = or_null(host.huge_pages);
    json["governor"] = or_null(host.governor);
    json["frequency_hz"] = {{"now", or_null(host.frequency_hz)}, {"most", or_null(host.most_frequency_hz)}};
    json["kernel"] = or_null(host.kernel);
    json["system"] = or_null(host.system);
    json["load_average"] = or_null(host.load_average);
    json["idle_processors"] = or_null(host.idle_processors);
    json["steal_share"] = or_null(host.steal_share);
    json["throttled"] = or_null(host.throttled);
    json["fingerprint"] = host.fingerprint;
    return json;
}

std::string valid_text(const std::string& text)
{
    return Json::parse(Json(text).dump(-1, ' ', false, Json::error_handler_t::replace)).get<std::string>();
}

std::string now_text()
{
    return fmt::format("{:%Y-%m-%dT%H:%M:%SZ}", fmt::gmtime(std::time(nullptr)));
}

namespace {

void warn_of_others(const Host& host, unsigned threads, std::vector<std::string>& all)
{
    if (host.usable_threads < threads)
        all.push_back(fmt::format("{} were asked for, but this process may use {} of the {} processors",
                                  counted(threads, "thread"), host.usable_threads, host.processors.size()));
    const auto processors = static_cast<double>(host.processors.size());
    // A part of a processor is of no use to a whole thread, and stops the one that has no more.
    if (const auto quota = host.processor_quota;
        quota && *quota != std::floor(*quota) && (*quota < 1 || *quota < processors))
        all.push_back(detail::quota_text(*quota));
    if (host.idle_processors && host.usable_threads >= threads && *host.idle_processors + most_by_system < threads)
        all.push_back(fmt::format("{:.1f} idle processors at the start ({} needed)", *host.idle_processors, threads));
    if (host.load_average && host.load_average->front() > most_by_system && processors > 0 &&
        host.load_average->front() + threads > processors + most_by_system)
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
    if (!processors || *processors <= most_by_system)
        return "";
    return fmt::format("other programs took {:.1f} processors while it was measured", *processors);
}

}  // namespace dcube::measure
