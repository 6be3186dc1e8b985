#include "cli/run_sweep.hpp"

#include "base/names.hpp"

#include <dcube/catalogue.hpp>
#include <dcube/error.hpp>

#include <fmt/format.h>

#include <cstddef>
#include <string_view>
#include <utility>

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
    for (const Algorithm* const algorithm : algorithms_for(collective)) {
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

RunSweep::RunSweep(CLI::App& app)
    : network(app, Sweep::yes), problem(app, Sweep::yes, ProblemOptions::Reductions::with_operation), links(app),
      tuning(app), machine(app, Sweep::yes), ranks(app), plans(app)
{
    add_text(app, {"--algorithm", "NAME", "one that dcube list shows [auto]", "Problem"}, algorithm_);
}

AlgorithmNames algorithm_names(Collective collective, std::string_view text)
{
    AlgorithmNames names{{""}, {}};
    for (const char c : text) {
        if (c == ',')
            names.all.emplace_back();
        else
            names.all.back() += c;
    }
    for (std::string& name : names.all) {
        std::string known = spelled(collective, name);
        if (known.empty() && !names.unknown)
            names.unknown = name;
        if (!known.empty())
            name = std::move(known);
    }
    return names;
}

std::vector<std::string> RunSweep::algorithms() const
{
    return algorithm_names(problem.collective(), algorithm_.value_or("auto")).all;
}

// What is not possible on some of the networks is left out of a sweep; what is misspelt would be left out of all.
void RunSweep::refuse_unknown_algorithms(const RunCommand& first) const
{
    const AlgorithmNames names = algorithm_names(first.problem.collective, algorithm_.value_or("auto"));
    if (names.unknown)
        find_algorithm(first.topology, first.machine.ports, first.problem, *names.unknown);
}

std::vector<RunCommand> RunSweep::runs(RunCommand common, const std::function<void(RunCommand&)>& settle) const
{
    const LinkModel link = links.model();
    RunCommand command = std::move(common);
    std::vector<RunCommand> all;
    for (const Topology& topology : network.all()) {
        command.topology = topology;
        for (Problem& one : problem.problems(topology)) {
            one.link = link;
            one.tuning = tuning.tuning(link, topology);
            command.problem = std::move(one);
            settle(command);
            for (const std::string& name : algorithms())
                for (const MachineOptions& options : machine.all(problem.ports(), link)) {
                    command.algorithm = name;
                    command.machine = options;
                    command.threads_given = machine.threads_given();
                    all.push_back(command);
                    if (all.size() > most_runs)
                        throw InvalidArgument(fmt::format("a sweep of more than {} runs is not possible", most_runs));
                }
        }
    }
    if (all.size() > 1)
        refuse_unknown_algorithms(all.front());
    return all;
}

}  // namespace dcube::cli
