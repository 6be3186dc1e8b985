// Turns any schedule, also one from outside the catalogue, into a program or a whole algorithm.

#include <dcube/schedule.hpp>

#include "algorithms/programs/plan.hpp"

#include <cstdint>
#include <memory>
#include <utility>

namespace dcube {

CollectiveProgram program_of(const Schedule& schedule, const Topology& topology, const Problem& problem)
{
    require_possible(schedule, topology, problem);
    const auto plan = std::make_shared<const detail::Plan>(topology, problem, schedule);
    return [plan](Node& me, NodeData data) { return detail::run_plan(me, *plan, data); };
}

namespace {

// A translated hop is made by every node of its kind, of which there are as many as of the others.
std::uint64_t transmissions(const Schedule& schedule, const Topology& topology)
{
    const bool translated = schedule.symmetry == Symmetry::translated;
    return schedule.hops.size() * (translated ? std::uint64_t{topology.nodes()} >> schedule.alternating.size() : 1);
}

}  // namespace

Algorithm algorithm_of(Algorithm head, std::function<Schedule(const Topology&, const Problem&)> schedule)
{
    head.networks = Networks::products;
    head.uneven = may_be_uneven(head.collective);
    if (!head.cost)
        head.cost = [schedule](const Topology& topology, const Problem& problem) {
            const Schedule made = schedule(topology, problem);
            return Cost{made.steps, transmissions(made, topology)};
        };
    head.storage = [schedule](const Topology& topology, const Problem& problem) {
        return detail::plan_bytes(schedule(topology, problem).hops.size());
    };
    head.prepare = [schedule = std::move(schedule)](const Topology& topology, const Problem& problem) {
        return program_of(schedule(topology, problem), topology, problem);
    };
    return head;
}

}  // namespace dcube
