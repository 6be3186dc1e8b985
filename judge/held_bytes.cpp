#include "judge/held_bytes.hpp"

#include "base/sizes.hpp"

#include <algorithm>

namespace dcube {

void HeldBytes::add(std::uint64_t key, ByteRange stretch)
{
    if ((used_ + 1) * 4 > slots_.size() * 3)
        grow();
    Slot& slot = slots_[place(key)];
    if (slot.key == no_key) {
        slot = {key, stretch};
        ++used_;
        return;
    }

    std::vector<ByteRange>& list = list_of(slot);
    const auto after = [](std::uint64_t begin, const ByteRange& other) { return begin < other.begin; };
    list.insert(std::upper_bound(list.begin(), list.end(), stretch.begin, after), stretch);
}

void HeldBytes::add_or_advance(std::uint64_t key, ByteRange stretch)
{
    for (std::uint64_t at = stretch.begin; at < stretch.end;) {
        const Range range = find(key, at);
        if (range.first == range.last || range.first->begin >= stretch.end) {
            add(key, {at, stretch.end, stretch.since});
            return;
        }
        const ByteRange found = *range.first;
        if (at < found.begin) {
            add(key, {at, found.begin, stretch.since});
            at = found.begin;
        }
        const std::uint64_t stop = std::min(found.end, stretch.end);
        if (stretch.since < found.since)
            advance(key, at, stop, stretch.since);
        at = stop;
    }
}

/// Gives [begin, end), which lies within one stretch, an earlier time.
void HeldBytes::advance(std::uint64_t key, std::uint64_t begin, std::uint64_t end, std::uint64_t since)
{
    Slot& slot = slots_[place(key)];
    if (slot.stretch.begin == begin && slot.stretch.end == end) {
        slot.stretch.since = since;
        return;
    }
    std::vector<ByteRange>& list = list_of(slot);
    const auto ends_before = [](const ByteRange& s, std::uint64_t at) { return s.end <= at; };
    auto found = std::lower_bound(list.begin(), list.end(), begin, ends_before);
    const ByteRange old = *found;
    *found = {begin, end, since};
    if (end < old.end)
        found = list.insert(found + 1, {end, old.end, old.since}) - 1;
    if (old.begin < begin)
        list.insert(found, {old.begin, begin, old.since});
}

/// The slot's list, which is made if there is none.
std::vector<ByteRange>& HeldBytes::list_of(Slot& slot)
{
    if (slot.stretch.begin < slot.stretch.end) {
        lists_.push_back({slot.stretch});
        slot.stretch = {lists_.size() - 1, 0, 0};
    }
    return lists_[as_size(slot.stretch.begin)];
}

std::uint64_t HeldBytes::first_present(std::uint64_t key, std::uint64_t begin, std::uint64_t end) const
{
    const Range range = find(key, begin);
    if (range.first == range.last || range.first->begin >= end)
        return end;
    return std::max(begin, range.first->begin);
}

std::uint64_t HeldBytes::first_absent(std::uint64_t key, std::uint64_t begin, std::uint64_t end,
                                      std::uint64_t time) const
{
    const Range range = find(key, begin);
    for (const ByteRange* s = range.first; s != range.last && begin < end; ++s) {
        if (s->begin > begin || s->since > time)
            break;
        begin = s->end;
    }
    return std::min(begin, end);
}

std::size_t HeldBytes::place(std::uint64_t key) const
{
    const std::size_t mask = slots_.size() - 1;
    const std::uint64_t hash = (key ^ (key >> 32)) * 0x9e3779b97f4a7c15U;
    std::size_t i = (hash ^ (hash >> 32)) & mask;
    while (slots_[i].key != key && slots_[i].key != no_key)
        i = (i + 1) & mask;
    return i;
}

HeldBytes::Range HeldBytes::find(std::uint64_t key, std::uint64_t begin) const
{
    const Slot& slot = slots_[place(key)];
    if (slot.key == no_key)
        return {nullptr, nullptr};
    if (slot.stretch.begin < slot.stretch.end)
        return {&slot.stretch + (slot.stretch.end <= begin ? 1 : 0), &slot.stretch + 1};
    const std::vector<ByteRange>& list = lists_[as_size(slot.stretch.begin)];
    const auto ends_before = [](const ByteRange& s, std::uint64_t at) { return s.end <= at; };
    const auto first = std::lower_bound(list.begin(), list.end(), begin, ends_before);
    return {list.data() + (first - list.begin()), list.data() + list.size()};
}

void HeldBytes::grow()
{
    std::vector<Slot> old(slots_.size() * 2);
    old.swap(slots_);
    for (const Slot& slot : old)
        if (slot.key != no_key)
            slots_[place(slot.key)] = slot;
}

}  // namespace dcube
