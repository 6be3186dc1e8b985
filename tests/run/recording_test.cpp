// Recordings of runs and of traces.

#include "run/recording.hpp"

#include "tests/support/catch.hpp"
#include "tests/support/error_of.hpp"

#include <dcube/node.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <map>
#include <sstream>
#include <stdexcept>
#include <tuple>
#include <utility>
#include <vector>

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

TEST_CASE("recording: a run in which links fail keeps its packets, and says which do not arrive", "[recording]")
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
    CHECK(run.flights.size() == run.report->counts.transmissions);
    CHECK(run.transmissions == run.report->counts.transmissions - run.report->counts.lost);
    for (const Flight& flight : run.flights)
        CHECK(flight.lost == (failed_between(options.failing, flight.from, flight.to, flight.step) != nullptr));
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
    for (const RecordingLimits limits : {RecordingLimits{.flights = 11}, RecordingLimits{.pieces = 11}}) {
        const Recording run = run_of(Topology::hypercube(3), problem, limits);
        CHECK(run.detail == Detail::counts);
        CHECK(run.flights.empty());
        CHECK(run.pieces.empty());
        CHECK(run.transmissions == 96);
        CHECK(run.links_used == std::vector<std::uint32_t>{24, 24, 24, 24});
        CHECK(run.report->verified);
    }
    const Entry& algorithm = find_algorithm(Topology::hypercube(3), PortModel::all, problem);
    CHECK(expected_detail(algorithm, Topology::hypercube(3), problem, {.flights = 11}) == Detail::counts);
    CHECK(expected_detail(algorithm, Topology::hypercube(3), problem, {.flights = 12}) == Detail::one_node);
    CHECK(expected_detail(algorithm, Topology::hypercube(3), problem, {.flights = 95}) == Detail::one_node);
    CHECK(expected_detail(algorithm, Topology::hypercube(3), problem, {.flights = 96}) == Detail::flights);
    CHECK(error_of([&] { run_of(Topology::hypercube(3), problem, {.steps = 3}); }) ==
          "4 steps are too many to be recorded: at most 3 are possible");
}

namespace {

// What every node sends, as it sees it, in order.
using Sent = std::vector<std::tuple<Step, Port, NodeId, NodeId, std::uint64_t>>;

bool all_send_alike(const Recording& run)
{
    std::map<NodeId, Sent> sent;
    for (const Flight& flight : run.flights)
        for (const Piece& piece : run.pieces_of(flight))
            sent[flight.from].emplace_back(flight.step, flight.port,
                                           run.topology.untranslate(*piece.origin, flight.from),
                                           run.topology.untranslate(*piece.target, flight.from), piece.offset);
    for (auto& [node, all] : sent)
        std::ranges::sort(all);
    return std::ranges::all_of(sent, [&](const auto& one) { return one.second == sent.begin()->second; });
}

}  // namespace

TEST_CASE("recording: of a total exchange that is too large node 0's packets are kept if all nodes do the same",
          "[recording]")
{
    int alike = 0;
    int unlike = 0;
    for (const char* const network : {"hypercube:3", "hypercube:4", "torus:3x3", "ring:5", "complete:5", "path:4"})
        for (const Entry& entry : catalogue()) {
            const Topology topology = Topology::parse(network);
            const Problem problem{Collective::all_to_all, 16, 2};
            if (entry.collective != Collective::all_to_all || entry.link != LinkKind::unit ||
                !obstacle_of(entry, topology, entry.ports, problem).empty())
                continue;
            CAPTURE(network, entry.name);
            Machine machine(topology, {.ports = entry.ports, .threads = 1});
            const Recording all = record(machine, entry, problem);
            const Recording one = record(machine, entry, problem, {}, {}, {.flights = all.transmissions - 1});
            const bool expected = topology.symmetric() && all_send_alike(all);
            ++(expected ? alike : unlike);
            CHECK(one.detail == (expected ? Detail::one_node : Detail::counts));
            CHECK(one.transmissions == all.transmissions);
            CHECK(one.links_used == all.links_used);
            std::size_t kept = 0;
            for (const Flight& flight : all.flights) {
                const Piece& piece = all.pieces_of(flight).front();
                if (!expected || piece.origin != NodeId{0})
                    continue;
                REQUIRE(kept < one.flights.size());
                const Flight& same = one.flights[kept++];
                CHECK(std::tuple(same.step, same.from, same.to, same.port) ==
                      std::tuple(flight.step, flight.from, flight.to, flight.port));
                CHECK(one.pieces_of(same).front().target == piece.target);
                CHECK(one.pieces_of(same).front().offset == piece.offset);
            }
            CHECK(kept == one.flights.size());
        }
    CHECK(alike > 5);
    CHECK(unlike > 3);
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
    CHECK(!trace.ending);
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
    REQUIRE(trace.ending);
    CHECK(trace.ending->line == 3);
    CHECK_THAT(trace.ending->message, Catch::StartsWith("line 3: "));
    CHECK(trace.flights.size() == 2);
    REQUIRE(trace.ending->flight);
    CHECK(trace.ending->flight->from == 1);
    CHECK(trace.pieces_of(*trace.ending->flight)[0] == Piece{1, 0, 0, 4});

    SECTION("the rest of its step is kept too, and nothing after it")
    {
        const std::string other = R"({"step":1,"from":0,"to":1,"port":0,"bytes":4,"pieces":[{"origin":0,"target":1}]})";
        const std::string later = R"({"step":2,"from":0,"to":1,"port":0,"bytes":4,"pieces":[{"origin":0,"target":1}]})";
        const Recording whole = recorded(other + "\n" + other + "\n" + std::string(one_exchange) + later, exchange());
        REQUIRE(whole.ending);
        CHECK(whole.ending->line == 2);
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
        REQUIRE(whole.ending);
        CHECK(whole.ending->line == 2);
        REQUIRE(whole.ending->flight);
        CHECK(whole.ending->flight->start == 7);
        CHECK(whole.ending->flight->end == 14);
        REQUIRE(whole.flights.size() == 2);
        CHECK(whole.flights[1].start == 2);
        CHECK(whole.flights[1].end == 9);

        const std::string untimed = R"({"step":1,"from":1,"to":0,"pieces":[{"origin":1,"target":0}]})";
        const Recording without = timed(line(0, 2) + untimed);
        REQUIRE(without.ending);
        CHECK(without.ending->line == 2);
        REQUIRE(without.ending->flight);
        CHECK(without.ending->flight->start == 0);
        CHECK(without.ending->flight->end == 0);
    }
    SECTION("so is that of a first line without times")
    {
        const std::string too_long = R"({"step":1,"from":1,"to":0,"pieces":[{"origin":1,"target":0,"length":5}]})";
        const Recording whole = timed(too_long + "\n" + one_exchange);
        REQUIRE(whole.ending);
        CHECK(whole.ending->line == 1);
        CHECK(whole.flights.size() == 2);
    }
    SECTION("a line over no link is not kept")
    {
        const Recording nowhere = recorded(R"({"step":1,"from":0,"to":1,"port":7,"bytes":4,"pieces":[]})", exchange());
        REQUIRE(nowhere.ending);
        CHECK(!nowhere.ending->flight);
    }
    SECTION("a line that cannot be read has none")
    {
        const Recording torn = recorded(std::string(one_exchange).append("{\"step\":2,"), exchange());
        REQUIRE(torn.ending);
        CHECK(torn.ending->line == 3);
        CHECK(!torn.ending->flight);
        CHECK(torn.flights.size() == 2);
    }
    SECTION("what never arrives is no line's fault")
    {
        const Recording half =
            recorded(std::string(one_exchange).substr(0, std::string(one_exchange).find('\n')), exchange());
        REQUIRE(half.ending);
        CHECK(half.ending->line == 0);
        CHECK(!half.ending->flight);
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
    CHECK(run.links_used == std::vector<std::uint32_t>{1, 0, 2, 0});
    CHECK(run.lost == std::vector<std::uint32_t>{0, 0, 1});
    REQUIRE(run.flights.size() == 3);
    CHECK(run.flights[2].lost);
    CHECK(run.phases[run.flights[0].phase] == "round");
    for (const Flight& flight : run.flights)
        CHECK(run.pieces_of(flight).front().origin == flight.from);
    CHECK(error_of([&] { program_recording(ring, PortModel::all, {}, 9, {}, {}, {.steps = 8}); }) ==
          "9 steps are too many to be recorded: at most 8 are possible");
}

TEST_CASE("recording: a free program that fails is recorded up to the event, and is not judged",
          "[recording][negative]")
{
    const Topology ring = Topology::parse("ring:5");
    const Transmission sent[]{{.step = 1, .from = 0, .to = 1, .port = 0, .bytes = 8, .pieces = {}}};
    const Ending broken = *ending_of(RuleViolation(Rule::link_busy, 2, 3, 1, "a second packet"));
    const Recording run = program_recording(ring, PortModel::all, {}, 0, sent, broken);
    CHECK(run.free);
    CHECK_FALSE(run.verdict);
    CHECK_FALSE(run.report);
    CHECK(run.steps == 1);
    CHECK(run.links_used == std::vector<std::uint32_t>{1});
    CHECK(run.flights.size() == 1);
    REQUIRE(run.ending);
    CHECK(run.ending->what == Ending::What::rule);
    CHECK(run.ending->step == 2);
    CHECK(run.ending->node == NodeId{3});
    CHECK(run.ending->port == Port{1});
    CHECK(run.ending->message == "link-busy in step 2 at node 3, port 1: a second packet");
}

TEST_CASE("recording: errors are events of a run, or none", "[recording]")
{
    const auto what = [](const Error& error) {
        const std::optional<Ending> ending = ending_of(error);
        return ending ? name(ending->what) : "none";
    };
    const auto broken = [](Rule rule) { return RuleViolation(rule, 1, 0, RuleViolation::no_port, ""); };
    CHECK(what(broken(Rule::second_send)) == "rule");
    CHECK(what(broken(Rule::deadlock)) == "deadlock");
    CHECK(what(broken(Rule::packet_lost)) == "lost");
    CHECK(what(ProgramError(1, 0, "")) == "threw");
    CHECK(what(VerificationError("")) == "wrong-bytes");
    CHECK(what(InvalidArgument("")) == "none");
    CHECK(what(Interrupted()) == "none");
    CHECK_FALSE(ending_of(broken(Rule::deadlock))->port);
}

namespace {

// An algorithm of one's own, which is not verified beforehand. It outlives the recordings of it.
Entry own(const Problem& problem, const std::function<Task(Node&, NodeData)>& program)
{
    Entry entry;
    entry.collective = problem.collective;
    entry.name = "mine";
    entry.origin = Origin::own;
    entry.prepare = [program](const Topology&, const Problem&) {
        return [program](Node& me, NodeData data) { return program(me, data); };
    };
    return entry;
}

Attempt attempted(const Problem& problem, const Entry& entry)
{
    Machine machine(Topology::hypercube(2), {.threads = 1});
    return attempt(machine, entry, problem);
}

}  // namespace

TEST_CASE("recording: a run that breaks a rule is kept up to there", "[recording][negative]")
{
    const Problem problem{Collective::all_gather, 8};
    const Entry entry = own(problem, [](Node& me, NodeData data) -> Task {
        me.send(0, data.input);
        co_await me.next_step();
        me.receive(0, data.output.first(8));
        if (me.id() == 2) {
            me.send(1, data.input);
            me.send(1, data.input);
        }
    });
    const Attempt made = attempted(problem, entry);
    REQUIRE(made.error);
    REQUIRE(made.recording.ending);
    const Ending& ending = *made.recording.ending;
    CHECK(ending.what == Ending::What::rule);
    CHECK(ending.step == 2);
    CHECK(ending.node == NodeId{2});
    CHECK(ending.port == Port{1});
    CHECK_THAT(ending.message, Catch::StartsWith("link-busy in step 2 at node 2, port 1"));
    CHECK(made.recording.flights.size() == 5);  // also what was sent in the step of the breach
    Machine machine(Topology::hypercube(2), {.threads = 1});
    CHECK_THROWS_AS(record(machine, entry, problem), RuleViolation);
}

TEST_CASE("recording: a deadlock says who waits, and at which port", "[recording][negative]")
{
    const Problem problem{Collective::all_gather, 8};
    const Entry entry = own(problem, [](Node& me, NodeData) -> Task {
        if (me.id() < 2)
            co_await me.arrival(1);
        else if (me.id() == 2)
            co_await me.any_arrival();
    });
    const Attempt made = attempted(problem, entry);
    REQUIRE(made.recording.ending);
    const Ending& ending = *made.recording.ending;
    CHECK(ending.what == Ending::What::deadlock);
    CHECK(ending.step == 1);
    std::vector<std::pair<NodeId, Port>> waiting;
    for (const auto& [node, port] : ending.waiting)
        waiting.emplace_back(node, port);
    CHECK(waiting == std::vector<std::pair<NodeId, Port>>{{0, 1}, {1, 1}, {2, RuleViolation::no_port}});
}

TEST_CASE("recording: a program that throws is kept up to there, with what it says", "[recording][negative]")
{
    const Problem problem{Collective::all_gather, 8};
    const Entry entry = own(problem, [](Node& me, NodeData data) -> Task {
        me.send(0, data.input);
        co_await me.next_step();
        me.receive(0, data.output.first(8));
        if (me.id() == 1)
            throw std::runtime_error("too hot");
        co_await me.next_step();
    });
    const Attempt made = attempted(problem, entry);
    REQUIRE(made.recording.ending);
    const Ending& ending = *made.recording.ending;
    CHECK(ending.what == Ending::What::threw);
    CHECK(ending.step == 2);
    CHECK(ending.node == NodeId{1});
    CHECK_FALSE(ending.port);
    CHECK(ending.message == "the program of node 1 failed in step 2: too hot");
    CHECK(made.recording.flights.size() == 4);
    CHECK_THROWS_AS(std::rethrow_exception(made.error), ProgramError);
}

TEST_CASE("recording: a wrong result names the node and whose message it is", "[recording][negative]")
{
    const Problem problem{Collective::broadcast, 8};
    const Entry entry = own(problem, [](Node&, NodeData) -> Task { co_return; });
    const Attempt made = attempted(problem, entry);
    REQUIRE(made.recording.ending);
    CHECK(made.recording.ending->what == Ending::What::wrong_bytes);
    CHECK(made.recording.ending->step == 0);
    CHECK(made.recording.ending->origin == NodeId{0});
    CHECK_THROWS_AS(std::rethrow_exception(made.error), VerificationError);
}

TEST_CASE("recording: a right result that no packet brought is impossible, and so is one below its bound",
          "[recording][negative]")
{
    const Problem problem{Collective::broadcast, 8};
    std::vector<std::byte> shared(8);
    const Entry cheat = own(problem, [&shared](Node& me, NodeData data) -> Task {
        if (me.id() == 0)
            std::ranges::copy(data.input, shared.begin());
        co_await me.next_step();
        std::ranges::copy(shared, data.output.begin());
    });
    const Attempt cheated = attempted(problem, cheat);
    REQUIRE(cheated.recording.ending);
    CHECK(cheated.recording.ending->what == Ending::What::impossible);
    CHECK(cheated.recording.ending->node == NodeId{1});
    CHECK_THROWS_AS(std::rethrow_exception(cheated.error), ImpossibleRun);

    // Two blocks at once: 2 steps, where packets of one block take 2 as well, but not on a 3-cube's all-gather.
    const Problem gather{Collective::all_gather, 8};
    const Entry large = own(gather, [](Node& me, NodeData data) -> Task {
        std::ranges::copy(data.input, data.output.subspan(me.id() * std::size_t{8}).begin());
        for (Port port = 0; port < me.ports(); ++port) {
            const auto of = [&](NodeId node) {
                return data.output.subspan((node >> port << port) * std::size_t{8}, std::size_t{8} << port);
            };
            me.send(port, of(me.id()));
            co_await me.next_step();
            me.receive(port, of(me.id() ^ (1U << port)));
        }
    });
    Machine machine(Topology::hypercube(5), {.threads = 1});
    const Attempt fast = attempt(machine, large, gather);
    REQUIRE(fast.recording.ending);
    CHECK(fast.recording.ending->message ==
          "this cannot be: 5 steps are fewer than 7, the fewest there can be: node 0 sends 16 bytes at once in step 2, "
          "and a packet has at most 8");
    CHECK(fast.recording.ending->step == 2);
    CHECK_FALSE(attempted(gather, large).error);  // two steps are the bound there
}

TEST_CASE("recording: a trace that is not judged is kept with all that comes twice", "[recording]")
{
    const auto flooded = [](bool judged, const std::string& extra) {
        std::istringstream trace(R"({"dcube_trace":1,"collective":"broadcast","topology":"hypercube:2","bytes":4})"
                                 "\n"
                                 R"({"step":1,"from":0,"to":1,"pieces":[{"origin":0}]})"
                                 "\n"
                                 R"({"step":1,"from":0,"to":2,"pieces":[{"origin":0}]})"
                                 "\n"
                                 R"({"step":2,"from":1,"to":3,"pieces":[{"origin":0}]})"
                                 "\n"
                                 R"({"step":2,"from":2,"to":3,"pieces":[{"origin":0}]})"
                                 "\n" +
                                 extra);
        JudgeOptions how;
        how.question = [](const std::optional<TraceQuestion>& header) { return *header; };
        return judged ? record_trace(trace, how) : record_unjudged(trace, how);
    };
    CHECK(flooded(true, "").ending);
    const Recording all = flooded(false, "");
    CHECK_FALSE(all.ending);
    CHECK_FALSE(all.verdict);
    CHECK_FALSE(all.judged);
    CHECK(all.flights.size() == 4);
    // What no node has cannot be sent all the same.
    CHECK(flooded(false, R"({"step":1,"from":3,"to":1,"pieces":[{"origin":0}]})").ending);
}
