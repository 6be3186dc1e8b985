#include "inspect/view/words/gap.hpp"

#include "base/exact.hpp"
#include "inspect/view/words/titles.hpp"
#include "run/report.hpp"
#include "run/verdict.hpp"

#include <dcube/collective.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <string_view>

namespace dcube::view {

namespace {

// What the best known algorithm takes; none if there is none, or if its time is only known to be no more than that.
std::optional<Rational> amount_of(const BestKnown& best)
{
    if (best.time)
        return best.time->exact ? std::optional(best.time->ns) : std::nullopt;
    if (best.steps)
        return Rational{static_cast<std::int64_t>(*best.steps), 1};
    return std::nullopt;
}

// Whether it is a matrix of which every node has something for every other one, in one packet.
bool moves_all_pairs(const Recording& recording)
{
    if (!is_matrix(recording.problem.collective) || recording.problem.link.bound())
        return false;
    const Messages messages(recording.problem, recording.topology);
    const std::uint64_t members = recording.topology.members();
    const auto moves = [](const auto& pair) { return pair.first != pair.second; };
    return messages.pairs() == Pairs::all ||
           static_cast<std::uint64_t>(std::ranges::count_if(messages.list(), moves)) == members * (members - 1);
}

// What a total exchange takes, if it moves the same blocks.
std::optional<Rational> exchange_of_the_same(const Recording& recording)
{
    if (!moves_all_pairs(recording))
        return std::nullopt;
    return amount_of(best_known(blank_report(recording.topology, recording.ports, {Collective::all_to_all, 1})));
}

constexpr NodeId most_nodes_compared = 256;  // on larger networks it may take long to find the best

// Bounds ask for all that the collective demands.
bool bound_applies(const Recording& recording)
{
    return !recording.free && recording.judged && !recording.ending && recording.failing.empty() &&
           recording.lost.empty() && recording.transmissions > 0 && recording.topology.nodes() <= most_nodes_compared;
}

bool is_less(const Rational& a, const Rational& b)
{
    return detail::exact(a) < detail::exact(b);
}

}  // namespace

std::string gap_sentence(const Recording& recording)
{
    if (!bound_applies(recording))
        return {};
    const Rational takes = reached(recording);
    const Rational bound = lower_bound(recording);
    if (takes == bound)
        return {};
    const BestKnown best = best_known(
        recording.report ? *recording.report : blank_report(recording.topology, recording.ports, recording.problem));
    const std::optional<Rational> least = amount_of(best);
    const auto unproved = [&](const Rational& amount) {
        return fmt::format("nobody has proved that {} {} needed.", amount_text(recording, amount),
                           amount == Rational{1, 1} ? "is" : "are");
    };
    if (const auto exchange = exchange_of_the_same(recording);
        exchange && is_less(*exchange, least ? std::min(*least, takes, is_less) : takes))
        return fmt::format("A total exchange (dcube run all-to-all) moves the same blocks in {}, and {}",
                           amount_text(recording, *exchange), unproved(*exchange));
    if (!least || !is_less(*least, takes))
        return "Nothing better is known, and " + unproved(takes);
    // The same algorithm, where the run's number of groups or halvings is not the best.
    const bool is_same = recording.algorithm != nullptr && recording.algorithm->name == best.name;
    const std::string known = fmt::format("The best known, {}{}, takes {}", best.name, is_same ? " at its best" : "",
                                          amount_text(recording, *least));
    if (*least == bound)
        return fmt::format("{}: the {} there can be.", known, recording.problem.link.bound() ? "least" : "fewest");
    return fmt::format("{}; {}", known, unproved(*least));
}

}  // namespace dcube::view
