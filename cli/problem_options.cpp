#include "cli/problem_options.hpp"

#include "cli/files/files.hpp"
#include "cli/sweep.hpp"
#include "cli/text/numbers.hpp"

#include <dcube/error.hpp>
#include <dcube/permutation.hpp>

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include <limits>
#include <utility>

namespace dcube::cli {

namespace {

constexpr std::uint64_t largest_number = std::numeric_limits<std::uint64_t>::max();

NodeId node_of(const char* option, const std::optional<std::string>& given, const Topology& topology)
{
    return given ? static_cast<NodeId>(parse_number(option, *given, {0, topology.nodes() - 1})) : topology.member(0);
}

}  // namespace

ProblemOptions::ProblemOptions(CLI::App& app, Sweep sweep, Reductions reductions, Named named)
{
    constexpr NumberRange packet_numbers{1, std::numeric_limits<std::uint32_t>::max()};
    constexpr NumberRange sides{1, std::uint64_t{1} << 40};
    constexpr const char* heading = "Problem";
    const OptionText which = named == Named::as_argument
                                 ? OptionText{"COLLECTIVE", "",
                                              "broadcast, all-to-all, matrix-transpose, ..: see "
                                              "dcube list"}
                                 : OptionText{"--collective", "NAME", "the algorithm's collective", heading};
    add_option(app, which, [this](const std::string& given) { collective_ = parse_collective(given); });
    if (sweep == Sweep::yes)
        add_sizes(app, {"--bytes", "SIZE", "of a packet: 64, 64B, 4KiB, 1M [64]", heading}, bytes_);
    else
        add_option(app, {"--bytes", "SIZE", "of a packet: 64, 64B, 4KiB, 1M [64]", heading},
                   [this](const std::string& given) { bytes_ = {parse_size("--bytes", given)}; });
    add_numbers(app, sweep, {"--packets", "M", "packets of a message; all-reduce: blocks [1]", heading}, packet_numbers,
                packets_);
    add_ports(app, ports_);
    add_text(app, {"--root", "R", "root; send, exchange: the source [0]", heading}, root_);
    add_text(app, {"--to", "NODE", "send, exchange: the destination", heading}, to_);
    add_text(app, {"--permutation", "NAME", "permute: rotation, inversion, .. or @FILE", heading}, permutation_);
    add_number(app, {"--rows", "N", "matrices: how many rows", heading}, sides, rows_);
    add_number(app, {"--cols", "N", "matrices: how many columns", heading}, sides, columns_);
    add_parsed(app, {"--layout", "LAYOUT", "matrices: rows-blocked, submatrices, ..", heading}, layout_,
               parse_matrix_layout);
    add_parsed(app, {"--to-layout", "LAYOUT", "matrix-relayout: the layout afterwards", heading}, to_layout_,
               parse_matrix_layout);
    add_parsed(app, {"--type", "TYPE", "elements: int8 .. uint64, float, double [uint8]", heading}, type_,
               parse_element_type);
    if (reductions == Reductions::with_operation)
        add_parsed(app, {"--op", "OP", "reductions: sum, min, max, bit-xor [sum]", heading}, operation_,
                   parse_operation);
    add_number(app, {"--seed", "S", "seed of the data and of --fault-rate [1]", heading}, {0, largest_number}, seed_);
}

Collective ProblemOptions::collective() const
{
    if (collective_) {
        reject_foreign(*collective_);
        return *collective_;
    }
    std::string names;
    for (const Collective collective : all_collectives)
        names += fmt::format("{}{}", names.empty() ? "" : ", ", name(collective));
    throw InvalidArgument(fmt::format("a collective is missing: there are {}", names));
}

bool ProblemOptions::has_random_permutation() const
{
    return permutation_ && same_name(*permutation_, "random");
}

void ProblemOptions::reject_foreign(Collective collective) const
{
    const auto reject = [&](const char* option, bool given, bool applies, std::string_view why) {
        if (given && !applies)
            throw InvalidArgument(fmt::format("{} does not apply to {}: {}", option, name(collective), why));
    };
    const bool reduces = is_reduction(collective);
    const bool matrix = is_matrix(collective);
    reject("--root", root_.has_value(), has_root(collective) || has_peer(collective),
           "broadcast, reduce, scatter and gather have a root, send and exchange begin there");
    reject("--op", operation_.has_value(), reduces, "reduce, reduce-scatter and all-reduce are reductions");
    reject("--type", type_.has_value(), reduces || matrix, "reductions and matrices have elements");
    reject("--to", to_.has_value(), has_peer(collective), "send and exchange have two ends");
    reject("--permutation", permutation_.has_value(), has_permutation(collective), "permute has one");
    constexpr std::string_view have_matrix = "the matrix- collectives have a matrix";
    reject("--rows", rows_.has_value(), matrix, have_matrix);
    reject("--cols", columns_.has_value(), matrix, have_matrix);
    reject("--layout", layout_.has_value(), matrix, have_matrix);
    reject("--to-layout", to_layout_.has_value(), collective == Collective::matrix_relayout,
           "matrix-relayout has a layout afterwards");
    constexpr std::string_view no_packets = "--rows, --cols and --type say how large a matrix is";
    reject("--bytes", !bytes_.empty(), !matrix, no_packets);
    reject("--packets", !packets_.empty(), !matrix, no_packets);
}

std::vector<NodeId> ProblemOptions::permutation(const Topology& topology) const
{
    const std::string text = permutation_.value_or("");
    if (text.empty())
        throw InvalidArgument("--permutation is missing: rotation, inversion, reflection, bit-reversal, shuffle, "
                              "transpose, random, identity, xor:MASK and @FILE are allowed");
    if (text.front() != '@')
        return permutation_by_name(text, topology, seed());
    constexpr std::size_t longest_number_and_space = 32;
    const std::size_t most = 4096 + std::size_t{topology.nodes()} * longest_number_and_space;
    const std::vector<std::byte> file =
        read_file(text.substr(1), most, fmt::format("a permutation of {} nodes has at most", topology.nodes()));
    try {
        return parse_permutation({reinterpret_cast<const char*>(file.data()), file.size()}, topology);
    } catch (const InvalidArgument& error) {
        throw InvalidArgument(fmt::format("{}: {}", text.substr(1), error.what()));
    }
}

void ProblemOptions::read_matrix(Problem& problem) const
{
    if (size_known_ && (!rows_ || !columns_))
        throw InvalidArgument("--rows and --cols are missing: a matrix has a size");
    problem.rows = rows_.value_or(0);
    problem.columns = columns_.value_or(0);
    problem.layout = layout_.value_or(problem.layout);
    const bool striped = problem.layout == MatrixLayout::rows_striped;
    problem.to = to_layout_.value_or(striped ? MatrixLayout::rows_blocked : MatrixLayout::rows_striped);
}

void ProblemOptions::read_target(const Topology& topology, Problem& problem) const
{
    problem.root = node_of("--root", root_, topology);
    if (has_peer(problem.collective) && !to_)
        throw InvalidArgument(
            fmt::format("--to is missing: {} goes from --root to another node", name(problem.collective)));
    problem.peer = node_of("--to", to_, topology);
    if (has_permutation(problem.collective))
        problem.permutation = permutation(topology);
    if (is_matrix(problem.collective))
        read_matrix(problem);
}

Problem ProblemOptions::over(Problem problem, const Topology& topology) const
{
    reject_foreign(problem.collective);
    if (root_)
        problem.root = node_of("--root", root_, topology);
    if (to_)
        problem.peer = node_of("--to", to_, topology);
    if (permutation_)
        problem.permutation = permutation(topology);
    problem.rows = rows_.value_or(problem.rows);
    problem.columns = columns_.value_or(problem.columns);
    problem.layout = layout_.value_or(problem.layout);
    problem.to = to_layout_.value_or(problem.to);
    problem.operation = operation_.value_or(problem.operation);
    problem.type = type_.value_or(problem.type);
    if (!packets_.empty())
        problem.packets = packets_.front();
    if (!bytes_.empty())
        problem.bytes = bytes_.front();
    return problem;
}

std::vector<Problem> ProblemOptions::problems(const Topology& topology) const
{
    Problem problem;
    problem.collective = collective();
    read_target(topology, problem);
    problem.operation = operation_.value_or(problem.operation);
    problem.type = type_.value_or(problem.type);
    std::vector<Problem> all;
    for (const std::uint64_t packets : packets_.empty() ? std::vector<std::uint64_t>{problem.packets} : packets_)
        for (const std::size_t bytes : bytes_.empty() ? std::vector{problem.bytes} : bytes_) {
            all.push_back(problem);
            all.back().packets = packets;
            all.back().bytes = bytes;
        }
    return all;
}

}  // namespace dcube::cli
