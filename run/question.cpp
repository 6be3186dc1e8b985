#include "run/question.hpp"

#include "base/files.hpp"
#include "base/names.hpp"
#include "base/numbers.hpp"
#include "run/given.hpp"

#include <dcube/permutation.hpp>

#include <algorithm>
#include <limits>
#include <optional>

namespace dcube {

namespace {

std::vector<std::string_view> names_of_collectives()
{
    std::vector<std::string_view> names;
    for (const Collective collective : all_collectives)
        names.push_back(name(collective));
    return names;
}

std::vector<std::string_view> names_of_machines()
{
    std::vector<std::string_view> names;
    for (const MachinePreset& preset : machine_presets())
        names.push_back(preset.name);
    return names;
}

using Names = std::vector<std::string_view>;
using Kind = Key::Kind;

std::vector<Key> all_keys()
{
    std::vector<Key> keys{
        {"collective", nullptr, "what the nodes do together", Kind::text, nullptr, names_of_collectives},
        {"topology", "--topology", "the network, as --topology takes it [hypercube:4]"},
        {"faults", nullptr, "links and nodes that are missing: 0-1,9", Kind::texts},
        {"ports", "--ports", "ports a node may use in a step [all]", Kind::text, nullptr, [] {
             return Names{name(PortModel::all), name(PortModel::one)};
         }}};
    const auto add_fields = [&](FieldGroup group) {
        for (const ProblemField& field : problem_fields())
            if (field.group == group)
                keys.push_back({field.key, field.option, field.help,
                                field.is_number() ? Kind::number
                                : field.is_name() ? Kind::text
                                                  : Kind::texts,
                                &field, field.names});
    };
    add_fields(FieldGroup::problem);
    const std::vector<Key> of_links{
        {"in_place", "--in-place", "one array a node: what it gets takes the place of what it gave", Kind::flag},
        {"link_model", "--link", "a packet takes one step, or time by its size", Kind::text, nullptr,
         [] {
             return Names{name(LinkKind::unit), name(LinkKind::link_bound)};
         }},
        {"tau_ns_per_byte", "--tau", "ns a byte, of links that take time: 2, 5/2 or 0.5", Kind::exact},
        {"beta_ns", "--beta", "ns a packet, of links that take time", Kind::exact},
        {"machine", "--machine", "a machine whose tau and beta are known", Kind::text, nullptr, names_of_machines},
        {"clock", "--clock", "of links that take time: when a packet leaves [data-driven]", Kind::text, nullptr, [] {
             return Names{name(LinkClock::data_driven), name(LinkClock::lockstep)};
         }}};
    keys.insert(keys.end(), of_links.begin(), of_links.end());
    add_fields(FieldGroup::tuning);
    const std::vector<Key> of_runs{
        {"algorithm", "--algorithm", "an algorithm of the list [auto]"},
        {"seed", "--seed", "seed of the data [1]", Kind::number},
        {"failing", nullptr, "links and nodes that fail from a step on: 0-1@3,5@2", Kind::texts}};
    keys.insert(keys.end(), of_runs.begin(), of_runs.end());
    return keys;
}

}  // namespace

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

namespace {

std::vector<Failing> parse_failing(const std::string& text)
{
    std::vector<Failing> all;
    for (const std::string& one : split(text, ","))
        all.push_back(one.find('-') == std::string::npos ? parse_failing_node(trimmed(one))
                                                         : parse_failing_link(trimmed(one)));
    return all;
}

Topology parse_topology(const std::string& text)
{
    return naming("--topology", [&] { return Topology::parse(text); });
}

std::vector<NodeId> permutation_in_file(const std::string& name, const Topology& topology)
{
    constexpr std::uint64_t most = std::uint64_t{64} << 20;
    return naming(name, [&] { return parse_permutation(detail::text_of_file(name, most), topology); });
}

// Where none is given.
Topology usual_network()
{
    return Topology::hypercube(4);
}

// What is read of a question before all is put together.
struct Given {
    std::optional<Collective> collective{};
    Topology topology = Topology::hypercube(0);
    Faults faults{};
    GivenFields fields{permutation_in_file};
    GivenLinks links{};
    Question question{};
};

struct Reader {
    std::string_view key;
    void (*read)(Given& given, const std::string& text);
};

using G = Given&;
using Text = const std::string&;

constexpr Reader readers[] = {
    {"collective", [](G g, Text text) { g.collective = parse_collective(text); }},
    {"topology", [](G g, Text text) { g.topology = parse_topology(text); }},
    {"faults", [](G g, Text text) { g.faults = parse_faults(text); }},
    {"ports", [](G g, Text text) { g.question.ports = naming("--ports", [&] { return parse_ports(text); }); }},
    {"in_place", [](G g, Text text) { g.question.problem.in_place = text == "true"; }},
    {"link_model", [](G g, Text text) { g.links.kind = naming("--link", [&] { return parse_link(text); }); }},
    {"tau_ns_per_byte", [](G g, Text text) { g.links.tau = parse_rational("--tau", text); }},
    {"beta_ns", [](G g, Text text) { g.links.beta = parse_rational("--beta", text); }},
    {"machine", [](G g, Text text) { g.links.machine = find_preset(text).name; }},
    {"clock", [](G g, Text text) { g.links.clock = naming("--clock", [&] { return parse_clock(text); }); }},
    {"algorithm", [](G g, Text text) { g.question.algorithm = text; }},
    {"seed",
     [](G g, Text text) {
         g.question.seed = parse_number("--seed", text, {0, std::numeric_limits<std::uint64_t>::max()});
     }},
    {"failing", [](G g, Text text) { g.question.failing = parse_failing(text); }},
};

void read(Given& given, const Key& key, const std::string& text)
{
    if (key.field)
        given.fields.add(*key.field, text);
    else
        std::ranges::find(readers, key.key, &Reader::key)->read(given, text);
}

// Calls read(); what it refuses is a value of this key.
template <class Read>
auto about(std::string_view key, Read read)
{
    try {
        return read();
    } catch (const InvalidArgument& error) {
        throw WrongValue(key, error.what());
    }
}

Given read_all(const Texts& texts, const Topology& topology)
{
    Given given;
    given.topology = topology;
    for (const auto& [key, text] : texts)
        about(key->key, [&] { read(given, *key, text); });
    given.topology = about("faults", [&] { return given.topology.without(given.faults); });
    return given;
}

}  // namespace

Topology topology_of(const Texts& texts)
{
    return read_all(texts, usual_network()).topology;
}

namespace {

Question question_of(Given given, Collective collective)
{
    given.fields.reject_foreign(collective);
    Question question = std::move(given.question);
    const bool in_place = question.problem.in_place;
    question.topology = std::move(given.topology);
    const LinkModel link = given.links.model();
    question.problem = given.fields.problem(collective, question.topology, question.seed);
    question.problem.link = link;
    question.problem.tuning = given.fields.tuning(link, question.topology);
    question.problem.in_place = in_place;
    about("failing", [&] { validate(question.failing, question.topology); });
    validate(question.problem, question.topology);
    require_ports(question.ports, link);
    return question;
}

}  // namespace

Question question_of(const Texts& texts, const Topology& topology)
{
    Given given = read_all(texts, topology);
    if (!given.collective)
        refuse_no_collective();
    const Collective collective = *given.collective;
    return question_of(std::move(given), collective);
}

Question question_of(const Texts& texts)
{
    return question_of(texts, usual_network());
}

Question own_question_of(const Texts& texts, const Topology& topology)
{
    Given given = read_all(texts, topology);
    if (given.collective)
        return question_of(texts, topology);
    if (given.question.problem.in_place)
        throw WrongValue("in_place", "in_place is for collectives, and none is given");
    Question question = question_of(std::move(given), Collective::all_reduce);
    if (moves_nothing(question.problem))
        throw WrongValue(question.problem.bytes == 0 ? "bytes" : "packets",
                         "0 bytes of data for a program: 1 byte or more is allowed");
    question.free = true;
    return question;
}

Question own_question_of(const Texts& texts)
{
    return own_question_of(texts, usual_network());
}

}  // namespace dcube
