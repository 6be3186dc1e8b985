// Makes commands of arguments: every value is read, every combination checked.

#include "cli/options.hpp"
#include "cli/arguments.hpp"
#include "cli/sizes.hpp"

#include <dcube/bounds.hpp>
#include <dcube/error.hpp>

#include <fmt/format.h>

#include <filesystem>
#include <limits>

namespace dcube::cli {

namespace {

constexpr std::uint64_t largest_number = std::numeric_limits<std::uint64_t>::max();
constexpr std::uint64_t most_packets = std::numeric_limits<std::uint32_t>::max();
constexpr std::uint64_t most_repeats = 1'000'000;
constexpr std::uint64_t most_threads = 1024;
constexpr std::uint64_t most_waiting = 65536;

// Calls `parse` with the option's text, if it is there; a complaint about it names the option.
template <class Parse>
void with_text(const Arguments& arguments, const std::string& option, Parse parse)
{
    const std::optional<std::string> text = arguments.text(option);
    if (!text)
        return;
    try {
        parse(*text);
    } catch (const InvalidArgument& error) {
        throw InvalidArgument(fmt::format("{}: {}", option, error.what()));
    }
}

Topology read_topology(const Arguments& arguments)
{
    if (arguments.has("--dim") && arguments.has("--topology"))
        throw InvalidArgument("--dim and --topology say the same: give one of them");
    if (!arguments.has("--dim") && !arguments.has("--topology"))
        throw InvalidArgument(
            fmt::format("--dim is missing: give the hypercube's dimension, 0 to {}", Topology::max_dimension));
    Topology topology =
        Topology::hypercube(static_cast<unsigned>(arguments.number("--dim", 0, Topology::max_dimension, 0)));
    with_text(arguments, "--topology", [&](const std::string& text) { topology = Topology::parse(text); });
    return topology;
}

Collective read_collective(const Arguments& arguments)
{
    const std::optional<std::string> text = arguments.text("COLLECTIVE");
    if (text)
        return parse_collective(*text);
    std::string names;
    for (const Collective collective : all_collectives)
        names += fmt::format("{}{}", names.empty() ? "" : ", ", name(collective));
    throw InvalidArgument(fmt::format("a collective is missing: there are {}", names));
}

void reject_foreign_options(const Arguments& arguments, Collective collective)
{
    if (!has_root(collective) && arguments.has("--root"))
        throw InvalidArgument(fmt::format(
            "--root does not apply to {}: broadcast, reduce, scatter and gather have a root", name(collective)));
    for (const char* option : {"--op", "--type"}) {
        if (!is_reduction(collective) && arguments.has(option))
            throw InvalidArgument(
                fmt::format("{} does not apply to {}: reduce, reduce-scatter and all-reduce are reductions", option,
                            name(collective)));
    }
}

Problem read_problem(const Arguments& arguments, Collective collective, const Topology& topology)
{
    Problem problem;
    problem.collective = collective;
    reject_foreign_options(arguments, problem.collective);
    if (const auto bytes = arguments.text("--bytes"))
        problem.bytes = parse_size("--bytes", *bytes);
    problem.packets = arguments.number("--packets", 1, most_packets, 1);
    problem.root = static_cast<NodeId>(arguments.number("--root", 0, topology.nodes() - 1, 0));
    with_text(arguments, "--op", [&](const std::string& text) { problem.operation = parse_operation(text); });
    with_text(arguments, "--type", [&](const std::string& text) { problem.type = parse_element_type(text); });
    return problem;
}

PortModel read_ports(const Arguments& arguments)
{
    PortModel ports = PortModel::all;
    with_text(arguments, "--ports", [&](const std::string& text) { ports = parse_ports(text); });
    return ports;
}

Format read_format(const Arguments& arguments, std::initializer_list<std::string_view> allowed)
{
    const std::string text = arguments.text("--format").value_or("text");
    constexpr std::string_view names[] = {"text", "json", "csv", "markdown"};
    std::string listed;
    for (const std::string_view one : allowed) {
        if (one == text)
            return static_cast<Format>(std::find(std::begin(names), std::end(names), one) - std::begin(names));
        listed += fmt::format("{}{}", listed.empty() ? "" : ", ", one);
    }
    throw InvalidArgument(fmt::format("--format '{}' is not allowed here: {} are", text, listed));
}

ColourWish read_colour(const Arguments& arguments)
{
    const std::string text = arguments.text("--color").value_or("auto");
    if (text == "auto")
        return ColourWish::automatic;
    if (text == "always")
        return ColourWish::always;
    if (text == "never")
        return ColourWish::never;
    throw InvalidArgument(fmt::format("--color '{}' is not allowed: auto, always and never are", text));
}

void reject_standard_output(const Arguments& arguments)
{
    for (const char* option : {"--output", "--trace"}) {
        if (arguments.text(option) == "-")
            throw InvalidArgument(fmt::format("{} - is not allowed: standard output carries the report", option));
    }
    for (const char* option : {"--input", "--output", "--trace"}) {
        if (arguments.text(option) == "")
            throw InvalidArgument(fmt::format("{} '' is not a file's name", option));
    }
}

// Where links lead to, also for what does not exist yet.
std::filesystem::path whole_path(const std::string& file)
{
    return std::filesystem::weakly_canonical(std::filesystem::absolute(file));
}

void reject_contradictions(const Arguments& arguments, const RunCommand& command)
{
    reject_standard_output(arguments);
    if (command.trace && command.repeat > 1)
        throw InvalidArgument(fmt::format("--trace tells of one run: --repeat {} does not go with it", command.repeat));
    if (command.mode == RunCommand::Mode::forecast) {
        for (const char* option : {"--output", "--trace", "--repeat"}) {
            if (arguments.has(option))
                throw InvalidArgument(fmt::format("--dry-run runs nothing: {} does not go with it", option));
        }
    }
    if (command.input && arguments.has("--seed"))
        throw InvalidArgument("--seed does not go with --input: the data come from the file");
    if (command.output && command.trace && whole_path(*command.output) == whole_path(*command.trace))
        throw InvalidArgument("--output and --trace name the same file");
}

RunCommand read_run(const Arguments& arguments)
{
    const Collective collective = read_collective(arguments);
    RunCommand command;
    command.topology = read_topology(arguments);
    command.problem = read_problem(arguments, collective, command.topology);
    command.machine.ports = read_ports(arguments);
    command.machine.threads = static_cast<unsigned>(arguments.number("--threads", 1, most_threads, 0));
    command.machine.channel_capacity = arguments.number("--capacity", 1, most_waiting, 1);
    with_text(arguments, "--channel", [&](const std::string& text) { command.machine.channel = parse_channel(text); });
    command.algorithm = arguments.text("--algorithm").value_or("auto");
    command.seed = arguments.number("--seed", 0, largest_number, 1);
    command.repeat = arguments.number("--repeat", 1, most_repeats, 1);
    command.input = arguments.text("--input");
    command.output = arguments.text("--output");
    command.trace = arguments.text("--trace");
    command.mode = arguments.has("--dry-run") ? RunCommand::Mode::forecast : RunCommand::Mode::run;
    command.format = read_format(arguments, {"text", "json", "csv"});
    command.colour = read_colour(arguments);
    reject_contradictions(arguments, command);
    if (command.input && !arguments.has("--bytes")) {
        command.block_size = BlockSize::open;
        command.problem.bytes = is_reduction(command.problem.collective) ? size_of(command.problem.type) : 1;
    }
    validate(command.problem, command.topology);
    return command;
}

VerifyCommand read_verify(const Arguments& arguments)
{
    const std::optional<std::string> file = arguments.text("FILE");
    if (!file)
        throw InvalidArgument("a trace is missing: dcube verify FILE COLLECTIVE --dim D, and - is standard input");
    const Collective collective = read_collective(arguments);
    VerifyCommand command;
    command.file = *file;
    command.topology = read_topology(arguments);
    command.problem = read_problem(arguments, collective, command.topology);
    command.ports = read_ports(arguments);
    command.format = read_format(arguments, {"text", "json"});
    validate(command.problem, command.topology);
    return command;
}

}  // namespace

Command parse_command_line(int argc, const char* const* argv)
{
    std::optional<std::string> answer;
    const Arguments arguments = split_command_line(argc, argv, answer);
    if (answer)
        return Answer{*answer};
    if (arguments.command == "verify")
        return read_verify(arguments);
    if (arguments.command == "list")
        return ListCommand{read_format(arguments, {"text", "json", "csv", "markdown"})};
    return read_run(arguments);
}

}  // namespace dcube::cli
