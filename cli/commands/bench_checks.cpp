// What options of dcube bench do not go together.

#include "cli/commands/bench_options.hpp"

#include <dcube/error.hpp>

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <filesystem>
#include <set>
#include <string_view>
#include <system_error>
#include <utility>

namespace dcube::cli {

namespace {

// Equal for all names of one file. What leads to no place (a pipe under /dev/stdout) is as it was given.
std::filesystem::path real_path_of(const std::string& file)
{
    std::error_code ignored;
    const std::filesystem::path path =
        std::filesystem::weakly_canonical(std::filesystem::absolute(file, ignored), ignored);
    return path.empty() ? std::filesystem::path(file) : path;
}

}  // namespace

void reject_together(bool contradicts, const std::string& what)
{
    if (contradicts)
        throw InvalidArgument(what);
}

void BenchOptions::reject_measuring(const char* option) const
{
    constexpr std::string_view allowed[] = {"--format", "--html",         "--compare",
                                            "--read",   "--max-slowdown", "--min-efficiency"};
    for (const CLI::Option* const given : app_.parse_order())
        if (std::ranges::find(allowed, given->get_name()) == std::end(allowed))
            throw InvalidArgument(fmt::format("{} measures nothing: it cannot be combined with {}", option,
                                              given->get_name() == "COLLECTIVE" ? "a collective" : given->get_name()));
}

void BenchOptions::check_results() const
{
    const std::pair<const char*, const std::optional<std::string>*> files[] = {{"--output", &output},
                                                                               {"--html", &html}};
    std::set<std::filesystem::path> known;
    std::set<std::filesystem::path> read;  // a page in its place would destroy measurements
    for (const auto& [option, file] : {std::pair{"--against", &against}, std::pair{"--read", &shown}}) {
        reject_together(*file == "", fmt::format("{} '' is not a file's name", option));
        if (*file && **file != "-")
            read.insert(real_path_of(**file));
    }
    for (const auto& [option, file] : files) {
        if (!*file)
            continue;
        reject_together((*file)->empty(), fmt::format("{} '' is not a file's name", option));
        reject_together(**file == "-", fmt::format("{} - is not allowed: standard output carries the table", option));
        const std::filesystem::path path = real_path_of(**file);
        reject_together(!known.insert(path).second || (file != &output && read.contains(path)),
                        fmt::format("{} names the same file as another option", option));
    }
    for (const std::string& file : compared)
        reject_together(file.empty(), "--compare '' is not a file's name");
}

void BenchOptions::check_comparison() const
{
    const bool compares = against || !compared.empty();
    reject_together(!compared.empty() && compared.size() != 2, "--compare needs two files: OLD NEW");
    reject_together(!compared.empty() && shown, "--compare and --read cannot be combined: --compare shows both files");
    reject_together(max_slowdown && !compares,
                    "--max-slowdown needs something to compare with: --against FILE, or --compare OLD NEW");
    reject_together(compares && format == BenchFormat::nccl,
                    "--format nccl has no comparisons: text, json and csv are allowed with --against and --compare");
    reject_together(!compared.empty() && html.has_value(),
                    "--html shows one benchmark: use --read FILE instead of --compare");
}

void BenchOptions::check_dry_run() const
{
    if (!dry_run)
        return;
    for (const auto& [option, given] :
         {std::pair{"--output", output.has_value()}, std::pair{"--html", html.has_value()},
          std::pair{"--against", against.has_value()}, std::pair{"--min-efficiency", min_efficiency.has_value()},
          std::pair{"--format nccl", format == BenchFormat::nccl}})
        reject_together(given, fmt::format("--dry-run measures nothing: it cannot be combined with {}", option));
}

BenchOptions::Task BenchOptions::task() const
{
    check_results();
    check_comparison();
    if (!compared.empty())
        reject_measuring("--compare");
    else if (shown)
        reject_measuring("--read");
    check_dry_run();
    if (!compared.empty())
        return Task::compare;
    return shown ? Task::show : Task::measure;
}

void BenchOptions::check_weak(const std::vector<RunCommand>& runs) const
{
    const Collective collective = sweep_.problem.collective();
    reject_together(
        has_permutation(collective) || is_matrix(collective),
        fmt::format("--weak cannot be combined with {}: its data do not grow with the network", name(collective)));
    bool one = false;
    for (const RunCommand& run : runs) {
        const unsigned threads = run.machine.threads;
        reject_together(!run.topology.is_hypercube() || run.topology.dimension() == 0,
                        "--weak adds dimensions to a hypercube: give --dim, 1 or more");
        reject_together(!std::has_single_bit(threads),
                        "--weak doubles the threads: --threads 1,2,4, .. or all powers of two are allowed");
        one = one || threads == 1;
        const unsigned more = static_cast<unsigned>(std::bit_width(threads)) - 1;
        reject_together(run.topology.dimension() + more > Topology::max_dimension,
                        fmt::format("--weak: --dim {} and {} threads make {} dimensions: at most {} are allowed",
                                    run.topology.dimension(), threads, run.topology.dimension() + more,
                                    Topology::max_dimension));
    }
    reject_together(!one, "--weak compares with one thread: --threads 1,2,4, .. must begin with 1");
}

}  // namespace dcube::cli
