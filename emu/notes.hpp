#pragma once
// Notes: a program's remarks about its own run: the phase it is in, and its counters.

#include <dcube/counts.hpp>

#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace dcube::detail {

// The notes of one chunk's nodes; of all nodes when added up.
class Notes {
public:
    // The stay of a node that has been in no phase.
    static constexpr std::uint32_t no_stay = 0;

    // The node with that stay leaves its phase before `step`, and enters the one of that name (none if empty). Returns
    // the number of its stay, which it keeps.
    std::uint32_t enter(std::uint32_t stay, std::string_view name, Step step);
    // It leaves its phase before `step`, perhaps in the step in which it has entered it: then it spent no step in it.
    void leave(std::uint32_t stay, Step step);
    // The name of its phase, empty if it is in none. Lies where it is until clear().
    [[nodiscard]] std::string_view name_of(std::uint32_t stay) const;

    void count(std::string_view name, std::uint64_t number);

    void add(const Notes& other);
    // Adds what has been written about other nodes.
    void add(const Counts& counts);
    // Writes them sorted: phases by their first step, counters by name.
    void write(Counts& counts) const;
    void clear();

private:
    static constexpr std::uint32_t no_phase = 0;

    // The phase that a node is in, and the step in which it entered it.
    struct Stay {
        std::uint32_t phase;
        Step first;
    };

    void add(const Phase& phase);
    // Its number.
    std::uint32_t find_phase(std::string_view name, Step step);

    std::deque<Phase> phases_;  // phase n is in place n - 1
    std::vector<Stay> stays_;   // and stay n, too
    std::map<std::string, std::uint32_t, std::less<>> phase_numbers_;
    std::map<std::string, std::uint64_t, std::less<>> counters_;
};

}  // namespace dcube::detail
