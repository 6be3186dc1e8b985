// The command line's grammar, told to CLI11. Values stay text here: options.cpp makes sense of them, so that every
// complaint says what was given and what is allowed.

#include "cli/arguments.hpp"
#include "cli/text/describe.hpp"
#include "cli/text/version.hpp"

#include <dcube/error.hpp>
#include <dcube/link.hpp>

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include <charconv>
#include <memory>
#include <span>
#include <vector>

namespace dcube::cli {

namespace {

struct Option {
    const char* name;
    const char* value;  // what stands for it in the help; null for a flag
    const char* help;
};

constexpr Option positional_collective{"COLLECTIVE", "", "broadcast, all-to-all, matrix-transpose, ..."};
constexpr Option positional_file{"FILE", "", "the trace; - is standard input"};

constexpr Option topology_options[] = {
    {"--dim", "D", "dimension of the hypercube, 0 to 24"},
    {"--topology", "NETWORK", "torus:8x8, mesh:4x6, ring:5*path:4, .."},
};
constexpr Option problem_options[] = {
    {"--packets", "M", "packets a message; all-reduce: blocks [1]"},
    {"--ports", "all|one", "ports a node may use in a step [all]"},
    {"--root", "R", "root; send, exchange: the one end [0]"},
    {"--to", "NODE", "send, exchange: the other end"},
    {"--permutation", "NAME", "permute: rotation, inversion, .. or @FILE"},
    {"--rows", "N", "matrices"},
    {"--cols", "N", "matrices"},
    {"--layout", "LAYOUT", "matrices: rows-blocked, submatrices, .."},
    {"--to-layout", "LAYOUT", "matrix-relayout: afterwards"},
    {"--type", "TYPE", "elements: int8 .. uint64, float, double"},
};
constexpr Option bytes_option{"--bytes", "SIZE", "of a packet: 64, 64B, 4KiB, 1M [64]"};
constexpr Option byte_sizes_option{"--bytes", "SIZES", "of a packet; a:b:xF is a, a F, .. up to b [64]"};
constexpr Option link_options[] = {
    {"--link", "unit|link-bound", "what a packet costs [unit]"},
    {"--tau", "NS", "link-bound: ns a byte, as 2, 5/2 or 0.5"},
    {"--beta", "NS", "link-bound: ns a packet"},
    {"--machine", "NAME", "tau and beta of ncube2, ipsc860, .."},
    {"--clock", "CLOCK", "data-driven, lockstep [data-driven]"},
};
constexpr Option tuning_options[] = {
    {"--groups", "G", "pipelined algorithms: groups [the best]"},
    {"--detour-groups", "G", "subcubes: groups of the detours [the best]"},
    {"--waves", "PLAN", "waves: as 432|1 or 7..3|2|1 [the best]"},
    {"--halvings", "Q", "halving-doubling: q [the best]"},
};
constexpr Option machine_options[] = {
    {"--threads", "T", "at most so many [what the machine has]"},
    {"--channel", "slots|spsc", "how links are made [slots]"},
    {"--capacity", "C", "packets that may wait in a link [1]"},
};
constexpr Option algorithm_option{"--algorithm", "NAME", "one that dcube list shows [auto]"};
constexpr Option histogram_options[] = {
    {"--bins", "B", "counts to make, 1 to 65536 [256]"},
    {"--words", "8|16", "bits of a value; 16: little endian [8]"},
    {"--input", "FILE", "what is counted; - is stdin"},
    {"--ports", "all|one", "ports a node may use in a step [all]"},
};
constexpr Option seed_option{"--seed", "S", "what the blocks are filled from [1]"};
constexpr Option operation_option{"--op", "OP", "reductions: sum, min, max, bit-xor [sum]"};
constexpr Option run_options[] = {
    {"--input", "FILE", "the nodes' data, node after node; - is stdin"},
    {"--output", "FILE", "gets what the nodes hold afterwards"},
    {"--repeat", "N", "runs; the median time is told [1]"},
    {"--trace", "FILE", "gets a line of JSON a transmission"},
    {"--dry-run", nullptr, "tell what it would take, and do not run"},
    {"--color", "WHEN", "auto, always, never [auto]"},
};
constexpr Option run_format{"--format", "FORMAT", "text, json, csv [text]"};
constexpr Option verify_format{"--format", "FORMAT", "text, json [text]"};
constexpr Option info_format{"--format", "FORMAT", "text, json [text]"};
constexpr Option list_format{"--format", "FORMAT", "text, json, csv, markdown [text]"};

constexpr const char* examples = R"(Examples:
  dcube run all-to-all --dim 8 --bytes 4KiB
  dcube run broadcast --dim 10 --packets 100 --ports one --trace t.jsonl
  dcube verify t.jsonl broadcast --dim 10 --packets 100 --ports one
  dcube compare broadcast --dim 6 --bytes 1MiB --tau 1 --beta 1000
  dcube histogram --dim 4 --bins 16 --input photo.jpg
  dcube info --topology torus:6x6
  dcube list

dcube COMMAND --help says more. Exit: 0 done and verified, 1 wrong result or
broken rule, 2 wrong usage, 130 interrupted.)";

constexpr const char* run_examples = R"(Examples:
  dcube run all-to-all --dim 8 --bytes 4KiB
  dcube run all-reduce --dim 6 --packets 64 --bytes 1K --op sum --type float
  dcube run "total exchange" --dim 10 --ports one --dry-run
  dcube run gather --dim 4 --root 3 --input photo.jpg --output gathered
  dcube run scatter --dim 5 --trace t.jsonl --format json
  dcube run broadcast --dim 8 --bytes 1M --link link-bound --tau 1 --beta 500
  dcube run permute --dim 6 --permutation shuffle --machine ipsc860
  dcube run all-to-all --topology torus:6x6 --bytes 1KiB
  dcube run matrix-transpose --dim 2 --rows 8 --cols 8 --tau 1 --beta 9
  dcube run matrix-transpose --dim 2 --machine ipsc2 --input a.npy --output b

Sizes are binary (K is KiB). Without --input the blocks are filled from the
seed, and every byte that arrives is checked.)";

constexpr const char* verify_examples = R"(Examples:
  dcube verify t.jsonl scatter --dim 5
  dcube verify - all-to-all --topology hypercube:3 --bytes 16 < t.jsonl
  dcube verify t.jsonl broadcast --dim 4 --bytes 1K --tau 5/2 --beta 100

Each line of a trace is one transmission, sorted by step:
  {"step":1,"from":0,"to":1,"port":0,"bytes":64,
   "pieces":[{"origin":0,"target":1,"offset":0,"length":64}]}
Under the link-bound model it has "start_ns" and "end_ns" too: 7, or "5/2".)";

constexpr const char* compare_examples = R"(Examples:
  dcube compare broadcast --dim 10 --bytes 64KiB --tau 1 --beta 1000
  dcube compare scatter --dim 6 --bytes 1KiB:1MiB:x4 --machine ncube2
  dcube compare all-to-all --dim 6 --format csv

Runs every algorithm of the catalogue, verifies it, and lists the best first.
With several sizes it tells which algorithm is best where.)";

constexpr const char* histogram_examples = R"(Examples:
  dcube histogram --dim 4 --bins 16 --input photo.jpg
  dcube histogram --dim 6 --bins 256 --words 16 --input a.raw --format csv
  dcube histogram --dim 4 --input photo.jpg --machine ncube2 --format json

Every node counts its share of the file; a reduce-scatter adds the counts up.
The result is compared with a plain count.)";

constexpr const char* info_examples = R"(Examples:
  dcube info --topology torus:6x6
  dcube info --topology "star:4*ring:3" --format json
  dcube info --dim 10

Networks: hypercube:10, torus:8x8x8, mesh:4x6, ghc:3x4x5, kary:4^3, ring:5,
path:4, complete:3, star:4, pancake:4, ccc:3, circulant:13,1,5, petersen,
graph:FILE (a file with an edge "u v" a line), and products of them with *.)";

constexpr const char* list_examples = R"(Examples:
  dcube list
  dcube list --format markdown)";

// CLI11 would put the options first and call everything optional.
class Formatter : public CLI::Formatter {
public:
    Formatter() { column_width(26); }

    std::string make_usage(const CLI::App* app, std::string) const override
    {
        const std::string& command = app->get_name();
        if (command == "run")
            return "Usage: dcube run COLLECTIVE --dim D [OPTIONS]\n";
        if (command == "verify")
            return "Usage: dcube verify FILE COLLECTIVE --dim D [OPTIONS]\n";
        if (command == "compare")
            return "Usage: dcube compare COLLECTIVE --dim D [OPTIONS]\n";
        if (command == "histogram")
            return "Usage: dcube histogram --dim D --input FILE [OPTIONS]\n";
        if (command == "info")
            return "Usage: dcube info --topology NETWORK [OPTIONS]\n";
        return command == "list" ? "Usage: dcube list [OPTIONS]\n" : "Usage: dcube COMMAND [OPTIONS]\n";
    }
};

void add(CLI::App& app, const Option& option)
{
    const std::string help = option.help;
    CLI::Option* added = option.value == nullptr ? app.add_flag(option.name, help) : app.add_option(option.name, help);
    added->multi_option_policy(CLI::MultiOptionPolicy::TakeAll);
    if (option.value != nullptr)
        added->expected(1)->type_name(option.value);
}

void add_all(CLI::App& app, std::span<const Option> options)
{
    for (const Option& option : options)
        add(app, option);
}

// The machines that --machine knows, and where their figures are from.
std::string machines_text()
{
    constexpr std::size_t indent = 4;
    std::string text = "\n\nMachines:\n";
    for (const MachinePreset& preset : machine_presets())
        text += fmt::format("  {}: tau {} ns, beta {} ns\n    {}", preset.name, to_string(preset.tau),
                            to_string(preset.beta), wrapped(preset.source, indent, indent));
    text.pop_back();
    return text;
}

void prepare(CLI::App& command, const std::string& footer)
{
    command.allow_extras();
    command.footer(footer);
    command.formatter(std::make_shared<Formatter>());
    command.set_help_flag("-h,--help", "this text");
}

void define(CLI::App& app)
{
    app.name("dcube");
    prepare(app, examples);
    app.require_subcommand(0, 1);
    app.set_version_flag("--version", fmt::format("dcube {}", version), "the program's version");

    CLI::App& run = *app.add_subcommand("run", "run a collective, verify every byte, and report");
    prepare(run, run_examples + machines_text());
    add(run, positional_collective);
    add_all(run, topology_options);
    add(run, bytes_option);
    add_all(run, problem_options);
    add(run, operation_option);
    add(run, algorithm_option);
    add_all(run, link_options);
    add_all(run, tuning_options);
    add_all(run, machine_options);
    add(run, seed_option);
    add_all(run, run_options);
    add(run, run_format);

    CLI::App& verify = *app.add_subcommand("verify", "judge a trace of a collective, ours or a stranger's");
    prepare(verify, verify_examples + machines_text());
    add(verify, positional_file);
    add(verify, positional_collective);
    add_all(verify, topology_options);
    add(verify, bytes_option);
    add_all(verify, problem_options);
    add_all(verify, link_options);
    add(verify, seed_option);
    add(verify, verify_format);

    CLI::App& compare = *app.add_subcommand("compare", "all algorithms for one collective side by side");
    prepare(compare, compare_examples + machines_text());
    add(compare, positional_collective);
    add_all(compare, topology_options);
    add(compare, byte_sizes_option);
    add_all(compare, problem_options);
    add(compare, operation_option);
    add_all(compare, link_options);
    add_all(compare, tuning_options);
    add_all(compare, machine_options);
    add(compare, seed_option);
    add(compare, run_format);

    CLI::App& histogram = *app.add_subcommand("histogram", "count a file's bytes or words, by reduce-scatter");
    prepare(histogram, histogram_examples + machines_text());
    add_all(histogram, topology_options);
    add_all(histogram, histogram_options);
    add(histogram, algorithm_option);
    add_all(histogram, link_options);
    add_all(histogram, machine_options);
    add(histogram, run_format);

    CLI::App& info = *app.add_subcommand("info", "a network's distances and bounds, and who meets them");
    prepare(info, info_examples);
    add_all(info, topology_options);
    add(info, info_format);

    CLI::App& list = *app.add_subcommand("list", "the catalogue of all algorithms");
    prepare(list, list_examples);
    add(list, list_format);
}

// An option that stands where a value should is what was meant: its own value would look like a stray argument.
void reject_missing_values(const CLI::App& command)
{
    for (const CLI::Option* option : command.get_options()) {
        if (option->count() > 0 && option->results().front().starts_with("--"))
            throw InvalidArgument(
                fmt::format("{} needs a value, but {} follows", option->get_name(), option->results().front()));
    }
}

void reject_extras(const CLI::App& app, const CLI::App* command)
{
    const std::vector<std::string> strays = app.remaining();
    if (!strays.empty() && strays.front().starts_with('-'))
        throw InvalidArgument(fmt::format(
            "'{}' is not an option of dcube itself: options follow the command, as in dcube run all-to-all --dim 8",
            strays.front()));
    if (!strays.empty())
        throw InvalidArgument(
            fmt::format("'{}' is not a command: run, verify, compare, histogram, info and list are", strays.front()));
    if (command == nullptr)
        throw InvalidArgument("a command is missing: run, verify, compare, histogram, info and list are commands, and "
                              "dcube --help says more");
    reject_missing_values(*command);
    for (const std::string& extra : command->remaining()) {
        if (extra.starts_with('-'))
            throw InvalidArgument(fmt::format("'{}' is not an option of {}: dcube {} --help lists those there are",
                                              extra, command->get_name(), command->get_name()));
    }
    if (command->remaining_size() > 0)
        throw InvalidArgument(fmt::format("'{}' is one argument too many for {}: dcube {} --help shows how it is used",
                                          command->remaining().front(), command->get_name(), command->get_name()));
}

Arguments collect(const CLI::App& command)
{
    Arguments arguments{command.get_name(), {}};
    for (const CLI::Option* option : command.get_options()) {
        if (option->count() == 0)
            continue;
        if (option->count() > 1)
            throw InvalidArgument(fmt::format("{} is given more than once: once is allowed", option->get_name()));
        const std::string value = option->results().front();
        if (option->get_name() == "--dry-run" && value != "true")
            throw InvalidArgument("--dry-run takes no value");
        arguments.options[option->get_name()] = value;
    }
    return arguments;
}

}  // namespace

std::optional<std::string> Arguments::text(const std::string& option) const
{
    const auto found = options.find(option);
    return found == options.end() ? std::nullopt : std::optional(found->second);
}

std::uint64_t Arguments::number(const std::string& option, std::uint64_t least, std::uint64_t most,
                                std::uint64_t fallback) const
{
    const auto found = options.find(option);
    if (found == options.end())
        return fallback;
    const std::string& given = found->second;
    const bool negative = given.starts_with('-');
    const char* const begin = given.data() + (negative ? 1 : 0);
    const char* const end = given.data() + given.size();
    std::uint64_t value = 0;
    const auto [stop, error] = std::from_chars(begin, end, value);
    const auto complain = [&](std::string_view what) {
        throw InvalidArgument(
            fmt::format("{} {} is {}: {} to {} are allowed", option, given.empty() ? "''" : given, what, least, most));
    };
    if (stop != end || error == std::errc::invalid_argument)
        complain("not a whole number");
    if (negative || (error == std::errc{} && value < least))
        complain("too small");
    if (error != std::errc{} || value > most)
        complain("too large");
    return value;
}

Arguments split_command_line(int argc, const char* const* argv, std::optional<std::string>& answer)
{
    CLI::App app("dcube: a hypercube machine in software. It runs optimal collectives on real\n"
                 "bytes, counts every step and packet, and verifies the result.");
    define(app);
    try {
        app.parse(argc, argv);
    } catch (const CLI::CallForHelp&) {
        answer = app.help();
        return {};
    } catch (const CLI::CallForVersion&) {
        answer = app.version() + "\n";
        return {};
    } catch (const CLI::ArgumentMismatch& mismatch) {
        const std::string_view what = mismatch.what();
        throw InvalidArgument(fmt::format("{} needs a value", what.substr(0, what.find(':'))));
    } catch (const CLI::ParseError& error) {
        throw InvalidArgument(error.what());
    }
    const std::vector<CLI::App*> chosen = app.get_subcommands();
    const CLI::App* const command = chosen.empty() ? nullptr : chosen.front();
    reject_extras(app, command);
    return collect(*command);
}

}  // namespace dcube::cli
