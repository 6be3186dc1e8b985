#pragma once
// A step of a one-port machine: who sends to whom, so that the nodes with most still to do take part.

#include "graphs/arcs.hpp"

#include <dcube/random.hpp>

#include <cstdint>
#include <span>
#include <vector>

namespace dcube::detail {

// A matching of senders with receivers. Nodes, as senders and as receivers, come in the order of what they still have
// to do, and are matched if an augmenting path begins there; that frees no node. A plain greedy matching would leave
// out nodes that have something to do in every step to come. Each prefers partners that have much to do themselves, and
// arcs over which urgent moves wait.
class BusiestFirst {
public:
    // What waits for an arc: of the most urgent of it, how urgent that is.
    struct Offer {
        ArcId arc;
        std::int64_t urgency;
    };

    // The seed decides between nodes that have equally much to do.
    explicit BusiestFirst(const Arcs& arcs, std::uint64_t seed = 0);

    // Of these arcs, each offered once, those that are used, ascending: no two of one sender or one receiver. `sends`
    // and `receives` are what every node still has to do. They last until the next call.
    std::span<const ArcId> match(std::span<const Offer> offers, std::span<const std::uint32_t> sends,
                                 std::span<const std::uint32_t> receives);

private:
    struct Choice {
        std::int64_t worth;
        ArcId arc;
    };
    struct Side {
        std::vector<std::vector<Choice>> choices;  // of every node
        std::vector<ArcId> matched;                // of every node
        std::vector<std::uint32_t> tried;          // by the search of that number
    };
    struct End {
        std::uint32_t left;
        std::uint32_t tie;
        NodeId node;
        bool sends;
    };

    void prepare(std::span<const Offer> offers, std::span<const std::uint32_t> sends,
                 std::span<const std::uint32_t> receives);
    [[nodiscard]] NodeId end_of(ArcId arc, const Side& side) const
    {
        return &side == &senders_ ? arcs_.from(arc) : arcs_.to(arc);
    }
    bool augment(Side& near, Side& far, NodeId node);

    static constexpr ArcId none = ~ArcId{0};

    const Arcs& arcs_;
    Random random_;
    Side senders_;
    Side receivers_;
    std::uint32_t search_ = 0;
    std::vector<End> ends_;
    std::vector<ArcId> result_;
};

}  // namespace dcube::detail
