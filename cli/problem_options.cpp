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
constexpr const char* problem_heading = "Problem";

OptionText text_for(const ProblemField& field)
{
    return {field.option, field.placeholder, field.help, problem_heading};
}

}  // namespace

ProblemOptions::ProblemOptions(CLI::App& app, Sweep sweep, Reductions reductions, Named named)
{
    const OptionText which =
        named == Named::as_argument
            ? OptionText{"COLLECTIVE", "",
                         "broadcast, all-to-all, matrix-transpose, ...: see "
                         "dcube list"}
            : OptionText{"--collective", "COLLECTIVE", "the algorithm's collective", problem_heading};
    add_option(app, which, [this](const std::string& given) { collective_ = parse_collective(given); });
    const ProblemField& bytes = problem_field("bytes");
    const ProblemField& packets = problem_field("packets");
    if (sweep == Sweep::yes)
        add_sizes(app, text_for(bytes), bytes_);
    else
        add_option(app, text_for(bytes), [this](const std::string& given) { bytes_ = {parse_size("--bytes", given)}; });
    add_numbers(app, sweep, text_for(packets), {packets.least, packets.most}, packets_);
    add_ports(app, ports_);
    for (const ProblemField& field : problem_fields())
        if (field.group == FieldGroup::problem && &field != &bytes && &field != &packets &&
            (field.key != "operation" || reductions == Reductions::with_operation))
            add(app, field);
    add_number(app, {"--seed", "S", "seed of the data and of --fault-rate [1]", problem_heading}, {0, largest_number},
               seed_);
}

// Values that need no network are parsed at once, so that errors in them are reported like those of any other option.
void ProblemOptions::add(CLI::App& app, const ProblemField& field)
{
    add_option(app, text_for(field), [this, &field](const std::string& text) {
        Problem problem;
        if (!field.is_node())
            set_field(field, text, {field.least, field.most}, problem);
        given_.push_back({&field, text});
    });
}

std::optional<std::string> ProblemOptions::text_of(std::string_view key) const
{
    for (const auto& [field, text] : given_)
        if (field->key == key)
            return text;
    return std::nullopt;
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
    const std::optional<std::string> name = permutation_name();
    return name && same_name(*name, "random");
}

void ProblemOptions::reject_foreign(Collective collective) const
{
    const Problem problem{collective};
    const auto reject = [&](const ProblemField& field) {
        if (!field.applies(problem))
            throw InvalidArgument(
                fmt::format("{} does not apply to {}: {}", field.option, name(collective), field.owners));
    };
    for (const Given& given : given_)
        reject(*given.field);
    if (!bytes_.empty())
        reject(problem_field("bytes"));
    if (!packets_.empty())
        reject(problem_field("packets"));
}

std::vector<NodeId> ProblemOptions::permutation(const Topology& topology) const
{
    const std::string text = permutation_name().value_or("");
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

void ProblemOptions::put(const Given& given, Problem& problem, const Topology& topology) const
{
    const auto& [field, text] = given;
    if (!field->is_number() && !field->is_name())
        problem.permutation = permutation(topology);
    else
        set_field(*field, text,
                  field->is_node() ? NumberRange{0, topology.nodes() - 1} : NumberRange{field->least, field->most},
                  problem);
}

bool ProblemOptions::put(std::string_view option, Problem& problem, const Topology& topology) const
{
    for (const Given& given : given_)
        if (given.field->option == option) {
            put(given, problem, topology);
            return true;
        }
    if (option == "--bytes" && !bytes_.empty())
        problem.bytes = bytes_.front();
    else if (option == "--packets" && !packets_.empty())
        problem.packets = packets_.front();
    else
        return false;
    return true;
}

Problem ProblemOptions::over(Problem problem, const Topology& topology) const
{
    reject_foreign(problem.collective);
    for (const ProblemField& field : problem_fields())
        put(field.option, problem, topology);
    return problem;
}

void ProblemOptions::complete_ends(const Topology& topology, Problem& problem) const
{
    if (!text_of("root"))
        problem.root = topology.member(0);
    if (!text_of("peer"))
        problem.peer = topology.member(0);
    if (has_peer(problem.collective) && !text_of("peer"))
        throw InvalidArgument(
            fmt::format("--to is missing: {} goes from --root to another node", name(problem.collective)));
    if (has_permutation(problem.collective) && !permutation_name())
        problem.permutation = permutation(topology);  // complains that it is missing
}

void ProblemOptions::complete_matrix(Problem& problem) const
{
    if (size_known_ && (!text_of("rows") || !text_of("columns")))
        throw InvalidArgument("--rows and --cols are missing: a matrix has a size");
    if (!text_of("to_layout"))
        problem.to =
            problem.layout == MatrixLayout::rows_striped ? MatrixLayout::rows_blocked : MatrixLayout::rows_striped;
}

std::vector<Problem> ProblemOptions::problems(const Topology& topology) const
{
    Problem problem{collective()};
    for (const Given& given : given_)
        put(given, problem, topology);
    complete_ends(topology, problem);
    if (is_matrix(problem.collective))
        complete_matrix(problem);
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
