#include "judge/stretches.hpp"

#include <algorithm>

namespace dcube {

void Stretches::add(std::uint64_t key, Stretch stretch)
{
    if ((used_ + 1) * 4 > slots_.size() * 3)
        grow();
    Slot& slot = slots_[place(key)];
    if (slot.key == no_key) {
        slot = {key, stretch};
        ++used_;
        return;
    }

    if (slot.stretch.begin < slot.stretch.end) {
        lists_.push_back({slot.stretch});
        slot.stretch = {lists_.size() - 1, 0, 0};
    }
    std::vector<Stretch>& list = lists_[slot.stretch.begin];
    const auto after = [](std::uint64_t begin, const Stretch& other) { return begin < other.begin; };
    list.insert(std::upper_bound(list.begin(), list.end(), stretch.begin, after), stretch);
}

std::uint64_t Stretches::first_present(std::uint64_t key, std::uint64_t begin, std::uint64_t end) const
{
    const Range range = find(key, begin);
    if (range.first == range.last || range.first->begin >= end)
        return end;
    return std::max(begin, range.first->begin);
}

std::uint64_t Stretches::first_absent(std::uint64_t key, std::uint64_t begin, std::uint64_t end,
                                      std::uint64_t step) const
{
    const Range range = find(key, begin);
    for (const Stretch* s = range.first; s != range.last && begin < end; ++s) {
        if (s->begin > begin || s->step >= step)
            break;
        begin = s->end;
    }
    return std::min(begin, end);
}

std::size_t Stretches::place(std::uint64_t key) const
{
    const std::size_t mask = slots_.size() - 1;
    const std::uint64_t hash = (key ^ (key >> 32)) * 0x9e3779b97f4a7c15U;
    std::size_t i = (hash ^ (hash >> 32)) & mask;
    while (slots_[i].key != key && slots_[i].key != no_key)
        i = (i + 1) & mask;
    return i;
}

Stretches::Range Stretches::find(std::uint64_t key, std::uint64_t begin) const
{
    const Slot& slot = slots_[place(key)];
    if (slot.key == no_key)
        return {nullptr, nullptr};
    if (slot.stretch.begin < slot.stretch.end)
        return {&slot.stretch + (slot.stretch.end <= begin ? 1 : 0), &slot.stretch + 1};
    const std::vector<Stretch>& list = lists_[slot.stretch.begin];
    const auto ends_before = [](const Stretch& s, std::uint64_t at) { return s.end <= at; };
    const auto first = std::lower_bound(list.begin(), list.end(), begin, ends_before);
    return {list.data() + (first - list.begin()), list.data() + list.size()};
}

void Stretches::grow()
{
    std::vector<Slot> old(slots_.size() * 2);
    old.swap(slots_);
    for (const Slot& slot : old)
        if (slot.key != no_key)
            slots_[place(slot.key)] = slot;
}

}  // namespace dcube
