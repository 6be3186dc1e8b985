// Makes commands of arguments: every value is read, every combination checked.

#include "cli/shared_options.hpp"
#include "cli/arguments.hpp"
#include "cli/files/files.hpp"
#include "cli/text/numbers.hpp"

#include <dcube/bounds.hpp>
#include <dcube/error.hpp>
#include <dcube/matrix.hpp>
#include <dcube/permutation.hpp>

#include <fmt/format.h>

#include <charconv>
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
            fmt::format("--dim is missing: give the hypercube's dimension, 0 to {}, or another network with --topology",
                        Topology::max_dimension));
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
    const auto reject = [&](const char* option, bool applies, std::string_view why) {
        if (arguments.has(option) && !applies)
            throw InvalidArgument(fmt::format("{} does not apply to {}: {}", option, name(collective), why));
    };
    const bool reduces = is_reduction(collective);
    const bool matrix = is_matrix(collective);
    reject("--root", has_root(collective) || has_peer(collective),
           "broadcast, reduce, scatter and gather have a root, send and exchange begin there");
    reject("--op", reduces, "reduce, reduce-scatter and all-reduce are reductions");
    reject("--type", reduces || matrix, "reductions and matrices have elements");
    reject("--to", has_peer(collective), "send and exchange have two ends");
    reject("--permutation", has_permutation(collective), "permute has one");
    for (const char* const option : {"--rows", "--cols", "--layout"})
        reject(option, matrix, "the matrix- collectives have a matrix");
    reject("--to-layout", collective == Collective::matrix_relayout, "matrix-relayout has a layout afterwards");
    for (const char* const option : {"--bytes", "--packets"})
        reject(option, !matrix, "a matrix' size is told by --rows, --cols and --type");
}

// Where each node's message goes: a name, or @FILE.
std::vector<NodeId> read_permutation(const Arguments& arguments, const Topology& topology)
{
    constexpr std::size_t most = std::size_t{1} << 30;
    const std::string text = arguments.text("--permutation").value_or("");
    if (text.empty())
        throw InvalidArgument("--permutation is missing: rotation, inversion, reflection, bit-reversal, shuffle, "
                              "transpose, random, identity, xor:MASK and @FILE are allowed");
    if (text.front() != '@')
        return permutation_by_name(text, topology, arguments.number("--seed", 0, largest_number, 1));
    const std::vector<std::byte> file = read_file(text.substr(1), most, "a permutation of this many nodes is");
    return parse_permutation({reinterpret_cast<const char*>(file.data()), file.size()}, topology);
}

void read_matrix(const Arguments& arguments, Problem& problem)
{
    constexpr std::uint64_t most_rows = std::uint64_t{1} << 40;
    problem.rows = arguments.number("--rows", 1, most_rows, 0);
    problem.columns = arguments.number("--cols", 1, most_rows, 0);
    with_text(arguments, "--layout", [&](const std::string& text) { problem.layout = parse_matrix_layout(text); });
    problem.to = problem.layout == MatrixLayout::rows_striped ? MatrixLayout::rows_blocked : MatrixLayout::rows_striped;
    with_text(arguments, "--to-layout", [&](const std::string& text) { problem.to = parse_matrix_layout(text); });
    if (!arguments.has("--input") && (problem.rows == 0 || problem.columns == 0))
        throw InvalidArgument("--rows and --cols are missing: a matrix has a size");
}

void read_target(const Arguments& arguments, const Topology& topology, Problem& problem)
{
    if (has_peer(problem.collective)) {
        if (!arguments.has("--to"))
            throw InvalidArgument(
                fmt::format("--to is missing: {} goes from --root to another node", name(problem.collective)));
        problem.peer = static_cast<NodeId>(arguments.number("--to", 0, topology.nodes() - 1, 0));
    }
    if (has_permutation(problem.collective))
        problem.permutation = read_permutation(arguments, topology);
    if (is_matrix(problem.collective))
        read_matrix(arguments, problem);
}

LinkModel read_link(const Arguments& arguments)
{
    LinkModel link;
    const bool implied = arguments.has("--tau") || arguments.has("--beta") || arguments.has("--machine");
    if (implied)
        link.kind = LinkKind::link_bound;
    with_text(arguments, "--link", [&](const std::string& text) { link.kind = parse_link(text); });
    if (!link.bound()) {
        for (const char* const option : {"--tau", "--beta", "--machine", "--clock"})
            if (arguments.has(option))
                throw InvalidArgument(
                    fmt::format("{} does not go with the unit link model: --link link-bound", option));
        return link;
    }
    if (const auto machine = arguments.text("--machine")) {
        link.tau = find_preset(*machine).tau;
        link.beta = find_preset(*machine).beta;
    } else if (!arguments.has("--tau") || !arguments.has("--beta")) {
        throw InvalidArgument("the link-bound model needs --tau and --beta, in ns, or a --machine");
    }
    if (const auto tau = arguments.text("--tau"))
        link.tau = parse_rational("--tau", *tau);
    if (const auto beta = arguments.text("--beta"))
        link.beta = parse_rational("--beta", *beta);
    with_text(arguments, "--clock", [&](const std::string& text) { link.clock = parse_clock(text); });
    return link;
}

Tuning read_tuning(const Arguments& arguments, const Topology& topology, const LinkModel& link)
{
    constexpr std::uint64_t most_groups = std::uint64_t{1} << 31;
    for (const char* const option : {"--groups", "--detour-groups", "--waves", "--halvings"})
        if (arguments.has(option) && !link.bound())
            throw InvalidArgument(
                fmt::format("{} is for the link-bound model: --tau and --beta, or --machine", option));
    Tuning tuning;
    tuning.groups = arguments.number("--groups", 1, most_groups, 0);
    tuning.extended_groups = arguments.number("--detour-groups", 1, most_groups, 0);
    tuning.waves = arguments.text("--waves").value_or("");
    if (arguments.has("--waves") && tuning.waves.empty())
        throw InvalidArgument("--waves '' is no plan of waves: 432|1 and 7..3|2|1 are");
    if (arguments.has("--halvings"))
        tuning.halvings = static_cast<unsigned>(arguments.number("--halvings", 0, topology.dimension(), 0));
    return tuning;
}

Problem read_problem(const Arguments& arguments, Collective collective, const Topology& topology)
{
    Problem problem;
    problem.collective = collective;
    reject_foreign_options(arguments, problem.collective);
    problem.link = read_link(arguments);
    problem.tuning = read_tuning(arguments, topology, problem.link);
    read_target(arguments, topology, problem);
    if (const auto bytes = arguments.text("--bytes"); bytes && arguments.command != "compare")
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
    if (command.input && arguments.has("--seed") && arguments.text("--permutation") != "random")
        throw InvalidArgument("--seed does not go with --input: the data come from the file");
    if (command.output && command.trace && whole_path(*command.output) == whole_path(*command.trace))
        throw InvalidArgument("--output and --trace name the same file");
}

MachineOptions read_machine(const Arguments& arguments)
{
    MachineOptions machine;
    machine.ports = read_ports(arguments);
    machine.link = read_link(arguments);
    if (machine.link.bound() && machine.ports == PortModel::one)
        throw InvalidArgument("--ports one does not go with the link-bound model: there all ports are used at once");
    machine.threads = static_cast<unsigned>(arguments.number("--threads", 1, most_threads, 0));
    machine.channel_capacity = arguments.number("--capacity", 1, most_waiting, 1);
    with_text(arguments, "--channel", [&](const std::string& text) { machine.channel = parse_channel(text); });
    return machine;
}

RunCommand read_run(const Arguments& arguments)
{
    const Collective collective = read_collective(arguments);
    RunCommand command;
    command.topology = read_topology(arguments);
    command.problem = read_problem(arguments, collective, command.topology);
    command.type_given = arguments.has("--type");
    command.machine = read_machine(arguments);
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
    if (command.input && is_matrix(collective))
        return command;  // the file may tell the rest
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

// "64KiB", or "1KiB:16MiB:x4": 1 KiB, 4 KiB, .. up to 16 MiB.
std::vector<std::size_t> read_sizes(const std::string& text)
{
    const std::size_t first_colon = text.find(':');
    if (first_colon == std::string::npos)
        return {parse_size("--bytes", text)};
    const std::size_t second_colon = text.find(':', first_colon + 1);
    std::size_t factor = 0;
    const char* const end = text.data() + text.size();
    if (second_colon != std::string::npos && text.substr(second_colon + 1).starts_with('x'))
        if (const auto [stop, error] = std::from_chars(text.data() + second_colon + 2, end, factor);
            stop != end || error != std::errc{})
            factor = 0;
    if (factor < 2)
        throw InvalidArgument(fmt::format("--bytes '{}' is no range of sizes: 1KiB:16MiB:x4 is one", text));
    const std::size_t first = parse_size("--bytes", text.substr(0, first_colon));
    const std::size_t last = parse_size("--bytes", text.substr(first_colon + 1, second_colon - first_colon - 1));
    if (last < first)
        throw InvalidArgument(fmt::format("--bytes '{}' is no range of sizes: it ends before it begins", text));
    std::vector<std::size_t> sizes;
    for (std::size_t size = first; size <= last; size *= factor) {
        sizes.push_back(size);
        if (size > last / factor)
            break;
    }
    return sizes;
}

CompareCommand read_compare(const Arguments& arguments)
{
    const Collective collective = read_collective(arguments);
    CompareCommand command;
    command.topology = read_topology(arguments);
    command.problem = read_problem(arguments, collective, command.topology);
    command.machine = read_machine(arguments);
    command.sizes = read_sizes(arguments.text("--bytes").value_or("64"));
    command.seed = arguments.number("--seed", 0, largest_number, 1);
    command.format = read_format(arguments, {"text", "json", "csv"});
    for (const std::size_t size : command.sizes) {
        command.problem.bytes = size;
        validate(command.problem, command.topology);
    }
    return command;
}

HistogramCommand read_histogram(const Arguments& arguments)
{
    constexpr std::uint64_t most_bins = 65536;
    HistogramCommand command;
    command.topology = read_topology(arguments);
    command.machine = read_machine(arguments);
    command.algorithm = arguments.text("--algorithm").value_or("auto");
    command.word_bits = static_cast<unsigned>(arguments.number("--words", 8, 16, 8));
    if (command.word_bits != 8 && command.word_bits != 16)
        throw InvalidArgument(fmt::format("--words {} is not allowed: 8 and 16 bits are", command.word_bits));
    command.bins = arguments.number("--bins", 1, most_bins, 256);
    const std::optional<std::string> input = arguments.text("--input");
    if (!input || input->empty())
        throw InvalidArgument("--input is missing: a histogram counts a file's bytes, and - is standard input");
    command.input = *input;
    command.format = read_format(arguments, {"text", "json", "csv"});
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
    if (arguments.command == "compare")
        return read_compare(arguments);
    if (arguments.command == "histogram")
        return read_histogram(arguments);
    if (arguments.command == "info")
        return InfoCommand{read_topology(arguments), read_format(arguments, {"text", "json"})};
    if (arguments.command == "list")
        return ListCommand{read_format(arguments, {"text", "json", "csv", "markdown"})};
    return read_run(arguments);
}

}  // namespace dcube::cli
