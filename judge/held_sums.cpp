#include "judge/held_sums.hpp"

namespace dcube {

std::span<const HeldSum> SumsOfByte::before(Step step) const
{
    const auto end =
        std::partition_point(sums_.begin(), sums_.end(), [step](const HeldSum& sum) { return sum.step < step; });
    return {sums_.begin(), end};
}

std::span<const HeldSum> SumsOfByte::since(Step step) const
{
    return std::span(sums_).subspan(before(step).size());
}

std::optional<HeldSum> SumsOfByte::all(Step step, const Contributors& everybody, NodeId& twice) const
{
    const std::span<const HeldSum> sums = before(step);
    if (sums.size() == 1)
        return sums.front();
    const HeldSum* complete = nullptr;
    for (const HeldSum& sum : sums)
        if (*sum.nodes == everybody && (!complete || sum.since < complete->since))
            complete = &sum;
    if (complete)
        return *complete;
    if (added_ < sums.size() && (!added_up_ || added_up_.use_count() > 1))  // a sum that was sent stays unchanged
        added_up_ = added_up_ ? std::make_shared<Contributors>(*added_up_) : std::make_shared<Contributors>();
    for (; added_ < sums.size(); ++added_) {
        if (const auto common = added_up_->first_common(*sums[added_].nodes)) {
            twice = *common;
            return std::nullopt;
        }
        added_up_->unite(*sums[added_].nodes);
        added_since_ = std::max(added_since_, sums[added_].since);
    }
    return HeldSum{added_up_, 0, added_since_};
}

void HeldSums::cut(std::uint64_t at)
{
    const auto whole = std::prev(sections_.upper_bound(at));
    if (whole->first == at || whole->second.end <= at)
        return;
    sections_.emplace(at, whole->second);
    whole->second.end = at;
}

MadeSum make_sum(const Contributors& wanted, std::span<const HeldSum> held, Time now)
{
    std::vector<const Contributors*> sets;
    std::vector<Time> since;
    for (const HeldSum& sum : held) {
        if (sum.since > now || sum.nodes->empty())
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
