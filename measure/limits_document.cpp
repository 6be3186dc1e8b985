#include "measure/limits_document.hpp"

#include "measure/build_facts.hpp"
#include "measure/host.hpp"
#include "measure/host_document.hpp"

namespace dcube::measure {

namespace {

using Json = nlohmann::ordered_json;

template <class T>
Json value_or_null(const std::optional<T>& value)
{
    return value ? Json(*value) : Json();
}

Json copies_document(const ThreadLimits& limits)
{
    Json list = Json::array();
    for (const CopyRate& rate : limits.copies)
        list.push_back({{"working_set_bytes", rate.working_set_bytes},
                        {"bytes_per_second", rate.bytes_per_second},
                        {"best_bytes_per_second", rate.best_bytes_per_second}});
    return list;
}

Json blocks_document(const ThreadLimits& limits)
{
    Json list = Json::array();
    for (const BlockRate& rate : limits.blocks)
        list.push_back({{"block_bytes", rate.block_bytes},
                        {"working_set_bytes", rate.working_set_bytes},
                        {"bytes_per_second", rate.bytes_per_second},
                        {"best_bytes_per_second", rate.best_bytes_per_second},
                        {"seconds_per_block", rate.seconds_per_block(limits.threads)}});
    return list;
}

Json threads_document(const ThreadLimits& limits)
{
    Json steps = Json::array();
    for (const EmptyStep& step : limits.empty_steps)
        steps.push_back({{"nodes", step.nodes}, {"seconds", step.seconds}});
    return {{"threads", limits.threads},
            {"copies", copies_document(limits)},
            {"blocks", blocks_document(limits)},
            {"barrier_seconds", limits.barrier_seconds},
            {"empty_step_seconds", steps}};
}

Json handover_document(const Handover& handover)
{
    Json rows = Json::array();
    for (const auto& row : handover.seconds) {
        Json cells = Json::array();
        for (const std::optional<double>& seconds : row)
            cells.push_back(value_or_null(seconds));
        rows.push_back(cells);
    }
    return {{"processors", handover.processors}, {"seconds", rows}};
}

}  // namespace

nlohmann::ordered_json limits_document(const Limits& limits, const Host& host, std::string_view command)
{
    Json threads = Json::array();
    for (const ThreadLimits& one : limits.threads)
        threads.push_back(threads_document(one));
    const ChannelLimits& channel = limits.channel;
    const Pages& pages = limits.pages;
    Json document;
    document["schema"] = 1;
    document["kind"] = "limits";
    document["program"] = program_document();
    document["command"] = command;
    document["date"] = limits.date;
    document["host"] = host_document(host);
    document["warnings"] = limits.warnings;
    document["pin"] = limits.pin;
    document["quick"] = limits.quick;
    document["limits"] = {
        {"threads", threads},
        {"channel",
         {{"one_thread_seconds", channel.one_thread_seconds},
          {"two_threads_seconds", value_or_null(channel.two_threads_seconds)}}},
        {"handover", handover_document(limits.handover)},
        {"pages",
         {{"page_bytes", pages.page_bytes}, {"huge_pages", value_or_null(pages.huge_pages)}, {"used", pages.used}}}};
    return document;
}

}  // namespace dcube::measure
