#include "collectives/bounds/prices.hpp"

#include "base/bytes.hpp"
#include "base/exact.hpp"
#include "base/plan_files.hpp"

#include <dcube/error.hpp>

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>
#include <queue>
#include <utility>

namespace dcube {

namespace {

detail::Integer steps_of(const WholePrices& prices, std::uint64_t packets)
{
    if (prices.step == 0)
        return 0;
    return (detail::Integer(prices.paid) * packets + prices.step - 1) / prices.step;
}

}  // namespace

std::vector<std::uint64_t> rounded_prices(const std::vector<double>& prices, std::uint64_t dearest)
{
    const double most = *std::ranges::max_element(prices);
    std::vector<std::uint64_t> rounded;
    rounded.reserve(prices.size());
    for (const double price : prices)
        rounded.push_back(static_cast<std::uint64_t>(std::llround(price / most * static_cast<double>(dearest))));
    return rounded;
}

std::vector<WholePrices> whole_prices(const std::vector<double>& prices,
                                      const std::function<WholePrices(const std::vector<std::uint64_t>&)>& paid)
{
    std::vector<WholePrices> all;
    if (prices.empty() || *std::ranges::max_element(prices) <= 0)
        return all;
    constexpr std::uint64_t dearest_prices[] = {1, 2, 3, 5, 10, 20, 50, 100, 1'000, 10'000, 1'000'000};
    for (const std::uint64_t dearest : dearest_prices) {
        all.push_back(paid(rounded_prices(prices, dearest)));
        all.back().dearest = dearest;
    }
    return all;
}

const WholePrices& simplest_of_best(const std::vector<WholePrices>& all, std::uint64_t packets)
{
    const auto less = [&](const WholePrices& a, const WholePrices& b) {
        return steps_of(a, packets) < steps_of(b, packets);
    };
    return *std::ranges::max_element(all, less);  // the first of the largest
}

// Dijkstra's algorithm.
const std::vector<std::uint64_t>& CheapestCosts::from(NodeId source)
{
    using Reached = std::pair<std::uint64_t, NodeId>;
    std::priority_queue<Reached, std::vector<Reached>, std::greater<>> open;
    std::ranges::fill(least_, std::numeric_limits<std::uint64_t>::max());
    least_[source] = 0;
    open.emplace(0, source);
    while (!open.empty()) {
        const auto [cost, node] = open.top();
        open.pop();
        if (cost > least_[node])
            continue;
        for_each_out(arcs_, node, [&, here = cost, start = node](detail::ArcId arc) {
            const NodeId next = arcs_.to(arc);
            if (const std::uint64_t there = here + price(arc, start, next); there < least_[next]) {
                least_[next] = there;
                open.emplace(there, next);
            }
        });
    }
    return least_;
}

namespace {

std::string bytes_of_prices(const std::vector<double>& prices)
{
    detail::ByteWriter bytes;
    bytes.number(prices.size());
    for (const double price : prices)
        bytes.number(std::bit_cast<std::uint64_t>(price));
    return bytes.take();
}

std::vector<double> prices_in(std::string_view text, std::size_t count)
{
    constexpr double largest = 1e15;
    detail::ByteReader bytes(text);
    std::vector<double> prices(bytes.count(1));
    if (prices.size() != count)
        throw InvalidArgument("it has prices of another network");
    for (double& price : prices) {
        price = std::bit_cast<double>(bytes.number());
        if (!std::isfinite(price) || price < 0 || price > largest)
            throw InvalidArgument("a price is none");
    }
    bytes.end();
    if (!prices.empty() && std::ranges::max(prices) <= 0)
        throw InvalidArgument("nothing has a price");
    return prices;
}

}  // namespace

std::vector<double> kept_prices(std::string_view kind, std::uint64_t work, const std::function<std::string()>& key,
                                std::size_t count, const std::function<std::vector<double>()>& make)
{
    return detail::kept_in_file(kind, work, key, make, bytes_of_prices,
                                [count](std::string_view bytes) { return prices_in(bytes, count); });
}

}  // namespace dcube
