#pragma once
// The options that describe runs. Each may have several values, and every combination of them is a run.

#include "cli/plan_options.hpp"
#include "cli/problem_options.hpp"
#include "cli/shared_options.hpp"

#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace dcube::cli {

/// "a,b" names two.
struct AlgorithmNames {
    std::vector<std::string> all;        ///< as the catalogue spells them
    std::optional<std::string> unknown;  ///< the first that the collective has on no network
};
AlgorithmNames algorithm_names(Collective collective, std::string_view text);

/// How the options of commands that run collectives differ: which of them take several values, which ranks execute the
/// command, and how --algorithm is declared.
struct SweepKind {
    Sweep problems = Sweep::yes;  ///< and networks
    Sweep machines = Sweep::yes;
    Over over = Over::all_ranks;
    OptionText algorithm = text_for(*find_key("algorithm"));
};

/// The collective, its problem, network, links, tuning, machine, plans, and --algorithm.
class RunSweep {
public:
    explicit RunSweep(CLI::App& app, const SweepKind& kind = {});

    /// Every network with every problem, links and tuning included, not yet validated. Throws InvalidArgument.
    [[nodiscard]] std::vector<std::pair<Topology, Problem>> questions() const;

    /// A run for each combination. Each is `common` with its network, problem, machine and algorithm; `settle` is given
    /// every problem once, before it is combined with algorithms and machines: it validates it. Throws InvalidArgument,
    /// also if there are more than 10 000 runs, or several and an algorithm that the collective has on no network.
    [[nodiscard]] std::vector<RunCommand> runs(RunCommand common, const std::function<void(RunCommand&)>& settle) const;

    NetworkOptions network;
    ProblemOptions problem;
    LinkOptions links;
    TuningOptions tuning;
    MachineSettings machine;
    PlanOptions plans;
    std::optional<std::string> algorithm;  ///< as it was given

private:
    [[nodiscard]] AlgorithmNames algorithms() const;
};

}  // namespace dcube::cli
