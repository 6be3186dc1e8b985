#include "emu/notes.hpp"

#include <algorithm>
#include <string>
#include <tuple>

namespace dcube::detail {

namespace {

template <class List>
auto find(List& list, std::string_view name)
{
    return std::ranges::find(list, name, [](const auto& one) { return std::string_view(one.name); });
}

}  // namespace

// A phase that no node has left yet ends before it begins.
Phase& Notes::find_phase(std::string_view name, Step step)
{
    const auto found = find(phases_, name);
    return found != phases_.end() ? *found : phases_.emplace_back(Phase{std::string(name), step, step - 1});
}

std::uint32_t Notes::enter(std::uint32_t current, std::string_view name, Step step)
{
    leave(current, step);
    if (name.empty())
        return no_phase;
    Phase& phase = find_phase(name, step);
    phase.first = std::min(phase.first, step);
    return static_cast<std::uint32_t>(std::ranges::find(phases_, phase.name, &Phase::name) - phases_.begin()) + 1;
}

void Notes::leave(std::uint32_t phase, Step step)
{
    if (phase != no_phase)
        phases_[phase - 1].last = std::max(phases_[phase - 1].last, step - 1);
}

std::string_view Notes::name_of(std::uint32_t phase) const
{
    return phase == no_phase ? std::string_view() : phases_[phase - 1].name;
}

void Notes::count(std::string_view name, std::uint64_t number)
{
    const auto found = find(counters_, name);
    if (found != counters_.end())
        found->value += number;
    else
        counters_.push_back({std::string(name), number});
}

void Notes::add(const Phase& phase)
{
    Phase& all = find_phase(phase.name, phase.first);
    all.first = std::min(all.first, phase.first);
    all.last = std::max(all.last, phase.last);
}

void Notes::add(const Notes& other)
{
    for (const Phase& phase : other.phases_)
        add(phase);
    for (const Counter& counter : other.counters_)
        count(counter.name, counter.value);
}

void Notes::add(const Counts& counts)
{
    for (const Phase& phase : counts.phases)
        add(phase);
    for (const Counter& counter : counts.counters)
        count(counter.name, counter.value);
}

void Notes::write(Counts& counts) const
{
    counts.phases.assign(phases_.begin(), phases_.end());
    std::ranges::sort(counts.phases, {},
                      [](const Phase& phase) { return std::tie(phase.first, phase.last, phase.name); });
    counts.counters = counters_;
    std::ranges::sort(counts.counters, {}, &Counter::name);
}

void Notes::clear()
{
    phases_.clear();
    counters_.clear();
}

}  // namespace dcube::detail
