#include "collectives/bounds/whole_prices.hpp"

#include <algorithm>
#include <cmath>

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

}  // namespace dcube
