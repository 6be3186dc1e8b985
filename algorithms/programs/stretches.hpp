#pragma once
#include <algorithm>
#include <cstdint>
#include <iterator>
#include <map>
#include <utility>
#include <vector>

namespace dcube::detail {

// Stretches of a message, without overlap, each with a value. Cut in two, both parts keep it.
template <class Value>
class Stretches {
public:
    struct Part {
        std::uint64_t begin;
        std::uint64_t end;
        const Value* value;  // null where there is no stretch
    };

    // [begin, end), cut where stretches begin and end. The pointers are valid until the next change.
    [[nodiscard]] std::vector<Part> parts(std::uint64_t begin, std::uint64_t end) const
    {
        std::vector<Part> all;
        for (auto at = first_behind(begin); begin < end; ++at) {
            const std::uint64_t next = at == map_.end() ? end : std::min(end, at->first);
            if (begin < next)
                all.push_back({std::exchange(begin, next), next, nullptr});
            if (begin == end)
                break;
            const std::uint64_t stop = std::min(end, at->second.end);
            all.push_back({std::exchange(begin, stop), stop, &at->second.value});
        }
        return all;
    }

    // All bytes of [begin, end) get this value.
    void set(std::uint64_t begin, std::uint64_t end, const Value& value)
    {
        cut(begin);
        cut(end);
        map_.erase(map_.lower_bound(begin), map_.lower_bound(end));
        map_.insert_or_assign(begin, Stretch{end, value});
    }

private:
    struct Stretch {
        std::uint64_t end;
        Value value;
    };
    using Map = std::map<std::uint64_t, Stretch>;

    // The first that ends behind `at`.
    [[nodiscard]] typename Map::const_iterator first_behind(std::uint64_t at) const
    {
        const auto after = map_.upper_bound(at);
        if (after == map_.begin())
            return after;
        const auto before = std::prev(after);
        return before->second.end > at ? before : after;
    }

    void cut(std::uint64_t at)
    {
        const auto after = map_.lower_bound(at);
        if (after == map_.begin())
            return;
        Stretch& before = std::prev(after)->second;
        if (before.end <= at)
            return;
        map_.emplace_hint(after, at, before);
        before.end = at;
    }

    Map map_;
};

}  // namespace dcube::detail
