#include "judge/disjoint_sums.hpp"

#include <algorithm>
#include <vector>

namespace dcube {

MadeSum make_sum(const Contributors& wanted, std::span<const HeldSum> held, Time now)
{
    std::vector<const Contributors*> sets;
    std::vector<Time> since;
    for (const HeldSum& sum : held) {
        if (sum.since > now)
            continue;
        if (*sum.nodes == wanted)
            return {Partition::Answer::found, sum.since};
        sets.push_back(sum.nodes.get());
        since.push_back(sum.since);
    }
    const Partition made = partition(wanted, sets);
    MadeSum answer{made.answer};
    for (const std::size_t part : made.parts)
        answer.since = std::max(answer.since, since[part]);
    return answer;
}

}  // namespace dcube
