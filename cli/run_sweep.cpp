#include "cli/run_sweep.hpp"

#include "base/names.hpp"

#include <dcube/catalogue.hpp>
#include <dcube/error.hpp>

#include <fmt/format.h>

#include <cstddef>
#include <tuple>

namespace dcube::cli {

namespace {

constexpr std::size_t most_runs = 10'000;

// The name as the catalogue spells it, with "unit:" before it if it has that; empty if the collective has no algorithm
// of that name for any network.
std::string spelled(Collective collective, std::string_view given)
{
    constexpr std::string_view unit_only = "unit:";
    if (given == "auto")
        return "auto";
    const std::string_view prefix = given.substr(0, given.starts_with(unit_only) ? unit_only.size() : 0);
    const std::string_view plain = given.substr(prefix.size());
    if (given.starts_with('@'))  // a file
        return std::string(given);
    for (const Entry* const algorithm : algorithms_for(collective)) {
        if (!prefix.empty() && algorithm->link != LinkKind::unit)
            continue;
        if (same_name(algorithm->name, plain))
            return fmt::format("{}{}", prefix, algorithm->name);
        for (const std::string_view alias : algorithm->aliases)
            if (same_name(alias, plain))
                return fmt::format("{}{}", prefix, alias);
    }
    return "";
}

}  // namespace

RunSweep::RunSweep(CLI::App& app, const SweepKind& kind)
    : network(app, kind.problems), problem(app, kind.problems, ProblemOptions::Reductions::with_operation), links(app),
      tuning(app), machine(app, kind.machines, kind.over), plans(app)
{
    add_text(app, kind.algorithm, algorithm);
}

AlgorithmNames algorithm_names(Collective collective, std::string_view text)
{
    AlgorithmNames names{split(text, ","), {}};
    for (std::string& name : names.all) {
        std::string known = spelled(collective, name);
        if (known.empty() && !names.unknown)
            names.unknown = name;
        if (!known.empty())
            name = std::move(known);
    }
    return names;
}

AlgorithmNames RunSweep::algorithms() const
{
    return algorithm_names(problem.collective(), algorithm.value_or("auto"));
}

std::vector<std::pair<Topology, Problem>> RunSweep::questions() const
{
    std::ignore = problem.collective();  // complains first
    std::vector<std::pair<Topology, Problem>> all;
    for (const Topology& topology : network.all()) {
        const LinkModel link = links.model(topology, problem.ports());
        for (Problem& one : problem.problems(topology)) {
            one.link = link;
            one.tuning = tuning.tuning(link, topology);
            all.emplace_back(topology, std::move(one));
        }
    }
    return all;
}

std::vector<RunCommand> RunSweep::runs(RunCommand common, const std::function<void(RunCommand&)>& settle) const
{
    const AlgorithmNames names = algorithms();
    RunCommand command = std::move(common);
    command.threads_given = machine.threads_given();
    std::vector<RunCommand> all;
    for (auto& [topology, one] : questions()) {
        command.topology = topology;
        command.problem = std::move(one);
        settle(command);
        for (const std::string& name : names.all)
            for (const MachineOptions& options : machine.all(problem.ports(), command.problem.link)) {
                command.algorithm = name;
                command.machine = options;
                all.push_back(command);
                if (all.size() > most_runs)
                    throw InvalidArgument(fmt::format("a sweep of more than {} runs is not possible", most_runs));
            }
    }
    // A sweep leaves out algorithms that are not possible on some of its networks; a misspelt name, which would be left
    // out everywhere, is an error.
    const RunCommand& first = all.front();
    if (all.size() > 1 && names.unknown)
        find_algorithm(first.topology, first.machine.ports, first.problem, *names.unknown);
    return all;
}

}  // namespace dcube::cli
