#include "measure/effort.hpp"

#include <algorithm>
#include <cmath>

namespace dcube::measure {

namespace {

constexpr std::uint64_t most_turns = std::uint64_t{1} << 32;

// So many that they last about as long as they should; a clock that has not moved says only that it takes more.
std::uint64_t more_turns(std::uint64_t turns, double took, double wanted)
{
    constexpr double most_growth = 16;  // a first look is easily ten times too long
    const double growth = took > 0 ? std::clamp(1.1 * wanted / took, 2.0, most_growth) : most_growth;
    return std::min(most_turns, static_cast<std::uint64_t>(std::ceil(static_cast<double>(turns) * growth)));
}

}  // namespace

Seconds measured(const Effort& effort, const std::function<double(std::uint64_t turns)>& batch)
{
    effort.before_each();
    const unsigned batches = std::max(1U, effort.batches);
    const double wanted = effort.seconds / batches;
    batch(1);  // pages, caches, branches
    std::uint64_t turns = 1;
    for (double took = batch(turns); took < wanted && turns < most_turns; took = batch(turns))
        turns = more_turns(turns, took, wanted);
    std::vector<double> each;
    for (unsigned i = 0; i < batches; ++i)
        each.push_back(batch(turns) / static_cast<double>(turns));
    std::ranges::sort(each);
    return {(each[(batches - 1) / 2] + each[batches / 2]) / 2, each.front()};
}

}  // namespace dcube::measure
