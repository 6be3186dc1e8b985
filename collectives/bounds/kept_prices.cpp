#include "collectives/bounds/kept_prices.hpp"

#include "base/bytes.hpp"
#include "base/plan_files.hpp"

#include <dcube/error.hpp>

#include <algorithm>
#include <bit>
#include <cmath>

namespace dcube::detail {

namespace {

std::string bytes_of_prices(const std::vector<double>& prices)
{
    ByteWriter bytes;
    bytes.number(prices.size());
    for (const double price : prices)
        bytes.number(std::bit_cast<std::uint64_t>(price));
    return bytes.take();
}

std::vector<double> prices_in(std::string_view text, std::size_t count)
{
    constexpr double largest = 1e15;
    ByteReader bytes(text);
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
    return kept_in_file(kind, work, key, make, bytes_of_prices,
                        [count](std::string_view bytes) { return prices_in(bytes, count); });
}

}  // namespace dcube::detail
