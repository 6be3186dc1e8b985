#include "algorithms/programs/in_place.hpp"

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

}  // namespace

CollectiveProgram program_of(const Algorithm& algorithm, const Topology& topology, const Problem& problem)
{
    if (moves_nothing(problem))
        return do_nothing;
    if (!problem.in_place || algorithm.in_place)
        return algorithm.prepare(topology, problem);
    return detail::aside(algorithm.prepare(topology, out_of_place(problem)));
}

std::uint64_t storage_of(const Algorithm& algorithm, const Topology& topology, const Problem& problem)
{
    const std::uint64_t own = algorithm.storage ? algorithm.storage(topology, problem) : 0;
    return own + (problem.in_place && !algorithm.in_place ? Layout(out_of_place(problem), topology).input_bytes : 0);
}

}  // namespace dcube
