// dcube export: a run in the format of another tool.

#include "cli/files/files.hpp"
#include "cli/files/gzip.hpp"
#include "cli/files/interrupt.hpp"
#include "cli/output.hpp"
#include "cli/plan_options.hpp"
#include "cli/problem_options.hpp"
#include "cli/shared_options.hpp"
#include "cli/text/numbers.hpp"
#include "export/exports.hpp"
#include "run/recording.hpp"

#include <dcube/memory.hpp>
#include <dcube/run.hpp>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace dcube::cli {

namespace {

constexpr std::uint64_t usual_events = 1'000'000;

struct Tool {
    std::string_view name;
    std::unique_ptr<Export> (*make)(const Recording& recording, std::uint64_t events);
};

constexpr Tool tools[] = {
    {"goal", [](const Recording& recording, std::uint64_t) { return goal_export(recording); }},
    {"chrome", chrome_export},
    {"msccl", [](const Recording& recording, std::uint64_t) { return msccl_export(recording); }},
};

const Tool& tool_named(const std::string& text)
{
    std::vector<std::string_view> names;
    for (const Tool& tool : tools) {
        if (same_name(text, tool.name))
            return tool;
        names.push_back(tool.name);
    }
    throw InvalidArgument(unknown_name(text, "a format", names, fmt::format("{}", fmt::join(names, ", "))));
}

struct ExportOptions {
    explicit ExportOptions(CLI::App& app)
        : format(app, *this), network(app, Sweep::no),
          problem(app, Sweep::no, ProblemOptions::Reductions::with_operation), links(app), tuning(app),
          machine(app, Sweep::no), plans(app)
    {
        add_text(app, {"--algorithm", "NAME", "one that dcube list shows [auto]", "Problem"}, algorithm);
        add_text(app, {"--output", "FILE", "is written; compressed if its name ends in .gz", "Output"}, output);
        add_flag(app, {"--gzip", "", "compress it, whatever its name is", "Output"}, gzip);
        add_number(app, {"--events", "N", "chrome: events at most [1000000]", "Output"}, {1, 1'000'000'000}, events);
    }

    /// FORMAT, which stands before the collective.
    struct FormatOption {
        FormatOption(CLI::App& app, ExportOptions& options)
        {
            add_option(app, {"FORMAT", "", "goal, chrome, msccl"},
                       [&options](const std::string& text) { options.tool = &tool_named(text); });
        }
    };

    void reject_contradictions() const;

    const Tool* tool = nullptr;
    FormatOption format;
    NetworkOptions network;
    ProblemOptions problem;
    LinkOptions links;
    TuningOptions tuning;
    MachineSettings machine;
    PlanOptions plans;
    std::optional<std::string> algorithm;
    std::optional<std::string> output;
    std::optional<std::uint64_t> events;
    bool gzip = false;
};

void ExportOptions::reject_contradictions() const
{
    if (tool == nullptr)
        throw InvalidArgument("a format is missing: goal, chrome and msccl are allowed");
    if (!output)
        throw InvalidArgument("--output is missing: name the file to write");
    if (output->empty() || *output == "-")
        throw InvalidArgument(fmt::format("--output '{}' is not a file's name", *output));
    if (events && tool->name != "chrome")
        throw InvalidArgument(fmt::format("--events is for chrome: {} is written whole", tool->name));
}

// Runs the collective and keeps every packet of it.
Recording recorded(const ExportOptions& options, const Interrupt& interrupt)
{
    constexpr std::uint64_t bytes_of_a_packet = 512;  // with its pieces, and what the export works out
    const Topology topology = options.network.only();
    Problem problem = options.problem.problem(topology);
    problem.link = options.links.model();
    problem.tuning = options.tuning.tuning(problem.link, topology);
    validate(problem, topology);
    PlanningWatch watch(interrupt);
    RecordingLimits limits;
    limits.flights = limits.pieces = available_memory() / 2 / bytes_of_a_packet;
    limits.steps = Step{1} << 26;
    Machine machine(topology, options.machine.only(options.problem.ports(), problem.link));
    const Algorithm& algorithm =
        find_algorithm(topology, options.problem.ports(), problem, options.algorithm.value_or("auto"));
    const auto require_room = [&](Detail detail) {
        if (detail != Detail::flights)
            throw InvalidArgument(fmt::format("the run has more packets, or pieces of messages, than memory can hold: "
                                              "{} are possible",
                                              grouped(limits.flights)));
    };
    require_room(expected_detail(algorithm, topology, problem, limits));
    VerifiedRunOptions how;
    how.seed = options.problem.seed();
    RunOptions run;
    run.stop = interrupt.token();
    if (Progress* const progress = watch.progress()) {
        progress->expect(algorithm.cost(topology, problem).steps);
        run.on_step = [progress](Step) { progress->step(); };
    }
    Recording recording = record(machine, algorithm, problem, how, run, limits);
    require_room(recording.detail);
    return recording;
}

void write(const Export& what, NewFile& file, bool gzip, const Interrupt& interrupt)
{
    std::optional<GzipWriter> compressed;
    if (gzip)
        compressed.emplace(file);
    TextWriter text([&](std::string_view piece) {
        interrupt.check();
        if (compressed)
            compressed->write(piece);
        else
            file.write(piece);
    });
    what.write(text);
    text.flush();
    if (compressed)
        compressed->finish();
    file.commit();
}

void export_run(const ExportOptions& options)
{
    options.reject_contradictions();
    options.plans.use();
    const Interrupt interrupt;
    NewFile file(*options.output);
    const Recording recording = recorded(options, interrupt);
    const std::unique_ptr<Export> what = options.tool->make(recording, options.events.value_or(usual_events));
    for (const std::string& note : what->notes())
        complain(note);
    const bool gzip = options.gzip || options.output->ends_with(".gz");
    complain(fmt::format("writing {} bytes to {}{}", grouped(size_of(*what)), *options.output,
                         gzip ? ", which will be less when compressed" : ""));
    write(*what, file, gzip, interrupt);
}

std::function<int()> define_export(CLI::App& app)
{
    const auto options = std::make_shared<ExportOptions>(app);
    return [options] {
        export_run(*options);
        return 0;
    };
}

}  // namespace

extern const Command export_command{
    .name = "export",
    .usage = "export goal|chrome|msccl COLLECTIVE --dim D --output FILE",
    .summary = "a run in the format of another tool: LogGOPSim, Perfetto, MSCCL",
    .footer =
        R"(Examples:
  dcube export goal all-to-all --dim 4 --output exchange.goal
  dcube export goal broadcast --dim 5 --tau 1 --beta 1000 --output b.goal
  dcube export chrome all-to-all --dim 3 --output exchange.json.gz
  dcube export chrome all-gather --dim 8 --events 50000 --output gather.json
  dcube export msccl all-reduce --dim 3 --packets 8 --output sums.xml

goal is what LogGOPSim simulates: for every rank what it sends and receives, and which bytes have to be there before. )"
        R"(The flags under which its packets take as long as dcube's are printed and stand in the file, and whether )"
        R"(its time will be dcube's.

chrome opens in ui.perfetto.dev and chrome://tracing: a track for every directed link, the phases, how many links are )"
        R"(busy, and arrows from each packet to those that carry its bytes on.

msccl is XML for the runtimes of MSCCL and RCCL: thread blocks that send and receive, two for every port. It knows broadcast, reduce, )"
        R"(all-gather, reduce-scatter, all-reduce and all-to-all.

The collective is run and verified first. How many bytes will be written is said before they are.)",
    .define = define_export};

}  // namespace dcube::cli
