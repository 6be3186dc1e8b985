#include "run/question.hpp"

#include "base/files.hpp"
#include "base/names.hpp"
#include "base/numbers.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <limits>
#include <utility>

namespace dcube {

namespace {

std::vector<std::string_view> names_of_machines()
{
    std::vector<std::string_view> names;
    for (const MachinePreset& preset : machine_presets())
        names.push_back(preset.name);
    return names;
}

template <auto... values>
std::vector<std::string_view> names_of()
{
    return {name(values)...};
}

std::vector<Failing> parse_failing(const std::string& text)
{
    std::vector<Failing> all;
    for (const std::string& one : split(text, ","))
        all.push_back(one.find('-') == std::string::npos ? parse_failing_node(trimmed(one))
                                                         : parse_failing_link(trimmed(one)));
    return all;
}

std::uint64_t seed_of(const GivenValue& value)
{
    const auto* const number = std::get_if<std::uint64_t>(&value);
    return number != nullptr ? *number
                             : parse_number("seed", to_text(value), {0, std::numeric_limits<std::uint64_t>::max()});
}

using G = Given&;
using Value = const GivenValue&;
using KeyGroup = Key::Group;
using Kind = Key::Kind;

constexpr Key keys_before_the_problem[] = {
    {.key = "collective",
     .name = "collective",
     .group = KeyGroup::problem,
     .kind = Kind::text,
     .placeholder = "COLLECTIVE",
     .about = "what the nodes do together",
     .form = "broadcast, all-to-all, matrix-transpose, ..., or as MPI and NCCL call it (bcast, alltoall)",
     .read = [](G g, Value value) { g.collective = parse_collective(to_text(value)); },
     .values = names_of_all<all_collectives>},
    {.key = "topology",
     .name = "topology",
     .group = KeyGroup::network,
     .kind = Kind::text,
     .placeholder = "NETWORK",
     .about = "the network",
     .form = "torus:8x8, mesh:4x6, ring:5*path:4, ...",
     .read = [](G g, Value value) { g.topology = Topology::parse(to_text(value)); },
     .title = "Network"},
    {.key = "faults",
     .name = "faults",
     .group = KeyGroup::faults,
     .kind = Kind::texts,
     .placeholder = "LIST",
     .about = "links and nodes that are missing",
     .form = "0-1,9",
     .read = [](G g, Value value) { g.faults = parse_faults(to_text(value)); },
     .title = "Missing"},
    {.key = "ports",
     .name = "ports",
     .group = KeyGroup::network,
     .kind = Kind::text,
     .placeholder = "all|one",
     .about = "ports a node may use in a step",
     .usual = "all",
     .read = [](G g, Value value) { g.question.ports = parse_ports(to_text(value)); },
     .values = names_of<PortModel::all, PortModel::one>},
};

constexpr Key keys_of_links[] = {
    {.key = "in_place",
     .name = "in_place",
     .group = KeyGroup::problem,
     .kind = Kind::flag,
     .about = "one array per node: its output takes the place of its input",
     .read = [](G g, Value value) { g.question.problem.in_place = std::get<bool>(value); }},
    {.key = "link_model",
     .name = "link",
     .group = KeyGroup::links,
     .kind = Kind::text,
     .placeholder = "unit|link-bound",
     .about = "a packet takes one step, or time by its size",
     .usual = "unit",
     .read = [](G g, Value value) { g.links.kind = parse_link(to_text(value)); },
     .values = names_of<LinkKind::unit, LinkKind::link_bound>},
    {.key = "tau_ns_per_byte",
     .name = "tau",
     .group = KeyGroup::links,
     .kind = Kind::exact,
     .placeholder = "NS",
     .about = "ns per byte, for links that take time",
     .form = "2, 5/2 or 0.5",
     .read = [](G g, Value value) { g.links.tau = parse_rational("tau_ns_per_byte", to_text(value)); },
     .title = "\u03c4, ns per byte"},
    {.key = "beta_ns",
     .name = "beta",
     .group = KeyGroup::links,
     .kind = Kind::exact,
     .placeholder = "NS",
     .about = "ns per packet, for links that take time",
     .read = [](G g, Value value) { g.links.beta = parse_rational("beta_ns", to_text(value)); },
     .title = "\u03b2, ns per packet"},
    {.key = "machine",
     .name = "machine",
     .group = KeyGroup::links,
     .kind = Kind::text,
     .placeholder = "NAME",
     .about = "a machine whose tau and beta are known",
     .form = "ncube3, infiniband-hdr, ...",
     .read = [](G g, Value value) { g.links.machine = find_preset(to_text(value)).name; },
     .values = names_of_machines},
    {.key = "clock",
     .name = "clock",
     .group = KeyGroup::links,
     .kind = Kind::text,
     .placeholder = "CLOCK",
     .about = "when a packet leaves on links that take time",
     .form = "data-driven, lockstep",
     .usual = "data-driven",
     .read = [](G g, Value value) { g.links.clock = parse_clock(to_text(value)); },
     .values = names_of<LinkClock::data_driven, LinkClock::lockstep>},
    {.key = "duplex",
     .name = "duplex",
     .group = KeyGroup::links,
     .kind = Kind::text,
     .placeholder = "full|half",
     .about = "whether a node with one port sends and receives at once, on links that take time",
     .usual = "full",
     .read = [](G g, Value value) { g.links.duplex = parse_duplex(to_text(value)); },
     .values = names_of<Duplex::full, Duplex::half>},
};

constexpr Key keys_of_runs[] = {
    {.key = "algorithm",
     .name = "algorithm",
     .group = KeyGroup::problem,
     .kind = Kind::text,
     .placeholder = "NAME",
     .about = "an algorithm of the list; auto takes the best",
     .usual = "auto",
     .read = [](G g, Value value) { g.question.algorithm = to_text(value); }},
    {.key = "seed",
     .name = "seed",
     .group = KeyGroup::problem,
     .kind = Kind::number,
     .placeholder = "S",
     .about = "seed of the data",
     .usual = "1",
     .read = [](G g, Value value) { g.question.seed = seed_of(value); }},
    {.key = "failing",
     .name = "failing",
     .group = KeyGroup::faults,
     .kind = Kind::texts,
     .placeholder = "LIST",
     .about = "links and nodes that fail from a step on",
     .form = "0-1@3,5@2",
     .read = [](G g, Value value) { g.question.failing = parse_failing(to_text(value)); }},
};

Kind kind_of(const ProblemField& field)
{
    if (field.is_list())
        return field.key == "permutation" ? Kind::nodes : Kind::numbers;
    return field.is_number() ? Kind::number : Kind::text;
}

std::vector<Key> all_keys()
{
    std::vector<Key> keys(std::begin(keys_before_the_problem), std::end(keys_before_the_problem));
    const auto add_fields = [&](FieldGroup group) {
        for (const ProblemField& field : problem_fields())
            if (field.group == group)
                keys.push_back({.key = field.key,
                                .name = field.key,
                                .group = group == FieldGroup::problem ? KeyGroup::problem : KeyGroup::tuning,
                                .kind = kind_of(field),
                                .placeholder = field.placeholder,
                                .about = field.about,
                                .form = field.form,
                                .usual = field.usual,
                                .values = field.names,
                                .field = &field});
    };
    add_fields(FieldGroup::problem);
    keys.insert(keys.end(), std::begin(keys_of_links), std::end(keys_of_links));
    add_fields(FieldGroup::tuning);
    keys.insert(keys.end(), std::begin(keys_of_runs), std::end(keys_of_runs));
    return keys;
}

}  // namespace

std::string Key::label() const
{
    std::string label(title.empty() ? name : title);
    std::ranges::replace(label, '_', ' ');
    return with_capital(std::move(label));
}

std::string Key::help() const
{
    return fmt::format("{}{}{}{}", about, form.empty() ? "" : ": ", form,
                       usual.empty() ? "" : fmt::format(" [{}]", usual));
}

std::string_view name(Key::Group group)
{
    switch (group) {
    case KeyGroup::network: return "Network";
    case KeyGroup::faults: return "Faults";
    case KeyGroup::problem: return "Problem";
    case KeyGroup::links: return "Links";
    case KeyGroup::tuning: return "Tuning";
    }
    return "";
}

std::string_view name(Key::Kind kind)
{
    switch (kind) {
    case Key::Kind::text: return "text";
    case Key::Kind::nodes: return "nodes";
    case Key::Kind::numbers: return "numbers";
    case Key::Kind::texts: return "texts";
    case Key::Kind::number: return "number";
    case Key::Kind::exact: return "exact";
    case Key::Kind::flag: return "flag";
    }
    return "";
}

std::span<const Key> question_keys()
{
    static const std::vector<Key> keys = all_keys();
    return keys;
}

const Key* find_key(std::string_view name)
{
    const auto found = std::ranges::find(question_keys(), name, &Key::key);
    return found == question_keys().end() ? nullptr : &*found;
}

std::string argument_of(std::string_view key)
{
    const Key* const known = find_key(key);
    return std::string(known != nullptr ? known->name : key);
}

std::string option_of(std::string_view key)
{
    if (key.starts_with('-'))
        return std::string(key);
    if (key == "collective")  // an argument of most commands
        return "COLLECTIVE";
    std::string option = argument_of(key);
    std::ranges::replace(option, '_', '-');
    return "--" + option;
}

void Given::read(const Key& key, const GivenValue& value)
{
    if (key.field)
        fields.add(*key.field, value);
    else
        about(key.key, [&] { key.read(*this, value); });
}

namespace {

std::vector<std::uint32_t> list_in_file(const ProblemField& field, const std::string& name, Collective collective,
                                        const Topology& topology)
{
    constexpr std::uint64_t most = std::uint64_t{64} << 20;
    return prefixed(name, [&] { return parse_list(field, detail::text_of_file(name, most), collective, topology); });
}

// The network if none is given.
Topology usual_network()
{
    return Topology::hypercube(4);
}

Given read_all(const GivenValues& values, const Topology& topology)
{
    Given given;
    given.fields = GivenFields(list_in_file);
    given.topology = topology;
    for (const auto& [key, value] : values)
        given.read(*key, value);
    given.topology = about("faults", [&] { return given.topology.without(given.faults); });
    return given;
}

}  // namespace

Topology topology_of(const GivenValues& values)
{
    return read_all(values, usual_network()).topology;
}

namespace {

Question question_of(Given given, Collective collective)
{
    given.fields.reject_foreign(collective);
    Question question = std::move(given.question);
    const bool in_place = question.problem.in_place;
    question.topology = std::move(given.topology);
    const LinkModel link = given.links.model(question.topology, question.ports);
    question.problem = given.fields.problem(collective, question.topology, question.seed);
    question.problem.link = link;
    question.problem.tuning = given.fields.tuning(link, question.topology);
    question.problem.in_place = in_place;
    about("failing", [&] { validate(question.failing, question.topology); });
    validate(question.problem, question.topology);
    return question;
}

}  // namespace

Question question_of(const GivenValues& values, const Topology& topology)
{
    Given given = read_all(values, topology);
    if (!given.collective)
        refuse_no_collective();
    const Collective collective = *given.collective;
    return question_of(std::move(given), collective);
}

Question question_of(const GivenValues& values)
{
    return question_of(values, usual_network());
}

Question own_question_of(const GivenValues& values, const Topology& topology)
{
    Given given = read_all(values, topology);
    if (given.collective) {
        const Collective one = *given.collective;
        return question_of(std::move(given), one);
    }
    if (given.question.problem.in_place)
        throw InvalidArgument("in_place", "", "needs a collective");
    Question question = question_of(std::move(given), Collective::all_reduce);
    if (moves_nothing(question.problem))
        throw InvalidArgument(question.problem.bytes == 0 ? "bytes" : "packets", "0",
                              "gives a program no data: 1 or more is allowed");
    question.free = true;
    return question;
}

Question own_question_of(const GivenValues& values)
{
    return own_question_of(values, usual_network());
}

}  // namespace dcube
