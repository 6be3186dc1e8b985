#include <dcube/catalogue.hpp>

#include "algorithms/families.hpp"

#include <dcube/error.hpp>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

namespace dcube {

namespace {

std::vector<Algorithm> all_families()
{
    std::vector<Algorithm> all;
    for (std::vector<Algorithm> (*const family)() :
         {detail::broadcast_family, detail::scatter_family, detail::all_gather_family, detail::all_reduce_family,
          detail::all_to_all_family})
        for (Algorithm& algorithm : family())
            all.push_back(std::move(algorithm));
    std::stable_sort(all.begin(), all.end(),
                     [](const Algorithm& a, const Algorithm& b) { return a.collective < b.collective; });
    return all;
}

bool ports_suffice(const Algorithm& algorithm, PortModel ports)
{
    return ports == PortModel::all || algorithm.ports == PortModel::one;
}

bool is_named(const Algorithm& algorithm, std::string_view name)
{
    return algorithm.name == name || std::ranges::find(algorithm.aliases, name) != algorithm.aliases.end();
}

const Algorithm& fastest(const Topology& topology, PortModel ports, const Problem& problem)
{
    const Algorithm* best = nullptr;
    Cost least{};
    for (const Algorithm& algorithm : catalogue()) {
        if (algorithm.collective != problem.collective || !ports_suffice(algorithm, ports) ||
            !algorithm.obstacle(topology, problem).empty())
            continue;
        const Cost cost = algorithm.cost(topology, problem);
        if (!best || std::pair(cost.steps, cost.transmissions) < std::pair(least.steps, least.transmissions)) {
            best = &algorithm;
            least = cost;
        }
    }
    return *best;  // every collective has an algorithm without obstacles for either port model
}

const Algorithm& named(const Topology& topology, PortModel ports, const Problem& problem, std::string_view wanted)
{
    std::vector<std::string_view> names;
    for (const Algorithm& algorithm : catalogue()) {
        if (algorithm.collective != problem.collective)
            continue;
        names.push_back(algorithm.name);
        if (!is_named(algorithm, wanted))
            continue;
        const std::string obstacle = ports_suffice(algorithm, ports) ? algorithm.obstacle(topology, problem)
                                                                     : "it uses all ports of a node at once";
        if (!obstacle.empty())
            throw InvalidArgument(
                fmt::format("{} by {} is not possible here: {}", name(problem.collective), wanted, obstacle));
        return algorithm;
    }
    throw InvalidArgument(fmt::format("'{}' is no algorithm for {}: auto, {} are", wanted, name(problem.collective),
                                      fmt::join(names, ", ")));
}

}  // namespace

std::span<const Algorithm> catalogue()
{
    static const std::vector<Algorithm> all = all_families();
    return all;
}

const Algorithm& find_algorithm(const Topology& topology, PortModel ports, const Problem& problem,
                                std::string_view name)
{
    validate(problem, topology);
    return name == "auto" ? fastest(topology, ports, problem) : named(topology, ports, problem, name);
}

}  // namespace dcube
