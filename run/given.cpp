#include "run/given.hpp"

#include "base/names.hpp"
#include "base/numbers.hpp"

#include <dcube/error.hpp>
#include <dcube/message_counts.hpp>
#include <dcube/permutation.hpp>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <limits>
#include <utility>

namespace dcube {

namespace {

void refuse_if(bool contradicts, std::string_view key, const std::string& why)
{
    if (contradicts)
        throw InvalidArgument(key, "", why);
}

// The keys from which links that take time are made.
std::string needs_of_links()
{
    return fmt::format("{} and {}, or {}", mention("tau_ns_per_byte"), mention("beta_ns"), mention("machine"));
}

[[noreturn]] void refuse_no_list(std::string_view key)
{
    throw InvalidArgument(
        key, "",
        key == "permutation"
            ? fmt::format("is missing: {}MASK and @FILE are allowed", fmt::join(permutation_names(), ", "))
            : fmt::format("is missing: {} and @FILE are allowed", fmt::join(count_laws(), ", ")));
}

bool is_of_nodes(const ProblemField& field)
{
    return field.key == "permutation";
}

// The numbers of a list; whether they are a permutation, or as many counts as are needed, validate() finds.
std::vector<std::uint32_t> list_of(const ProblemField& field, const std::vector<std::uint64_t>& numbers,
                                   const Topology& topology)
{
    std::vector<std::uint32_t> list;
    for (const std::uint64_t number : numbers) {
        if (is_of_nodes(field) && number >= topology.nodes())
            throw InvalidArgument(fmt::format("{} is not a node of {}: nodes are 0 to {}", number, topology.title(),
                                              topology.nodes() - 1));
        if (number > std::numeric_limits<std::uint32_t>::max())
            throw InvalidArgument(fmt::format("{} packets are too many: at most {} are allowed", number,
                                              std::numeric_limits<std::uint32_t>::max()));
        list.push_back(static_cast<std::uint32_t>(number));
    }
    return list;
}

std::vector<std::uint32_t> list_by_name(const ProblemField& field, const std::string& text, Collective collective,
                                        const Topology& topology, std::uint64_t seed)
{
    return is_of_nodes(field) ? permutation_by_name(text, topology, seed)
                              : counts_by_law(text, collective, topology, seed);
}

void set(const ProblemField& field, const GivenValue& value, NumberRange range, Problem& problem)
{
    if (const auto* const number = std::get_if<std::uint64_t>(&value))
        set_field(field, *number, range, problem);
    else
        set_field(field, to_text(value), range, problem);
}

}  // namespace

void refuse_no_collective()
{
    throw InvalidArgument("collective", "",
                          fmt::format("is missing: there are {}", fmt::join(names_of_all<all_collectives>(), ", ")));
}

void refuse_no_network()
{
    throw InvalidArgument("dim", "",
                          fmt::format("is missing: give the hypercube's dimension, 0 to {}, or another network with {}",
                                      Topology::max_dimension, mention("topology")));
}

void require_field(const ProblemField& field, Collective collective)
{
    if (!field.applies(Problem{collective}))
        throw InvalidArgument(field.key, "", fmt::format("does not apply to {}: {}", name(collective), field.owners));
}

std::string to_text(const GivenValue& value)
{
    struct Text {
        std::string operator()(const std::string& text) const { return text; }
        std::string operator()(std::uint64_t number) const { return std::to_string(number); }
        std::string operator()(bool flag) const { return flag ? "true" : "false"; }
        std::string operator()(const std::vector<std::uint64_t>& nodes) const
        {
            return fmt::format("{}", fmt::join(nodes, " "));
        }
        std::string operator()(const std::vector<std::string>& texts) const
        {
            return fmt::format("{}", fmt::join(texts, ","));
        }
    };
    return std::visit(Text{}, value);
}

// Values that need no network are read at once, so that errors in them are reported like those of any other key.
void GivenFields::add(const ProblemField& field, GivenValue value)
{
    Problem problem;
    if (!field.is_node())
        set(field, value, {field.least, field.most}, problem);
    given_.push_back({&field, std::move(value)});
}

const GivenValue* GivenFields::value_of(std::string_view key) const
{
    const auto found = std::ranges::find(given_, key, [](const Given& given) { return given.field->key; });
    return found == given_.end() ? nullptr : &found->value;
}

std::optional<std::string> GivenFields::text_of(std::string_view key) const
{
    const GivenValue* const value = value_of(key);
    return value != nullptr ? std::optional(to_text(*value)) : std::nullopt;
}

void GivenFields::put(const Given& given, Problem& problem, const Topology& topology, std::uint64_t seed) const
{
    const auto& [field, value] = given;
    if (field->is_list())
        field->list(problem) = list(given, problem.collective, topology, seed);
    else
        set(*field, value,
            field->is_node() ? NumberRange{0, topology.nodes() - 1} : NumberRange{field->least, field->most}, problem);
}

bool GivenFields::put(std::string_view key, Problem& problem, const Topology& topology, std::uint64_t seed) const
{
    const auto groups = groups_of(problem, topology);
    for (const Given& given : given_)
        if (given.field->key == key) {
            put(given, problem, groups ? groups->network() : topology, seed);
            return true;
        }
    return false;
}

void GivenFields::reject_foreign(Collective collective) const
{
    for (const Given& given : given_)
        require_field(*given.field, collective);
}

std::vector<std::uint32_t> GivenFields::list(const Given& given, Collective collective, const Topology& topology,
                                             std::uint64_t seed) const
{
    const auto& [field, value] = given;
    const auto* const words = std::get_if<std::vector<std::string>>(&value);
    const std::string text = words != nullptr ? fmt::format("{}", fmt::join(*words, " ")) : to_text(value);
    if (text.empty())
        refuse_no_list(field->key);
    return about(field->key, [&] {
        if (const auto* const numbers = std::get_if<std::vector<std::uint64_t>>(&value))
            return list_of(*field, *numbers, topology);
        if (text.front() == '@' && file_)
            return file_(*field, text.substr(1), collective, topology);
        return text.front() >= '0' && text.front() <= '9' ? parse_list(*field, text, collective, topology)
                                                          : list_by_name(*field, text, collective, topology, seed);
    });
}

void GivenFields::complete_ends(const Topology& topology, Problem& problem) const
{
    if (!has("root"))
        problem.root = topology.member(0);
    if (!has("peer"))
        problem.peer = topology.member(0);
    if (has_peer(problem.collective) && !has("peer"))
        throw InvalidArgument(
            "peer", "",
            fmt::format("is missing: {} goes from {} to another node", name(problem.collective), mention("root")));
    if (has_permutation(problem.collective) && !has("permutation"))
        refuse_no_list("permutation");
}

void GivenFields::complete_matrix(Size size, Problem& problem) const
{
    if (size == Size::said && (!has("rows") || !has("columns")))
        throw InvalidArgument(has("rows") ? "columns" : "rows", "",
                              fmt::format("is missing: a matrix has {} and {}", mention("rows"), mention("columns")));
    if (!has("to_layout"))
        problem.to_layout =
            problem.layout == MatrixLayout::rows_striped ? MatrixLayout::rows_blocked : MatrixLayout::rows_striped;
}

Problem GivenFields::problem(Collective collective, const Topology& whole, std::uint64_t seed, Size size) const
{
    Problem problem{collective};
    put("within", problem, whole, seed);
    const auto groups = groups_of(problem, whole);
    const Topology& topology = groups ? groups->network() : whole;  // nodes, and counts, are of ranks in groups
    for (const Given& given : given_)
        put(given, problem, topology, seed);
    complete_ends(topology, problem);
    if (is_matrix(collective))
        complete_matrix(size, problem);
    return problem;
}

Tuning GivenFields::tuning(const LinkModel& link, const Topology& topology) const
{
    Problem chosen;  // of which only the tuning counts
    for (const Given& given : given_) {
        if (given.field->group != FieldGroup::tuning)
            continue;
        if (!link.bound())
            throw InvalidArgument(given.field->key, "",
                                  fmt::format("is for the link-bound model: give {}", needs_of_links()));
        put(given, chosen, topology, 0);
    }
    const Tuning& tuning = chosen.tuning;
    const Recognition* const known = topology.recognised();
    const unsigned most = known ? known->network.dimension() : topology.dimension();
    if (tuning.halvings > most)
        throw InvalidArgument("halvings", std::to_string(*tuning.halvings),
                              fmt::format("is too large: 0 to {} are allowed on {}", most, topology.name()));
    return tuning;
}

LinkModel GivenLinks::unit_model(const Topology& topology, PortModel ports) const
{
    for (const auto& [key, given] : {std::pair{"tau_ns_per_byte", tau.has_value()},
                                     std::pair{"beta_ns", beta.has_value()}, std::pair{"machine", machine.has_value()}})
        refuse_if(
            given, key,
            fmt::format("is for the link-bound model: it cannot be combined with {} unit", mention("link_model")));
    for (const auto& [key, given] : {std::pair{"clock", clock.has_value()}, std::pair{"duplex", duplex.has_value()}})
        refuse_if(given, key, fmt::format("is for the link-bound model: give {}", needs_of_links()));
    return topology.links({}, ports);
}

LinkModel GivenLinks::model(const Topology& topology, PortModel ports) const
{
    const bool implied = tau || beta || machine || !topology.fabric().links.empty();
    if (kind.value_or(implied ? LinkKind::link_bound : LinkKind::unit) == LinkKind::unit)
        return unit_model(topology, ports);
    const bool all_own = topology.times_all_links() && !tau && !beta;
    refuse_if(!machine && !all_own && (!tau || !beta), tau ? "beta_ns" : "tau_ns_per_byte",
              fmt::format("is missing: the link-bound model needs {}", needs_of_links()));
    refuse_if(machine && tau && beta, "machine",
              fmt::format("cannot be combined with both {} and {}: they are what it stands for",
                          mention("tau_ns_per_byte"), mention("beta_ns")));
    return topology.links(over({.kind = LinkKind::link_bound}), ports);
}

LinkModel GivenLinks::over(LinkModel known) const
{
    if (machine) {
        known.tau = find_preset(*machine).tau;
        known.beta = find_preset(*machine).beta;
    }
    known.kind = kind.value_or(machine || tau || beta || clock || duplex ? LinkKind::link_bound : known.kind);
    known.tau = tau.value_or(known.tau);
    known.beta = beta.value_or(known.beta);
    known.clock = clock.value_or(known.clock);
    known.duplex = duplex.value_or(known.duplex);
    return known;
}

std::vector<std::uint32_t> parse_list(const ProblemField& field, std::string_view text, Collective collective,
                                      const Topology& topology)
{
    return is_of_nodes(field) ? parse_permutation(text, topology) : parse_counts(text, collective, topology);
}

const Entry& require_algorithm(const Topology& topology, PortModel ports, const Problem& problem,
                               const std::string& algorithm)
{
    const Entry& found = find_algorithm(topology, ports, problem, algorithm);
    if (const std::string_view ignored = ignored_choice(found, problem.tuning); !ignored.empty())
        throw InvalidArgument(ignored, "",
                              fmt::format("is not for {}{}: leave it out, or give an {} that has it", found.name,
                                          algorithm == "auto" ? ", which auto chose" : "", mention("algorithm")));
    return found;
}

}  // namespace dcube
