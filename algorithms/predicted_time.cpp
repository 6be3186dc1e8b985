// The time of a run on links that take time, predicted before the run.

#include <dcube/bounds.hpp>
#include <dcube/catalogue.hpp>

#include "algorithms/programs/composed.hpp"
#include "algorithms/programs/cut_messages.hpp"
#include "algorithms/programs/link_costs.hpp"
#include "algorithms/programs/renaming.hpp"
#include "algorithms/programs/walked_time.hpp"
#include "base/memo.hpp"

#include <dcube/error.hpp>
#include <dcube/layout.hpp>
#include <dcube/machine.hpp>

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <utility>
#include <vector>

namespace dcube {

namespace {

// Entries for the unit model send packets of one size, but for matrices.
bool has_equal_packets(const Entry& entry)
{
    return entry.link == LinkKind::unit && entry.origin != Origin::own && !is_matrix(entry.collective);
}

// Whether a link is busy all the time, or no algorithm needs fewer steps of such packets: then no packet is early.
bool takes_all_steps(const Cost& cost, const Topology& topology, const Problem& problem)
{
    return cost.steps == 0 || cost.transmissions > (cost.steps - 1) * topology.directed_links() ||
           cost.steps == steps_bound(topology, PortModel::all, problem).value;
}

// The time of a plan's packets, in packets' times, where nothing walks through the plan: it is measured by a run with
// packets of one byte each. None if that would be too much work.
std::optional<std::uint64_t> packet_times_of_a_run(const Entry& entry, const Topology& topology, const Problem& problem)
{
    constexpr std::uint64_t most_transmissions = 1 << 17;
    Problem small = problem;
    small.bytes = 1;
    small.type = ElementType::uint8;
    small.operation = Operation::sum;
    small.own_operation.reset();
    small.link = detail::packet_clock(problem.link);
    if (entry.cost(topology, small).transmissions > most_transmissions)
        return std::nullopt;
    const Layout layout(small, topology);
    const std::vector<std::byte> input(layout.input_bytes);
    std::vector<std::byte> output(layout.output_bytes);
    MachineOptions options;
    options.link = small.link;
    options.ports = small.link.one_port() ? PortModel::one : PortModel::all;
    options.threads = 1;
    Machine machine(topology, options);
    const CollectiveProgram program = entry.prepare(topology, small);
    return machine.run([&](Node& me) { return program(me, node_data(layout, input, output, me.id())); }).virtual_time;
}

std::optional<std::uint64_t> packet_times(const Entry& entry, const Topology& topology, const Problem& problem)
{
    using Key = std::pair<std::string_view, detail::WalkKey>;
    static detail::Memo<Key, std::optional<std::uint64_t>> known(32);
    return *known.get(Key{entry.name, detail::packet_times_key(topology, problem)},
                      [&] { return packet_times_of_a_run(entry, topology, problem); });
}

std::optional<PredictedTime> of_equal_packets(const Entry& entry, const Topology& topology, const Problem& problem)
{
    const Cost cost = entry.cost(topology, problem);
    const bool all = takes_all_steps(cost, topology, problem);
    const detail::LinkCosts costs(problem.link);
    if (!all && entry.run_time) {
        if (const std::optional<Rational> time = entry.run_time(topology, problem))
            return PredictedTime{*time};
    } else if (!all) {
        if (const auto packets = packet_times(entry, topology, problem))
            return PredictedTime{detail::to_rational(costs.packets(*packets, packet_size(problem)))};
    }
    return PredictedTime{detail::to_rational(costs.packets(cost.steps, packet_size(problem))), all};
}

// None if the time does not fit in 64 bits: that ends the run itself, which then reports the step.
std::optional<PredictedTime> if_it_fits(const Entry& entry, const Topology& topology, const Problem& problem)
{
    try {
        return of_equal_packets(entry, topology, problem);
    } catch (const InvalidArgument&) {
        return std::nullopt;
    }
}

}  // namespace

std::optional<PredictedTime> predicted_time(const Entry& entry, const Topology& topology, const Problem& problem)
{
    if (const auto groups = groups_of(problem, topology))
        return predicted_time(entry, groups->network(), in_group(problem));
    if (!problem.link.bound())
        return std::nullopt;
    if (topology.nodes() == 1 || moves_nothing(problem))
        return PredictedTime{};
    if (const Recognition* const known = detail::known_to(entry, topology, problem))
        return predicted_time(entry, known->network, detail::renamed(problem, *known));
    if (const auto* const composed = detail::prepare_of(entry).target<detail::Composed>())
        return detail::time_of_parts(*composed, topology, problem);
    if (const auto cut = chosen_cut(entry, topology, problem))
        return PredictedTime{cut->ns};
    if (has_equal_packets(entry))
        return if_it_fits(entry, topology, problem);
    if (entry.run_time)
        if (const std::optional<Rational> time = entry.run_time(topology, problem))
            return PredictedTime{*time};
    if (problem.link.clock == LinkClock::lockstep)
        return std::nullopt;  // limits are of the data-driven clock
    const std::optional<Rational> limit =
        entry.time_limit ? entry.time_limit(topology, problem) : entry.time(topology, problem);
    return limit ? std::optional(PredictedTime{*limit, false}) : std::nullopt;
}

std::optional<std::uint64_t> predicted_link_bytes(const Entry& entry, const Topology& topology, const Problem& problem)
{
    if (const auto groups = groups_of(problem, topology)) {
        const auto one = predicted_link_bytes(entry, groups->network(), in_group(problem));
        return one ? std::optional(groups->count() * *one) : std::nullopt;
    }
    if (moves_nothing(problem))
        return 0;
    if (const Recognition* const known = detail::known_to(entry, topology, problem))
        return predicted_link_bytes(entry, known->network, detail::renamed(problem, *known));
    if (const auto* const composed = detail::prepare_of(entry).target<detail::Composed>())
        return detail::link_bytes_of_parts(*composed, topology, problem);
    if (const auto cut = chosen_cut(entry, topology, problem))
        return cut->link_bytes;
    return has_equal_packets(entry) ? std::optional(entry.cost(topology, problem).transmissions * packet_size(problem))
                                    : std::nullopt;
}

}  // namespace dcube
