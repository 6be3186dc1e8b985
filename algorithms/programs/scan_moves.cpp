#include "algorithms/programs/scan_moves.hpp"

#include "algorithms/programs/cut_messages.hpp"

#include <dcube/contributors.hpp>

#include <algorithm>
#include <memory>
#include <span>
#include <utility>

namespace dcube::detail {

namespace {

// The members from the first of these numbers to the last.
std::shared_ptr<const Contributors> members_between(const Topology& topology, NodeId first, NodeId last)
{
    auto nodes = std::make_shared<Contributors>(
        std::vector<Contributors::Range>{{topology.member(first), topology.member(last)}});
    for (const NodeId missing : topology.faults().nodes)
        nodes->remove(Contributors(missing));
    return nodes;
}

// Packets of `cut.bytes` bytes, the last of them with what is left of the message.
PieceSchedule pieces_of(const std::vector<ScanMove>& moves, const Topology& topology, const Problem& cut,
                        std::size_t message)
{
    PieceSchedule schedule;
    for (const ScanMove& move : moves) {
        const std::size_t offset = move.block * cut.bytes;
        const Piece piece{.origin = {},
                          .target = {},
                          .offset = offset,
                          .length = std::min(cut.bytes, message - offset),
                          .sum_of = members_between(topology, move.first, move.last)};
        schedule.add(move.step, topology.member(move.from), move.port, std::span(&piece, 1));
    }
    return schedule;
}

}  // namespace

Entry cutting_scan(Entry entry, MakeScanMoves moves)
{
    return cutting(std::move(entry), [moves](const Topology& topology, const Problem& cut, const Problem& whole) {
        return pieces_of(moves(topology.of_members(), cut.packets), topology, cut, whole.bytes);
    });
}

}  // namespace dcube::detail
