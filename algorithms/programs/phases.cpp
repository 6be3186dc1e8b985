#include "algorithms/programs/phases.hpp"

#include "algorithms/programs/link_costs.hpp"
#include "base/names.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace dcube::detail {

Direction direction_of(Collective collective)
{
    return is_reversed(collective) ? Direction::backwards : Direction::forwards;
}

std::string sentence_of_part(std::string whole, std::string sentence)
{
    return fmt::format("{}: {}", with_capital(std::move(whole)), without_capital(std::move(sentence)));
}

std::string parts_in_turn(unsigned k, unsigned d)
{
    std::string text;
    for (unsigned part = 0; part < std::min(d, 2U); ++part)
        text += fmt::format("{}part {} over dimension {}", part == 0 ? "" : ", ", part + 1, (k + part) % d);
    return text + (d > 2 ? " and so on" : "");
}

std::string nodes_at(unsigned distance, unsigned d)
{
    const Integer nodes = choose(d, distance);
    return nodes == 1 ? fmt::format("the node at distance {}", distance)
                      : fmt::format("the {} nodes at distance {}", nodes.str(), distance);
}

PhaseText text_of_dimension(unsigned dimension, std::string sentence)
{
    return {fmt::format("dimension {}", dimension), std::move(sentence), dimension};
}

PhaseLine& PhaseLine::add(std::uint64_t steps, PhaseText text)
{
    if (steps != 0)
        phases_.push_back({steps_ + 1, static_cast<Step>(steps_ + steps), std::move(text.name),
                           std::move(text.sentence), text.dimension});
    steps_ += static_cast<Step>(steps);
    return *this;
}

Phases whole_run(std::uint64_t steps, PhaseText text)
{
    return PhaseLine().add(steps, std::move(text)).take();
}

Phases numbered_phases(std::uint64_t count, std::uint64_t steps, const TextOf& text, const PhaseText& of_all)
{
    if (count > most_phases / 2)
        return whole_run(count * steps, of_all);
    PhaseLine line;
    for (std::uint64_t number = 0; number < count; ++number)
        line.add(steps, text(number));
    return line.take();
}

Phases followed_by(Phases a, std::uint64_t steps, const Phases& b)
{
    for (const AlgorithmPhase& phase : b) {
        a.push_back(phase);
        a.back().first += static_cast<Step>(steps);
        a.back().last += static_cast<Step>(steps);
    }
    return a;
}

Phases part_of(std::string_view whole, Phases phases)
{
    for (AlgorithmPhase& phase : phases) {
        phase.name = fmt::format("{}: {}", whole, phase.name);
        phase.sentence = sentence_of_part(std::string(whole), std::move(phase.sentence));
    }
    return phases;
}

Phases mirrored(Phases phases, std::uint64_t steps)
{
    const auto after = static_cast<Step>(steps + 1);
    for (AlgorithmPhase& phase : phases)
        phase.first = after - std::exchange(phase.last, after - phase.first);
    std::ranges::reverse(phases);
    return in_order(std::move(phases));
}

Phases within(Phases phases, std::uint64_t steps)
{
    std::erase_if(phases, [steps](const AlgorithmPhase& phase) { return phase.first > steps; });
    for (AlgorithmPhase& phase : phases)
        phase.last = std::min(phase.last, static_cast<Step>(steps));
    return phases;
}

Phases in_order(Phases phases)
{
    std::ranges::stable_sort(phases, {}, &AlgorithmPhase::first);
    return phases;
}

Phases in_rounds(std::uint64_t rounds, std::uint64_t steps, const std::function<std::string(std::uint64_t)>& name,
                 const std::function<Phases(std::uint64_t)>& phases)
{
    if (rounds == 0 || steps == 0)
        return {};
    Phases first = phases(0);
    if (rounds == 1)
        return first;
    if (rounds * first.size() > most_phases)
        return numbered_phases(
            rounds, steps,
            [&](std::uint64_t round) {
                return PhaseText{name(round), sentence_of_part(name(round), fmt::format("the whole algorithm, in {}.",
                                                                                        counted(steps, "step")))};
            },
            {fmt::format("{} rounds", rounds),
             fmt::format("The algorithm is carried out {} times, each time in {}, from {} to {}.", rounds,
                         counted(steps, "step"), name(0), name(rounds - 1))});
    Phases all;
    for (std::uint64_t round = 0; round < rounds; ++round)
        all = followed_by(std::move(all), round * steps, part_of(name(round), phases(round)));
    return all;
}

Phases once_a_packet(std::uint64_t packets, std::uint64_t steps, const Phases& phases)
{
    return in_rounds(
        packets, steps, [](std::uint64_t round) { return fmt::format("packet {}", round + 1); },
        [&](std::uint64_t) { return phases; });
}

Phases doubling_phases(unsigned d)
{
    PhaseLine line;
    for (unsigned k = 0; k < d; ++k)
        line.add(
            1, text_of_dimension(
                   k, k == 0 ? "The root sends the message over dimension 0, so that 2 nodes have it."
                             : fmt::format("Each of the {} nodes that have the message sends it over dimension {}, so "
                                           "that {} have it.",
                                           std::uint64_t{1} << k, k, std::uint64_t{2} << k)));
    return line.take();
}

}  // namespace dcube::detail
