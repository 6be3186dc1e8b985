#include "emu/notes.hpp"

#include <algorithm>
#include <tuple>

namespace dcube::detail {

// A phase that no node has left yet ends before it begins.
std::uint32_t Notes::find_phase(std::string_view name, Step step)
{
    const auto found = phase_numbers_.find(name);
    if (found != phase_numbers_.end())
        return found->second;
    phases_.push_back({std::string(name), step, step - 1});
    return phase_numbers_.emplace(name, static_cast<std::uint32_t>(phases_.size())).first->second;
}

std::uint32_t Notes::enter(std::uint32_t current, std::string_view name, Step step)
{
    leave(current, step);
    if (name.empty())
        return no_phase;
    const std::uint32_t number = find_phase(name, step);
    Phase& phase = phases_[number - 1];
    phase.first = std::min(phase.first, step);
    return number;
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
    const auto found = counters_.find(name);
    if (found != counters_.end())
        found->second += number;
    else
        counters_.emplace(name, number);
}

void Notes::add(const Phase& phase)
{
    Phase& all = phases_[find_phase(phase.name, phase.first) - 1];
    all.first = std::min(all.first, phase.first);
    all.last = std::max(all.last, phase.last);
}

void Notes::add(const Notes& other)
{
    for (const Phase& phase : other.phases_)
        add(phase);
    for (const auto& [name, value] : other.counters_)
        count(name, value);
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
    counts.counters.clear();
    for (const auto& [name, value] : counters_)
        counts.counters.push_back({name, value});
}

void Notes::clear()
{
    phases_.clear();
    phase_numbers_.clear();
    counters_.clear();
}

}  // namespace dcube::detail
