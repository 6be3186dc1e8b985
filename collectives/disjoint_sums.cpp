#include "collectives/disjoint_sums.hpp"

#include <algorithm>
#include <iterator>
#include <utility>

namespace dcube {

namespace {

using Answer = Partition::Answer;

struct Part {
    const Contributors* nodes;
    std::size_t number;  // among the sets

    [[nodiscard]] NodeId smallest() const { return nodes->ranges().front().first; }
};
using Parts = std::vector<Part>;

bool is_partition(const Parts& parts, const Contributors& whole)
{
    std::vector<Contributors::Range> ranges;
    std::uint64_t nodes = 0;
    for (const Part& part : parts) {
        nodes += part.nodes->size();
        ranges.insert(ranges.end(), part.nodes->ranges().begin(), part.nodes->ranges().end());
    }
    return nodes == whole.size() && Contributors(std::move(ranges)) == whole;
}

// Chooses a part for the smallest node that has none, until all nodes have one; where no part fits, takes back the last
// choice. Since parts lie within the whole, only parts that begin with that node can be right.
class Search {
public:
    Search(const Contributors& whole, Parts parts) : rest_(whole), parts_(std::move(parts))
    {
        std::stable_sort(parts_.begin(), parts_.end(),
                         [](const Part& a, const Part& b) { return a.smallest() < b.smallest(); });
    }

    Partition operator()()
    {
        std::size_t next = first_choice();
        for (std::uint64_t tried = 0; !rest_.empty();) {
            if (next < parts_.size() && parts_[next].smallest() == rest_.ranges().front().first) {
                if (++tried > most_tried_sets)
                    return {Answer::unknown};
                next = choose(next) ? first_choice() : next + 1;
                continue;
            }
            if (chosen_.empty())
                return {Answer::none};
            next = take_back() + 1;
        }
        Partition found{Answer::found};
        for (const std::size_t part : chosen_)
            found.parts.push_back(parts_[part].number);
        return found;
    }

private:
    [[nodiscard]] std::size_t first_choice() const
    {
        if (rest_.empty())
            return 0;
        const auto found = std::lower_bound(parts_.begin(), parts_.end(), rest_.ranges().front().first,
                                            [](const Part& part, NodeId node) { return part.smallest() < node; });
        return static_cast<std::size_t>(std::distance(parts_.begin(), found));
    }

    bool choose(std::size_t part)
    {
        if (!rest_.contains(*parts_[part].nodes))
            return false;
        rest_.remove(*parts_[part].nodes);
        chosen_.push_back(part);
        return true;
    }

    std::size_t take_back()
    {
        const std::size_t part = chosen_.back();
        chosen_.pop_back();
        rest_.unite(*parts_[part].nodes);
        return part;
    }

    Contributors rest_;
    Parts parts_;
    std::vector<std::size_t> chosen_;
};

}  // namespace

Partition partition(const Contributors& whole, std::span<const Contributors* const> sets)
{
    if (whole.empty())
        return {Answer::found};
    Parts parts;
    for (std::size_t i = 0; i < sets.size(); ++i) {
        if (*sets[i] == whole)
            return {Answer::found, {i}};
        if (!sets[i]->empty() && whole.contains(*sets[i]))
            parts.push_back({sets[i], i});
    }
    if (!is_partition(parts, whole))
        return Search(whole, std::move(parts))();
    Partition all{Answer::found};
    for (const Part& part : parts)
        all.parts.push_back(part.number);
    return all;
}

}  // namespace dcube
