#include "cli/problem_options.hpp"

#include "base/numbers.hpp"
#include "cli/files/files.hpp"
#include "cli/sweep.hpp"

#include <dcube/error.hpp>
#include <dcube/permutation.hpp>

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include <limits>

namespace dcube::cli {

namespace {

constexpr std::uint64_t largest_number = std::numeric_limits<std::uint64_t>::max();
constexpr const char* problem_heading = "Problem";

std::vector<NodeId> permutation_in_file(const std::string& name, const Topology& topology)
{
    constexpr std::size_t longest_number_and_space = 32;
    const std::size_t most = 4096 + std::size_t{topology.nodes()} * longest_number_and_space;
    const std::vector<std::byte> file =
        read_file(name, most, fmt::format("a permutation of {} nodes has at most", topology.nodes()));
    try {
        return parse_permutation({reinterpret_cast<const char*>(file.data()), file.size()}, topology);
    } catch (const InvalidArgument& error) {
        throw InvalidArgument(fmt::format("{}: {}", name, error.what()));
    }
}

OptionText text_for(const ProblemField& field)
{
    return {field.option, field.placeholder, field.help, problem_heading};
}

}  // namespace

ProblemOptions::ProblemOptions(CLI::App& app, Sweep sweep, Reductions reductions, Named named)
    : given_(permutation_in_file)
{
    const OptionText which =
        named == Named::as_argument
            ? OptionText{"COLLECTIVE", "",
                         "broadcast, all-to-all, matrix-transpose, ..., or as MPI and NCCL call it (bcast, alltoall): "
                         "see dcube list"}
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

void ProblemOptions::add(CLI::App& app, const ProblemField& field)
{
    add_option(app, text_for(field), [this, &field](const std::string& text) { given_.add(field, text); });
}

Collective ProblemOptions::collective() const
{
    if (collective_) {
        reject_foreign(*collective_);
        return *collective_;
    }
    refuse_no_collective();
}

bool ProblemOptions::has_random_permutation() const
{
    const std::optional<std::string> name = permutation_name();
    return name && same_name(*name, "random");
}

void ProblemOptions::reject_foreign(Collective collective) const
{
    given_.reject_foreign(collective);
    if (!bytes_.empty())
        require_field(problem_field("bytes"), collective);
    if (!packets_.empty())
        require_field(problem_field("packets"), collective);
}

bool ProblemOptions::put(std::string_view option, Problem& problem, const Topology& topology) const
{
    if (option == "--bytes" && !bytes_.empty())
        problem.bytes = bytes_.front();
    else if (option == "--packets" && !packets_.empty())
        problem.packets = packets_.front();
    else
        return given_.put(option, problem, topology, seed());
    return true;
}

Problem ProblemOptions::over(Problem problem, const Topology& topology) const
{
    reject_foreign(problem.collective);
    for (const ProblemField& field : problem_fields())
        put(field.option, problem, topology);
    return problem;
}

std::vector<Problem> ProblemOptions::problems(const Topology& topology) const
{
    const Problem problem = given_.problem(collective(), topology, seed(), size_);
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
