#include "run/given.hpp"

#include "base/names.hpp"
#include "base/numbers.hpp"

#include <dcube/error.hpp>
#include <dcube/permutation.hpp>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
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

// The nodes of a list; whether they are a permutation, validate() finds.
std::vector<NodeId> permutation_of(const std::vector<std::uint64_t>& nodes, const Topology& topology)
{
    std::vector<NodeId> permutation;
    for (const std::uint64_t node : nodes) {
        if (node >= topology.nodes())
            throw InvalidArgument(
                fmt::format("{} is not a node of {}: nodes are 0 to {}", node, topology.title(), topology.nodes() - 1));
        permutation.push_back(static_cast<NodeId>(node));
    }
    return permutation;
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
    if (!field->is_number() && !field->is_name())
        problem.permutation = permutation(topology, seed);
    else
        set(*field, value,
            field->is_node() ? NumberRange{0, topology.nodes() - 1} : NumberRange{field->least, field->most}, problem);
}

bool GivenFields::put(std::string_view key, Problem& problem, const Topology& topology, std::uint64_t seed) const
{
    for (const Given& given : given_)
        if (given.field->key == key) {
            put(given, problem, topology, seed);
            return true;
        }
    return false;
}

void GivenFields::reject_foreign(Collective collective) const
{
    for (const Given& given : given_)
        require_field(*given.field, collective);
}

std::vector<NodeId> GivenFields::permutation(const Topology& topology, std::uint64_t seed) const
{
    constexpr std::string_view key = "permutation";
    const GivenValue* const value = value_of(key);
    if (value == nullptr || to_text(*value).empty())
        throw InvalidArgument(
            key, "", fmt::format("is missing: {}MASK and @FILE are allowed", fmt::join(permutation_names(), ", ")));
    if (const auto* const nodes = std::get_if<std::vector<std::uint64_t>>(value))
        return about(key, [&] { return permutation_of(*nodes, topology); });
    const auto* const words = std::get_if<std::vector<std::string>>(value);
    const std::string text = words != nullptr ? fmt::format("{}", fmt::join(*words, " ")) : to_text(*value);
    if (text.front() == '@' && file_)
        return about(key, [&] { return file_(text.substr(1), topology); });
    return about(key, [&] {
        return text.front() >= '0' && text.front() <= '9' ? parse_permutation(text, topology)
                                                          : permutation_by_name(text, topology, seed);
    });
}

void GivenFields::complete_ends(const Topology& topology, std::uint64_t seed, Problem& problem) const
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
        problem.permutation = permutation(topology, seed);  // complains that it is missing
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

Problem GivenFields::problem(Collective collective, const Topology& topology, std::uint64_t seed, Size size) const
{
    Problem problem{collective};
    for (const Given& given : given_)
        put(given, problem, topology, seed);
    complete_ends(topology, seed, problem);
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

LinkModel GivenLinks::unit_model() const
{
    for (const auto& [key, given] : {std::pair{"tau_ns_per_byte", tau.has_value()},
                                     std::pair{"beta_ns", beta.has_value()}, std::pair{"machine", machine.has_value()}})
        refuse_if(
            given, key,
            fmt::format("is for the link-bound model: it cannot be combined with {} unit", mention("link_model")));
    refuse_if(clock.has_value(), "clock", fmt::format("is for the link-bound model: give {}", needs_of_links()));
    return {};
}

LinkModel GivenLinks::model() const
{
    const bool implied = tau || beta || machine;
    if (kind.value_or(implied ? LinkKind::link_bound : LinkKind::unit) == LinkKind::unit)
        return unit_model();
    refuse_if(!machine && (!tau || !beta), tau ? "beta_ns" : "tau_ns_per_byte",
              fmt::format("is missing: the link-bound model needs {}", needs_of_links()));
    refuse_if(machine && tau && beta, "machine",
              fmt::format("cannot be combined with both {} and {}: they are what it stands for",
                          mention("tau_ns_per_byte"), mention("beta_ns")));
    return over({.kind = LinkKind::link_bound});
}

LinkModel GivenLinks::over(LinkModel known) const
{
    if (machine) {
        known.tau = find_preset(*machine).tau;
        known.beta = find_preset(*machine).beta;
    }
    known.kind = kind.value_or(machine || tau || beta || clock ? LinkKind::link_bound : known.kind);
    known.tau = tau.value_or(known.tau);
    known.beta = beta.value_or(known.beta);
    known.clock = clock.value_or(known.clock);
    return known;
}

void require_ports(PortModel ports, const LinkModel& link)
{
    if (link.bound() && ports == PortModel::one)
        throw InvalidArgument("ports", name(ports),
                              "cannot be combined with the link-bound model: there all ports are used at once");
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
