// Trace events.

#include "tests/support/catch.hpp"
#include "tests/support/error_of.hpp"
#include "tests/support/link_bound.hpp"
#include "tests/support/recorded.hpp"

#include <nlohmann/json.hpp>

#include <cmath>
#include <map>
#include <set>
#include <string>
#include <vector>

using namespace dcube;
using namespace test_support;
using Json = nlohmann::json;

namespace {

constexpr std::uint64_t plenty = 1'000'000;

using Track = std::pair<std::uint64_t, std::uint64_t>;  // process and thread

struct Slice {
    double begin;
    double end;
};

std::map<Track, std::vector<Slice>> slices_of(const Json& trace)
{
    std::map<Track, std::vector<Slice>> tracks;
    for (const Json& event : trace["traceEvents"])
        if (event["ph"] == "X")
            tracks[{event["pid"], event["tid"]}].push_back(
                {event["ts"], event["ts"].get<double>() + event["dur"].get<double>()});
    return tracks;
}

std::size_t count(const Json& trace, const std::string& kind)
{
    std::size_t events = 0;
    for (const Json& event : trace["traceEvents"])
        events += event["ph"] == kind ? 1 : 0;
    return events;
}

// The rules of the format: slices of a track are apart, and both ends of an arrow lie on slices.
void check_rules(const Json& trace)
{
    constexpr double rounding = 1e-7;
    const auto tracks = slices_of(trace);
    for (const auto& [track, slices] : tracks)
        for (std::size_t i = 1; i < slices.size(); ++i)
            CHECK(slices[i].begin >= slices[i - 1].end - rounding);
    std::map<std::uint64_t, std::set<std::string>> arrows;
    for (const Json& event : trace["traceEvents"]) {
        const std::string kind = event["ph"];
        if (kind != "s" && kind != "f")
            continue;
        CHECK(arrows[event["id"]].insert(kind).second);
        const double time = event["ts"];
        bool covered = false;
        for (const Slice& slice : tracks.at({event["pid"], event["tid"]}))
            covered = covered || (slice.begin - rounding <= time && time <= slice.end + rounding);
        CHECK(covered);
        if (kind == "f")
            CHECK(event["bp"] == "e");
    }
    for (const auto& [id, ends] : arrows)
        CHECK(ends.size() == 2);
}

Json trace_of(const Recording& recording, std::uint64_t events = plenty)
{
    return Json::parse(text_of(*chrome_export(recording, events)));
}

}  // namespace

TEST_CASE("chrome: a track for every link, a slice for every packet, a microsecond for every step", "[export]")
{
    const Recording recording = recorded("hypercube:3", {});
    const Json trace = trace_of(recording);
    check_rules(trace);
    auto tracks = slices_of(trace);
    std::size_t packets = 0;
    for (const auto& [track, slices] : tracks)
        if (track.first < 8) {
            packets += slices.size();
            CHECK(slices.size() == 4);  // every link carries a packet in each of the 4 steps
        }
    CHECK(packets == 96);
    std::set<std::string> names;
    for (const Json& event : trace["traceEvents"])
        if (event["ph"] == "M" && event["name"] == "thread_name")
            names.insert(event["args"]["name"]);
    CHECK(names.contains("port 2 to node 4"));
    // 96 hops of 56 packets: all but the first hops carry on what came.
    CHECK(count(trace, "s") == 40);
    CHECK(count(trace, "f") == 40);
}

TEST_CASE("chrome: the counter of busy links says what the recording says", "[export]")
{
    const Recording recording = recorded("mesh:2x3", {});
    std::map<double, std::uint64_t> busy;
    const Json trace = trace_of(recording);
    for (const Json& event : trace["traceEvents"])
        if (event["ph"] == "C")
            busy[event["ts"]] = event["args"]["links"];
    for (Step step = 1; step <= recording.steps; ++step)
        CHECK(std::prev(busy.upper_bound(static_cast<double>(step) - 0.5))->second == recording.links_used[step - 1]);
    CHECK(busy.rbegin()->second == 0);
}

TEST_CASE("chrome: times of links that take time are microseconds, and never overlap through rounding", "[export]")
{
    Problem problem{.collective = Collective::broadcast, .bytes = 1000};
    problem.link = {LinkKind::link_bound, {1, 3}, {100, 7}, LinkClock::data_driven};
    const Recording recording = recorded("hypercube:3", problem, "pipelined");
    const Json trace = trace_of(recording);
    check_rules(trace);
    double last = 0;
    for (const auto& [track, slices] : slices_of(trace))
        last = std::max(last, slices.back().end);
    CHECK(std::abs(last - recording.report->virtual_time_ns->to_double() / 1000) < 1e-5);
}

TEST_CASE("chrome: phases that overlap have tracks of their own", "[export]")
{
    const Recording recording = recorded("hypercube:4", {});
    const std::vector<AlgorithmPhase> phases = recording.algorithm->phases(recording.topology, recording.problem);
    REQUIRE(!phases.empty());
    const Json trace = trace_of(recording);
    std::multiset<std::string> expected;
    std::multiset<std::string> found;
    for (const AlgorithmPhase& phase : phases)
        expected.insert(phase.name + ": " + phase.sentence);
    for (const Json& event : trace["traceEvents"])
        if (event["ph"] == "X" && event["cat"] == "phase")
            found.insert(event["name"].get<std::string>() + ": " + event["args"]["sentence"].get<std::string>());
    CHECK(found == expected);
    check_rules(trace);
}

TEST_CASE("chrome: of too many events arrows go first, then packets, and the file says so", "[export]")
{
    const Recording recording = recorded("hypercube:3", {});
    const std::size_t all = trace_of(recording)["traceEvents"].size();
    CHECK(trace_of(recording, all)["otherData"].size() == 1);
    for (const std::uint64_t most : {all - 1, all - 60, all - 100, std::size_t{60}}) {
        CAPTURE(most);
        const Json trace = trace_of(recording, most);
        CHECK(trace["traceEvents"].size() <= most);
        check_rules(trace);
        CHECK_THAT(trace["otherData"]["note 2"].get<std::string>(), Catch::Contains("left out"));
    }
    CHECK_THAT(trace_of(recording, all - 1)["otherData"]["note 2"].get<std::string>(),
               Catch::Contains("1 of 40 arrows") && !Catch::Contains("packets"));
    CHECK_THAT(error_of([&] { chrome_export(recording, 5); }), Catch::Contains("5 events are too few"));
}
