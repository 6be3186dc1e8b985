// The program that carries out a schedule in pieces.

#include <dcube/schedule.hpp>

#include "algorithms/programs/matrix_program.hpp"
#include "algorithms/programs/packet_parts.hpp"
#include "algorithms/programs/piece_plan.hpp"
#include "algorithms/programs/signals.hpp"
#include "base/memory.hpp"
#include "base/sizes.hpp"

#include <dcube/error.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <iterator>
#include <memory>
#include <utility>

namespace dcube {

namespace detail {

namespace {

using Action = PieceAction;
using Area = PieceAction::Area;
using Kind = PieceAction::Kind;

// One node at work.
class PieceWork {
public:
    PieceWork(Node& me, const NodePlan& plan, Combine combine, NodeData data)
        : me_(me), combine_(combine), input_(data.input), lists_(me), since_(plan.times, me.usable_now())
    {
        writable_ = {data.output, me.allocate(plan.storage)};
    }

    void operator()(const PieceStage& stage)
    {
        for (auto at = stage.actions.begin(); at != stage.actions.end();) {
            const auto end = std::find_if(at, stage.actions.end(), [at](const Action& action) {
                return is_one(action) || action.port != at->port || sends(action) != sends(*at);
            });
            const std::span<const Action> packet(at, is_one(*at) ? at + 1 : end);
            if (is_one(*at))
                work_alone(*at);
            else if (sends(*at))
                send(packet);
            else
                receive(packet);
            at += std::ssize(packet);
        }
    }

private:
    static bool is_one(const Action& action)
    {
        return action.kind == Kind::copy || action.kind == Kind::start || action.kind == Kind::join;
    }
    static bool sends(const Action& action) { return action.kind == Kind::send; }

    [[nodiscard]] std::span<const std::byte> from(Area area, std::uint64_t offset, std::uint64_t length) const
    {
        if (area == Area::input)
            return input_.subspan(as_size(offset), as_size(length));
        return writable_[area == Area::output ? 0 : 1].subspan(as_size(offset), as_size(length));
    }
    [[nodiscard]] std::span<std::byte> into(const Action& action) const
    {
        return writable_[action.place_area == Area::output ? 0 : 1].subspan(as_size(action.place),
                                                                            as_size(action.length));
    }

    void work_alone(const Action& action)
    {
        const std::span<const std::byte> base = from(action.base_area, action.base, action.length);
        const std::span<std::byte> place = into(action);
        if (action.kind == Kind::join)
            me_.combine(place, place, base, combine_);
        else
            me_.copy(place, base);
        if (action.kind == Kind::start)
            since_[action.since] = since_[action.base_since];
        if (action.kind == Kind::join)
            since_[action.since] = std::max(since_[action.since], since_[action.base_since]);
    }

    void send(std::span<const Action> packet)
    {
        parts_.clear();
        Usable usable = usable_at(0);
        for (const Action& action : packet) {
            const std::span<const std::byte> bytes = from(action.place_area, action.place, action.length);
            usable = std::max(usable, since_[action.since]);
            if (!parts_.empty() && parts_.back().data() + parts_.back().size() == bytes.data())
                parts_.back() = {parts_.back().data(), parts_.back().size() + bytes.size()};
            else
                parts_.push_back(bytes);
        }
        me_.send(packet.front().port, JoinedPacket{lists_.lend(packet.front().port, parts_), usable});
    }

    void receive(std::span<const Action> packet)
    {
        const BorrowedParts arrived = me_.receive_joined(packet.front().port);
        PartReader reader(arrived);
        for (const Action& action : packet)
            take(reader, action);
    }

    void take(PartReader& reader, const Action& action)
    {
        Usable& since = since_[action.since];
        if (action.kind == Kind::again) {
            since = std::min(since, reader.usable());
            return reader.take(as_size(action.length), [](auto) {});
        }
        const bool adds = action.kind == Kind::add;
        since = adds ? std::max(since_[action.base_since], reader.usable()) : reader.usable();
        const std::span<std::byte> place = into(action);
        const std::span<const std::byte> base =
            adds ? from(action.base_area, action.base, action.length) : std::span<const std::byte>();
        std::size_t done = 0;
        reader.take(as_size(action.length), [&](BorrowedBytes part) {
            if (adds)
                me_.combine(place.subspan(done, part.size()), base.subspan(done, part.size()), part, combine_);
            else
                me_.copy(place.subspan(done, part.size()), part);
            done += part.size();
        });
    }

    Node& me_;
    Combine combine_;
    std::span<const std::byte> input_;
    std::array<std::span<std::byte>, 2> writable_;  // output and storage
    PartLists lists_;
    std::vector<Usable> since_;
    std::vector<std::span<const std::byte>> parts_;
};

Task run_pieces(Node& me, const NodePlan& plan, Combine combine, NodeData data)
{
    PieceWork work(me, plan, combine, data);
    const Step before = me.step() - 1;
    for (const PieceStage& stage : plan.stages) {
        co_await me.until(before + stage.step);
        work(stage);
    }
}

CollectiveProgram carrying(const PieceSchedule& schedule, const Topology& topology, const Problem& problem,
                           const MessagePlaces& messages)
{
    const bool sums = is_reduction(problem.collective);
    const Flow flow = flow_of(schedule, topology, problem, messages);
    const auto plans = std::make_shared<const std::vector<NodePlan>>(piece_plans(flow, topology, problem, messages));
    const Combine combine = sums ? combiner(problem) : nullptr;
    return [=](Node& me, NodeData data) { return run_pieces(me, (*plans)[me.id()], combine, data); };
}

// A barrier's packets have no pieces.
CollectiveProgram signalling(const PieceSchedule& schedule, const Topology& topology)
{
    SignalPlan plan;
    for (std::size_t hop = 0; hop < schedule.hops().size(); ++hop) {
        const auto& [step, from, port, first_piece] = schedule.hops()[hop];
        const auto refuse = [&](const std::string& why) {
            throw InvalidArgument(fmt::format("packet {} of the schedule (step {}): {}", hop, step, why));
        };
        if (from >= topology.nodes() || port >= topology.ports(from))
            refuse(fmt::format("{} has no port {} at node {}", topology.name(), port, from));
        if (!schedule.pieces(hop).empty())
            refuse("it has pieces, and the packets of a barrier are empty");
        plan.signals.push_back({step, from, port});
        plan.steps = step;
    }
    return program_of(plan, topology);
}

}  // namespace

}  // namespace detail

void PieceSchedule::add(Step step, NodeId from, Port port, std::span<const Piece> pieces)
{
    constexpr Step most_steps = 0x7fffffff;
    const Step before = hops_.empty() ? 1 : hops_.back().step;
    if (step < before || step >= most_steps)
        throw InvalidArgument(fmt::format("packet {} of the schedule is of step {}: {} to {} are possible, after those "
                                          "before it",
                                          hops_.size(), step, before, most_steps - 1));
    hops_.push_back({step, from, port, pieces_.size()});
    pieces_.insert(pieces_.end(), pieces.begin(), pieces.end());
}

std::function<void(const Transmission&)> collected_in(PieceSchedule& schedule)
{
    constexpr std::size_t bytes_of_a_piece = 256;  // with what is planned for it
    const std::size_t most_pieces = available_memory() / 2 / bytes_of_a_piece;
    return [&schedule, most_pieces](const Transmission& one) {
        if (schedule.all_pieces() + one.pieces.size() > most_pieces)
            throw InvalidArgument(
                fmt::format("the schedule has more pieces than memory can hold: {} are possible", most_pieces));
        schedule.add(one);
    };
}

std::span<const Piece> PieceSchedule::pieces(std::size_t hop) const
{
    const std::size_t end = hop + 1 < hops_.size() ? hops_[hop + 1].first_piece : pieces_.size();
    return std::span(pieces_).subspan(hops_[hop].first_piece, end - hops_[hop].first_piece);
}

CollectiveProgram program_of(const PieceSchedule& schedule, const Topology& topology, const Problem& problem)
{
    validate(problem, topology);
    if (!problem.within.empty())
        throw InvalidArgument("within", "", "is not possible for a schedule in pieces: give each group's");
    if (is_barrier(problem.collective))
        return detail::signalling(schedule, topology);
    if (!is_matrix(problem.collective))
        return detail::carrying(schedule, topology, problem, *detail::message_places(problem, topology));
    const auto packing = std::make_shared<const detail::MatrixPacking>(problem, topology);
    return detail::matrix_program(packing, detail::carrying(schedule, topology, problem, *packing));
}

Algorithm algorithm_of(Algorithm head, PieceSchedule schedule)
{
    const auto shared = std::make_shared<const PieceSchedule>(std::move(schedule));
    head.networks = Networks::products;
    head.uneven = may_be_uneven(head.collective);
    if (!head.cost)
        head.cost = [shared](const Topology&, const Problem&) {
            return Cost{shared->hops().empty() ? 0 : shared->hops().back().step, shared->hops().size()};
        };
    head.storage = [shared](const Topology& topology, const Problem& problem) {
        return Layout(problem, topology).output_bytes + shared->all_pieces() * detail::plan_bytes_of_a_piece;
    };
    head.prepare = [shared](const Topology& topology, const Problem& problem) {
        return program_of(*shared, topology, problem);
    };
    return head;
}

}  // namespace dcube
