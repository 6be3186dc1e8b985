#include "algorithms/beyond/any_network/move_plan.hpp"

#include "algorithms/programs/kept_schedule.hpp"

#include <algorithm>
#include <cstddef>

namespace dcube::detail {

void write_moves(ByteWriter& bytes, const MovePlan& plan)
{
    bytes.number(plan.steps);
    bytes.number(plan.moves.size());
    for (const auto& [step, arc, packet] : plan.moves) {
        bytes.number(step);
        bytes.number(arc);
        bytes.number(packet);
    }
}

MovePlan read_moves(ByteReader& bytes, std::uint64_t arcs, std::uint64_t packets)
{
    constexpr std::size_t numbers_of_a_move = 3;
    MovePlan plan{bytes.number_to<Step>(), {}};
    plan.moves.resize(bytes.count(numbers_of_a_move));
    Step last = 0;
    for (auto& [step, arc, packet] : plan.moves) {
        step = bytes.number_to<Step>();
        arc = bytes.number_to<ArcId>(arcs - 1);
        packet = bytes.number_to<std::uint32_t>(packets - 1);
        last = std::max(last, step);
    }
    require_step_count(plan.steps, last, plan.moves.size());
    return plan;
}

}  // namespace dcube::detail
