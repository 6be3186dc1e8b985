#include "algorithms/dimakopoulos/rounds.hpp"

#include <algorithm>
#include <numeric>

namespace dcube::detail {

namespace {

std::vector<Graph> graphs_of(const Topology& whole, const std::vector<unsigned>& factors)
{
    std::vector<Graph> graphs;
    for (const unsigned i : factors)
        graphs.push_back(whole.factor(i));
    return graphs;
}

bool is_translated(const Part& part)
{
    return part.exchange->symmetry == Symmetry::translated;
}

// What becomes of the hops of a part's exchange in the whole network. Where everything is symmetric, for one node of
// each kind.
class Emitter {
public:
    Emitter(const Topology& whole, std::span<const Part> parts, const Rounds& rounds)
        : whole_(whole), parts_(parts), rounds_(rounds), offsets_(parts.size())
    {
        translated_ = whole.symmetric() && std::ranges::all_of(parts, is_translated);
        schedule_ = {translated_ ? Symmetry::translated : Symmetry::none, static_cast<Step>(rounds.steps), {}};
        for (const Part& part : parts)
            choose_nodes(part);
        number_classes();
    }

    Schedule schedule()
    {
        for (std::size_t i = 0; i < parts_.size(); ++i) {
            const std::vector<Hop> hops = hops_in(i);
            for (NodeId round = 0; round < whole_.nodes() / parts_[i].topology.nodes(); ++round)
                for (const Hop& hop : hops)
                    emit_copies(i, round, hop);
        }
        return in_order(std::move(schedule_));
    }

private:
    // The nodes of the part whose hops are told.
    void choose_nodes(const Part& part)
    {
        std::vector<NodeId>& nodes = nodes_.emplace_back();
        if (!translated_) {
            nodes.resize(part.topology.nodes());
            std::iota(nodes.begin(), nodes.end(), NodeId{0});
            return;
        }
        for (NodeId kind = 0; kind >> part.exchange->alternating.size() == 0; ++kind)
            nodes.push_back(least_of_kind(part.topology, part.exchange->alternating, kind));
        for (const unsigned digit : part.exchange->alternating)
            schedule_.alternating.push_back(part.factors[digit]);
    }

    // Their hops in the part's exchange.
    [[nodiscard]] std::vector<Hop> hops_in(std::size_t part) const
    {
        const Topology& topology = parts_[part].topology;
        const Schedule& exchange = *parts_[part].exchange;
        if (!is_translated(parts_[part]))
            return exchange.hops;
        std::vector<Hop> hops;
        for (const Hop& hop : exchange.hops)
            for (const NodeId node : nodes_[part])
                if (kind_of(topology, exchange.alternating, node) == hop.from)
                    hops.push_back(translated(topology, hop, node));
        return hops;
    }

    // Offsets of a class, part by part; the last part's change fastest.
    template <class Work>
    void for_each_class(const Work& work)
    {
        std::ranges::fill(offsets_, 0);
        for (bool more = true; more;) {
            work(offsets_);
            std::size_t i = parts_.size();
            for (more = false; i-- > 0 && !more;) {
                more = ++offsets_[i] < parts_[i].topology.nodes();
                if (!more)
                    offsets_[i] = 0;
            }
        }
    }

    // Which class moves in a round of a part by an offset, and in which round each class moves in a part.
    void number_classes()
    {
        const NodeId classes = whole_.nodes();
        offsets_of_.resize(std::size_t{classes} * parts_.size());
        rounds_of_.resize(offsets_of_.size());
        class_at_.assign(parts_.size(), std::vector<NodeId>(classes));
        NodeId number = 0;
        for_each_class([&](std::span<const NodeId> offsets) {
            for (std::size_t i = 0; i < parts_.size(); ++i) {
                offsets_of_[number * parts_.size() + i] = offsets[i];
                if (offsets[i] == 0)
                    continue;
                const NodeId round = rounds_.round_of(i, offsets);
                rounds_of_[number * parts_.size() + i] = round;
                class_at_[i][round * parts_[i].topology.nodes() + offsets[i]] = number;
            }
            ++number;
        });
    }

    // The hop in all copies of the part: in each the packets are those of the same class.
    void emit_copies(std::size_t part, NodeId round, const Hop& hop)
    {
        const Topology& topology = parts_[part].topology;
        const NodeId offset = topology.untranslate(hop.packet.target, hop.packet.origin);
        const NodeId number = class_at_[part][round * topology.nodes() + offset];
        const auto step = static_cast<Step>(rounds_.start(part, round) + hop.step);
        const std::vector<Rest> rest = rest_of_class(part, round, number);
        const NodeId from = parts_[part].place[hop.from];
        const PacketName name{parts_[part].place[hop.packet.origin], parts_[part].place[hop.packet.target], 0};
        const auto [factor, port] = port_in_factor(part, hop.from, hop.port);
        for (const Rest& others : rest) {
            const NodeId node = from + others.at;
            emit({step,
                  node,
                  whole_.first_port(node, factor) + port,
                  {name.origin + others.origin, name.target + others.target, 0}});
        }
    }

    void emit(Hop hop)
    {
        if (translated_) {
            hop.packet.origin = whole_.untranslate(hop.packet.origin, hop.from);
            hop.packet.target = whole_.untranslate(hop.packet.target, hop.from);
            hop.from = kind_of(whole_, schedule_.alternating, hop.from);
        }
        schedule_.hops.push_back(hop);
    }

    // Where the packets of a class are, come from and go to, as far as the digits of the other parts tell.
    struct Rest {
        NodeId at = 0;
        NodeId origin = 0;
        NodeId target = 0;
    };

    [[nodiscard]] std::vector<Rest> rest_of_class(std::size_t part, NodeId round, NodeId number) const
    {
        std::vector<Rest> rest{{}};
        for (std::size_t j = 0; j < parts_.size(); ++j) {
            if (j == part)
                continue;
            const Part& other = parts_[j];
            const std::size_t index = number * parts_.size() + j;
            const NodeId offset = offsets_of_[index];
            const bool over = offset != 0 && rounds_.start(j, rounds_of_[index]) < rounds_.start(part, round);
            const NodeId back = other.topology.untranslate(0, offset);
            std::vector<Rest> longer;
            longer.reserve(rest.size() * nodes_[j].size());
            for (const NodeId node : nodes_[j]) {
                const NodeId at = other.place[node];
                const NodeId origin = over ? other.place[other.topology.translate(back, node)] : at;
                const NodeId target = over ? at : other.place[other.topology.translate(offset, node)];
                for (const Rest& so_far : rest)
                    longer.push_back({so_far.at + at, so_far.origin + origin, so_far.target + target});
            }
            rest = std::move(longer);
        }
        return rest;
    }

    // Which factor of the whole the port of a part belongs to, and which of that factor's ports it is.
    [[nodiscard]] std::pair<unsigned, Port> port_in_factor(std::size_t part, NodeId node, Port port) const
    {
        const Topology& topology = parts_[part].topology;
        unsigned i = 0;
        while (port < topology.first_port(node, i))
            ++i;
        return {parts_[part].factors[i], port - topology.first_port(node, i)};
    }

    const Topology& whole_;
    std::span<const Part> parts_;
    const Rounds& rounds_;
    bool translated_ = false;
    Schedule schedule_{};
    std::vector<std::vector<NodeId>> nodes_;  // by part
    std::vector<NodeId> offsets_;
    std::vector<NodeId> offsets_of_;             // by class and part
    std::vector<NodeId> rounds_of_;              // by class and part
    std::vector<std::vector<NodeId>> class_at_;  // by part: by round and offset
};

}  // namespace

Part::Part(const Topology& whole, std::vector<unsigned> indices, std::shared_ptr<const Schedule> schedule)
    : factors(std::move(indices)), topology(Topology::product(graphs_of(whole, factors))),
      exchange(std::move(schedule)), place(topology.nodes())
{
    for (NodeId node = 0; node < topology.nodes(); ++node)
        for (unsigned i = 0; i < factors.size(); ++i)
            place[node] += topology.digit(node, i) * whole.stride(factors[i]);
}

Schedule exchange_in_rounds(const Topology& whole, std::span<const Part> parts, const Rounds& rounds)
{
    return Emitter(whole, parts, rounds).schedule();
}

}  // namespace dcube::detail
