#include "inspect/view/words/gap.hpp"

#include "base/exact.hpp"
#include "inspect/view/words/titles.hpp"
#include "run/report.hpp"
#include "run/verdict.hpp"

#include <fmt/format.h>

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
    if (!least || !is_less(*least, takes))
        return "Nothing better is known, and " + unproved(takes);
    const std::string known = fmt::format("The best known, {}, takes {}", best.name, amount_text(recording, *least));
    if (*least == bound)
        return fmt::format("{}: the {} there can be.", known, recording.problem.link.bound() ? "least" : "fewest");
    return fmt::format("{}; {}", known, unproved(*least));
}

}  // namespace dcube::view
