#include "algorithms/programs/composed.hpp"

#include "algorithms/programs/members.hpp"
#include "algorithms/programs/phases.hpp"
#include "algorithms/programs/walked_time.hpp"
#include "base/exact.hpp"
#include "base/memo.hpp"

#include <dcube/bounds.hpp>

#include <string>
#include <utility>

namespace dcube::detail {

namespace {

// Entries that can do the part and that "auto" may take.
template <class Visit>
void for_each_candidate(const Composed& how, const Topology& topology, const Problem& part, const Visit& visit)
{
    for (const Entry& algorithm : catalogue())
        if (algorithm.collective == part.collective && algorithm.automatic &&
            obstacle_of(algorithm, topology, how.ports, part).empty())
            visit(algorithm);
}

std::string obstacle_of_part(const Composed& how, const Topology& topology, const Problem& problem)
{
    const Problem part = how.part(problem, topology);
    bool possible = false;
    for_each_candidate(how, topology, part, [&](const Entry&) { possible = true; });
    return possible ? "" : std::string(name(part.collective)) + " would take too long to plan";
}

// The work of all candidates for the part together, because they may all be tried.
std::uint64_t work_of_part(const Composed& how, const Topology& topology, const Problem& problem)
{
    const Problem part = how.part(problem, topology);
    std::uint64_t work = 0;
    for_each_candidate(how, topology, part,
                       [&](const Entry& algorithm) { work += algorithm.planning_work(topology, part); });
    return work;
}

}  // namespace

CollectiveProgram Composed::operator()(const Topology& topology, const Problem& problem) const
{
    const Entry& best = best_for_part(*this, topology.of_members(), problem);
    const Problem asked = part(problem, topology);
    return around(program_of(best, topology, asked), best.cost(topology, asked).steps, problem);
}

const Entry& best_for_part(const Composed& how, const Topology& topology, const Problem& problem)
{
    using Key = std::pair<PortModel, WalkKey>;
    static Memo<Key, const Entry*> known(64);
    const Problem part = how.part(problem, topology);
    return **known.get(Key{how.ports, walk_key(topology, part)},
                       [&] { return &find_algorithm(topology, how.ports, part); });
}

std::uint64_t least_steps(const Composed& how, const Topology& topology, const Problem& problem)
{
    return how.times * steps_bound(topology, how.ports, how.part(problem, topology)).value;
}

// A part may begin at some nodes before the one before it has ended at others, and so end sooner.
std::optional<PredictedTime> time_of_parts(const Composed& how, const Topology& topology, const Problem& problem)
{
    std::optional<PredictedTime> time =
        predicted_time(best_for_part(how, topology.of_members(), problem), topology, how.part(problem, topology));
    if (time && how.times > 1) {
        time->ns = to_rational(exact(time->ns) * how.times);
        time->exact = time->exact && problem.link.clock == LinkClock::lockstep;
    }
    return time;
}

std::optional<std::uint64_t> link_bytes_of_parts(const Composed& how, const Topology& topology, const Problem& problem)
{
    const auto bytes =
        predicted_link_bytes(best_for_part(how, topology.of_members(), problem), topology, how.part(problem, topology));
    return bytes ? std::optional(how.times * *bytes) : std::nullopt;
}

std::optional<MessageCut> cut_of_part(const Composed& how, const Topology& topology, const Problem& problem)
{
    return chosen_cut(best_for_part(how, topology.of_members(), problem), topology, how.part(problem, topology));
}

Entry composed_entry(Entry head, Composed how)
{
    head.obstacle = [how, own = std::move(head.obstacle)](const Topology& topology, const Problem& problem) {
        std::string obstacle = own(topology, problem);
        return obstacle.empty() ? obstacle_of_part(how, topology, problem) : obstacle;
    };
    head.cost = [how](const Topology& topology, const Problem& problem) {
        const Cost of_part = best_for_part(how, topology, problem).cost(topology, how.part(problem, topology));
        return Cost{how.times * of_part.steps, how.times * of_part.transmissions};
    };
    head.planning_work = [how](const Topology& topology, const Problem& problem) {
        return work_of_part(how, topology, problem);
    };
    head.storage = [how, own = std::move(head.storage)](const Topology& topology, const Problem& problem) {
        return own(topology, problem) +
               how.times * storage_of(best_for_part(how, topology, problem), topology, how.part(problem, topology));
    };
    head.time_floor = [how](const Topology& topology, const Problem& problem) {
        return time_bound(topology, how.part(problem, topology)).value;  // parts may overlap
    };
    head = restricted_to_members(std::move(head));
    head.prepare = how;
    return head;
}

}  // namespace dcube::detail
