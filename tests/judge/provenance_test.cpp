// Whether what nodes hold can have come over links.

#include "judge/provenance.hpp"

#include "tests/support/catch.hpp"

#include <dcube/collective.hpp>

#include <string>
#include <vector>

using namespace dcube;

namespace {

const Topology square = Topology::hypercube(2);

Transmission packet(Step step, NodeId from, Port port, std::span<const Piece> pieces, bool lost = false)
{
    return {.step = step,
            .from = from,
            .to = from ^ (1U << port),
            .port = port,
            .bytes = 8,
            .pieces = pieces,
            .lost = lost};
}

// The first gap, or "".
std::string gap(
    const Problem& problem, const std::vector<Transmission>& sent,
    const std::function<bool(NodeId)>& excused = [](NodeId) { return false; })
{
    Provenance provenance(problem, square);
    for (const Transmission& one : sent)
        provenance.add(one);
    const auto found = provenance.gap(excused);
    return found ? found->message : "";
}

const std::vector<Piece> message{{0, std::nullopt, 0, 8}};
const std::vector<Piece> half{{0, std::nullopt, 0, 4}};
const std::vector<Piece> computed;

// The binomial tree from node 0.
std::vector<Transmission> tree(std::span<const Piece> pieces)
{
    return {packet(1, 0, 0, pieces), packet(2, 0, 1, pieces), packet(2, 1, 1, pieces)};
}

}  // namespace

TEST_CASE("provenance: what packets have brought is explained, also by bytes that nodes have computed", "[judge]")
{
    const Problem problem{Collective::broadcast, 8};
    CHECK(gap(problem, tree(message)).empty());
    CHECK(gap(problem, tree(computed)).empty());
}

TEST_CASE("provenance: no packet, a lost one, a half, and one that came too late are missed", "[judge][negative]")
{
    const Problem problem{Collective::broadcast, 8};
    CHECK(gap(problem, {}) == "node 1 never received byte 0 of the message from node 0");
    std::vector<Transmission> sent = tree(message);
    sent.back().lost = true;
    CHECK(gap(problem, sent) == "node 3 never received byte 0 of the message from node 0");
    CHECK(gap(problem, sent, [](NodeId node) { return node == 3; }).empty());
    sent = tree(message);
    sent.front().pieces = half;
    CHECK(gap(problem, sent) == "node 1 never received byte 4 of the message from node 0");
    sent = tree(computed);
    for (Transmission& one : sent)
        one.step = 1;
    CHECK(gap(problem, sent) == "node 3 never received byte 0 of the message from node 0");
}

TEST_CASE("provenance: every contributor of a sum needs a path", "[judge][negative]")
{
    const Problem problem{Collective::all_reduce, 8};
    std::vector<Transmission> sent;
    for (Step step = 1; step <= 2; ++step)
        for (NodeId node = 0; node < 4; ++node)
            sent.push_back(packet(step, node, step - 1, computed));
    CHECK(gap(problem, sent).empty());
    sent.pop_back();
    CHECK(gap(problem, sent) == "nothing came to node 1 from node 2, whose share is in its sum");

    Problem to_one{Collective::reduce, 8};
    to_one.root = 2;
    CHECK(gap(to_one, {}) == "nothing came to node 2 from node 0, whose share is in its sum");
}

TEST_CASE("provenance: without packets every collective that moves something has a gap", "[judge][negative]")
{
    for (const Collective collective : all_collectives) {
        if (is_barrier(collective))
            continue;  // moves no bytes
        Problem problem{collective, 8};
        problem.peer = 3;
        problem.permutation = {1, 2, 3, 0};
        problem.rows = problem.columns = 8;
        problem.to_layout = MatrixLayout::rows_striped;
        CAPTURE(name(collective));
        CHECK_FALSE(gap(problem, {}).empty());
    }
}
