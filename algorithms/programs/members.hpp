#pragma once
// Networks that lack nodes: algorithms are asked about, and plan for, the members alone, which then have their numbers
// as ids; what they plan is renamed.

#include "collectives/of_members.hpp"

#include <dcube/catalogue.hpp>
#include <dcube/schedule.hpp>

#include <functional>
#include <utility>

namespace dcube::detail {

// A schedule of the members, for the network: with the names that they have there.
Schedule renamed(Schedule schedule, const Topology& topology);

// A function that asks `ask` about the members instead of the whole network.
template <class Answer>
std::function<Answer(const Topology&, const Problem&)>
of_members(std::function<Answer(const Topology&, const Problem&)> ask)
{
    return [ask = std::move(ask)](const Topology& topology, const Problem& problem) {
        if (!topology.lacks_nodes())
            return ask(topology, problem);
        return ask(topology.of_members(), of_members(problem, topology));
    };
}

// The same for all that an entry answers, except for its program.
Entry restricted_to_members(Entry entry);

}  // namespace dcube::detail
