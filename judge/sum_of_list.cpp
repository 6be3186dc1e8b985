#include "judge/sum_of_list.hpp"

#include "base/numbers.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <utility>

namespace dcube {

void SumOfList::begin()
{
    ranges_.clear();
    in_range_ = false;
}

std::string SumOfList::begin_range()
{
    if (in_range_)
        return wrong("a list in a range");
    in_range_ = true;
    numbers_ = 0;
    return {};
}

std::string SumOfList::number(std::uint64_t number)
{
    if (number > std::numeric_limits<NodeId>::max())
        return wrong(std::to_string(number));
    const auto node = static_cast<NodeId>(number);
    if (!in_range_ || numbers_ == 0)
        ranges_.push_back({node, node});
    else
        ranges_.back().last = node;
    if (in_range_)
        ++numbers_;
    return {};
}

std::string SumOfList::end_range()
{
    in_range_ = false;
    if (numbers_ != 2)
        return wrong(fmt::format("a range of {}", counted(numbers_, "number")));
    if (const auto& [first, last] = ranges_.back(); last < first)
        return wrong(fmt::format("[{},{}]", first, last));
    return {};
}

std::string SumOfList::end(std::shared_ptr<const Contributors>& nodes)
{
    std::sort(ranges_.begin(), ranges_.end(), [](const auto& a, const auto& b) { return a.first < b.first; });
    for (std::size_t i = 1; i < ranges_.size(); ++i)
        if (ranges_[i].first <= ranges_[i - 1].last)
            return fmt::format("\"sum_of\" has node {} twice: once is allowed", ranges_[i].first);
    nodes = std::make_shared<const Contributors>(std::exchange(ranges_, {}));
    return {};
}

std::string SumOfList::wrong(std::string_view what)
{
    return fmt::format("\"sum_of\" has {}: nodes such as 3, from 0 to {}, and ranges such as [5,7] are allowed", what,
                       std::numeric_limits<NodeId>::max());
}

}  // namespace dcube
