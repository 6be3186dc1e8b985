// by-dimensions: all-reduce on a product, factor by factor: a block is summed up in all copies of one factor at once,
// then its sums in all copies of the next one. As many blocks as there are factors go side by side, each through the
// factors in its own cyclic order, so that no two are in one factor at a time. All ports.
//
// Few blocks only: the sum of the factors' steps (factor_sums.hpp) for one block, which on tori, generalised hypercubes
// and meshes is the diameter and so optimal; for more blocks a phase lasts as long as the slowest factor in it.
//
// Planning: that of the factors.

#include "algorithms/beyond/any_network/tree_all_reduce.hpp"

#include "algorithms/beyond/any_network/pairwise_sum.hpp"
#include "algorithms/beyond/products/factor_sums.hpp"
#include "algorithms/networks.hpp"
#include "algorithms/programs/members.hpp"
#include "algorithms/programs/phases.hpp"
#include "base/memo.hpp"
#include "base/sizes.hpp"
#include "collectives/unit_question.hpp"

#include "emu/arrival_times.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <memory>
#include <utility>
#include <vector>

namespace dcube::detail {

namespace {

// Groups of `lanes` blocks, one after the other. In phase j the i-th block of a group is in factor (i + j) mod k.
struct DimensionSums {
    std::vector<FactorSums> factors;
    std::uint64_t lanes = 1;

    [[nodiscard]] std::size_t factor_of(std::uint64_t lane, std::size_t phase) const
    {
        return (lane + phase) % factors.size();
    }
    [[nodiscard]] Step steps_of_phase(std::size_t phase, std::uint64_t blocks) const
    {
        Step steps = 0;
        for (std::uint64_t lane = 0; lane < blocks; ++lane)
            steps = std::max(steps, factors[factor_of(lane, phase)].steps);
        return steps;
    }
    [[nodiscard]] std::uint64_t steps_of_group(std::uint64_t blocks) const
    {
        std::uint64_t steps = 0;
        for (std::size_t phase = 0; phase < factors.size(); ++phase)
            steps += steps_of_phase(phase, blocks);
        return steps;
    }
    [[nodiscard]] std::uint64_t steps(std::uint64_t blocks) const
    {
        return blocks / lanes * steps_of_group(lanes) + steps_of_group(blocks % lanes);
    }
};

// The places for pairwise sums in every factor.
std::size_t places_of_pairs(const Topology& topology)
{
    std::size_t places = 0;
    for (unsigned i = 0; i < topology.dimension(); ++i)
        if (is_ring_or_complete(topology.factor(i)))
            places = std::max(places, PairwiseSum::places(topology.factor(i).nodes()));
    return places;
}

std::size_t blocks_of_lane(const Topology& topology)
{
    return places_of_sums + places_of_pairs(topology);
}

DimensionSums sums_by_dimensions(const Topology& topology, std::uint64_t blocks)
{
    DimensionSums sums;
    for (unsigned i = 0; i < topology.dimension(); ++i)
        sums.factors.push_back(factor_sums(topology.factor(i)));
    std::uint64_t best = 1;
    std::uint64_t least = sums.steps(blocks);
    for (sums.lanes = 2; sums.lanes <= std::min<std::uint64_t>(blocks, sums.factors.size()); ++sums.lanes)
        if (const std::uint64_t steps = sums.steps(blocks); steps < least) {
            least = steps;
            best = sums.lanes;
        }
    sums.lanes = best;
    return sums;
}

std::shared_ptr<const DimensionSums> kept_sums(const Topology& topology, const Problem& problem)
{
    static Memo<UnitQuestion, DimensionSums> kept(8);
    return kept.get(question_of(topology, PortModel::all, problem),
                    [&] { return sums_by_dimensions(topology, problem.packets); });
}

// A block at a node: its sums lie where the factors' instructions have them, from phase to phase elsewhere.
class SumLane {
public:
    SumLane(std::span<const std::byte> input, std::span<std::byte> storage) : own_(input), storage_(storage) {}

    void begin_at(Node& me, const ArrivalTimes& arrived, const FactorSums& factor, NodeId self, Port first_port)
    {
        sums_ = &factor.of(self);
        first_port_ = first_port;
        nodes_ = factor.in_pairs;
        self_ = self;
        if (nodes_ == 0)
            return;
        in_pairs_ = PairwiseSum(nodes_, storage_.subspan(places_of_sums * own_.size()), written(sums_->result));
        in_pairs_.add(me, self_, arrived.packet(read(own)), nullptr);
    }

    void send(Node& me, ArrivalTimes& arrived, Step step) const
    {
        if (step <= sums_->stages.size())
            for (const FactorSums::Action& action : sums_->stages[step - 1].sends)
                me.send(first_port_ + action.port, arrived.packet(read(action.place)));
    }

    void receive(Node& me, ArrivalTimes& arrived, Step step, Combine combine)
    {
        if (step > sums_->stages.size())
            return;
        for (const FactorSums::Action& action : sums_->stages[step - 1].arrivals) {
            const Port port = first_port_ + action.port;
            const std::span<const std::byte> base = read(action.base);
            switch (action.kind) {
            case FactorSums::Action::Kind::send: break;
            case FactorSums::Action::Kind::keep: arrived.set(me.receive(port, written(action.place))); break;
            case FactorSums::Action::Kind::add:
                arrived.set_sum(me.receive(port, written(action.place), base, combine), base);
                break;
            case FactorSums::Action::Kind::share:
                const Packet share = me.receive(port, written(action.place));
                arrived.set(share);
                in_pairs_.add(me, (self_ + action.ahead) % nodes_, share, combine);
            }
        }
    }

    // The sum is the next phase's own; its place is taken by what is no longer needed.
    void end(ArrivalTimes& arrived)
    {
        if (nodes_ != 0)
            arrived.set(in_pairs_.total());
        std::swap(at_[0], at_[sums_->result]);
        if (sums_->result != 0 && at_[sums_->result] == own)
            at_[sums_->result] = spare;
    }

    [[nodiscard]] std::span<const std::byte> sum() const { return read(0); }

private:
    static constexpr std::uint8_t own = 0;
    static constexpr std::uint8_t spare = places_of_sums;

    [[nodiscard]] std::span<std::byte> written(std::uint8_t place) const
    {
        return storage_.subspan((at_[place] - 1) * own_.size(), own_.size());
    }
    [[nodiscard]] std::span<const std::byte> read(std::uint8_t place) const
    {
        return at_[place] == own ? own_ : written(place);
    }

    std::span<const std::byte> own_;
    std::span<std::byte> storage_;
    std::array<std::uint8_t, places_of_sums> at_{0, 1, 2, 3, 4};  // own_, or which part of the storage
    const FactorSums::NodeSums* sums_ = nullptr;
    Port first_port_ = 0;
    NodeId nodes_ = 0;  // the pairwise sum's
    NodeId self_ = 0;
    PairwiseSum in_pairs_{};
};

std::vector<SumLane> lanes_from(std::uint64_t first, std::uint64_t lanes, const Problem& problem, NodeData data,
                                std::span<std::byte> storage)
{
    const std::size_t of_lane = storage.size() / lanes;
    std::vector<SumLane> group;
    for (std::uint64_t i = 0; i < std::min<std::uint64_t>(lanes, problem.packets - first); ++i)
        group.emplace_back(data.input.subspan(as_size((first + i) * problem.bytes), problem.bytes),
                           storage.subspan(as_size(i * of_lane), of_lane));
    return group;
}

Task by_dimensions(Node& me, const DimensionSums& sums, const Problem& problem, NodeData data)
{
    const Topology& topology = me.topology().of_members();
    const NodeId self = me.topology().member_number(me.id());
    const Combine combine = combiner(problem);
    const std::span<std::byte> storage = me.allocate(as_size(sums.lanes * blocks_of_lane(topology) * problem.bytes));
    ArrivalTimes arrived(me);
    for (std::uint64_t first = 0; first < problem.packets; first += sums.lanes) {
        std::vector<SumLane> lanes = lanes_from(first, sums.lanes, problem, data, storage);
        for (std::size_t phase = 0; phase < sums.factors.size(); ++phase) {
            for (std::size_t i = 0; i < lanes.size(); ++i) {
                const auto factor = static_cast<unsigned>(sums.factor_of(i, phase));
                lanes[i].begin_at(me, arrived, sums.factors[factor], topology.digit(self, factor),
                                  topology.first_port(self, factor));
            }
            const Step steps = sums.steps_of_phase(phase, lanes.size());
            for (Step step = 1; step <= steps; ++step) {
                for (const SumLane& lane : lanes)
                    lane.send(me, arrived, step);
                co_await me.next_step();
                for (SumLane& lane : lanes)
                    lane.receive(me, arrived, step, combine);
            }
            for (SumLane& lane : lanes)
                lane.end(arrived);
        }
        for (std::size_t i = 0; i < lanes.size(); ++i)
            me.copy(data.output.subspan(as_size((first + i) * problem.bytes), problem.bytes), lanes[i].sum());
    }
}

std::uint64_t work_by_dimensions(const Topology& topology)
{
    std::uint64_t work = 0;
    for (unsigned i = 0; i < topology.dimension(); ++i)
        work += work_of_factor(topology.factor(i));
    return work;
}

Cost cost_by_dimensions(const Topology& topology, const Problem& problem)
{
    const auto sums = kept_sums(topology, problem);
    std::uint64_t of_block = 0;
    for (unsigned i = 0; i < topology.dimension(); ++i)
        of_block += sums->factors[i].transmissions * (topology.nodes() / topology.factor(i).nodes());
    return {sums->steps(problem.packets), problem.packets * of_block};
}

PhaseText text_of_group(std::uint64_t first, std::uint64_t blocks)
{
    if (blocks == 1)
        return {fmt::format("block {}", first),
                fmt::format("Block {} is summed up along one coordinate, everywhere at once, then its sums along the "
                            "next one.",
                            first)};
    return {fmt::format("blocks {} to {}", first, first + blocks - 1),
            fmt::format("Blocks {} to {} are summed up along all coordinates in turn, no two of them along the same "
                        "one at a time.",
                        first, first + blocks - 1)};
}

Phases phases_by_dimensions(const Topology& topology, const Problem& problem)
{
    const auto sums = kept_sums(topology, problem);
    const std::uint64_t lanes = sums->lanes;
    const std::uint64_t groups = problem.packets / lanes;
    const std::uint64_t of_group = sums->steps_of_group(lanes);
    Phases phases = numbered_phases(
        groups, of_group, [&](std::uint64_t group) { return text_of_group(group * lanes + 1, lanes); },
        {fmt::format("groups of {}", counted(lanes, "block")),
         fmt::format("Group after group of {} is summed up along one coordinate, everywhere at once, then along the "
                     "next one, each group in {}.",
                     counted(lanes, "block"), counted(of_group, "step"))});
    const std::uint64_t rest = problem.packets % lanes;
    return followed_by(std::move(phases), groups * of_group,
                       whole_run(sums->steps_of_group(rest), text_of_group(groups * lanes + 1, rest)));
}

}  // namespace

Entry dimensions_entry(Entry head)
{
    head.cost = cost_by_dimensions;
    head.planning_work = [](const Topology& topology, const Problem&) { return work_by_dimensions(topology); };
    head.storage = [](const Topology& topology, const Problem& problem) {
        const std::uint64_t lanes = std::min<std::uint64_t>(problem.packets, std::max(1U, topology.dimension()));
        return topology.nodes() * lanes * blocks_of_lane(topology) * problem.bytes;
    };
    head.phases = phases_by_dimensions;
    head.prepare = [](const Topology& topology, const Problem& problem) -> CollectiveProgram {
        const auto sums = kept_sums(topology.of_members(), problem);
        return [sums, problem](Node& me, NodeData data) { return by_dimensions(me, *sums, problem, data); };
    };
    return restricted_to_members(std::move(head));
}

Entry by_dimensions_entry()
{
    return dimensions_entry(
        {{.collective = Collective::all_reduce,
          .name = "by-dimensions",
          .networks = Networks::no_hypercubes,
          .same_bits = true},
         {.paper = "textbook: dimension by dimension",
          .origin = Origin::dcube,
          .summary = "few blocks on products: summed up in all copies of one factor at once, then of the next one",
          .idea =
              "Factor by factor: a block is summed up in all copies of one factor at once, then of the next one. As "
              "many blocks as there are factors go side by side, each in a cyclic order of its own.",
          .formula = {.words = "the factors' steps added up, for a block in each factor"},
          .paper_note = "In none of the papers: summing up by dimensions is well known."}});
}

}  // namespace dcube::detail
