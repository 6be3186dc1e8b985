#include "measure/host_document.hpp"

#include "measure/build_facts.hpp"
#include "measure/host.hpp"

#include <fmt/chrono.h>

#include <ctime>

namespace dcube::measure {

namespace {

using Json = nlohmann::ordered_json;

template <class T>
Json known(const std::optional<T>& value)
{
    return value ? Json(*value) : Json();
}

Json known(const std::string& text)
{
    return text.empty() ? Json() : Json(text);
}

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
    json["cpu"] = known(host.cpu);
    json["architecture"] = known(host.architecture);
    json["processors"] = host.processors.empty() ? Json() : Json(host.processors.size());
    json["usable_threads"] = host.usable_threads;
    json["cores"] = known(host.cores);
    json["sockets"] = known(host.sockets);
    json["threads_per_core"] = known(host.threads_per_core());
    json["caches"] = caches_document(host);
    json["numa_nodes"] = known(host.numa_nodes);
    json["memory_bytes"] = known(host.memory_bytes);
    json["page_bytes"] = host.page_bytes;
    json["huge_pages"] = known(host.huge_pages);
    json["governor"] = known(host.governor);
    json["frequency_hz"] = {{"now", known(host.frequency_hz)}, {"most", known(host.most_frequency_hz)}};
    json["kernel"] = known(host.kernel);
    json["system"] = known(host.system);
    json["load_average"] = known(host.load_average);
    json["idle_processors"] = known(host.idle_processors);
    json["steal_share"] = known(host.steal_share);
    json["throttled"] = known(host.throttled);
    json["fingerprint"] = host.fingerprint;
    return json;
}

std::string now_text()
{
    return fmt::format("{:%Y-%m-%dT%H:%M:%SZ}", fmt::gmtime(std::time(nullptr)));
}

}  // namespace dcube::measure
