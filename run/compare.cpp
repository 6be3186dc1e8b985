#include "run/compare.hpp"

#include "run/report.hpp"

#include <dcube/error.hpp>
#include <dcube/world.hpp>

#include <new>
#include <utility>

namespace dcube {

namespace {

void add_all(const Topology& topology, PortModel ports, const Problem& problem, std::vector<Candidate>& all)
{
    for (const Entry* const algorithm : algorithms_for(problem.collective))
        if (contains(algorithm->networks, topology) && (algorithm->link == LinkKind::unit || problem.link.bound()) &&
            !leaves_ports_idle(*algorithm, topology, ports))
            all.push_back({full_name(*algorithm, problem.link), algorithm, ""});
}

}  // namespace

std::vector<Candidate> candidates(const Topology& topology, PortModel ports, const Problem& problem,
                                  std::span<const std::string> names)
{
    std::vector<Candidate> all;
    if (names.empty())
        add_all(topology, ports, problem, all);
    for (const std::string& name : names) {
        if (name == "all") {
            add_all(topology, ports, problem, all);
            continue;
        }
        Candidate one{name, nullptr, ""};
        try {
            one.algorithm = &find_algorithm(topology, ports, problem, name);
        } catch (const InvalidArgument& error) {
            one.obstacle = error.about == "algorithm" ? error.at_its_place(mention) : error.sentence(mention);
        }
        all.push_back(std::move(one));
    }
    return all;
}

Tried try_out(Machine& machine, const Candidate& candidate, const Problem& asked, const VerifiedRunOptions& how,
              const RunOptions& options, const std::function<void(std::uint64_t)>& expect)
{
    const Topology& topology = machine.topology();
    const Problem problem = on_links_of(machine, asked);
    const Entry* const algorithm = candidate.algorithm;
    Tried result{.report = std::nullopt, .obstacle = candidate.obstacle};
    together(machine.world(), [&] {
        if (algorithm)
            result.obstacle = obstacle_of(*algorithm, topology, machine.ports(), problem);
    });
    if (!result.obstacle.empty())
        return result;
    try {
        together(machine.world(), [&] {
            if (expect && algorithm->cost)
                expect(algorithm->cost(topology, problem).steps);
        });
        result.report = run_verified(machine, *algorithm, problem, how, options);
    } catch (const InvalidArgument& error) {
        result.obstacle = error.sentence(mention);
    } catch (const std::bad_alloc&) {
        result.obstacle = "out of memory";
    }
    return result;
}

bool is_better(const Report& one, const Report& other)
{
    if (one.link.bound())
        return *one.virtual_time_ns < *other.virtual_time_ns;
    return std::pair(one.counts.steps, one.counts.transmissions) <
           std::pair(other.counts.steps, other.counts.transmissions);
}

}  // namespace dcube
