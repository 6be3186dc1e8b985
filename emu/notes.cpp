#include "emu/notes.hpp"

#include <algorithm>
#include <tuple>

namespace dcube::detail {

namespace {

// The phase lasts from `first` to `last`, too. Steps that are none (last < first) extend only what has none either.
void extend(Phase& phase, Step first, Step last)
{
    const bool none = last < first;
    const bool had_none = phase.last < phase.first;
    if (none && !had_none)
        return;
    phase.first = none == had_none ? std::min(phase.first, first) : first;
    if (none)
        phase.last = phase.first - 1;
    else
        phase.last = had_none ? last : std::max(phase.last, last);
}

}  // namespace

// A phase in which no node has spent a step yet ends before it begins.
std::uint32_t Notes::find_phase(std::string_view name, Step step)
{
    const auto found = phase_numbers_.find(name);
    if (found != phase_numbers_.end())
        return found->second;
    phases_.push_back({std::string(name), step, step - 1});
    return phase_numbers_.emplace(name, static_cast<std::uint32_t>(phases_.size())).first->second;
}

std::uint32_t Notes::enter(std::uint32_t stay, std::string_view name, Step step)
{
    leave(stay, step);
    if (stay == no_stay) {
        stays_.emplace_back();
        stay = static_cast<std::uint32_t>(stays_.size());
    }
    stays_[stay - 1] = {name.empty() ? no_phase : find_phase(name, step), step};
    return stay;
}

void Notes::leave(std::uint32_t stay, Step step)
{
    if (stay == no_stay)
        return;
    if (const auto [phase, first] = stays_[stay - 1]; phase != no_phase)
        extend(phases_[phase - 1], first, step - 1);
}

std::string_view Notes::name_of(std::uint32_t stay) const
{
    const std::uint32_t phase = stay == no_stay ? no_phase : stays_[stay - 1].phase;
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
    extend(phases_[find_phase(phase.name, phase.first) - 1], phase.first, phase.last);
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
    stays_.clear();
    phase_numbers_.clear();
    counters_.clear();
}

}  // namespace dcube::detail
