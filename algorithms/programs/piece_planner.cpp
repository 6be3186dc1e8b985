#include "algorithms/programs/piece_planner.hpp"

#include "base/sizes.hpp"

#include <algorithm>
#include <functional>
#include <map>
#include <queue>
#include <tuple>

namespace dcube::detail {

std::uint64_t lay_out(std::vector<PieceBuffer>& buffers)
{
    using Freed = std::pair<Step, std::size_t>;  // from when, and which
    std::priority_queue<Freed, std::vector<Freed>, std::greater<>> taken;
    std::multimap<std::uint64_t, std::uint64_t> free;  // offsets by size
    std::uint64_t end = 0;
    for (std::size_t i = 0; i < buffers.size(); ++i) {  // they stand in the order in which they are wanted
        PieceBuffer& buffer = buffers[i];
        if (buffer.at_home)
            continue;
        while (!taken.empty() && taken.top().first <= buffer.from) {
            const PieceBuffer& gone = buffers[taken.top().second];
            free.emplace(gone.end - gone.begin, gone.offset);
            taken.pop();
        }
        const std::uint64_t size = buffer.end - buffer.begin;
        if (const auto found = free.find(size); found != free.end()) {
            buffer.offset = found->second;
            free.erase(found);
        } else {
            buffer.offset = std::exchange(end, end + size);
        }
        taken.emplace(buffer.free_from, i);
    }
    return end;
}

using Area = PieceAction::Area;

std::optional<PiecePlanner::Held> PiecePlanner::own(std::uint64_t message) const
{
    const auto found = std::ranges::lower_bound(own_, message, {}, &Own::message);
    if (found == own_.end() || found->message != message)
        return std::nullopt;
    return Held{in_input, found->offset, 0};
}

std::optional<PiecePlanner::Held> PiecePlanner::home(std::uint64_t message) const
{
    const std::optional<std::size_t> offset = messages_.wanted(self_, message);
    return offset ? std::optional(Held{in_output, *offset, 0}) : std::nullopt;
}

void PiecePlanner::begin_stage(Step step)
{
    if (plan_.stages.empty() || plan_.stages.back().step != step)
        plan_.stages.push_back({step, {}});
}

void PiecePlanner::act(PieceAction::Kind kind, Port port, std::uint64_t begin, std::uint64_t end, const Held& place,
                       const Held& base)
{
    unsettled_.push_back({place, base, begin});
    PieceAction action{};
    action.length = end - begin;
    action.since = place.since;
    action.base_since = base.since;
    action.port = static_cast<std::uint16_t>(port);
    action.kind = kind;
    plan_.stages.back().actions.push_back(action);
}

PiecePlanner::Held PiecePlanner::new_buffer(std::uint64_t message, std::uint64_t begin, std::uint64_t end, Step step)
{
    buffers_.push_back({message, begin, end, step, step + 1});
    return {buffers_.size() - 1, 0 - begin, new_time()};
}

void PiecePlanner::use(const Held& held, Step free_from)
{
    if (held.buffer < in_output) {
        Step& step = buffers_[held.buffer].free_from;
        step = std::max(step, free_from);
    }
}

NodePlan PiecePlanner::settled_plan()
{
    plan_.storage = as_size(lay_out(buffers_));
    auto next = unsettled_.begin();
    for (PieceStage& stage : plan_.stages)
        for (PieceAction& action : stage.actions) {
            std::tie(action.place_area, action.place) = settled(next->place, next->begin);
            std::tie(action.base_area, action.base) = settled(next->base, next->begin);
            ++next;
        }
    return std::move(plan_);
}

std::pair<Area, std::uint64_t> PiecePlanner::settled(const Held& held, std::uint64_t begin) const
{
    if (held.buffer == in_input)
        return {Area::input, held.message0 + begin};
    if (held.buffer == in_output)
        return {Area::output, held.message0 + begin};
    const PieceBuffer& buffer = buffers_[held.buffer];
    if (buffer.at_home)
        return {Area::output, home(buffer.message)->message0 + begin};
    return {Area::storage, buffer.offset + held.message0 + begin};
}

}  // namespace dcube::detail
