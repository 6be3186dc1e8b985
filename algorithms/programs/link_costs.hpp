#pragma once
// Closed forms of link-bound times, exact, in ns (Stout & Wagar 1990). A packet of s bytes takes tau s + beta.

#include "base/exact.hpp"

#include <dcube/collective.hpp>

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace dcube::detail {

struct LinkCosts {
    explicit LinkCosts(const LinkModel& link) : tau(exact(link.tau)), beta(exact(link.beta)) {}

    Exact tau;
    Exact beta;

    [[nodiscard]] Exact packet(const Exact& bytes) const { return tau * bytes + beta; }
    // `count` packets one after the other.
    [[nodiscard]] Exact packets(std::uint64_t count, const Exact& bytes) const { return packet(bytes) * count; }
};

inline std::size_t divided_up_bytes(std::size_t a, std::size_t b)
{
    return a / b + (a % b != 0);
}

// K_n = sum over k = 0..n of 1 / C(n, k).
Exact k_sum(unsigned n);

Integer choose(unsigned n, unsigned k);

// The smallest g >= 1 with g (g + 1) >= product.
std::size_t least_groups(const Exact& product);

// The g in 1..most of least cost: the real optimum's neighbours, and those that leave no packet a byte short. A packet
// is a share of 1 / (d g) of `bytes`.
std::size_t best_groups(std::size_t near, std::size_t most, std::size_t bytes, unsigned d,
                        const std::function<Exact(std::size_t)>& cost);

// DISTRIBUTE 2 (section 4): the waves that leave the root, first to last. A wavelet is a stretch of every message to a
// node at distance `distance`, told as fractions of the message.
struct Wavelet {
    unsigned distance;
    Exact begin{0};
    Exact end{1};
};
using Wave = std::vector<Wavelet>;
using WavePlan = std::vector<Wave>;

// Its exact time for messages of m bytes that divide.
Exact wave_plan_time(const WavePlan& plan, unsigned d, const Exact& m, const LinkCosts& costs);
// The best of all plans of whole classes and one of split classes.
WavePlan best_wave_plan(unsigned d, const Exact& m, const LinkCosts& costs);
// Reads "432|1", "7..3|2|1", "12,11|10..1". Throws InvalidArgument unless it names d..1 once each, in this order.
WavePlan parse_wave_plan(std::string_view text, unsigned d);
std::string to_string(const WavePlan& plan);

}  // namespace dcube::detail
