#include "tests/support/broken_moves.hpp"

#include <algorithm>
#include <tuple>

namespace test_support {

using namespace dcube;

std::vector<Move> moves_of(const PhasedRun& run, const Problem& problem)
{
    std::vector<Move> moves;
    for (const PhasedSend& sent : run.sent)
        for (const Piece& piece : sent.pieces)
            moves.push_back({sent.step,
                             sent.from,
                             sent.port,
                             {piece.origin.value_or(0), piece.target.value_or(0),
                              static_cast<std::uint32_t>(piece.offset / problem.bytes)}});
    return moves;
}

std::vector<BrokenMoves> broken_at(const Topology& topology, const std::vector<Move>& moves, std::size_t i)
{
    std::vector<BrokenMoves> all;
    const auto add = [&](const char* what, const auto& change) {
        std::vector<Move> broken = moves;
        change(broken);
        std::ranges::stable_sort(broken, {},
                                 [](const Move& move) { return std::tuple(move.step, move.from, move.port); });
        all.push_back({what, std::move(broken)});
    };
    const Move move = moves[i];
    const bool just_arrived = move.step == 1 || std::ranges::any_of(moves, [&](const Move& before) {
                                  return before.step + 1 == move.step && before.packet == move.packet &&
                                         topology.neighbour(before.from, before.port) == move.from;
                              });
    add("dropped", [i](std::vector<Move>& broken) { broken.erase(broken.begin() + static_cast<std::ptrdiff_t>(i)); });
    if (just_arrived)
        add("early", [i](std::vector<Move>& broken) { --broken[i].step; });
    add("doubled", [&](std::vector<Move>& broken) { broken.push_back(move); });
    if (topology.ports(move.from) > 1)
        add("misdirected",
            [&](std::vector<Move>& broken) { broken[i].port = (move.port + 1) % topology.ports(move.from); });
    return all;
}

}  // namespace test_support
