#include "cli/commands/view_films.hpp"

#include "cli/output.hpp"
#include "cli/plan_options.hpp"
#include "cli/text/numbers.hpp"
#include "run/recording.hpp"
#include "view/document/document.hpp"

#include <dcube/error.hpp>

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include <string_view>
#include <tuple>
#include <utility>

namespace dcube::cli {

namespace {

/// One run that is to be recorded.
struct Scene {
    Topology topology;
    PortModel ports;
    Problem problem;
    std::string algorithm;
};

void require_few_nodes(const Scene& scene)
{
    if (scene.topology.nodes() > view::most_nodes)
        throw InvalidArgument(
            fmt::format("{} has {} nodes, and networks of at most {} can be shown: dcube view {} --dim "
                        "6 can",
                        scene.topology.name(), grouped(scene.topology.nodes()), grouped(view::most_nodes),
                        name(scene.problem.collective)));
}

void announce(const Scene& scene, const Algorithm& algorithm)
{
    if (expected_detail(algorithm, scene.topology, scene.problem) == Detail::flights)
        return;
    complain(fmt::format("{} transmissions are more than can be played, {}: only how many there are in each step is "
                         "shown",
                         grouped(algorithm.cost(scene.topology, scene.problem).transmissions),
                         grouped(RecordingLimits().flights)));
}

Recording recorded(const Scene& scene, const MachineSettings& settings, std::uint64_t seed, const Interrupt& interrupt)
{
    require_few_nodes(scene);
    validate(scene.problem, scene.topology);
    PlanningWatch watch(interrupt);
    const Algorithm& algorithm = find_algorithm(scene.topology, scene.ports, scene.problem, scene.algorithm);
    announce(scene, algorithm);
    VerifiedRunOptions how;
    how.seed = seed;
    RunOptions run;
    run.stop = interrupt.token();
    if (Progress* const progress = watch.progress()) {
        progress->expect(algorithm.cost(scene.topology, scene.problem).steps);
        run.on_step = [progress](Step) { progress->step(); };
    }
    Machine machine(scene.topology, settings.only(scene.ports, scene.problem.link));
    return record(machine, algorithm, scene.problem, how, run);
}

Recording read_trace(const FilmOptions& options)
{
    Recording recording;
    options.trace.read({}, [&](std::istream& trace, const JudgeOptions& how) {
        try {
            recording = record_trace(trace, how);
        } catch (const TraceFormatError& error) {
            throw InvalidArgument(error.what());
        }
    });
    return recording;
}

view::Film film_of(Recording recording)
{
    const bool complete = recording.detail == Detail::flights;
    view::Film film(std::move(recording));
    if (complete && !film.has_rows())
        complain(fmt::format("{} messages in {} parts each are too many to distinguish: only the number of packets "
                             "in each step is shown",
                             grouped(film.messages.count()), grouped(film.parts.count())));
    return film;
}

void reject_run_options(const FilmOptions& options)
{
    if (options.algorithm)
        throw InvalidArgument("--algorithm is for a run: a trace is shown as it is; --versus compares it with a run");
    if (options.versus_network)
        throw InvalidArgument("--versus-topology is for a run: it cannot be combined with --trace");
}

Scene scene_of(const FilmOptions& options)
{
    const ProblemOptions& asked = options.trace.problem();
    std::ignore = asked.collective();  // complains first
    Scene scene{options.trace.network().only(), asked.ports(), {}, options.algorithm.value_or("auto")};
    scene.problem = asked.problem(scene.topology);
    scene.problem.link = options.trace.links().model();
    scene.problem.tuning = options.tuning.tuning(scene.problem.link, scene.topology);
    return scene;
}

Scene other_scene(const FilmOptions& options, const Scene& scene)
{
    Scene other = scene;
    other.algorithm = options.versus.value_or(scene.algorithm);
    if (options.versus_network) {
        other.topology = *options.versus_network;
        other.problem = options.trace.problem().problem(other.topology);
        other.problem.link = scene.problem.link;
        other.problem.tuning = scene.problem.tuning;
    }
    return other;
}

}  // namespace

FilmOptions::FilmOptions(CLI::App& app)
    : trace(app, ProblemOptions::Reductions::with_operation, TraceOptions::Links::as_traced,
            TraceOptions::Given::by_option),
      tuning(app), machine(app, Sweep::no), plans(app)
{
    add_text(app, {"--algorithm", "NAME", "one that dcube list shows [auto]", "Problem"}, algorithm);
    add_text(app, {"--versus", "NAME", "a second algorithm, side by side", "Comparison"}, versus);
    add_parsed(app, {"--versus-topology", "NETWORK", "a second network, side by side", "Comparison"}, versus_network,
               [](const std::string& given) { return Topology::parse(given); });
}

std::vector<view::Film> films_of(const FilmOptions& options, const Interrupt& interrupt)
{
    std::vector<view::Film> films;
    const std::uint64_t seed = options.trace.problem().seed();
    if (options.trace.has_file()) {
        reject_run_options(options);
        films.push_back(film_of(read_trace(options)));
        if (options.versus) {
            const Recording& traced = films.front().recording;
            const Scene scene{traced.topology, traced.ports, traced.problem, *options.versus};
            films.push_back(film_of(recorded(scene, options.machine, seed, interrupt)));
        }
        return films;
    }
    const Scene scene = scene_of(options);
    films.push_back(film_of(recorded(scene, options.machine, seed, interrupt)));
    if (options.versus || options.versus_network)
        films.push_back(film_of(recorded(other_scene(options, scene), options.machine, seed, interrupt)));
    return films;
}

}  // namespace dcube::cli
