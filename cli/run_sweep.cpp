#include "cli/run_sweep.hpp"

#include <dcube/error.hpp>

#include <fmt/format.h>

#include <cstddef>
#include <utility>

namespace dcube::cli {

namespace {

constexpr std::size_t most_runs = 10'000;

}  // namespace

RunSweep::RunSweep(CLI::App& app)
    : network(app, Sweep::yes), problem(app, Sweep::yes, ProblemOptions::Reductions::with_operation), links(app),
      tuning(app), machine(app, Sweep::yes)
{
    add_text(app, {"--algorithm", "NAME", "one that dcube list shows [auto]", "Problem"}, algorithm_);
}

// "a,b" names two.
std::vector<std::string> RunSweep::algorithms() const
{
    std::vector<std::string> names{""};
    for (const char c : algorithm_.value_or("auto")) {
        if (c == ',')
            names.emplace_back();
        else
            names.back() += c;
    }
    return names;
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
                    all.push_back(command);
                    if (all.size() > most_runs)
                        throw InvalidArgument(fmt::format("a sweep of more than {} runs is not possible", most_runs));
                }
        }
    }
    return all;
}

}  // namespace dcube::cli
