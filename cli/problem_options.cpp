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

std::vector<NodeId> permutation_in_file(const std::string& name, const Topology& topology)
{
    constexpr std::size_t longest_number_and_space = 32;
    const std::size_t most = 4096 + std::size_t{topology.nodes()} * longest_number_and_space;
    const std::vector<std::byte> file =
        read_file(name, most, fmt::format("a permutation of {} nodes has at most", topology.nodes()));
    return prefixed(name, [&] {
        return parse_permutation({reinterpret_cast<const char*>(file.data()), file.size()}, topology);
    });
}

}  // namespace

ProblemOptions::ProblemOptions(CLI::App& app, Sweep sweep, Reductions reductions, Named named)
{
    given_.fields = GivenFields(permutation_in_file);
    OptionText which = text_for(*find_key("collective"));
    which.name = named == Named::as_argument ? "COLLECTIVE" : "--collective";
    if (named == Named::as_argument) {
        which.value.clear();
        which.heading = OptionText{}.heading;
    }
    add_option(app, which, [this](const std::string& given) { given_.collective = parse_collective(given); });
    const OptionText bytes = text_for(*find_key("bytes"));
    if (sweep == Sweep::yes)
        add_sizes(app, bytes, bytes_);
    else
        add_option(app, bytes, [this](const std::string& given) { bytes_ = {parse_size("bytes", given)}; });
    const ProblemField& packets = problem_field("packets");
    add_numbers(app, sweep, text_for(*find_key("packets")), {packets.least, packets.most}, packets_);
    add_ports(app, ports_);
    for (const Key& key : question_keys())
        if (key.field && key.field->group == FieldGroup::problem && key.key != "bytes" && key.key != "packets" &&
            (key.key != "operation" || reductions == Reductions::with_operation))
            add_key(app, key, given_);
    OptionText seed = text_for(*find_key("seed"));
    seed.help = "seed of the data and of --fault-rate [1]";
    add_number(app, seed, {0, largest_number}, seed_);
}

Collective ProblemOptions::collective() const
{
    if (given_.collective) {
        reject_foreign(*given_.collective);
        return *given_.collective;
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
    given_.fields.reject_foreign(collective);
    if (!bytes_.empty())
        require_field(problem_field("bytes"), collective);
    if (!packets_.empty())
        require_field(problem_field("packets"), collective);
}

bool ProblemOptions::put(std::string_view key, Problem& problem, const Topology& topology) const
{
    if (key == "bytes" && !bytes_.empty())
        problem.bytes = bytes_.front();
    else if (key == "packets" && !packets_.empty())
        problem.packets = packets_.front();
    else
        return given_.fields.put(key, problem, topology, seed());
    return true;
}

Problem ProblemOptions::over(Problem problem, const Topology& topology) const
{
    reject_foreign(problem.collective);
    for (const ProblemField& field : problem_fields())
        put(field.key, problem, topology);
    return problem;
}

std::vector<Problem> ProblemOptions::problems(const Topology& topology) const
{
    const Problem problem = given_.fields.problem(collective(), topology, seed(), size_);
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
