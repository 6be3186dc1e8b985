#include "algorithms/any_network/spread.hpp"

#include "algorithms/any_network/spread_try.hpp"
#include "base/arithmetic.hpp"

#include <algorithm>
#include <bit>
#include <utility>
#include <vector>

namespace dcube::detail {

namespace {

// Beyond that chains take longer than all else, and gain nothing: receivers have much to choose from.
constexpr std::uint64_t most_packets_with_chains = 700;
constexpr std::uint64_t most_work_on_chains = 1'000'000'000;
constexpr std::uint64_t most_work_on_seeds = 500'000'000;

struct TryWork {
    std::uint64_t plain;   // of a try
    std::uint64_t chains;  // of all chains in a try
};

// Every packet goes to every node: it is looked for among words of 64 packets, and told to the neighbours. Chains are
// measured over all arcs for every packet in every step.
TryWork work_of_try(std::uint64_t nodes, std::uint64_t arcs, PortModel ports, std::uint64_t packets)
{
    const std::uint64_t degree = ceil_div(arcs, nodes);
    const std::uint64_t words = ceil_div(packets, 64);
    const std::uint64_t steps = (ports == PortModel::all ? packets / std::max<std::uint64_t>(degree, 1) : packets) +
                                static_cast<std::uint64_t>(std::bit_width(nodes));
    return {packets * nodes * (degree + 8) * (words + 8), 2 * steps * packets * arcs};
}

// How the tries of a spread differ.
struct SpreadTries {
    unsigned seeds;
    std::vector<unsigned> chain_tenths;
};

SpreadTries tries(std::uint64_t nodes, std::uint64_t arcs, PortModel ports, std::uint64_t packets,
                  const SpreadEffort& effort)
{
    const TryWork work = work_of_try(nodes, arcs, ports, packets);
    SpreadTries all{effort.seeds, {0}};
    if (packets <= most_packets_with_chains && work.chains <= most_work_on_chains)
        all.chain_tenths = {0, 10, 1};
    if (effort.seeds == 0 && packets == 1)
        all.seeds = 200;
    else if (effort.seeds == 0)
        all.seeds = static_cast<unsigned>(std::clamp<std::uint64_t>(most_work_on_seeds / (work.plain + 1), 1, 16));
    return all;
}

// At least so many steps are left.
std::uint64_t steps_left(const SpreadState& state, PortModel ports)
{
    const Arcs& arcs = state.arcs();
    std::uint64_t most = 0;
    for (const NodeId node : arcs.members())
        most = std::max<std::uint64_t>(
            most, ceil_div(state.missing(node), ports == PortModel::all ? arcs.degree(node) : ArcId{1}));
    return most;
}

std::optional<Spread> one_try(SpreadTry attempt, PortModel ports, Step below)
{
    PlanSpreadStep* const plan_step = ports == PortModel::all ? plan_on_all_ports : plan_on_one_port;
    SpreadState& state = attempt.state;
    Spread found;
    found.moves.reserve(state.missing());
    while (state.missing() > 0) {
        if (found.steps + steps_left(state, ports) >= below)
            return std::nullopt;
        const std::size_t first = found.moves.size();
        attempt.tell();
        attempt.begin_step();
        plan_step(attempt, ++found.steps, found.moves);
        if (found.moves.size() == first)
            return std::nullopt;  // some nodes cannot be reached
        for (std::size_t i = first; i < found.moves.size(); ++i)
            state.arrive(state.arcs().to(found.moves[i].arc), found.moves[i].packet);
    }
    return found;
}

}  // namespace

std::optional<Spread> spread(const Arcs& arcs, PortModel ports, std::span<const std::vector<NodeId>> holders,
                             Step bound, Step below, SpreadEffort effort)
{
    const SpreadState start(arcs, holders);
    const SpreadTries all = tries(arcs.members().size(), arcs.size(), ports, holders.size(), effort);
    SpreadTurn turn{0, all.seeds * static_cast<unsigned>(all.chain_tenths.size())};
    std::optional<Spread> best;
    for (unsigned seed = 0; seed < all.seeds; ++seed)
        for (const unsigned tenths : all.chain_tenths) {
            std::optional<Spread> found = one_try(SpreadTry(start, turn, seed, tenths), ports, below);
            ++turn.number;
            if (!found)
                continue;
            below = found->steps;
            best = std::move(found);
            if (below <= bound)
                return best;
        }
    return best;
}

std::uint64_t spread_work(std::uint64_t nodes, std::uint64_t arcs, PortModel ports, std::uint64_t packets,
                          SpreadEffort effort)
{
    const TryWork work = work_of_try(nodes, arcs, ports, packets);
    const SpreadTries all = tries(nodes, arcs, ports, packets, effort);
    return all.seeds * (all.chain_tenths.size() * work.plain + (all.chain_tenths.size() - 1) * work.chains);
}

}  // namespace dcube::detail
