#pragma once
// Notes: what programs say of their own run: in which phase they are, and what they count.

#include <dcube/counts.hpp>

#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <string>
#include <string_view>

namespace dcube::detail {

// Of the nodes of one chunk; of all of them when added up.
class Notes {
public:
    static constexpr std::uint32_t no_phase = 0;

    // A node enters the phase of that name in `step`. Returns its number; empty: no_phase.
    std::uint32_t enter(std::string_view name, Step step);
    // A node that has entered it in step `first` leaves it before `step`, perhaps at once: then it spent no step in it.
    void leave(std::uint32_t phase, Step first, Step step);
    // Stays where it is until clear(). Empty for no_phase.
    [[nodiscard]] std::string_view name_of(std::uint32_t phase) const;

    void count(std::string_view name, std::uint64_t number);

    void add(const Notes& other);
    // What has been written of some of the nodes.
    void add(const Counts& counts);
    // Sorted: phases by their first step, counters by name.
    void write(Counts& counts) const;
    void clear();

private:
    void add(const Phase& phase);
    // Its number.
    std::uint32_t find_phase(std::string_view name, Step step);

    std::deque<Phase> phases_;  // phase n is in place n - 1
    std::map<std::string, std::uint32_t, std::less<>> phase_numbers_;
    std::map<std::string, std::uint64_t, std::less<>> counters_;
};

}  // namespace dcube::detail
