#include "algorithms/beyond/any_network/spread.hpp"

#include "algorithms/beyond/any_network/spread_try.hpp"
#include "base/arithmetic.hpp"
#include "base/sizes.hpp"

#include <algorithm>
#include <bit>
#include <utility>

namespace dcube::detail {

namespace {

// Beyond that chains take longer than all else, and gain nothing: receivers have much to choose from.
constexpr std::uint64_t most_packets_with_chains = 700;
constexpr std::uint64_t most_work_on_tries = 1'500'000'000;

struct TryWork {
    std::uint64_t plain;   // per try
    std::uint64_t chains;  // all chains of a try
};

// The work of a try in nanoseconds, accurate to a factor of four, as measured on networks of 10 to 1024 nodes with up
// to 64000 packets: every packet goes to every node, is looked for among the words of 64 packets that neighbours have,
// and is announced to the neighbours. Chains are measured over all arcs for every packet in every step.
TryWork work_of_try(std::uint64_t nodes, std::uint64_t arcs, PortModel ports, std::uint64_t packets)
{
    const std::uint64_t degree = ceil_div(arcs, std::max<std::uint64_t>(nodes, 1));
    const std::uint64_t words = ceil_div(packets, 64);
    const auto doublings = static_cast<std::uint64_t>(std::bit_width(nodes));
    if (ports == PortModel::one)
        return {packets * nodes * (600 + 65 * degree + 15 * words), 5 * (packets + doublings) * packets * arcs};
    const std::uint64_t steps = packets / std::max<std::uint64_t>(degree, 1) + doublings;
    return {packets * nodes * (250 + 8 * degree + 10 * words), 5 * steps * packets * arcs};
}

// The differences between the tries of a spread.
struct SpreadTries {
    unsigned seeds;
    std::vector<unsigned> chain_tenths;
    std::uint64_t work;  // all tries together
};

SpreadTries tries(std::uint64_t nodes, std::uint64_t arcs, PortModel ports, std::uint64_t packets,
                  const SpreadEffort& effort)
{
    const TryWork work = work_of_try(nodes, arcs, ports, packets);
    const std::uint64_t with_chains = 3 * work.plain + 2 * work.chains;
    const bool has_chains = packets <= most_packets_with_chains && with_chains <= most_work_on_tries;
    const std::uint64_t of_seed = has_chains ? with_chains : work.plain;
    const std::uint64_t suitable =
        std::clamp<std::uint64_t>(most_work_on_tries / (of_seed + 1), 1, packets == 1 ? 200 : 16);
    const unsigned seeds = effort.seeds == 0 ? static_cast<unsigned>(suitable) : effort.seeds;
    return {seeds, has_chains ? std::vector{0U, 10U, 1U} : std::vector{0U}, seeds * of_seed};
}

// A lower bound on the steps that are left.
std::uint64_t steps_left(const SpreadState& state, PortModel ports)
{
    const Arcs& arcs = state.arcs();
    std::uint64_t most = 0;
    for (const NodeId node : arcs.members())
        most = std::max<std::uint64_t>(
            most, ceil_div(state.missing(node), ports == PortModel::all ? arcs.degree(node) : ArcId{1}));
    return most;
}

std::optional<MovePlan> one_try(SpreadTry attempt, PortModel ports, Step below)
{
    PlanSpreadStep* const plan_step = ports == PortModel::all ? plan_on_all_ports : plan_on_one_port;
    SpreadState& state = attempt.state;
    MovePlan found;
    found.moves.reserve(allocatable(state.missing()));
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

std::optional<MovePlan> spread(const Arcs& arcs, PortModel ports, std::span<const std::vector<NodeId>> holders,
                               Step bound, Step below, SpreadEffort effort)
{
    const SpreadState start(arcs, holders);
    const SpreadTries all = tries(arcs.members().size(), arcs.size(), ports, holders.size(), effort);
    SpreadTurn turn{0, all.seeds * static_cast<unsigned>(all.chain_tenths.size())};
    std::optional<MovePlan> best;
    for (unsigned seed = 0; seed < all.seeds; ++seed)
        for (const unsigned tenths : all.chain_tenths) {
            std::optional<MovePlan> found = one_try(SpreadTry(start, turn, seed, tenths), ports, below);
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
    return tries(nodes, arcs, ports, packets, effort).work;
}

}  // namespace dcube::detail
