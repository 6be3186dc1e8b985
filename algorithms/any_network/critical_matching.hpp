#pragma once
// Who sends to whom in a step on one port.

#include "graphs/arcs.hpp"

#include <dcube/random.hpp>

#include <cstdint>
#include <span>
#include <vector>

namespace dcube::detail {

// Matches senders with receivers such that those with most left to do are served: in this order, each that is still
// free is matched along an augmenting path, which frees nobody.
class CriticalMatching {
public:
    CriticalMatching(const Arcs& arcs, std::uint64_t seed);

    // left[v]: what node v still has to send, left[nodes + v]: to receive. Returns arcs of `usable`, by sender.
    std::span<const ArcId> match(std::span<const ArcId> usable, std::span<const std::uint32_t> left);

private:
    // Senders are numbered as nodes, receivers behind them.
    using User = std::uint32_t;

    [[nodiscard]] User other(User user, ArcId arc) const;
    void list_by_importance(std::span<const ArcId> usable, std::span<const std::uint32_t> left);
    bool augment(User user);

    const Arcs& arcs_;
    Random random_;
    std::vector<User> order_;
    std::vector<std::uint32_t> rank_;          // in the order
    std::vector<std::vector<ArcId>> choices_;  // of every user, the most important partner first
    std::vector<ArcId> matched_;               // of every user, or unmatched
    std::vector<std::uint32_t> visited_;       // in which search
    std::uint32_t search_ = 0;
    std::vector<ArcId> result_;
};

}  // namespace dcube::detail
