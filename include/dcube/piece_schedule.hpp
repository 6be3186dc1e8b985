#pragma once
/// Schedules in pieces of messages: a trace's transmissions as an executable program. Packets may have any size and
/// carry stretches of any messages, so that every trace can be run, those of links that take time too; schedule.hpp has
/// the simpler ones.

#include <dcube/catalogue.hpp>
#include <dcube/problem.hpp>
#include <dcube/topology.hpp>
#include <dcube/trace.hpp>

#include <cstddef>
#include <functional>
#include <span>
#include <vector>

namespace dcube {

/// Who sends which stretches of messages over which port in which step. Pieces mean what they mean in a trace: a piece
/// of a reduction carries all that its sender holds of that sum when the step begins; at the receiver a partial sum is
/// added, and a complete one takes the place of what is there. Nothing is given away by sending it. Where `sum_of`
/// tells of some piece that it is another sum, all nodes keep sums apart, and make what they send of disjoint ones.
class PieceSchedule {
public:
    struct Hop {
        Step step;  ///< 1, 2, ...
        NodeId from;
        Port port;
        std::size_t first_piece;
    };

    /// Appends a packet. Throws InvalidArgument: step 0, 2^31-1 or more, or less than the last one's.
    void add(Step step, NodeId from, Port port, std::span<const Piece> pieces);
    /// The same as a trace tells it.
    void add(const Transmission& one) { add(one.step, one.from, one.port, one.pieces); }

    [[nodiscard]] std::span<const Hop> hops() const { return hops_; }
    [[nodiscard]] std::span<const Piece> pieces(std::size_t hop) const;
    [[nodiscard]] std::size_t all_pieces() const { return pieces_.size(); }

private:
    std::vector<Hop> hops_;
    std::vector<Piece> pieces_;
};

/// Appends transmissions to the schedule, for JudgeOptions::accepted: what is judged is what is run. It throws
/// InvalidArgument where the schedule gets larger than memory is.
std::function<void(const Transmission&)> collected_in(PieceSchedule& schedule);

/// What every node runs to carry it out. Throws InvalidArgument, naming the packet (0, 1, ...): a link or message that
/// does not exist, or bytes that are sent before they are there. What it does not look for, a run reports.
CollectiveProgram program_of(const PieceSchedule& schedule, const Topology& topology, const Problem& problem);

/// An algorithm that is such a schedule, for run() and run_verified(). The head says what it is. The schedule is of one
/// problem on one network.
Algorithm algorithm_of(Algorithm head, PieceSchedule schedule);

}  // namespace dcube
