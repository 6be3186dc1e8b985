// dcube_clock: simulates the clock with as many workers as are asked for, or prints what the model of
// docs/measurements/scaling.md predicts. All constants are options; --help names those that have a default.

#include "base/json.hpp"
#include "bench/clock/tables.hpp"

#include <dcube/error.hpp>

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <exception>
#include <fstream>
#include <string>
#include <vector>

using namespace dcube;
using namespace dcube::bench;

namespace {

// Half of the pairs of processors hand a line over in less, in ns.
double median_handover(const std::string& file)
{
    std::ifstream in(file);
    if (!in)
        throw InvalidArgument(fmt::format("--limits: {} cannot be read", file));
    std::vector<double> all;
    try {
        const auto document = nlohmann::json::parse(in);
        for (const auto& row : document.at("limits").at("handover").at("seconds"))
            for (const auto& seconds : row)
                if (seconds.is_number())
                    all.push_back(seconds.get<double>() * 1e9);
    } catch (const nlohmann::json::exception& error) {
        throw InvalidArgument(
            fmt::format("--limits: {} is not what dcube limits --format json writes: {}", file, error.what()));
    }
    if (all.empty())
        throw InvalidArgument(fmt::format("--limits: {} has no handover between two processors", file));
    std::ranges::sort(all);
    return all[all.size() / 2];
}

struct Options {
    bench::SimulationTable simulation{.costs = {.atomic_ns = 5, .close_ns = 30, .overlap = 4},
                                      .handovers_ns = {60, 110},
                                      .workers = {2, 4, 8, 16, 32, 64},
                                      .works_ns = {0, 1e4, 1e5, 1e6},
                                      .chunks_of_a_worker = 4,
                                      .spread = 0.05,
                                      .steps = 100,
                                      .designs = {ClockDesign::flat, ClockDesign::tree_one_signal, ClockDesign::tree}};
    std::string limits;
    bool model = false;
    double hop_ns = 0;
    double byte_ns = 0;
    double node_ns = 0;
    double start_node_ns = 0;
    double loan_ns = 0;
    double memory_gb = 0;
    std::vector<unsigned> dimensions{8, 10, 12, 14};
    std::vector<unsigned> cores{1, 2, 16, 64, 128};
    std::size_t bytes = 64;
};

void add_simulation(CLI::App& app, Options& options)
{
    bench::SimulationTable& table = options.simulation;
    const char* const group = "Simulation";
    app.add_option("--handover", table.handovers_ns, "ns until a core has a line that another has")
        ->delimiter(',')
        ->capture_default_str()
        ->group(group);
    app.add_option("--limits", options.limits, "the handover: the median of that file of dcube limits --format json")
        ->excludes("--handover")
        ->group(group);
    app.add_option("--atomic", table.costs.atomic_ns, "ns of an atomic operation on a line that the core has")
        ->capture_default_str()
        ->group(group);
    app.add_option("--close", table.costs.close_ns, "ns to close a step, besides adding up")
        ->capture_default_str()
        ->group(group);
    app.add_option("--overlap", table.costs.overlap, "lines that are fetched at once where that is possible")
        ->capture_default_str()
        ->group(group);
    app.add_option("--workers", table.workers, "how many")->delimiter(',')->capture_default_str()->group(group);
    app.add_option("--work", table.works_ns, "ns of a step's work on one core")
        ->delimiter(',')
        ->capture_default_str()
        ->group(group);
    app.add_option("--chunks", table.chunks_of_a_worker, "chunks of a worker")->capture_default_str()->group(group);
    app.add_option("--spread", table.spread, "a chunk takes its mean, more or less by this share")
        ->capture_default_str()
        ->group(group);
    app.add_option("--steps", table.steps, "that are simulated")->capture_default_str()->group(group);
    app.add_option("--seed", table.seed, "of the chunks' times")->capture_default_str()->group(group);
}

void add_model(CLI::App& app, Options& options)
{
    const char* const group = "Model (with --handover, --atomic, --close and --spread)";
    app.add_flag("--model", options.model, "predict total exchanges instead")->group(group);
    const auto add = [&](const char* name, double& into, const char* text) {
        app.add_option(name, into, text)->capture_default_str()->group(group);
    };
    add("--hop", options.hop_ns, "ns of a hop on one core, without its bytes");
    add("--byte", options.byte_ns, "ns of a packet's byte on one core");
    add("--node", options.node_ns, "ns of a node that does nothing in a step");
    add("--start", options.start_node_ns, "ns of a node at a run's start and end");
    add("--loan", options.loan_ns, "ns until threads are lent and given back");
    add("--memory", options.memory_gb, "GB/s of packets that all cores together move at most; 0: no limit");
    app.add_option("--dim", options.dimensions, "dimensions of the hypercubes")
        ->delimiter(',')
        ->check(CLI::Range(1U, 20U))
        ->capture_default_str()
        ->group(group);
    app.add_option("--bytes", options.bytes, "of a packet")->capture_default_str()->group(group);
    app.add_option("--cores", options.cores, "how many")->delimiter(',')->capture_default_str()->group(group);
}

// Costs that both have are the simulation's; of several handovers each gives a table.
void print_model(const Options& options)
{
    const bench::SimulationTable& common = options.simulation;
    for (const double handover : common.handovers_ns) {
        fmt::print("handover {} ns\n", handover);
        const ScalingConstants constants{.hop_seconds = options.hop_ns * 1e-9,
                                         .byte_seconds = options.byte_ns * 1e-9,
                                         .node_seconds = options.node_ns * 1e-9,
                                         .close_seconds = common.costs.close_ns * 1e-9,
                                         .claim_seconds = 2 * common.costs.atomic_ns * 1e-9,
                                         .handover_seconds = handover * 1e-9,
                                         .chunk_spread = common.spread,
                                         .memory_bytes_per_second = options.memory_gb * 1e9,
                                         .start_node_seconds = options.start_node_ns * 1e-9,
                                         .loan_seconds = options.loan_ns * 1e-9};
        fmt::print("{}", text_of(bench::PredictionTable{.constants = constants,
                                                        .dimensions = options.dimensions,
                                                        .bytes = options.bytes,
                                                        .cores = options.cores}));
    }
}

}  // namespace

int main(int count, char** arguments)
{
    CLI::App app("Simulates the clock of dcube with many workers, or predicts what a run takes on many cores.");
    Options options;
    add_simulation(app, options);
    add_model(app, options);
    try {
        app.parse(count, arguments);
        if (!options.limits.empty())
            options.simulation.handovers_ns = {median_handover(options.limits)};
        if (options.model)
            print_model(options);
        else
            fmt::print("{}", text_of(options.simulation));
    } catch (const CLI::Success& asked_for_help) {
        return app.exit(asked_for_help);
    } catch (const std::exception& error) {
        fmt::print(stderr, "dcube_clock: {}\n", error.what());
        return 2;
    }
    return 0;
}
