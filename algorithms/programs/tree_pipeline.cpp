#include "algorithms/programs/tree_pipeline.hpp"

#include "algorithms/programs/cube.hpp"
#include "base/arithmetic.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <vector>

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
        : d_(d), packets_(packets), groups_(d == 0 ? 0 : static_cast<std::uint32_t>(ceil_div(packets, d))), in_(d),
          out_(d)
    {
        for (unsigned tree = 0; tree < std::min(d, packets); ++tree) {
            for (const bool last : {false, true}) {
                if (!last && groups_ < 2)
                    continue;
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

    [[nodiscard]] Step next(Step step) const override
    {
        Step next = never;
        for (const std::vector<Uses>* const links : {&in_, &out_})
            for (const Uses& uses : *links)
                next = std::min(next, this->next(uses, step));
        return next;
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

    [[nodiscard]] Step next(const Uses& uses, Step step) const
    {
        Step next = never;
        if (const Use& use = uses.groups; use.used())
            if (const Step soonest = std::max<Step>(step, use.stage) + 1; soonest < use.stage + groups_)
                next = soonest;
        for (const Use& use : uses.last_group)
            if (use.used() && use.stage + groups_ > step)
                next = std::min<Step>(next, use.stage + groups_);
        return next;
    }

    unsigned d_;
    std::uint32_t packets_;
    std::uint32_t groups_;
    std::vector<Uses> in_;
    std::vector<Uses> out_;
};

}  // namespace

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

}  // namespace dcube::detail
