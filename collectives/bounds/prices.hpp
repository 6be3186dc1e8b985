#pragma once
// Prices in whole numbers: what a search finds with fractions is rounded, and what all pay is counted exactly.

#include "collectives/graphs/arcs.hpp"

#include <dcube/link.hpp>

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace dcube {

/// The cost of one packet per message, and the most that a step can pay, if the dearest price is `dearest`.
struct WholePrices {
    std::uint64_t dearest = 0;
    std::uint64_t paid = 0;
    std::uint64_t step = 0;
};

/// The prices rounded to whole numbers, the dearest to this.
std::vector<std::uint64_t> rounded_prices(const std::vector<double>& prices, std::uint64_t dearest);

/// Coarser and finer ones, for small numbers to choose from. `paid` counts exactly what rounded prices come to.
std::vector<WholePrices> whole_prices(const std::vector<double>& prices,
                                      const std::function<WholePrices(const std::vector<std::uint64_t>&)>& paid);

/// Of the prices that give the best bound for this many packets per message, those with the smallest numbers.
const WholePrices& simplest_of_best(const std::vector<WholePrices>& all, std::uint64_t packets);

/// The costs of the cheapest paths from a node, exactly; prices may be 0. All ports: prices of arcs. One port: prices
/// of sending nodes, then of receiving nodes.
class CheapestCosts {
public:
    CheapestCosts(const detail::Arcs& arcs, PortModel ports, const std::vector<std::uint64_t>& prices)
        : arcs_(arcs), ports_(ports), prices_(prices), least_(arcs.nodes())
    {
    }

    /// The costs by node; valid until the next call.
    const std::vector<std::uint64_t>& from(NodeId source);

private:
    [[nodiscard]] std::uint64_t price(detail::ArcId arc, NodeId from, NodeId to) const
    {
        return ports_ == PortModel::all ? prices_[arc] : prices_[from] + prices_[arcs_.nodes() + to];
    }

    const detail::Arcs& arcs_;
    PortModel ports_;
    const std::vector<std::uint64_t>& prices_;
    std::vector<std::uint64_t> least_;
};

// Prices that a search has found, in the files of a plan cache. Any prices give a true bound, so nothing that a file
// says can make one false.

// The result of make(), read from a file if it takes this much work and was made before: `count` prices, or none.
std::vector<double> kept_prices(std::string_view kind, std::uint64_t work, const std::function<std::string()>& key,
                                std::size_t count, const std::function<std::vector<double>()>& make);

}  // namespace dcube
