#include "run/given.hpp"

#include "base/names.hpp"
#include "base/numbers.hpp"

#include <dcube/error.hpp>
#include <dcube/permutation.hpp>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <utility>

namespace dcube {

namespace {

void reject_if(bool contradicts, const std::string& what)
{
    if (contradicts)
        throw InvalidArgument(what);
}

}  // namespace

void refuse_no_collective()
{
    std::string names;
    for (const Collective collective : all_collectives)
        names += fmt::format("{}{}", names.empty() ? "" : ", ", name(collective));
    throw InvalidArgument(fmt::format("a collective is missing: there are {}", names));
}

void refuse_no_network()
{
    throw InvalidArgument(
        fmt::format("--dim is missing: give the hypercube's dimension, 0 to {}, or another network with --topology",
                    Topology::max_dimension));
}

void require_field(const ProblemField& field, Collective collective)
{
    if (!field.applies(Problem{collective}))
        throw InvalidArgument(fmt::format("{} does not apply to {}: {}", field.option, name(collective), field.owners));
}

// Values that need no network are parsed at once, so that errors in them are reported like those of any other option.
void GivenFields::add(const ProblemField& field, const std::string& text)
{
    Problem problem;
    if (!field.is_node())
        set_field(field, text, {field.least, field.most}, problem);
    given_.push_back({&field, text});
}

std::optional<std::string> GivenFields::text_of(std::string_view key) const
{
    for (const auto& [field, text] : given_)
        if (field->key == key)
            return text;
    return std::nullopt;
}

void GivenFields::put(const Given& given, Problem& problem, const Topology& topology, std::uint64_t seed) const
{
    const auto& [field, text] = given;
    if (!field->is_number() && !field->is_name())
        problem.permutation = permutation(topology, seed);
    else
        set_field(*field, text,
                  field->is_node() ? NumberRange{0, topology.nodes() - 1} : NumberRange{field->least, field->most},
                  problem);
}

bool GivenFields::put(std::string_view option, Problem& problem, const Topology& topology, std::uint64_t seed) const
{
    for (const Given& given : given_)
        if (given.field->option == option) {
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
    const std::string text = text_of("permutation").value_or("");
    if (text.empty())
        throw InvalidArgument(fmt::format("--permutation is missing: {}MASK and @FILE are allowed",
                                          fmt::join(permutation_names(), ", ")));
    if (text.front() == '@' && file_)
        return file_(text.substr(1), topology);
    if (text.front() >= '0' && text.front() <= '9')
        return naming("--permutation", [&] { return parse_permutation(text, topology); });
    return permutation_by_name(text, topology, seed);
}

void GivenFields::complete_ends(const Topology& topology, std::uint64_t seed, Problem& problem) const
{
    if (!text_of("root"))
        problem.root = topology.member(0);
    if (!text_of("peer"))
        problem.peer = topology.member(0);
    if (has_peer(problem.collective) && !text_of("peer"))
        throw InvalidArgument(
            fmt::format("--to is missing: {} goes from --root to another node", name(problem.collective)));
    if (has_permutation(problem.collective) && !text_of("permutation"))
        problem.permutation = permutation(topology, seed);  // complains that it is missing
}

void GivenFields::complete_matrix(Size size, Problem& problem) const
{
    if (size == Size::said && (!text_of("rows") || !text_of("columns")))
        throw InvalidArgument("--rows and --cols are missing: a matrix has a size");
    if (!text_of("to_layout"))
        problem.to =
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
            throw InvalidArgument(
                fmt::format("{} is for the link-bound model: --tau and --beta, or --machine", given.field->option));
        put(given, chosen, topology, 0);
    }
    const Tuning& tuning = chosen.tuning;
    const Recognition* const known = topology.recognised();
    const unsigned most = known ? known->network.dimension() : topology.dimension();
    if (tuning.halvings > most)
        throw InvalidArgument(fmt::format("--halvings {} is too large: 0 to {} are allowed on {}", *tuning.halvings,
                                          most, topology.name()));
    return tuning;
}

LinkModel GivenLinks::unit_model() const
{
    for (const auto& [option, given] : {std::pair{"--tau", tau.has_value()}, std::pair{"--beta", beta.has_value()},
                                        std::pair{"--machine", machine.has_value()}})
        reject_if(given, fmt::format("{} is for the link-bound model: it cannot be combined with --link unit", option));
    reject_if(clock.has_value(), "--clock is for the link-bound model: --tau and --beta, or --machine");
    return {};
}

LinkModel GivenLinks::model() const
{
    const bool implied = tau || beta || machine;
    if (kind.value_or(implied ? LinkKind::link_bound : LinkKind::unit) == LinkKind::unit)
        return unit_model();
    reject_if(!machine && (!tau || !beta), "the link-bound model needs --tau and --beta, in ns, or a --machine");
    reject_if(machine && tau && beta,
              "--machine cannot be combined with both --tau and --beta: they are what it stands for");
    LinkModel link{.kind = LinkKind::link_bound};
    if (machine) {
        link.tau = find_preset(*machine).tau;
        link.beta = find_preset(*machine).beta;
    }
    link.tau = tau.value_or(link.tau);
    link.beta = beta.value_or(link.beta);
    link.clock = clock.value_or(LinkClock::data_driven);
    return link;
}

void require_ports(PortModel ports, const LinkModel& link)
{
    reject_if(link.bound() && ports == PortModel::one,
              "--ports one cannot be combined with the link-bound model: there all ports are used at once");
}

const Entry& require_algorithm(const Topology& topology, PortModel ports, const Problem& problem,
                               const std::string& algorithm)
{
    const Entry& found = find_algorithm(topology, ports, problem, algorithm);
    if (const std::string_view ignored = ignored_choice(found, problem.tuning); !ignored.empty())
        throw InvalidArgument(
            fmt::format("{} no {} to choose: leave the option out, or name an algorithm that has them with "
                        "--algorithm",
                        algorithm == "auto" ? fmt::format("auto chose {}, which has", found.name)
                                            : fmt::format("{} has", found.name),
                        ignored));
    return found;
}

}  // namespace dcube
