#include "algorithms/programs/in_groups.hpp"

#include "emu/renamed_node.hpp"

#include <functional>
#include <memory>
#include <utility>

namespace dcube::detail {

namespace {

Task run_in_group(Node& me, const Group& groups, const CollectiveProgram& program, NodeData data)
{
    RenamedNode node(me, groups);
    Task running = program(node, data);
    co_await running;
}

template <class Answer>
void ask_one_group(std::function<Answer(const Topology&, const Problem&)>& ask)
{
    if (ask)
        ask = [ask = std::move(ask)](const Topology& topology, const Problem& problem) {
            const auto groups = groups_of(problem, topology);
            return groups ? ask(groups->network(), in_group(problem)) : ask(topology, problem);
        };
}

}  // namespace

CollectiveProgram in_groups(CollectiveProgram program, std::shared_ptr<const Group> groups)
{
    const auto shared = std::make_shared<const CollectiveProgram>(std::move(program));
    return [shared, groups = std::move(groups)](Node& me, NodeData data) {
        return run_in_group(me, *groups, *shared, data);
    };
}

Entry in_groups(Entry entry)
{
    if (entry.cost)
        entry.cost = [algorithm = Algorithm(entry)](const Topology& topology, const Problem& problem) {
            return cost_of(algorithm, topology, problem);
        };
    ask_one_group(entry.time);
    ask_one_group(entry.run_time);
    ask_one_group(entry.time_limit);
    ask_one_group(entry.time_floor);
    ask_one_group(entry.case_formula);
    ask_one_group(entry.planning_work);
    ask_one_group(entry.in_transit);
    ask_one_group(entry.phases);
    return entry;
}

}  // namespace dcube::detail
