#pragma once
// The stretches of messages that a node holds: they do not overlap, and are cut where a fragment begins or ends.
//
// They lie in order, in chunks of a few dozen. Short messages are cut into millions of stretches, each of which is
// found, taken out and put in once per hop; in a std::map that took four times as long.

#include "algorithms/programs/routing.hpp"

#include <algorithm>
#include <compare>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <utility>
#include <vector>

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

    // A whole message; replaces what is held of it, if that is whole too.
    void hold(const Key& key, Held whole)
    {
        const Place at = at_or_behind(key);
        if (is_behind_all(at) || held(at).key != key)
            insert(at, {key, std::move(whole)});
        else
            held(at).held = std::move(whole);
    }

    // Calls visit(key, held) for what is held of the fragment, in order.
    template <class Visit>
    void for_each(const Fragment& fragment, const Visit& visit)
    {
        for (Place at = split(fragment.message, fragment.offset); trim_to(at, fragment); ++at.index)
            visit(held(at).key, held(at).held);
    }

    // The same; afterwards it is no longer held.
    template <class Visit>
    void give_away(const Fragment& fragment, const Visit& visit)
    {
        for (Place at = split(fragment.message, fragment.offset); trim_to(at, fragment); at = erase(at))
            visit(held(at).key, held(at).held);
    }

    // Calls visit(key, held) for what is held of the fragment, and make(part), which returns a Held, for the parts
    // that are not, in order. Then all of it is held.
    template <class Visit, class Make>
    void fill(const Fragment& fragment, const Visit& visit, const Make& make)
    {
        const std::size_t end = fragment.offset + fragment.length;
        Place at = split(fragment.message, fragment.offset);
        for (std::size_t offset = fragment.offset; offset < end; ++at.index) {
            const bool more = trim_to(at, fragment);
            if (more && held(at).key.offset == offset) {
                visit(held(at).key, held(at).held);
                offset += held(at).held.length;
                continue;
            }
            const std::size_t stop = more ? held(at).key.offset : end;
            const Fragment part{fragment.message, offset, stop - offset};
            at = insert(at, {{part.message, offset}, make(part)});
            offset = stop;
        }
    }

private:
    struct Stretch {
        Key key;
        Held held;
    };
    struct Chunk {
        Key first;  // nothing before it is here, nor in a later chunk; all before it is in earlier ones
        std::vector<Stretch> stretches;
    };
    // Between two stretches, or before the first or behind the last of a chunk.
    struct Place {
        std::size_t chunk;
        std::size_t index;
    };

    static constexpr std::size_t most_in_chunk = 64;

    [[nodiscard]] bool is_behind_all(const Place& at) const { return at.index == chunks_[at.chunk].stretches.size(); }
    Stretch& held(const Place& at) { return chunks_[at.chunk].stretches[at.index]; }

    Place at_or_behind(const Key& key)
    {
        const auto chunk = std::prev(std::ranges::upper_bound(chunks_, key, {}, &Chunk::first));
        const auto stretch = std::ranges::lower_bound(chunk->stretches, key, {}, &Stretch::key);
        return {static_cast<std::size_t>(chunk - chunks_.begin()),
                static_cast<std::size_t>(stretch - chunk->stretches.begin())};
    }

    // Returns the stretch's place afterwards.
    Place insert(Place at, Stretch stretch)
    {
        if (stretch.key < chunks_[at.chunk].first)
            at = {at.chunk - 1, chunks_[at.chunk - 1].stretches.size()};
        if (is_behind_all(at) && at.chunk + 1 < chunks_.size())  // the next one's first may be gone, and this behind it
            chunks_[at.chunk + 1].first = chunks_[at.chunk + 1].stretches.front().key;
        if (chunks_[at.chunk].stretches.size() == most_in_chunk)
            halve(at);
        std::vector<Stretch>& stretches = chunks_[at.chunk].stretches;
        stretches.insert(stretches.begin() + static_cast<std::ptrdiff_t>(at.index), std::move(stretch));
        return at;
    }

    // The chunk; the place moves along.
    void halve(Place& at)
    {
        constexpr std::size_t half = most_in_chunk / 2;
        std::vector<Stretch>& all = chunks_[at.chunk].stretches;
        const auto middle = all.begin() + static_cast<std::ptrdiff_t>(half);
        Chunk second{middle->key, {std::move_iterator(middle), std::move_iterator(all.end())}};
        all.erase(middle, all.end());
        chunks_.insert(chunks_.begin() + static_cast<std::ptrdiff_t>(at.chunk) + 1, std::move(second));
        if (at.index > half)
            at = {at.chunk + 1, at.index - half};
    }

    // Returns the place behind it. If there are several chunks none is empty.
    Place erase(const Place& at)
    {
        std::vector<Stretch>& stretches = chunks_[at.chunk].stretches;
        stretches.erase(stretches.begin() + static_cast<std::ptrdiff_t>(at.index));
        if (!stretches.empty() || chunks_.size() == 1)
            return at;
        const Key first = chunks_[at.chunk].first;
        chunks_.erase(chunks_.begin() + static_cast<std::ptrdiff_t>(at.chunk));
        if (at.chunk == chunks_.size())
            return {at.chunk - 1, chunks_.back().stretches.size()};
        chunks_[at.chunk].first = first;
        return {at.chunk, 0};
    }

    // Makes a stretch begin at `offset` if one lies across it; returns the first at or behind it. The one search that a
    // fragment takes.
    Place split(std::uint64_t message, std::size_t offset)
    {
        const Place after = at_or_behind({message, offset});
        if (after.chunk == 0 && after.index == 0)
            return after;
        const Place before = after.index > 0 ? Place{after.chunk, after.index - 1}
                                             : Place{after.chunk - 1, chunks_[after.chunk - 1].stretches.size() - 1};
        const Stretch& one = held(before);
        if (one.key.message != message || one.key.offset + one.held.length <= offset)
            return after;
        return cut(before, offset);
    }

    // Whether there is a stretch of the fragment at or behind `at`, which is then there, and ends where the fragment
    // does, at most.
    bool trim_to(Place& at, const Fragment& fragment)
    {
        if (is_behind_all(at)) {
            if (at.chunk + 1 == chunks_.size())
                return false;
            at = {at.chunk + 1, 0};
        }
        const std::size_t end = fragment.offset + fragment.length;
        const Stretch& one = held(at);
        if (one.key.message != fragment.message || one.key.offset >= end)
            return false;
        if (one.key.offset + one.held.length > end) {
            at = cut(at, end);
            --at.index;
        }
        return true;
    }

    // Returns where the second part is; the first is before it in the same chunk.
    Place cut(const Place& at, std::size_t offset)
    {
        Stretch& one = held(at);
        const std::size_t first = offset - one.key.offset;
        Stretch rest{{one.key.message, offset}, one.held};
        rest.held.drop(first);
        one.held.length = first;
        return insert({at.chunk, at.index + 1}, std::move(rest));
    }

    std::vector<Chunk> chunks_{Chunk{{0, 0}, {}}};
};

}  // namespace dcube::detail
