#include "algorithms/programs/link_costs.hpp"

#include "base/arithmetic.hpp"

#include <algorithm>
#include <set>

namespace dcube::detail {

Integer choose(unsigned n, unsigned k)
{
    Integer value = 1;
    for (unsigned i = 1; i <= k; ++i)
        value = value * (n - k + i) / i;
    return value;
}

Exact k_sum(unsigned n)
{
    Exact sum = 0;
    for (unsigned k = 0; k <= n; ++k)
        sum += Exact(1) / Exact(choose(n, k));
    return sum;
}

std::size_t least_groups(const Exact& product)
{
    const Integer wanted = ceiling(product);
    if (wanted <= 2)
        return 1;
    const Integer root = sqrt(wanted);
    std::size_t groups = root.convert_to<std::size_t>();
    while (groups > 1 && Integer(groups - 1) * groups >= wanted)
        --groups;
    while (Integer(groups) * (groups + 1) < wanted)
        ++groups;
    return groups;
}

std::size_t best_groups(std::size_t near, std::size_t most, std::size_t bytes, unsigned d,
                        const std::function<Exact(std::size_t)>& cost)
{
    constexpr std::size_t reach = 2;
    const std::size_t limit = std::max<std::size_t>(1, most);
    std::set<std::size_t> candidates{1};
    const auto consider = [&](std::size_t groups) { candidates.insert(std::clamp<std::size_t>(groups, 1, limit)); };
    near = std::min(near, limit);
    const std::size_t size = ceil_div(bytes, d * near);
    for (std::size_t i = 0; i <= 2 * reach; ++i) {
        consider(near + i > reach ? near + i - reach : 1);
        if (size + i > reach)
            consider(ceil_div(bytes, d * (size + i - reach)));
    }
    return *std::ranges::min_element(candidates, {}, cost);
}

}  // namespace dcube::detail
