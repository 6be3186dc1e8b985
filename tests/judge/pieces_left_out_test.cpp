// Lines without "pieces": what they carry follows from what their sender has and their receiver lacks.

#include "tests/support/catch.hpp"
#include "tests/support/error_of.hpp"

#include <dcube/judge.hpp>
#include <dcube/topology.hpp>

#include <fmt/format.h>

#include <array>
#include <sstream>
#include <string>
#include <vector>

using namespace dcube;
using namespace test_support;

namespace {

// Steps, senders and receivers, as lines that say nothing else.
std::string bare_lines(const std::vector<std::array<int, 3>>& hops)
{
    std::string text;
    for (const auto& [step, from, to] : hops)
        text += fmt::format(R"({{"step":{},"from":{},"to":{}}})"
                            "\n",
                            step, from, to);
    return text;
}

Verdict completed_verdict(const std::string& text, const std::string& network, const Problem& problem)
{
    std::istringstream file(text);
    return judge_trace(file, Topology::parse(network), PortModel::all, problem);
}

// The pieces to which a line was completed: "of 0", "0 to 2", ...
std::vector<std::vector<Piece>> completed_pieces(const std::string& text, const std::string& network,
                                                 const Problem& problem)
{
    std::vector<std::vector<Piece>> pieces;
    JudgeOptions how;
    how.question = [&](const std::optional<TraceQuestion>&) {
        return TraceQuestion{Topology::parse(network), PortModel::all, problem};
    };
    how.accepted = [&](const Transmission& one) { pieces.emplace_back(one.pieces.begin(), one.pieces.end()); };
    std::istringstream file(text);
    judge_trace(file, how);
    return pieces;
}

LinkModel taking_time()
{
    return {LinkKind::link_bound, {1, 1}, {10, 1}, LinkClock::data_driven};
}

}  // namespace

TEST_CASE("pieces left out: a broadcast needs only steps and links", "[judge]")
{
    const std::string tree = bare_lines({{1, 0, 1}, {2, 0, 2}, {2, 1, 3}});
    CHECK(completed_verdict(tree, "hypercube:2", {.collective = Collective::broadcast}).transmissions == 3);
    CHECK(completed_pieces(tree, "hypercube:2", {.collective = Collective::broadcast})[2] ==
          std::vector<Piece>{{NodeId{0}, {}, 0, 64}});
}

TEST_CASE("pieces left out: the packets of a message follow each other", "[judge]")
{
    const Problem problem{.collective = Collective::broadcast, .bytes = 8, .packets = 3};
    const std::string path = bare_lines({{1, 0, 1}, {2, 0, 1}, {2, 1, 2}, {3, 0, 1}, {3, 1, 2}, {4, 1, 2}});
    CHECK(completed_verdict(path, "path:3", problem).steps == 4);
    const auto pieces = completed_pieces(path, "path:3", problem);
    CHECK(pieces[0][0].offset == 0);
    CHECK(pieces[1][0].offset == 8);
    CHECK(pieces[2][0].offset == 0);
    CHECK(pieces[5][0].offset == 16);
}

TEST_CASE("pieces left out: an all-gather, sums and a message across the network need only steps and links", "[judge]")
{
    const std::string ring = bare_lines({{1, 0, 1}, {1, 1, 2}, {1, 2, 0}, {2, 0, 1}, {2, 1, 2}, {2, 2, 0}});
    CHECK(completed_verdict(ring, "ring:3", {.collective = Collective::all_gather}).steps == 2);
    const std::string doubling =
        bare_lines({{1, 0, 1}, {1, 1, 0}, {1, 2, 3}, {1, 3, 2}, {2, 0, 2}, {2, 1, 3}, {2, 2, 0}, {2, 3, 1}});
    CHECK(completed_verdict(doubling, "hypercube:2", {.collective = Collective::all_reduce}).steps == 2);
    const std::string up = bare_lines({{1, 3, 1}, {1, 2, 0}, {2, 1, 0}});
    CHECK(completed_verdict(up, "hypercube:2", {.collective = Collective::reduce}).steps == 2);
    // Up and down again: a complete sum takes the place of what is there.
    CHECK(completed_verdict(bare_lines({{1, 2, 1}, {2, 1, 0}, {3, 0, 1}, {4, 1, 2}}), "path:3",
                            {.collective = Collective::all_reduce})
              .steps == 4);
    CHECK(completed_verdict(bare_lines({{1, 0, 1}, {2, 1, 2}}), "path:3", {.collective = Collective::send, .peer = 2})
              .steps == 2);
    CHECK(completed_verdict(bare_lines({{1, 0, 1}, {1, 2, 1}, {2, 1, 2}, {2, 1, 0}}), "path:3",
                            {.collective = Collective::exchange, .peer = 2})
              .steps == 2);
}

TEST_CASE("pieces left out: on links that take time a line carries all that its receiver lacks", "[judge]")
{
    Problem problem{.collective = Collective::all_gather};
    problem.link = taking_time();
    const std::string doubling =
        bare_lines({{1, 0, 1}, {1, 1, 0}, {1, 2, 3}, {1, 3, 2}, {2, 0, 2}, {2, 1, 3}, {2, 2, 0}, {2, 3, 1}});
    const auto pieces = completed_pieces(doubling, "hypercube:2", problem);
    CHECK(pieces[4] == std::vector<Piece>{{NodeId{0}, {}, 0, 64}, {NodeId{1}, {}, 0, 64}});
}

TEST_CASE("pieces left out: a line whose pieces do not follow from the rest is refused", "[judge][negative]")
{
    const auto why_not = [](const std::string& text, const std::string& network, const Problem& problem) {
        return error_of([&] { completed_verdict(text, network, problem); });
    };
    CHECK(why_not(bare_lines({{1, 0, 1}}), "path:3", {.collective = Collective::scatter}) ==
          "line 1: the transmission has no \"pieces\", and node 0 has several messages that node 1 lacks: it must say "
          "which it carries");
    CHECK(why_not(bare_lines({{1, 1, 2}}), "path:3", {.collective = Collective::broadcast}) ==
          "line 1: the transmission has no \"pieces\", and node 1 has nothing in step 1 that node 2 lacks");
    CHECK(why_not(bare_lines({{1, 0, 1}, {1, 1, 2}}), "path:3", {.collective = Collective::broadcast}) ==
          "line 2: the transmission has no \"pieces\", and node 1 has nothing in step 1 that node 2 lacks");
    CHECK(why_not(bare_lines({{1, 0, 1}, {2, 0, 1}}), "path:3", {.collective = Collective::broadcast}) ==
          "line 2: the transmission has no \"pieces\", and node 0 has nothing in step 2 that node 1 lacks");
    CHECK(why_not(bare_lines({{1, 0, 2}}), "path:3", {.collective = Collective::broadcast}) ==
          "line 1: node 0 has no link to node 2");
    CHECK(why_not(bare_lines({{2, 0, 1}, {1, 0, 1}}), "path:3", {.collective = Collective::broadcast}) ==
          "line 2: packets are not sorted by step: step 1 stands after step 2");
    // With several packets, half is none.
    CHECK(why_not(R"({"step":1,"from":0,"to":1,"bytes":32})", "path:2", {.collective = Collective::broadcast}) ==
          "line 1: \"bytes\" is 32, but the pieces have more");
}

TEST_CASE("pieces left out: a list of transmissions is completed as lines are", "[judge]")
{
    const std::vector<Transmission> list{
        {.step = 1, .from = 0, .to = 1, .port = port_left_out, .bytes = size_left_out, .pieces = {}},
        {.step = 2, .from = 1, .to = 2, .port = port_left_out, .bytes = size_left_out, .pieces = {}},
    };
    const TraceQuestion question{Topology::parse("path:3"), PortModel::all, {.collective = Collective::broadcast}};
    CHECK(judge_list(list, question).bytes == 128);
}
