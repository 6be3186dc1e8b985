// Justification, as project schedulers call it (Wiest 1964; Valls, Ballestin, Quintanilla 2005): the moves, last ones
// first, each to the latest step in which its link (one port: sender and receiver) is free and from which the moves
// that depend on it can still follow; then, first ones first, each to the earliest. No move comes later than it was
// before: its own step is always free. Moves that are not on a critical path make room for those that are.

#include "algorithms/beyond/any_network/tighten.hpp"

#include "base/planning.hpp"

#include <dcube/random.hpp>

#include <algorithm>
#include <bit>
#include <cstddef>
#include <utility>

namespace dcube::detail {

namespace {

constexpr std::uint64_t work_of_a_move = 150;  // in nanoseconds, of one round
constexpr std::uint64_t most_work = 20'000'000;
constexpr std::size_t most_places = std::size_t{1} << 28;  // of items at nodes: a gigabyte

// Rounds after the first one; fewer of long plans.
unsigned most_rounds(std::uint64_t moves)
{
    return static_cast<unsigned>(std::min<std::uint64_t>(24, most_work / (work_of_a_move * moves + 1)));
}
constexpr unsigned most_rounds_in_vain = 4;

class Justification {
public:
    Justification(const Arcs& arcs, PortModel ports, std::vector<TimedMove>& moves)
        : arcs_(arcs), ports_(ports), moves_(moves), steps_(moves.back().step),
          users_(ports == PortModel::all ? arcs.size() : std::size_t{2} * arcs.nodes())
    {
        for (const TimedMove& move : moves)
            items_ = std::max(items_, std::size_t{move.packet} + 1);
    }

    [[nodiscard]] Step steps() const { return steps_; }
    [[nodiscard]] bool is_affordable() const { return items_ * arcs_.nodes() <= most_places; }

    // Forth in time to `steps`, the last step; then it is the turn of the other direction.
    void turn()
    {
        begin();
        for (std::size_t first = 0; first < moves_.size();) {
            std::size_t end = first;
            while (end < moves_.size() && moves_[end].step == moves_[first].step)
                ++end;
            random_.shuffle(std::span(moves_).subspan(first, end - first));
            for (std::size_t i = first; i < end; ++i)
                moves_[i].step = place(moves_[i]);
            for (std::size_t i = first; i < end; ++i)
                note(moves_[i]);
            first = end;
        }
        steps_ = last_;
        turn_round();
    }

    // Only turns the direction round: no move comes earlier by it.
    void turn_round()
    {
        for (TimedMove& move : moves_)
            move.step = steps_ + 1 - move.step;
        std::ranges::stable_sort(moves_, {}, &TimedMove::step);
        backwards_ = !backwards_;
    }

private:
    static constexpr unsigned bits = 64;

    void begin()
    {
        words_ = steps_ / bits + 1;
        taken_.assign(users_ * words_, 0);
        ready_.assign(items_ * arcs_.nodes(), 0);
        last_ = 0;
    }

    // In the backward direction the receiver has to be ready.
    [[nodiscard]] NodeId near(ArcId arc) const { return backwards_ ? arcs_.to(arc) : arcs_.from(arc); }
    [[nodiscard]] NodeId far(ArcId arc) const { return backwards_ ? arcs_.from(arc) : arcs_.to(arc); }
    Step& ready(std::uint32_t item, NodeId node) { return ready_[item * std::size_t{arcs_.nodes()} + node]; }

    // The first step in which it can be made.
    Step place(const TimedMove& move)
    {
        const std::size_t a = ports_ == PortModel::all ? move.arc : arcs_.from(move.arc);
        const std::size_t b = ports_ == PortModel::all ? move.arc : arcs_.nodes() + std::size_t{arcs_.to(move.arc)};
        const std::size_t first = ready(move.packet, near(move.arc));  // the step after that, numbered from 0
        std::size_t word = first / bits;
        std::uint64_t free = ~(taken_[a * words_ + word] | taken_[b * words_ + word]) & ~std::uint64_t{0}
                                                                                            << first % bits;
        while (free == 0) {
            ++word;
            free = ~(taken_[a * words_ + word] | taken_[b * words_ + word]);
        }
        const std::size_t at = word * bits + static_cast<unsigned>(std::countr_zero(free));
        taken_[a * words_ + word] |= std::uint64_t{1} << at % bits;
        taken_[b * words_ + word] |= std::uint64_t{1} << at % bits;
        return static_cast<Step>(at + 1);
    }

    void note(const TimedMove& move)
    {
        Step& there = ready(move.packet, far(move.arc));
        there = std::max(there, move.step);
        last_ = std::max(last_, move.step);
    }

    const Arcs& arcs_;
    PortModel ports_;
    std::vector<TimedMove>& moves_;  // by step, in the direction of the next turn
    Step steps_;
    std::size_t users_;
    std::size_t items_ = 0;
    std::size_t words_ = 0;
    bool backwards_ = false;
    std::vector<std::uint64_t> taken_;  // by user: a bit for every step
    std::vector<Step> ready_;           // by item and node: the last step in which it receives of it
    Step last_ = 0;
    Random random_{29};
};

}  // namespace

Step tighten(const Arcs& arcs, PortModel ports, std::vector<TimedMove>& moves, Step bound)
{
    if (moves.empty())
        return 0;
    Justification justification(arcs, ports, moves);
    if (!justification.is_affordable())
        return justification.steps();
    justification.turn();
    justification.turn();
    justification.turn();
    const unsigned rounds = most_rounds(moves.size());
    for (unsigned round = 0, vain = 0; round < rounds && vain < most_rounds_in_vain; ++round) {
        planning("tightening", static_cast<double>(round) / rounds);
        const Step before = justification.steps();
        if (before <= bound)
            break;
        justification.turn();
        justification.turn();
        vain = justification.steps() < before ? 0 : vain + 1;
    }
    justification.turn_round();
    std::ranges::sort(moves, {}, [](const TimedMove& move) { return std::pair(move.step, move.arc); });
    return moves.back().step;
}

std::uint64_t tighten_work(std::uint64_t moves)
{
    return (2 + most_rounds(moves)) * work_of_a_move * moves;
}

}  // namespace dcube::detail
