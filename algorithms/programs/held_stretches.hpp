#pragma once
// What a node holds of messages: stretches that do not overlap, and are cut where a fragment begins or ends.

#include "algorithms/programs/routing.hpp"

#include <algorithm>
#include <compare>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <map>
#include <utility>

namespace dcube::detail {

// Held has a length, and drop(n) makes it what is behind its first n bytes.
template <class Held>
class HeldStretches {
public:
    struct Key {
        std::uint64_t message;
        std::size_t offset;
        friend auto operator<=>(const Key&, const Key&) = default;
    };

    void hold(const Key& key, Held held) { held_[key] = std::move(held); }

    // Calls visit(key, held) for what is held of the fragment, in order.
    template <class Visit>
    void for_each(const Fragment& fragment, const Visit& visit)
    {
        for (auto at = split(fragment.message, fragment.offset); trim_to(at, fragment); ++at)
            visit(at->first, at->second);
    }

    // The same; afterwards it is no longer held.
    template <class Visit>
    void give_away(const Fragment& fragment, const Visit& visit)
    {
        for (auto at = split(fragment.message, fragment.offset); trim_to(at, fragment); at = held_.erase(at))
            visit(at->first, at->second);
    }

    // Calls visit(key, held) for what is held of the fragment, and make(part), which returns a Held, for the parts
    // that are not, in order. Then all of it is held.
    template <class Visit, class Make>
    void fill(const Fragment& fragment, const Visit& visit, const Make& make)
    {
        const std::size_t end = fragment.offset + fragment.length;
        auto at = split(fragment.message, fragment.offset);
        for (std::size_t offset = fragment.offset; offset < end;) {
            const bool more = trim_to(at, fragment);
            if (more && at->first.offset == offset) {
                visit(at->first, at->second);
                offset += at->second.length;
                ++at;
                continue;
            }
            const std::size_t stop = more ? at->first.offset : end;
            held_.emplace_hint(at, Key{fragment.message, offset}, make({fragment.message, offset, stop - offset}));
            offset = stop;
        }
    }

private:
    using Map = std::map<Key, Held>;

    // Makes a stretch begin at `offset` if one lies across it; returns the first at or behind it. The one search in the
    // map that a fragment takes.
    typename Map::iterator split(std::uint64_t message, std::size_t offset)
    {
        const auto after = held_.lower_bound({message, offset});
        if (after == held_.begin())
            return after;
        const auto before = std::prev(after);
        if (before->first.message != message || before->first.offset + before->second.length <= offset)
            return after;
        trim(before, offset);
        return std::next(before);
    }

    // Whether there is a stretch of the fragment at or behind `at`; then it ends where the fragment does, at most.
    bool trim_to(typename Map::iterator at, const Fragment& fragment)
    {
        const std::size_t end = fragment.offset + fragment.length;
        if (at == held_.end() || at->first.message != fragment.message || at->first.offset >= end)
            return false;
        trim(at, end);
        return true;
    }

    void trim(typename Map::iterator at, std::size_t end)
    {
        auto& [key, held] = *at;
        if (key.offset + held.length <= end)
            return;
        const std::size_t first = end - key.offset;
        Held rest = held;
        rest.drop(first);
        held.length = first;
        held_.emplace_hint(std::next(at), Key{key.message, end}, std::move(rest));
    }

    Map held_;
};

}  // namespace dcube::detail
