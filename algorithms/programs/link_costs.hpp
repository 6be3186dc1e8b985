#pragma once
// Closed forms of link-bound times, exact, in ns (Stout & Wagar 1990). A packet of s bytes takes tau s + beta.

#include "base/exact.hpp"

#include <cstddef>
#include <cstdint>
#include <functional>

namespace dcube::detail {

struct LinkCosts {
    explicit LinkCosts(const LinkModel& link) : tau(exact(link.tau)), beta(exact(link.beta)) {}

    Exact tau;
    Exact beta;

    [[nodiscard]] Exact packet(const Exact& bytes) const { return tau * bytes + beta; }
    // `count` packets one after the other.
    [[nodiscard]] Exact packets(std::uint64_t count, const Exact& bytes) const { return packet(bytes) * count; }
};

// K_n = sum over k = 0..n of 1 / C(n, k).
Exact k_sum(unsigned n);

Integer choose(unsigned n, unsigned k);

// The smallest g >= 1 with g (g + 1) >= product.
std::size_t least_groups(const Exact& product);

// The g in 1..most of least cost: the real optimum's neighbours, and group counts that divide the message
// evenly. A packet is a share of 1 / (d g) of `bytes`.
std::size_t best_groups(std::size_t near, std::size_t most, std::size_t bytes, unsigned d,
                        const std::function<Exact(std::size_t)>& cost);

}  // namespace dcube::detail
