#include "algorithms/papers/dimakopoulos/rounds.hpp"

#include <algorithm>
#include <numeric>
#include <utility>
#include <vector>

namespace dcube::detail {

namespace {

// The classes of packets that move in each round of an exchange in rounds.

// Classes are numbered from 0 on, by their offsets in all groups; the last group's offsets change fastest.
class ClassTable {
public:
    // The table of all classes by `rounds`.
    ClassTable(std::span<const FactorGroup> groups, const ExchangeRounds& rounds);

    [[nodiscard]] NodeId offset(NodeId number, std::size_t group) const { return offsets_[index(number, group)]; }
    // The round in which the class moves in a group where its offset is not 0.
    [[nodiscard]] NodeId round(NodeId number, std::size_t group) const { return rounds_[index(number, group)]; }
    // The class that moves by this offset in a round of a group.
    [[nodiscard]] NodeId class_at(std::size_t group, NodeId round, NodeId offset) const
    {
        return class_at_[group][round * nodes_[group] + offset];
    }

private:
    [[nodiscard]] std::size_t index(NodeId number, std::size_t group) const { return number * nodes_.size() + group; }
    void number_offsets(NodeId classes);

    std::vector<NodeId> nodes_;                  // by group
    std::vector<NodeId> offsets_;                // by class and group
    std::vector<NodeId> rounds_;                 // by class and group
    std::vector<std::vector<NodeId>> class_at_;  // by group: by round and offset
};

ClassTable::ClassTable(std::span<const FactorGroup> groups, const ExchangeRounds& rounds)
{
    NodeId classes = 1;
    for (const FactorGroup& group : groups) {
        nodes_.push_back(group.topology.nodes());
        classes *= nodes_.back();
    }
    number_offsets(classes);
    rounds_.resize(offsets_.size());
    class_at_.assign(groups.size(), std::vector<NodeId>(classes));
    for (NodeId number = 0; number < classes; ++number) {
        const std::span<const NodeId> offsets = std::span(offsets_).subspan(index(number, 0), groups.size());
        for (std::size_t group = 0; group < groups.size(); ++group) {
            if (offsets[group] == 0)
                continue;
            const NodeId round = rounds.round_of(group, offsets);
            rounds_[index(number, group)] = round;
            class_at_[group][round * nodes_[group] + offsets[group]] = number;
        }
    }
}

void ClassTable::number_offsets(NodeId classes)
{
    offsets_.resize(std::size_t{classes} * nodes_.size());
    for (NodeId number = 0; number < classes; ++number) {
        NodeId rest = number;
        for (std::size_t group = nodes_.size(); group-- > 0; rest /= nodes_[group])
            offsets_[index(number, group)] = rest % nodes_[group];
    }
}

bool is_translated(const FactorGroup& group)
{
    return group.exchange->symmetry == Symmetry::translated;
}

// The nodes of the group whose hops are written: one of each kind, or all.
std::vector<NodeId> written_nodes(const FactorGroup& group, bool translated)
{
    std::vector<NodeId> nodes;
    if (translated) {
        const std::vector<unsigned>& alternating = group.exchange->alternating;
        for (NodeId kind = 0; kind >> alternating.size() == 0; ++kind)
            nodes.push_back(least_of_kind(group.topology, alternating, kind));
    } else {
        nodes.resize(group.topology.nodes());
        std::iota(nodes.begin(), nodes.end(), NodeId{0});
    }
    return nodes;
}

// The hops that these nodes make in the group's exchange.
std::vector<Hop> hops_of(const FactorGroup& group, const std::vector<NodeId>& nodes)
{
    if (!is_translated(group))
        return group.exchange->hops;
    std::vector<Hop> hops;
    for (const Hop& hop : group.exchange->hops)
        for (const NodeId node : nodes)
            if (kind_of(group.topology, group.exchange->alternating, node) == hop.from)
                hops.push_back(translated(group.topology, hop, node));
    return hops;
}

// The factor of the whole that a port of the group belongs to, and that factor's port.
std::pair<unsigned, Port> port_in_factor(const FactorGroup& group, NodeId node, Port port)
{
    unsigned i = 0;
    while (port < group.topology.first_port(node, i))
        ++i;
    return {group.factors[i], port - group.topology.first_port(node, i)};
}

// A packet's place, origin and target, as far as some of the digits determine them: the sums that they add to the ids.
struct DigitsOfIds {
    NodeId at = 0;
    NodeId origin = 0;
    NodeId target = 0;

    friend DigitsOfIds operator+(const DigitsOfIds& a, const DigitsOfIds& b)
    {
        return {a.at + b.at, a.origin + b.origin, a.target + b.target};
    }
};

// Writes the hops of the groups' exchanges as hops in the whole network. Where everything is symmetric, only for one
// node of each kind.
class RoundWriter {
public:
    RoundWriter(const Topology& whole, std::span<const FactorGroup> groups, const ExchangeRounds& rounds)
        : whole_(whole), groups_(groups), rounds_(rounds), classes_(groups, rounds),
          translated_(whole.symmetric() && std::ranges::all_of(groups, is_translated)),
          schedule_{translated_ ? Symmetry::translated : Symmetry::none, static_cast<Step>(rounds.steps), {}}
    {
        for (const FactorGroup& group : groups) {
            nodes_.push_back(written_nodes(group, translated_));
            for (const unsigned digit : group.exchange->alternating)
                if (translated_)
                    schedule_.alternating.push_back(group.factors[digit]);
        }
    }

    Schedule schedule()
    {
        for (std::size_t i = 0; i < groups_.size(); ++i) {
            const std::vector<Hop> hops = hops_of(groups_[i], nodes_[i]);
            for (NodeId round = 0; round < whole_.nodes() / groups_[i].topology.nodes(); ++round)
                for (const Hop& hop : hops)
                    write_copies(i, round, hop);
        }
        return in_order(std::move(schedule_));
    }

private:
    // The hop in all copies of the group: in each the packets are those of the same class.
    void write_copies(std::size_t group, NodeId round, const Hop& hop)
    {
        const FactorGroup& here = groups_[group];
        const NodeId offset = here.topology.untranslate(hop.packet.target, hop.packet.origin);
        const NodeId number = classes_.class_at(group, round, offset);
        const auto step = static_cast<Step>(rounds_.start(group, round) + hop.step);
        const DigitsOfIds own{here.place[hop.from], here.place[hop.packet.origin], here.place[hop.packet.target]};
        const auto [factor, port] = port_in_factor(here, hop.from, hop.port);
        for (const DigitsOfIds& others : rest_of_class(group, round, number)) {
            const DigitsOfIds packet = own + others;
            write({step, packet.at, whole_.first_port(packet.at, factor) + port, {packet.origin, packet.target, 0}});
        }
    }

    void write(Hop hop)
    {
        if (translated_) {
            hop.packet.origin = whole_.untranslate(hop.packet.origin, hop.from);
            hop.packet.target = whole_.untranslate(hop.packet.target, hop.from);
            hop.from = kind_of(whole_, schedule_.alternating, hop.from);
        }
        schedule_.hops.push_back(hop);
    }

    // The shares of all groups but one in the packets of a class, one for every setting of the other groups' digits.
    //
    // On mesh:3x5 let class (1, 2) move in the path of 3. Its hop gives the first digits; the second ones are added
    // here, for all b = 0 .. 4. If the class still has to move in the path of 5, a packet that is at b comes from there
    // and goes to b + 2 (mod 5): {b, b, b + 2}. If it has moved there already, it is where it goes to: {b, b - 2, b}.
    [[nodiscard]] std::vector<DigitsOfIds> rest_of_class(std::size_t group, NodeId round, NodeId number) const
    {
        std::vector<DigitsOfIds> rest{{}};
        for (std::size_t other = 0; other < groups_.size(); ++other) {
            if (other == group)
                continue;
            const FactorGroup& there = groups_[other];
            const NodeId offset = classes_.offset(number, other);
            const bool moved =
                offset != 0 && rounds_.start(other, classes_.round(number, other)) < rounds_.start(group, round);
            const NodeId by = moved ? there.topology.untranslate(0, offset) : offset;
            std::vector<DigitsOfIds> longer;
            longer.reserve(rest.size() * nodes_[other].size());
            for (const NodeId node : nodes_[other]) {
                const NodeId at = there.place[node];
                const NodeId far = there.place[there.topology.translate(by, node)];
                for (const DigitsOfIds& so_far : rest)
                    longer.push_back(so_far + (moved ? DigitsOfIds{at, far, at} : DigitsOfIds{at, at, far}));
            }
            rest = std::move(longer);
        }
        return rest;
    }

    const Topology& whole_;
    std::span<const FactorGroup> groups_;
    const ExchangeRounds& rounds_;
    ClassTable classes_;
    bool translated_;
    Schedule schedule_;
    std::vector<std::vector<NodeId>> nodes_;  // by group: those that are written
};

}  // namespace

Schedule exchange_in_rounds(const Topology& whole, std::span<const FactorGroup> groups, const ExchangeRounds& rounds)
{
    return RoundWriter(whole, groups, rounds).schedule();
}

}  // namespace dcube::detail
