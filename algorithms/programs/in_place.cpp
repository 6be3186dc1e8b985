#include "algorithms/programs/in_place.hpp"

#include "algorithms/programs/in_groups.hpp"
#include "collectives/averages.hpp"

#include <dcube/layout.hpp>

#include <memory>
#include <utility>

namespace dcube::detail {

namespace {

Task run_aside(Node& me, const CollectiveProgram& program, NodeData data)
{
    const std::span<std::byte> input = me.allocate(data.input.size());
    me.copy(input, data.input);
    Task running = program(me, {input, data.output});
    co_await running;
}

}  // namespace

CollectiveProgram aside(CollectiveProgram program)
{
    return [shared = std::make_shared<const CollectiveProgram>(std::move(program))](Node& me, NodeData data) {
        return run_aside(me, *shared, data);
    };
}

}  // namespace dcube::detail

namespace dcube {

namespace {

Task do_nothing(Node&, NodeData)
{
    co_return;
}

// Averages are written when others may still read what was sent.
bool works_in_place(const Algorithm& algorithm, const Problem& problem)
{
    return algorithm.in_place && !is_average(problem);
}

CollectiveProgram program_of_sums(const Algorithm& algorithm, const Topology& topology, const Problem& problem)
{
    if (!problem.in_place || works_in_place(algorithm, problem))
        return algorithm.prepare(topology, problem);
    return detail::aside(algorithm.prepare(topology, out_of_place(problem)));
}

// Sums are made apart: when a node has all of its own, others may still read those that it sent.
Task average(Node& me, const CollectiveProgram& program, ElementType type, NodeData data)
{
    const std::span<std::byte> sums = me.allocate(data.output.size());
    Task summing = program(me, {data.input, sums});
    co_await summing;
    me.copy(data.output, sums);
    detail::divide(data.output, type, me.topology().members());
}

}  // namespace

CollectiveProgram program_of(const Algorithm& algorithm, const Topology& topology, const Problem& problem)
{
    if (auto groups = groups_of(problem, topology))
        return detail::in_groups(program_of(algorithm, groups->network(), in_group(problem)), groups);
    if (moves_nothing(problem))
        return do_nothing;
    CollectiveProgram sums = program_of_sums(algorithm, topology, problem);
    if (!is_average(problem))
        return sums;
    return [shared = std::make_shared<const CollectiveProgram>(std::move(sums)),
            type = problem.type](Node& me, NodeData data) { return average(me, *shared, type, data); };
}

Cost cost_of(const Algorithm& algorithm, const Topology& topology, const Problem& problem)
{
    const auto groups = groups_of(problem, topology);
    if (!groups)
        return algorithm.cost(topology, problem);
    const Cost one = algorithm.cost(groups->network(), in_group(problem));
    return {one.steps, groups->count() * one.transmissions};
}

std::uint64_t storage_of(const Algorithm& algorithm, const Topology& topology, const Problem& problem)
{
    if (const auto groups = groups_of(problem, topology))
        return groups->count() * storage_of(algorithm, groups->network(), in_group(problem));
    std::uint64_t bytes = algorithm.storage ? algorithm.storage(topology, problem) : 0;
    const Layout apart(out_of_place(problem), topology);
    if (problem.in_place && !works_in_place(algorithm, problem))
        bytes += apart.input_bytes;
    if (is_average(problem))
        bytes += apart.output_bytes;
    return bytes;
}

}  // namespace dcube
