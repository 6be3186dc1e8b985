// Recordings of runs and of traces.

#include "run/recording.hpp"

#include "tests/support/catch.hpp"
#include "tests/support/error_of.hpp"

#include <fmt/format.h>

#include <sstream>

using namespace dcube;
using test_support::error_of;

namespace {

constexpr const char* one_exchange =
    R"({"step":1,"from":0,"to":1,"port":0,"bytes":4,"start_ns":null,"end_ns":null,"pieces":[{"origin":0,"target":1,"offset":0,"length":4}]}
{"step":1,"from":1,"to":0,"port":0,"bytes":4,"start_ns":null,"end_ns":null,"pieces":[{"origin":1,"target":0,"offset":0,"length":4}]}
)";

Problem exchange()
{
    return {Collective::all_to_all, 4};
}

Recording recorded(const std::string& text, const Problem& problem, const RecordingLimits& limits = {})
{
    std::istringstream trace(text);
    JudgeOptions how;
    how.question = [&](const std::optional<TraceQuestion>&) {
        return TraceQuestion{Topology::hypercube(1), PortModel::all, problem};
    };
    return record_trace(trace, how, limits);
}

Recording timed(const std::string& text)
{
    Problem problem = exchange();
    problem.link = {LinkKind::link_bound, Rational(1), Rational(3)};
    return recorded(text, problem);
}

Recording run_of(const Topology& topology, const Problem& problem, const RecordingLimits& limits = {},
                 unsigned threads = 1)
{
    Machine machine(topology, {.link = problem.link, .threads = threads});
    const Entry& algorithm = find_algorithm(topology, PortModel::all, problem);
    return record(machine, algorithm, problem, {}, {}, limits);
}

}  // namespace

TEST_CASE("recording: a run is verified, and all its packets are recorded in order", "[recording]")
{
    const Recording run = run_of(Topology::hypercube(3), {Collective::all_to_all, 16});
    REQUIRE(run.report);
    CHECK(run.report->verified);
    CHECK(run.detail == Detail::flights);
    CHECK(run.steps == 4);
    CHECK(run.transmissions == run.report->counts.transmissions);
    REQUIRE(run.flights.size() == 96);
    CHECK(run.links_used == std::vector<std::uint32_t>{24, 24, 24, 24});
    std::uint64_t bytes = 0;
    for (std::size_t i = 0; i < run.flights.size(); ++i) {
        const Flight& flight = run.flights[i];
        bytes += flight.bytes;
        CHECK(flight.to == (flight.from ^ 1U << flight.port));
        REQUIRE(run.pieces_of(flight).size() == 1);
        CHECK(run.pieces_of(flight)[0].length == 16);
        if (i > 0) {
            const Flight& before = run.flights[i - 1];
            CHECK(std::tuple(before.step, before.from, before.port) <
                  std::tuple(flight.step, flight.from, flight.port));
        }
    }
    CHECK(bytes == run.report->counts.bytes);
}

TEST_CASE("recording: a run in which links fail keeps the packets that arrive", "[recording]")
{
    Machine machine(Topology::hypercube(3), {.threads = 2});
    const Problem problem{Collective::broadcast, 8, 2};
    const Entry& algorithm = find_algorithm(machine.topology(), PortModel::all, problem, "independent-trees");
    RunOptions options;
    options.failing = {{0, 1, 1}, failing_node(6, 2)};
    const Recording run = record(machine, algorithm, problem, {}, options);
    REQUIRE(run.report);
    CHECK(run.report->counts.lost > 2);
    CHECK(run.steps == run.report->counts.steps);
    CHECK(run.links_used.size() == run.steps);
    CHECK(run.flights.size() == run.report->counts.transmissions - run.report->counts.lost);
    for (const Flight& flight : run.flights)
        CHECK_FALSE(failed_between(options.failing, flight.from, flight.to, flight.step));
}

TEST_CASE("recording: on links that take time every packet has the times at which it holds its link", "[recording]")
{
    Problem problem{Collective::broadcast, 64, 8};
    problem.link = {.kind = LinkKind::link_bound, .tau = {1, 1}, .beta = {5, 2}};
    const Recording run = run_of(Topology::hypercube(3), problem);
    REQUIRE(!run.flights.empty());
    Time last = 0;
    for (const Flight& flight : run.flights) {
        CHECK(flight.end - flight.start == 2 * flight.bytes + 5);  // in halves of a ns
        last = std::max(last, flight.end);
    }
    CHECK(run.end == last);
    CHECK(run.report->virtual_time_ns->to_double() == static_cast<double>(last) / 2);
}

TEST_CASE("recording: of a run that is too large only the counts are kept", "[recording]")
{
    const Problem problem{Collective::all_to_all, 16};
    for (const RecordingLimits limits : {RecordingLimits{.flights = 95}, RecordingLimits{.pieces = 95}}) {
        const Recording run = run_of(Topology::hypercube(3), problem, limits);
        CHECK(run.detail == Detail::counts);
        CHECK(run.flights.empty());
        CHECK(run.pieces.empty());
        CHECK(run.transmissions == 96);
        CHECK(run.links_used == std::vector<std::uint32_t>{24, 24, 24, 24});
        CHECK(run.report->verified);
    }
    const Entry& algorithm = find_algorithm(Topology::hypercube(3), PortModel::all, problem);
    CHECK(expected_detail(algorithm, Topology::hypercube(3), problem, {.flights = 95}) == Detail::counts);
    CHECK(expected_detail(algorithm, Topology::hypercube(3), problem, {.flights = 96}) == Detail::flights);
    CHECK(error_of([&] { run_of(Topology::hypercube(3), problem, {.steps = 3}); }) ==
          "4 steps are too many to be recorded: at most 3 are possible");
}

TEST_CASE("recording: phases are recorded by name", "[recording]")
{
    const Recording run = run_of(Topology::parse("path:4"), {Collective::all_reduce, 8, 1});
    CHECK(run.phases.front().empty());
    for (const Flight& flight : run.flights)
        CHECK(flight.phase < run.phases.size());
}

TEST_CASE("recording: a trace that is accepted is kept with its verdict", "[recording]")
{
    const Recording trace = recorded(one_exchange, exchange());
    REQUIRE(trace.verdict);
    CHECK(!trace.rejection);
    CHECK(!trace.report);
    CHECK(trace.algorithm == nullptr);
    CHECK(trace.steps == 1);
    REQUIRE(trace.flights.size() == 2);
    CHECK(trace.pieces_of(trace.flights[1])[0] == Piece{1, 0, 0, 4});
}

TEST_CASE("recording: a rejected trace is kept up to the offending line, with that line and what the judge says",
          "[recording]")
{
    const std::string twice =
        std::string(one_exchange) + std::string(one_exchange).substr(0, 1) +
        R"("step":1,"from":1,"to":0,"port":0,"bytes":4,"pieces":[{"origin":1,"target":0,"offset":0,"length":4}]})";
    const Recording trace = recorded(twice, exchange());
    CHECK(!trace.verdict);
    REQUIRE(trace.rejection);
    CHECK(trace.rejection->line == 3);
    CHECK_THAT(trace.rejection->message, Catch::StartsWith("line 3: "));
    CHECK(trace.flights.size() == 2);
    REQUIRE(trace.rejection->flight);
    CHECK(trace.rejection->flight->from == 1);
    CHECK(trace.pieces_of(*trace.rejection->flight)[0] == Piece{1, 0, 0, 4});

    SECTION("the rest of its step is kept too, and nothing after it")
    {
        const std::string other = R"({"step":1,"from":0,"to":1,"port":0,"bytes":4,"pieces":[{"origin":0,"target":1}]})";
        const std::string later = R"({"step":2,"from":0,"to":1,"port":0,"bytes":4,"pieces":[{"origin":0,"target":1}]})";
        const Recording whole = recorded(other + "\n" + other + "\n" + std::string(one_exchange) + later, exchange());
        REQUIRE(whole.rejection);
        CHECK(whole.rejection->line == 2);
        CHECK(whole.flights.size() == 3);
        CHECK(whole.steps == 1);
    }
    SECTION("every line of its step has its own times")
    {
        const auto line = [](NodeId from, int start) {
            return fmt::format(R"({{"step":1,"from":{0},"to":{1},"port":0,"bytes":4,"start_ns":{2},"end_ns":{3},)"
                               R"("pieces":[{{"origin":{0},"target":{1}}}]}})"
                               "\n",
                               from, 1 - from, start, start + 7);
        };
        const Recording whole = timed(line(0, 0) + line(0, 7) + line(1, 2));
        REQUIRE(whole.rejection);
        CHECK(whole.rejection->line == 2);
        REQUIRE(whole.rejection->flight);
        CHECK(whole.rejection->flight->start == 7);
        CHECK(whole.rejection->flight->end == 14);
        REQUIRE(whole.flights.size() == 2);
        CHECK(whole.flights[1].start == 2);
        CHECK(whole.flights[1].end == 9);

        const std::string untimed = R"({"step":1,"from":1,"to":0,"pieces":[{"origin":1,"target":0}]})";
        const Recording without = timed(line(0, 2) + untimed);
        REQUIRE(without.rejection);
        CHECK(without.rejection->line == 2);
        REQUIRE(without.rejection->flight);
        CHECK(without.rejection->flight->start == 0);
        CHECK(without.rejection->flight->end == 0);
    }
    SECTION("so is that of a first line without times")
    {
        const std::string too_long = R"({"step":1,"from":1,"to":0,"pieces":[{"origin":1,"target":0,"length":5}]})";
        const Recording whole = timed(too_long + "\n" + one_exchange);
        REQUIRE(whole.rejection);
        CHECK(whole.rejection->line == 1);
        CHECK(whole.flights.size() == 2);
    }
    SECTION("a line over no link is not kept")
    {
        const Recording nowhere = recorded(R"({"step":1,"from":0,"to":1,"port":7,"bytes":4,"pieces":[]})", exchange());
        REQUIRE(nowhere.rejection);
        CHECK(!nowhere.rejection->flight);
    }
    SECTION("a line that cannot be read has none")
    {
        const Recording torn = recorded(std::string(one_exchange).append("{\"step\":2,"), exchange());
        REQUIRE(torn.rejection);
        CHECK(torn.rejection->line == 3);
        CHECK(!torn.rejection->flight);
        CHECK(torn.flights.size() == 2);
    }
    SECTION("what never arrives is no line's fault")
    {
        const Recording half =
            recorded(std::string(one_exchange).substr(0, std::string(one_exchange).find('\n')), exchange());
        REQUIRE(half.rejection);
        CHECK(half.rejection->line == 0);
        CHECK(!half.rejection->flight);
        CHECK(half.flights.size() == 1);
    }
}

TEST_CASE("recording: a trace without its problem, and one of too many steps, are refused", "[recording]")
{
    std::istringstream trace("{\"dcube_trace\":1}");
    JudgeOptions how;
    how.question = [](const std::optional<TraceQuestion>&) { return TraceQuestion(); };
    CHECK_THROWS_AS(record_trace(trace, how), TraceError);

    std::string late = one_exchange;
    late.replace(late.find("\"step\":1"), 8, "\"step\":2000000000");
    late.resize(late.find('\n'));
    CHECK(error_of([&] { recorded(late, exchange()); }) ==
          "2000000000 steps are too many to be recorded: at most 1048576 are possible");
}

TEST_CASE("recording: packets of a free program are recorded as data of their senders", "[recording]")
{
    const Topology ring = Topology::parse("ring:5");
    const Transmission sent[]{{.step = 1, .from = 0, .to = 1, .port = 0, .bytes = 8, .pieces = {}, .phase = "round"},
                              {.step = 3, .from = 1, .to = 2, .port = 1, .bytes = 4, .pieces = {}},
                              {.step = 3, .from = 4, .to = 0, .port = 1, .bytes = 4, .pieces = {}, .lost = true}};
    const Recording run = program_recording(ring, PortModel::one, {}, 4, sent);
    CHECK(run.free);
    CHECK(run.algorithm == nullptr);
    CHECK(run.steps == 4);
    CHECK(run.transmissions == 2);
    CHECK(run.links_used == std::vector<std::uint32_t>{1, 0, 1, 0});
    CHECK(run.lost == std::vector<std::uint32_t>{0, 0, 1});
    REQUIRE(run.flights.size() == 2);
    CHECK(run.phases[run.flights[0].phase] == "round");
    for (const Flight& flight : run.flights)
        CHECK(run.pieces_of(flight).front().origin == flight.from);
    CHECK(error_of([&] { program_recording(ring, PortModel::all, {}, 9, {}, {.steps = 8}); }) ==
          "9 steps are too many to be recorded: at most 8 are possible");
}
