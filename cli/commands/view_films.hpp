#pragma once
// The films that dcube view shows: of runs, or of a trace.

#include "cli/files/interrupt.hpp"
#include "cli/plan_options.hpp"
#include "cli/trace_options.hpp"
#include "view/film/film.hpp"

#include <optional>
#include <string>
#include <vector>

namespace dcube::cli {

/// What dcube view is asked to show.
struct FilmOptions {
    explicit FilmOptions(CLI::App& app);

    TraceOptions trace;
    TuningOptions tuning;
    MachineSettings machine;
    PlanOptions plans;
    std::optional<std::string> algorithm{};
    std::optional<std::string> versus{};
    std::optional<Topology> versus_network{};
};

/// Runs or reads one, or two where it is to be compared. Says on standard error which are too large to be shown in
/// full. Throws InvalidArgument, and what a run or reading a trace throws.
std::vector<view::Film> films_of(const FilmOptions& options, const Interrupt& interrupt);

}  // namespace dcube::cli
