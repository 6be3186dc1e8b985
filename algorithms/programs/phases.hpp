#pragma once
// How algorithms describe their phases (AlgorithmPhase): what several of them have in common. The sentences are for
// people who watch a run, so a time line holds at most most_phases; an algorithm with more phases lists coarser ones.

#include "base/numbers.hpp"

#include <dcube/catalogue.hpp>

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace dcube::detail {

using Phases = std::vector<AlgorithmPhase>;

inline constexpr std::uint64_t most_phases = 64;

// The direction in which a schedule is carried out.
enum class Direction : std::uint8_t { forwards, backwards };
Direction direction_of(Collective collective);

// "part 1 over dimension 2, part 2 over dimension 0 and so on": each of d parts over a dimension of its own.
std::string parts_in_turn(unsigned k, unsigned d);

// "the node at distance 3", "the 6 nodes at distance 2": of a d-cube, from any node.
std::string nodes_at(unsigned distance, unsigned d);

struct PhaseText {
    std::string name;
    std::string sentence;
    std::optional<unsigned> dimension{};  // as in AlgorithmPhase
};
// Named after the dimension of a hypercube whose links alone are used.
PhaseText text_of_dimension(unsigned dimension, std::string sentence);

using TextOf = std::function<PhaseText(std::uint64_t number)>;

// Phases one after the other, each of the given number of steps; those of no steps are left out.
class PhaseLine {
public:
    PhaseLine& add(std::uint64_t steps, PhaseText text);
    [[nodiscard]] Phases take() { return std::move(phases_); }

private:
    Phases phases_;
    Step steps_ = 0;
};

// One for all steps; none if there are no steps.
Phases whole_run(std::uint64_t steps, PhaseText text);

// `count` phases of `steps` steps, numbered from 0 on; one of all steps if they would fill more than half of a time
// line.
Phases numbered_phases(std::uint64_t count, std::uint64_t steps, const TextOf& text, const PhaseText& of_all);

// Phases a, and b after the `steps` steps that a takes.
Phases followed_by(Phases a, std::uint64_t steps, const Phases& b);

// "packet 2" and "Partners swap .." become "Packet 2: partners swap ..".
std::string sentence_of_part(std::string whole, std::string sentence);
// The name of what they are part of goes before their own.
Phases part_of(std::string_view whole, Phases phases);

// The phases backwards in time: the last of `steps` steps comes first. The sentences must already be worded for that.
Phases mirrored(Phases phases, std::uint64_t steps);

// The part within the first `steps` steps: with short messages the last packets may be empty, and those are not sent.
Phases within(Phases phases, std::uint64_t steps);

// The phases by their first steps.
Phases in_order(Phases phases);

// The same phases once for each of `rounds` rounds of `steps` steps, such as "packet 2"; coarser where they are many.
Phases in_rounds(std::uint64_t rounds, std::uint64_t steps, const std::function<std::string(std::uint64_t)>& name,
                 const std::function<Phases(std::uint64_t)>& phases);

// Exchanges of `steps` steps that are made once for every packet of a message.
Phases once_a_packet(std::uint64_t packets, std::uint64_t steps, const Phases& phases);

// A message doubles its holders in a d-cube, dimension by dimension, from the root on.
Phases doubling_phases(unsigned d);

}  // namespace dcube::detail
