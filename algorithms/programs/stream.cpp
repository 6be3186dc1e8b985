#include "algorithms/programs/stream.hpp"

#include "algorithms/bertsekas/necklaces.hpp"
#include "algorithms/families.hpp"
#include "algorithms/programs/plan.hpp"

#include <algorithm>
#include <array>
#include <bit>

namespace dcube::detail {

namespace {

// "the first 1 met going down cyclically from `from`"
unsigned first_one_downwards(NodeId x, unsigned from, unsigned d)
{
    while (!has_bit(x, from))
        from = (from + d - 1) % d;
    return from;
}

// x = {i-1, i+1, i+2, .., i+|x|-1}, and the last of this list; the one set of nodes that would hear too late in tree i
// is reached over this chain instead, in the last group.
std::optional<unsigned> end_of_chain(NodeId x, unsigned i, unsigned d)
{
    const auto ones = static_cast<unsigned>(std::popcount(x));
    NodeId chain = bit((i + d - 1) % d);
    for (unsigned j = 1; j < ones; ++j)
        chain |= bit((i + j) % d);
    if (x != chain)
        return std::nullopt;
    return ones == 1 ? (i + d - 1) % d : (i + ones - 1) % d;
}

// Packet q d + i is packet i of group q, and travels in tree i. Groups follow each other a step apart.
class TreePipeline final : public Pipeline {
public:
    TreePipeline(unsigned d, NodeId label, std::uint32_t packets)
        : d_(d), packets_(packets), groups_(d == 0 ? 0 : static_cast<std::uint32_t>(divided_up(packets, d))), in_(d),
          out_(d)
    {
        for (unsigned tree = 0; tree < d; ++tree) {
            for (const bool last : {false, true}) {
                if (label != 0)
                    enter(in_, label, tree, last, label);
                for (Port port = 0; port < d; ++port)
                    if (const NodeId child = label ^ bit(port); child != 0)
                        enter(out_, child, tree, last, label);
            }
        }
    }

    [[nodiscard]] std::optional<std::uint32_t> arrival(Port port, Step step) const override
    {
        return packet(in_[port], step);
    }
    [[nodiscard]] std::optional<std::uint32_t> departure(Port port, Step step) const override
    {
        return packet(out_[port], step);
    }

private:
    // Small, because every hop asks for some and thousands of nodes have their own. Stages are at most d + 1.
    struct Use {
        static constexpr std::uint8_t nothing = 0xff;

        std::uint8_t tree = nothing;
        std::uint8_t stage = 0;

        [[nodiscard]] bool used() const { return tree != nothing; }
    };
    struct Uses {
        Use groups;                     // all groups but the last one
        std::array<Use, 2> last_group;  // its own tree, and a chain in the slot that one more group would have used
    };

    // Notes the link by which `child` hears in `tree`, if it is one of this node's.
    void enter(std::vector<Uses>& links, NodeId child, unsigned tree, bool last, NodeId label) const
    {
        const auto [parent, stage] = tree_link(d_, tree, child, last);
        if (child != label && parent != label)
            return;
        Uses& uses = links[static_cast<Port>(std::countr_zero(child ^ parent))];
        Use& use = !last ? uses.groups : uses.last_group[uses.last_group[0].used() ? 1 : 0];
        use = {static_cast<std::uint8_t>(tree), static_cast<std::uint8_t>(stage)};
    }

    [[nodiscard]] std::optional<std::uint32_t> packet(const Uses& uses, Step step) const
    {
        if (const Use& use = uses.groups; use.used() && step > use.stage && step - 1 - use.stage < groups_ - 1)
            return (step - 1 - use.stage) * d_ + use.tree;
        for (const Use& use : uses.last_group)
            if (const std::uint32_t number = (groups_ - 1) * d_ + use.tree;
                use.used() && step == use.stage + groups_ && number < packets_)
                return number;
        return std::nullopt;
    }

    unsigned d_;
    std::uint32_t packets_;
    std::uint32_t groups_;
    std::vector<Uses> in_;
    std::vector<Uses> out_;
};

// In step t + 1 everything happens on port k = t mod d.
class OnePortPipeline final : public Pipeline {
public:
    OnePortPipeline(unsigned d, NodeId label, std::uint32_t packets) : d_(d), label_(label), packets_(packets) {}

    [[nodiscard]] std::optional<std::uint32_t> arrival(Port port, Step step) const override
    {
        return heard_by(label_, port, step - 1);
    }
    [[nodiscard]] std::optional<std::uint32_t> departure(Port port, Step step) const override
    {
        return heard_by(label_ ^ bit(port), port, step - 1);
    }

private:
    [[nodiscard]] std::optional<std::uint32_t> heard_by(NodeId node, Port port, Step t) const
    {
        const Port k = t % d_;
        if (port != k || node == 0)
            return std::nullopt;
        const auto before = static_cast<std::int64_t>(t) - d_;
        if (!has_bit(node, k)) {
            if (before < 0 || before >= static_cast<std::int64_t>(packets_) - 1)
                return std::nullopt;
            return static_cast<std::uint32_t>(before);
        }
        std::int64_t packet = t;
        for (unsigned a = 1; a < d_; ++a) {
            if (has_bit(node, (k + a) % d_)) {
                packet = before + a;
                break;
            }
        }
        if (packet < 0)
            return std::nullopt;
        return static_cast<std::uint32_t>(std::min<std::int64_t>(packet, packets_ - 1));
    }

    unsigned d_;
    NodeId label_;
    std::uint32_t packets_;
};

// Sends by a rule; what arrives is what the neighbour sends.
class WavePipeline final : public Pipeline {
public:
    WavePipeline(unsigned d, NodeId label, const WaveRule& rule) : d_(d), label_(label), rule_(rule) {}

    [[nodiscard]] std::optional<std::uint32_t> arrival(Port port, Step step) const override
    {
        return rule_(d_, label_ ^ bit(port), port, step - 1);
    }
    [[nodiscard]] std::optional<std::uint32_t> departure(Port port, Step step) const override
    {
        return rule_(d_, label_, port, step - 1);
    }

private:
    unsigned d_;
    NodeId label_;
    const WaveRule& rule_;  // the stream's
};

}  // namespace

std::unique_ptr<Pipeline> wave_pipeline(unsigned d, NodeId label, const WaveRule& rule)
{
    return std::make_unique<WavePipeline>(d, label, rule);
}

TreeLink tree_link(unsigned d, unsigned tree, NodeId x, bool last)
{
    const auto ones = static_cast<Step>(std::popcount(x));
    if (has_bit(x, tree)) {
        if (ones == 1)
            return {0, 0};
        return {x ^ bit(first_one_downwards(x, (tree + d - 1) % d, d)), ones - 1};
    }
    if (last)
        if (const std::optional<unsigned> end = end_of_chain(x, tree, d))
            return {x ^ bit(*end), ones};
    return {x ^ bit(tree), ones + 1};
}

std::unique_ptr<Pipeline> tree_pipeline(unsigned d, NodeId label, std::uint32_t packets)
{
    return std::make_unique<TreePipeline>(d, label, packets);
}

std::unique_ptr<Pipeline> one_port_pipeline(unsigned d, NodeId label, std::uint32_t packets)
{
    return std::make_unique<OnePortPipeline>(d, label, packets);
}

PacketCut PacketCut::equal(std::size_t bytes, std::uint32_t packets)
{
    PacketCut cut;
    cut.packets_ = packets;
    cut.bytes_ = bytes;
    return cut;
}

namespace {

Stretch nested(const Stretch& outer, const Stretch& inner, std::size_t unit)
{
    return {(outer.offset + inner.offset) * unit, inner.length * unit};
}

}  // namespace

PacketCut PacketCut::groups(std::size_t units, std::size_t unit, std::uint32_t groups, std::uint32_t d)
{
    PacketCut cut;
    cut.packets_ = groups * d;
    for (std::uint32_t q = 0; q < groups; ++q) {
        const Stretch group = part(units, groups, q);
        for (std::uint32_t i = 0; i < d; ++i)
            cut.unequal_.push_back(nested(group, part(group.length, d, i), unit));
    }
    return cut;
}

PacketCut PacketCut::trees(std::size_t units, std::size_t unit, std::uint32_t groups, std::uint32_t d)
{
    PacketCut cut;
    cut.packets_ = groups * d;
    for (std::uint32_t q = 0; q < groups; ++q) {
        for (std::uint32_t i = 0; i < d; ++i) {
            const Stretch share = part(units, d, i);
            cut.unequal_.push_back(nested(share, part(share.length, groups, q), unit));
        }
    }
    return cut;
}

namespace {

// Since when a node holds each packet of a message.
class Held {
public:
    explicit Held(std::uint32_t packets, bool all) : since_(packets, all ? 0 : never) {}

    [[nodiscard]] bool holds(std::uint32_t packet) const { return since_[packet] != never; }
    [[nodiscard]] Time since(std::uint32_t packet) const { return since_[packet]; }
    // Of two copies the earlier one counts.
    void note(std::uint32_t packet, Time usable) { since_[packet] = std::min(since_[packet], usable); }

private:
    static constexpr Time never = ~Time{0};
    std::vector<Time> since_;
};

}  // namespace

Task spread(Node& me, const Stream& stream, const Problem& problem, NodeData data)
{
    const NodeId label = me.topology().untranslate(me.id(), problem.root);
    const auto pipeline = stream.make(me.ports(), label);
    if (problem.collective == Collective::broadcast)
        keep_own(me, problem, data);
    const std::span<std::byte> output =
        data.output.empty() && label != 0 ? me.allocate(Layout(problem, me.topology()).message) : data.output;
    const std::span<const std::byte> source = label == 0 ? data.input : output;
    Held held(stream.cut.packets(), label == 0);
    for (Step step = 1; step <= stream.steps; ++step) {
        for (Port port = 0; port < me.ports(); ++port) {
            if (const auto packet = pipeline->departure(port, step)) {
                const auto [offset, length] = stream.cut(*packet);
                if (length != 0)
                    me.send(port, {source.subspan(offset, length), 0, held.since(*packet)});
            }
        }
        co_await me.next_step();
        for (Port port = 0; port < me.ports(); ++port) {
            if (const auto packet = pipeline->arrival(port, step)) {
                const auto [offset, length] = stream.cut(*packet);
                if (length == 0)
                    continue;
                const bool known = held.holds(*packet);
                held.note(*packet,
                          (known ? me.receive(port) : me.receive(port, output.subspan(offset, length))).usable);
            }
        }
    }
}

// Backwards: what arrived in step s leaves in step steps + 1 - s. The root adds up in its output, the others in storage
// of their own; a packet that nothing was added to leaves from the input.
Task accumulate(Node& me, const Stream& stream, const Problem& problem, NodeData data)
{
    const NodeId label = me.topology().untranslate(me.id(), problem.root);
    const auto pipeline = stream.make(me.ports(), label);
    const Combine combine = combiner(problem.operation, problem.type);
    std::span<std::byte> sums = data.output;
    std::vector<Time> usable(stream.cut.packets());
    std::vector<bool> begun(stream.cut.packets());
    keep_own(me, problem, data);
    for (Step step = stream.steps; step >= 1; --step) {
        for (Port port = 0; port < me.ports(); ++port) {
            if (const auto packet = pipeline->arrival(port, step)) {
                const auto [offset, length] = stream.cut(*packet);
                const std::span<const std::byte> source = begun[*packet] ? sums : data.input;
                if (length != 0)
                    me.send(port, {source.subspan(offset, length), 0, usable[*packet]});
            }
        }
        co_await me.next_step();
        for (Port port = 0; port < me.ports(); ++port) {
            if (const auto packet = pipeline->departure(port, step)) {
                const auto [offset, length] = stream.cut(*packet);
                if (length == 0)
                    continue;
                if (sums.empty())
                    sums = me.allocate(data.input.size());
                const std::span<std::byte> sum = sums.subspan(offset, length);
                const std::span<const std::byte> base = begun[*packet] ? sum : data.input.subspan(offset, length);
                usable[*packet] = std::max(usable[*packet], me.receive(port, sum, base, combine).usable);
                begun[*packet] = true;
            }
        }
    }
}

}  // namespace dcube::detail
