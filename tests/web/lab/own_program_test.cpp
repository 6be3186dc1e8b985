// Programs of one's own, run by an interpreter: here one whose programs are functions of the turn.

#include "web/lab/lab.hpp"
#include "web/lab/own_program.hpp"

#include "run/recording.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/error_of.hpp"

#include <dcube/dcube.hpp>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <functional>
#include <limits>
#include <map>
#include <stdexcept>
#include <string>
#include <vector>

using namespace dcube;
using lab::Next;
using lab::OwnRun;
using test_support::error_of;

namespace {

using What = Next::What;

/// A program is called once for each turn of a node, which are counted from 0.
class ByTurns : public lab::Interpreter {
public:
    using Program = std::function<Next(OwnRun& run, unsigned turn)>;

    explicit ByTurns(Program program) : program_(std::move(program)) {}

    void begin(const lab::OwnProgram& /*program*/, OwnRun& /*run*/) override { turns_.clear(); }
    Next resume(OwnRun& run) override { return program_(run, turns_[run.me().id()]++); }

private:
    Program program_;
    std::map<NodeId, unsigned> turns_;
};

dcube::Question question(Collective collective, unsigned dimension, std::size_t bytes = 8)
{
    dcube::Question asked;
    asked.topology = Topology::hypercube(dimension);
    asked.problem.collective = collective;
    asked.problem.bytes = bytes;
    return asked;
}

MachineOptions watching()
{
    MachineOptions options;
    options.threads = 1;
    options.watch_lent_bytes = true;
    return options;
}

Report verified(const dcube::Question& asked, const ByTurns::Program& program, const RunOptions& options = {})
{
    ByTurns interpreter(program);
    const auto algorithm = lab::algorithm_of({"mine", ""}, asked, interpreter);
    Machine machine(asked.topology, watching());
    return run_verified(machine, *algorithm, asked.problem, {}, options);
}

std::string failure(const dcube::Question& asked, const ByTurns::Program& program, const RunOptions& options = {})
{
    return error_of([&] { verified(asked, program, options); });
}

// All-gather by doubling: after turn k a node has the messages of its subcube over ports 0 to k - 1.
Next doubling(OwnRun& run, unsigned turn)
{
    Node& me = run.me();
    const auto [input, output] = run.data();
    const std::size_t size = input.size();
    const auto subcube = [&](NodeId node, unsigned port) { return (node >> port << port) * size; };
    if (turn == 0)
        run.copy(output.subspan(me.id() * size, size), input);
    else
        run.receive(turn - 1, output.subspan(subcube(me.id() ^ (1U << (turn - 1)), turn - 1), size << (turn - 1)));
    if (turn == me.ports())
        return {};
    run.send(turn, output.subspan(subcube(me.id(), turn), size << turn));
    return {What::next_step};
}

// Node 0 breaks a rule in step 1; all end.
ByTurns::Program at_node_0(const std::function<void(OwnRun&)>& call)
{
    return [=](OwnRun& run, unsigned /*turn*/) {
        if (run.me().id() == 0)
            call(run);
        return Next{};
    };
}

// Memory that no node has.
std::span<std::byte> elsewhere()
{
    static std::vector<std::byte> bytes(8);
    return bytes;
}

const dcube::Question gather_3 = question(Collective::all_gather, 3);

}  // namespace

TEST_CASE("own program: a right program is verified, with the counts and bounds of any algorithm", "[lab]")
{
    const Report report = verified(question(Collective::all_gather, 4), doubling);
    CHECK(report.verified);
    CHECK(report.blocks_verified == 256);
    CHECK(report.algorithm == "mine");
    CHECK(report.counts.steps == 4);
    CHECK(report.counts.transmissions == 64);
    CHECK(report.steps_lower_bound > 0);
}

TEST_CASE("own program: a trace follows what it copies, receives and adds", "[lab]")
{
    ByTurns interpreter(doubling);
    const auto algorithm = lab::algorithm_of({"mine", ""}, gather_3, interpreter);
    Machine machine(gather_3.topology, watching());
    const Recording recording = record(machine, *algorithm, gather_3.problem);
    REQUIRE(recording.flights.size() == 24);
    const Flight& last = recording.flights.back();  // from node 7, its half of the cube
    std::vector<NodeId> origins;
    for (const Piece& piece : recording.pieces_of(last))
        origins.push_back(piece.origin.value());
    CHECK(origins == std::vector<NodeId>{4, 5, 6, 7});

    const dcube::Question sums = question(Collective::all_reduce, 2);
    ByTurns adding([](OwnRun& run, unsigned turn) -> Next {
        const auto [input, output] = run.data();
        if (turn == 0)
            run.copy(output, input);
        else {
            const BorrowedPacket packet = run.receive(turn - 1);
            run.add(output, {packet.data(), packet.size()});
        }
        if (turn == 2)
            return {};
        const std::span<std::byte> lent = run.allocate(output.size());  // the sum changes in the next turn
        run.copy(lent, output);
        run.send(turn, lent);
        return {What::next_step};
    });
    const auto summing = lab::algorithm_of({"sums", ""}, sums, adding);
    Machine square(sums.topology, watching());
    const Recording added = record(square, *summing, sums.problem);
    REQUIRE(added.flights.size() == 8);
    REQUIRE(added.pieces_of(added.flights.back()).size() == 1);
    CHECK(*added.pieces_of(added.flights.back())[0].sum_of == Contributors::of(std::vector<NodeId>{2, 3}));
}

TEST_CASE("own program: computed bytes are written, and have no origin in a trace", "[lab]")
{
    dcube::Question ends = question(Collective::exchange, 1);
    ends.problem.peer = 1;
    const ByTurns::Program by_hand = [](OwnRun& run, unsigned turn) -> Next {
        const auto [input, output] = run.data();
        if (turn == 1) {
            run.receive(0, output);
            return {};
        }
        const std::span<std::byte> own = run.allocate(input.size());
        const std::vector<std::byte> value(input.begin(), input.end());
        run.copy(own, input);
        run.write(own, value);  // the same: still known
        if (run.me().id() == 1) {
            std::ranges::fill(own, std::byte{0});
            run.write(own, value);
        }
        run.send(0, own);
        return {What::next_step};
    };
    ByTurns interpreter(by_hand);
    const auto algorithm = lab::algorithm_of({"mine", ""}, ends, interpreter);
    Machine machine(ends.topology, watching());
    const Recording recording = record(machine, *algorithm, ends.problem);
    REQUIRE(recording.flights.size() == 2);
    CHECK(recording.pieces_of(recording.flights[0]).size() == 1);
    CHECK(recording.pieces_of(recording.flights[1]).empty());
}

TEST_CASE("own program: a broken rule names rule, step, node and port", "[lab][negative]")
{
    CHECK(failure(gather_3, at_node_0([](OwnRun& run) {
                      run.send(0, run.data().input);
                      run.send(0, run.data().input);
                  })) == "link-busy in step 1 at node 0, port 0: a second packet on one link in one step");
    CHECK_THAT(failure(gather_3, at_node_0([](OwnRun& run) { run.send(3, run.data().input); })),
               Catch::StartsWith("no-such-port in step 1 at node 0, port 3"));
    CHECK_THAT(failure(gather_3, at_node_0([](OwnRun& run) {
                           run.call([](Node& me) { return me.arrived(std::numeric_limits<Port>::max()); });
                       })),
               Catch::StartsWith("no-such-port in step 1 at node 0"));
    CHECK_THAT(failure(gather_3, at_node_0([](OwnRun& run) { run.receive(1); })),
               Catch::StartsWith("nothing-arrived in step 1 at node 0, port 1"));
    CHECK_THAT(failure(gather_3,
                       [](OwnRun& run, unsigned /*turn*/) {
                           return run.me().id() == 5 ? Next{What::arrival, 3} : Next{};
                       }),
               Catch::StartsWith("no-such-port in step 1 at node 5, port 3"));
}

TEST_CASE("own program: a second send in a step breaks the rule of one port", "[lab][negative]")
{
    dcube::Question asked = gather_3;
    asked.ports = PortModel::one;
    ByTurns interpreter(at_node_0([](OwnRun& run) {
        run.send(0, run.data().input);
        run.send(1, run.data().input);
    }));
    const auto algorithm = lab::algorithm_of({"mine", ""}, asked, interpreter);
    MachineOptions options = watching();
    options.ports = PortModel::one;
    Machine machine(asked.topology, options);
    CHECK_THAT(error_of([&] { run_verified(machine, *algorithm, asked.problem); }),
               Catch::StartsWith("second-send in step 1 at node 0, port 1"));
}

TEST_CASE("own program: nodes that wait for each other are named", "[lab][negative]")
{
    CHECK(failure(gather_3, [](OwnRun& /*run*/, unsigned turn) {
              return turn == 0 ? Next{What::next_step} : Next{What::arrival, 1};
          }) == "deadlock in step 2 at node 0, port 1: waiting on port 1 since step 2: nodes 0-7");
    CHECK_THAT(failure(gather_3, [](OwnRun& /*run*/, unsigned /*turn*/) { return Next{What::any_arrival}; }),
               Catch::Contains("waiting on any of ports 0, 1, 2 since step 1: nodes 0-7"));
}

TEST_CASE("own program: lent bytes are watched", "[lab][negative]")
{
    for (const unsigned changed_in : {0U, 1U})
        CHECK_THAT(failure(gather_3,
                           [=](OwnRun& run, unsigned turn) -> Next {
                               const auto [input, output] = run.data();
                               const auto mine = output.subspan(run.me().id() * input.size(), input.size());
                               if (turn == 0) {
                                   run.copy(mine, input);
                                   run.send(0, mine);
                               } else {
                                   run.receive(0, output.subspan((run.me().id() ^ 1) * input.size(), input.size()));
                               }
                               if (turn == changed_in && run.me().id() == 2)
                                   run.write(mine, std::vector<std::byte>(mine.size()));
                               return turn == 0 ? Next{What::next_step} : Next{};
                           }),
                   Catch::StartsWith("lent-bytes-changed in step 1 at node 2, port 0") ||
                       Catch::StartsWith("lent-bytes-changed in step 2 at node 2, port 0"));
}

TEST_CASE("own program: memory that is not the node's own is refused", "[lab][negative]")
{
    const std::string failed = "the program of node 0 failed in step 1: ";
    CHECK(failure(gather_3, at_node_0([](OwnRun& run) { run.send(0, elsewhere()); })) ==
          failed + "sent bytes are not the node's own memory: expected its input, its output, or memory that it "
                   "has allocated");
    CHECK_THAT(failure(gather_3, at_node_0([](OwnRun& run) { run.copy(elsewhere(), run.data().input); })),
               Catch::StartsWith(failed + "written bytes are not the node's own memory"));
    CHECK_THAT(failure(gather_3, at_node_0([](OwnRun& run) { run.copy(run.data().output.first(8), elsewhere()); })),
               Catch::StartsWith(failed + "copied bytes are neither"));
    CHECK_THAT(failure(gather_3, at_node_0([](OwnRun& run) { run.add(run.data().output.first(8), elsewhere()); })),
               Catch::StartsWith(failed + "added bytes are neither"));
    CHECK_THAT(failure(gather_3, at_node_0([](OwnRun& run) { run.write(run.data().input, elsewhere()); })),
               Catch::StartsWith(failed + "a node's input may only be read"));
    // Beyond the end, by one byte; and a size that would wrap around.
    CHECK_THAT(failure(gather_3, at_node_0([](OwnRun& run) {
                           const auto output = run.data().output;
                           run.send(0, {output.data() + 1, output.size()});
                       })),
               Catch::StartsWith(failed + "sent bytes are not"));
    CHECK_THAT(failure(gather_3, at_node_0([](OwnRun& run) {
                           run.send(0, {run.data().output.data() + 1, std::numeric_limits<std::size_t>::max()});
                       })),
               Catch::StartsWith(failed + "sent bytes are not"));
    CHECK_THAT(failure(gather_3,
                       [](OwnRun& run, unsigned turn) -> Next {
                           static std::span<const std::byte> kept;
                           if (run.me().id() > 1)
                               return {};
                           if (turn == 0) {
                               run.send(0, run.data().input);
                               return {What::next_step};
                           }
                           const BorrowedPacket packet = run.receive(0);
                           kept = {packet.data(), packet.size()};
                           run.send(0, kept);  // another node's bytes
                           return {};
                       }),
               Catch::StartsWith("the program of node 0 failed in step 2: sent bytes are not"));
    CHECK_THAT(
        failure(gather_3, at_node_0([](OwnRun& run) { run.copy(run.data().output.first(4), run.data().input); })),
        Catch::StartsWith(failed));
}

TEST_CASE("own program: additions are of whole elements", "[lab][negative]")
{
    dcube::Question asked = question(Collective::all_reduce, 1);
    asked.problem.type = ElementType::int32;
    CHECK(failure(asked, at_node_0([](OwnRun& run) {
                      run.add(run.data().output.first(6), run.data().input.first(6));
                  })) == "the program of node 0 failed in step 1: 6 bytes are not whole elements of 4 bytes (int32)");
}

TEST_CASE("own program: a wrong result is not verified, and a packet left over is named", "[lab][negative]")
{
    CHECK_THAT(failure(gather_3, [](OwnRun& /*run*/, unsigned /*turn*/) { return Next{}; }), Catch::Contains("node 0"));
    CHECK_THAT(failure(gather_3, at_node_0([](OwnRun& run) { run.send(1, run.data().input); })),
               Catch::StartsWith("never-received in step 1 at node 2, port 1"));
}

TEST_CASE("own program: its exceptions end the run, and so do errors that the interpreter swallows", "[lab][negative]")
{
    CHECK(failure(gather_3, [](OwnRun& run, unsigned turn) {
              return run.me().id() == 3 && turn == 1 ? Next{What::failed, 0, "TypeError: no"}
                                                     : Next{turn < 2 ? What::next_step : What::finished};
          }) == "the program of node 3 failed in step 2: TypeError: no");
    CHECK_THAT(failure(gather_3, at_node_0([](OwnRun& run) {
                           try {
                               run.send(7, run.data().input);
                           } catch (const Error&) {
                           }
                       })),
               Catch::StartsWith("no-such-port in step 1 at node 0, port 7"));
    CHECK_THAT(failure(gather_3, at_node_0([](OwnRun& run) {
                           try {
                               run.send(0, elsewhere());
                           } catch (const Error&) {
                           }
                       })),
               Catch::StartsWith("the program of node 0 failed in step 1: sent bytes"));
    CHECK_THAT(failure(gather_3, at_node_0([](OwnRun& run) {
                           run.call([](Node&) -> int { throw std::runtime_error("inside"); });
                       })),
               Catch::StartsWith("the program of node 0 failed in step 1: inside"));
}

TEST_CASE("own program: a program that never ends is stopped after the most steps there may be", "[lab][negative]")
{
    RunOptions options;
    options.on_step = lab::require_few_steps;
    CHECK(failure(
              question(Collective::all_gather, 0),
              [](OwnRun& /*run*/, unsigned /*turn*/) { return Next{What::next_step}; },
              options) == "too-many-steps in step 1048577 at node 0: a program of one's own may take 1048576 steps");
}

TEST_CASE("own program: a run begins anew each time, also after a failure", "[lab]")
{
    bool fail = true;
    ByTurns interpreter([&](OwnRun& run, unsigned turn) {
        if (fail)
            run.send(9, run.data().input);
        return doubling(run, turn);
    });
    const auto algorithm = lab::algorithm_of({"mine", ""}, gather_3, interpreter);
    Machine machine(gather_3.topology, watching());
    CHECK(error_of([&] { run_verified(machine, *algorithm, gather_3.problem); }) != "");
    fail = false;
    CHECK(run_verified(machine, *algorithm, gather_3.problem).verified);
    CHECK(run_verified(machine, *algorithm, gather_3.problem).verified);
}

namespace {

// Every node sends its numbers to all neighbours, and adds up theirs.
Next hello(OwnRun& run, unsigned turn)
{
    const auto [input, output] = run.data();
    if (turn == 0) {
        run.call([](Node& me) { me.phase("hello"); });
        run.copy(output, input);
        for (Port port = 0; port < run.me().ports(); ++port)
            run.send(port, input);
        return {What::next_step};
    }
    for (Port port = 0; port < run.me().ports(); ++port) {
        const BorrowedPacket packet = run.receive(port);
        run.add(output, {packet.data(), packet.size()});
    }
    return {};
}

}  // namespace

TEST_CASE("own program: a program in a request takes the algorithm's place", "[lab]")
{
    ByTurns interpreter(doubling);
    lab::Lab lab({.interpreter = &interpreter});
    REQUIRE(
        lab.ask(R"({"collective": "all-gather", "topology": "hypercube:4", "program": {"name": "mine", "source": ""},
                        "results": ["report", "document"]})"));
    const auto report = nlohmann::json::parse(*lab.result("report"));
    CHECK(report["verified"] == true);
    CHECK(report["algorithm"] == "mine");
    CHECK(report["collective"] == "all-gather");
    CHECK(report["steps"] == 4);
    CHECK(report["steps_lower_bound"] == 4);
    const auto document = nlohmann::json::parse(*lab.result("document"));
    CHECK(document["films"][0]["bound"]["value"] == 4);

    lab::Lab without;
    CHECK_FALSE(without.ask(R"({"collective": "all-gather", "program": {"name": "mine", "source": ""}})"));
}

TEST_CASE("own program: groups are refused", "[lab][negative][groups]")
{
    dcube::Question asked = question(Collective::all_gather, 4);
    asked.problem.within = {0, 1};
    ByTurns interpreter(doubling);
    CHECK_THAT(error_of([&] {
                   lab::algorithm_of({"mine", ""}, asked, interpreter);
               }),
               Catch::Contains("is for dcube's algorithms only"));
}

TEST_CASE("own program: without a collective a program is run but not verified", "[lab]")
{
    ByTurns interpreter(hello);
    lab::Lab lab({.interpreter = &interpreter});
    REQUIRE(lab.ask(R"({"topology": "torus:4x3", "bytes": 16, "type": "int32", "seed": 7,
                        "program": {"name": "hello", "source": ""}, "results": ["report", "document"]})"));
    const auto report = nlohmann::json::parse(*lab.result("report"));
    CHECK(report["verified"] == false);
    for (const char* const key : {"collective", "operation", "steps_lower_bound", "transmissions_lower_bound",
                                  "time_lower_bound_ns", "ratio_to_bound", "in_transit_lower_bound"}) {
        CAPTURE(key);
        CHECK(report.at(key).is_null());
    }
    CHECK(report["type"] == "int32");
    CHECK(report["steps"] == 1);
    CHECK(report["transmissions"] == 48);
    CHECK(report["seed"] == 7);
    const auto document = nlohmann::json::parse(*lab.result("document"));
    CHECK(document["title"] == "A program on a torus of 4x3");
    CHECK(document["subtitle"] == "12 nodes, all ports: each has 16 bytes to begin with.");
    const auto& film = document["films"][0];
    CHECK(film["bound"].is_null());
    CHECK(film["phases"][0]["name"] == "hello");
    CHECK(film["sentences"].front() == "Before step 1. Every node has 16 bytes of its own. Nothing has been sent.");
    CHECK(film["sentences"].back() == "All programs have ended, after 1 step. What they have made is not verified.");
    CHECK(film["columns"].is_object());

    CHECK_FALSE(lab.ask(R"({"in_place": true, "program": {"name": "hello", "source": ""}})"));
    CHECK_FALSE(lab.ask(R"({"root": 3, "program": {"name": "hello", "source": ""}})"));
    CHECK_FALSE(lab.ask(R"({"topology": "hypercube:3"})"));
}

TEST_CASE("own program: a failed run has a film, which ends in what went wrong", "[lab][negative]")
{
    ByTurns interpreter([](OwnRun& run, unsigned turn) {
        if (turn == 0)
            return Next{What::next_step};
        if (run.me().id() == 3)
            run.send(9, run.data().input);
        return Next{};
    });
    lab::Lab lab({.interpreter = &interpreter});
    CHECK_FALSE(lab.ask(R"({"collective": "all-gather", "topology": "hypercube:3",
                            "program": {"name": "mine", "source": ""}, "results": ["report", "document"]})"));
    const auto error = nlohmann::json::parse(*lab.result("error"));
    CHECK(error["rule"] == "no-such-port");
    CHECK(lab.result("report") == nullptr);
    const auto verdict = nlohmann::json::parse(*lab.result("document"))["films"][0]["verdict"];
    CHECK(verdict["accepted"] == false);
    CHECK(verdict["what"] == "rule");
    CHECK(verdict["step"] == 1);  // nothing was sent before: the film is as long as this step
    CHECK(verdict["node"] == 3);
    CHECK(verdict["message"] == error["message"]);
}

TEST_CASE("own program: bytes that come another way than over links are refused", "[lab][negative]")
{
    std::vector<std::byte> shared;
    ByTurns interpreter([&shared](OwnRun& run, unsigned turn) {
        const auto [input, output] = run.data();
        if (turn == 0) {
            if (run.me().id() == 0)
                shared.assign(input.begin(), input.end());
            return Next{What::next_step};
        }
        run.write(output, shared);
        return Next{};
    });
    lab::Lab lab({.interpreter = &interpreter});
    for (const char* const results : {R"(["report"])", R"(["report", "document"])"}) {
        CHECK_FALSE(lab.ask(fmt::format(R"({{"collective": "broadcast", "topology": "hypercube:3",
                                             "program": {{"name": "mine", "source": ""}}, "results": {}}})",
                                        results)));
        const auto error = nlohmann::json::parse(*lab.result("error"));
        CHECK(error["kind"] == "impossible");
        CHECK(error["message"] == "this cannot be: node 1 never received byte 0 of the message from node 0, and holds "
                                  "it: bytes have come another way than over links");
    }
    const auto film = nlohmann::json::parse(*lab.result("document"))["films"][0];
    CHECK(film["verdict"]["what"] == "impossible");
    CHECK(film["verdict"]["at_end"] == true);
    CHECK(film["bound"]["met"] == false);
}
