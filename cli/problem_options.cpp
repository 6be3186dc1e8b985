#include "cli/problem_options.hpp"

#include "base/numbers.hpp"
#include "cli/files/files.hpp"
#include "cli/files/npy.hpp"
#include "cli/sweep.hpp"

#include <dcube/error.hpp>
#include <dcube/message_counts.hpp>

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include <limits>
#include <utility>

namespace dcube::cli {

namespace {

constexpr std::uint64_t largest_number = std::numeric_limits<std::uint64_t>::max();

// A permutation or counts, as text; counts also as NumPy's .npy.
std::vector<std::uint32_t> list_in_file(const ProblemField& field, const std::string& name, Collective collective,
                                        const Topology& topology)
{
    constexpr std::size_t longest_number_and_space = 32;
    const bool nodes = field.key == "permutation";
    const std::size_t numbers = nodes ? topology.nodes() : counts_needed(collective, topology);
    const std::vector<std::byte> file = read_file(name, 4096 + numbers * longest_number_and_space,
                                                  nodes ? fmt::format("a permutation of {} nodes has at most", numbers)
                                                        : fmt::format("a list of {} counts has at most", numbers));
    if (!nodes && is_npy(file))
        return counts_in_npy(file, name);
    return prefixed(name, [&] {
        return parse_list(field, {reinterpret_cast<const char*>(file.data()), file.size()}, collective, topology);
    });
}

bool is_swept(const ProblemField& field)
{
    return field.key == "bytes" || field.key == "packets";
}

std::vector<std::uint64_t> values_in(const std::string& text, const ProblemField& field, Sweep sweep)
{
    const NumberRange range{field.least, field.most};
    if (sweep == Sweep::no)
        return {field.is_size ? parse_size(field.key, text) : parse_number(field.key, text, range)};
    if (!field.is_size)
        return parse_numbers(field.key, text, range);
    const std::vector<std::size_t> sizes = parse_sizes(field.key, text);
    return {sizes.begin(), sizes.end()};
}

}  // namespace

ProblemOptions::ProblemOptions(CLI::App& app, Sweep sweep, Reductions reductions, Named named)
{
    given_.fields = GivenFields(list_in_file);
    OptionText which = text_for(*find_key("collective"));
    which.name = named == Named::as_argument ? "COLLECTIVE" : "--collective";
    if (named == Named::as_argument) {
        which.value.clear();
        which.heading = OptionText{}.heading;
    }
    add_option(app, which, [this](const std::string& given) { given_.collective = parse_collective(given); });
    for (const Key& key : question_keys()) {
        const ProblemField* const field = key.field;
        if (field == nullptr || field->group != FieldGroup::problem ||
            (key.key == "operation" && reductions == Reductions::without_operation))
            continue;
        if (is_swept(*field))
            add_option(app, text_for(key), [this, field, sweep](const std::string& given) {
                swept_.push_back({field, values_in(given, *field, sweep)});
            });
        else
            add_key(app, key, given_);
    }
    add_ports(app, ports_);
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

bool ProblemOptions::has_random_list() const
{
    const std::optional<std::string> name = given_.fields.text_of("permutation");
    const std::optional<std::string> counts = given_.fields.text_of("counts");
    return (name && same_name(*name, "random")) || (counts && !counts->starts_with('@'));
}

void ProblemOptions::reject_foreign(Collective collective) const
{
    given_.fields.reject_foreign(collective);
    for (const Swept& one : swept_)
        require_field(*one.field, collective);
}

bool ProblemOptions::put(std::string_view key, Problem& problem, const Topology& topology) const
{
    for (const auto& [field, values] : swept_)
        if (field->key == key) {
            field->set_number(problem, values.front());
            return true;
        }
    return given_.fields.put(key, problem, topology, seed());
}

Problem ProblemOptions::over(Problem problem, const Topology& topology) const
{
    reject_foreign(problem.collective);
    put("within", problem, topology);
    const auto groups = groups_of(problem, topology);
    for (const ProblemField& field : problem_fields())
        put(field.key, problem, groups ? groups->network() : topology);  // nodes, and counts, are of ranks in groups
    return problem;
}

std::vector<Problem> ProblemOptions::problems(const Topology& topology) const
{
    std::vector<Problem> all{given_.fields.problem(collective(), topology, seed(), size_)};
    for (const auto& [field, values] : swept_) {
        std::vector<Problem> more;
        for (const std::uint64_t value : values)
            for (const Problem& one : all)
                field->set_number(more.emplace_back(one), value);
        all = std::move(more);
    }
    return all;
}

}  // namespace dcube::cli
