// two-kinds: every block is summed up at the node of its number and spread from there, half of them a step earlier than
// the others. dcube's; d-cubes of N nodes with 2 rho <= d, rho = (N-1) mod d: d = 5, 6, 7, 10 to 14; up to N blocks,
// q = ceil((N-1)/d).
//
// Steps: 2q - 1. Transmissions: 2m(N-1). Both are optimal for m = N. Planning: the search for a table of 2(N-1) links
// (two_kinds_table.cpp), which says how block 0, of kind A, spreads from node 0, and block 1, of kind B, from node 1.
//
// S = {0, .., s-1}, s even, s/2 >= rho and d - s >= rho. The class of a node is the parity of its bits in S; the blocks
// of class 0 are of kind A, the others of kind B. sigma swaps ports k and k + s/2 for k < s/2. A link (t, X, x, k) of
// the table, with y = x ^ 2^k, R = 0 if X is A, else 1, and Z the other kind, says for every r of class 0:
//   step q + t: x ^ r sends the whole sum of block R ^ r to y ^ r;
//   step q - t: f(y) ^ r sends its sum of block R ^ 1 ^ r to f(x) ^ r, which adds it; f(x) = sigma(x ^ R) ^ R ^ 1.
// So kind A is gathered while the mirror image of kind B's spreading runs backwards, and the other way round. A begins
// to spread at t = 0, with fewer than all ports, and B at t = 1, so both together take 2q - 1 steps.
//
// No link is used twice, because translations by r of class 0 keep the class of a link's start, f maps slots (class of
// the start, port) one to one, and the table uses each slot of a step at most once. In step q kind A uses (0, k) for k
// in K_A = {0..s/2-1} + {s..d-1}, and kind B the mirrored slots, which differ. d = 6 has no such S: there S is all
// bits, sigma swaps k and k + 3, kind A begins at t = -1 and kind B at t = 2, and what A leaves free at t = -1, 0, 1 is
// what the mirror image of 1, 0, -1 takes.

#include "algorithms/beyond/cubes/all_reduce_two_kinds.hpp"

#include "algorithms/families.hpp"
#include "algorithms/formulas.hpp"
#include "algorithms/programs/cube.hpp"
#include "algorithms/programs/entry.hpp"
#include "algorithms/programs/phases.hpp"
#include "base/arithmetic.hpp"
#include "base/memo.hpp"
#include "emu/arrival_times.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <memory>
#include <tuple>
#include <utility>

namespace dcube::detail {

std::optional<Kinds> Kinds::of(unsigned d)
{
    if (d < 5 || d > 14)
        return std::nullopt;
    const unsigned rho = (bit(d) - 1) % d;
    Kinds kinds{d, 0, static_cast<int>(ceil_div(bit(d) - 1, d))};
    if (d == 6) {
        kinds.s = d;
        kinds.first = -1;
        kinds.together = 2;
        return kinds;
    }
    const auto room = [d](unsigned bits) { return std::min(bits / 2, d - bits); };
    for (unsigned s = 2; s < d; s += 2)
        if (room(s) > (kinds.s == 0 ? 0 : room(kinds.s)))
            kinds.s = s;
    return room(kinds.s) < rho ? std::nullopt : std::optional(kinds);
}

unsigned Kinds::class_of(NodeId node) const
{
    return static_cast<unsigned>(std::popcount(node & (bit(s) - 1))) & 1;
}

Port Kinds::turned_port(Port k) const
{
    return k >= s ? k : (k + s / 2) % s;
}

NodeId Kinds::turned(NodeId label) const
{
    const NodeId low = bit(s / 2) - 1;
    return (label & ~(bit(s) - 1)) | (label & low) << s / 2 | (label >> s / 2 & low);
}

NodeId Kinds::mirrored(Kind kind, NodeId label) const
{
    return turned(label ^ home(kind)) ^ home(other(kind));
}

namespace {

// The events at the nodes of a class, with the blocks' names as seen from node 0.
struct KindEvent {
    Step step;  // by the clock: a packet is received in the step after it was sent
    bool is_send;
    Port port;
    NodeId block;
    Arrival arrival;
};

std::array<std::vector<KindEvent>, 2> kind_events(const Kinds& kinds, const KindTable& table)
{
    std::array<std::vector<KindEvent>, 2> events;
    const auto pass = [&](Step step, NodeId from, NodeId to, Port port, NodeId block, Arrival arrival) {
        events[kinds.class_of(from)].push_back({step, true, port, from ^ block, arrival});
        events[kinds.class_of(to)].push_back({step + 1, false, port, to ^ block, arrival});
    };
    for (const auto& [t, kind, x, k] : table) {
        const NodeId y = x ^ bit(k);
        pass(static_cast<Step>(kinds.q + t), x, y, k, home(kind), Arrival::kept);
        pass(static_cast<Step>(kinds.q - t), kinds.mirrored(kind, y), kinds.mirrored(kind, x), kinds.turned_port(k),
             home(other(kind)), Arrival::added);
    }
    for (std::vector<KindEvent>& of_class : events)
        std::ranges::sort(of_class, {}, [](const KindEvent& e) { return std::tuple(e.step, e.is_send, e.port); });
    return events;
}

// A sum lies in the output from the first addition on, before that in the input.
Script::Action kind_action(const KindEvent& event, std::vector<bool>& begun)
{
    using enum Script::Action::Kind;
    Script::Action action{.block = event.block,
                          .index = 0,
                          .own = 0,
                          .port = static_cast<std::uint16_t>(event.port),
                          .kind = event.is_send ? send : keep,
                          .place = Script::Place::output_block,
                          .from_input = false};
    if (event.arrival == Arrival::kept)
        return action;
    if (!event.is_send)
        action.kind = begun[event.block] ? add : begin_sum;
    else if (!begun[event.block])
        action.place = Script::Place::input_block;
    begun[event.block] = begun[event.block] || !event.is_send;
    return action;
}

}  // namespace

KindScripts::KindScripts(const Kinds& kinds, const KindTable& table)
{
    const std::array<std::vector<KindEvent>, 2> events = kind_events(kinds, table);
    for (const std::size_t of_class : {0U, 1U}) {
        std::vector<bool> begun(bit(kinds.d));
        std::vector<Script::Action>& actions = actions_[of_class];
        Step step = 0;
        for (const KindEvent& event : events[of_class]) {
            if (event.step != std::exchange(step, event.step))
                stages_[of_class].push_back({event.step, static_cast<std::uint32_t>(actions.size())});
            actions.push_back(kind_action(event, begun));
        }
    }
}

namespace {

std::shared_ptr<const KindScripts> scripts_for(const Kinds& kinds)
{
    static Memo<unsigned, KindScripts> kept(4);
    return kept.get(kinds.d, [&] { return KindScripts(kinds, two_kinds_table(kinds)); });
}

Task two_kinds(Node& me, const Kinds& kinds, const KindScripts& scripts, const Problem& problem, NodeData data)
{
    using enum Script::Place;
    const std::size_t bytes = problem.bytes;
    auto* const in = const_cast<std::byte*>(data.input.data());  // is only sent from
    ArrivalTimes since(me);
    Regions regions{.bytes = bytes, .origin = me.id(), .combine = combiner(problem), .since = &since};
    regions[input_block] = {in, data.input.size(), bytes, data.input.size()};
    regions[output_block] = {data.output.data(), data.output.size(), bytes, data.output.size()};
    const Script script = scripts.script(kinds.class_of(me.id()));
    co_await follow(me, script, regions);
}

std::string two_kinds_obstacle(const Topology& topology, const Problem& problem)
{
    if (!Kinds::of(topology.dimension()))
        return "it is for dimensions 5, 6, 7 and 10 to 14";
    if (problem.packets < 2 || problem.packets > topology.nodes())
        return fmt::format("it is for vectors of 2 to N = {} blocks", topology.nodes());
    return {};
}

Phases two_kinds_phases(const Topology& topology, const Problem& problem)
{
    const Kinds kinds = *Kinds::of(topology.dimension());
    const auto number = [](std::int64_t step) { return static_cast<Step>(step); };
    const Step a = number(kinds.q + kinds.first);
    const Step b = number(kinds.q + kinds.together);
    const Step end = number(2 * kinds.q - 1);
    const std::string half = fmt::format("Of {} blocks, those whose number has an {{}} number of 1s in its lowest {} "
                                         "bits {{}}.",
                                         problem.packets, kinds.s);
    const auto phase = [&](Step first, Step last, std::string_view name, std::string_view parity,
                           std::string_view sentence) {
        return AlgorithmPhase{first, last, std::string(name), fmt::format(fmt::runtime(half), parity, sentence)};
    };
    return {
        phase(1, a - 1, "kind A: gathered", "even", "are summed up, each at the node of its number"),
        phase(1, b - 1, "kind B: gathered", "odd", "are summed up, each at the node of its number"),
        phase(a, end, "kind A: spread", "even", "are whole by then, and spread to all nodes"),
        phase(b, end, "kind B: spread", "odd", "are whole by then, and spread to all nodes"),
    };
}

}  // namespace

std::vector<Entry> two_kinds_family()
{
    return {costed_by_formula(
        {{.collective = Collective::all_reduce,
          .name = "two-kinds",
          .same_bits = true,
          .obstacle = two_kinds_obstacle,
          .storage =
              [](const Topology& topology, const Problem&) {
                  // Both ends of four hops per link of a table, half of that as links and events while it is made.
                  return topology.nodes() * std::uint64_t{16} * sizeof(Script::Action);
              },
          .prepare = [](const Topology& topology, const Problem& problem) -> CollectiveProgram {
              const Kinds kinds = *Kinds::of(topology.dimension());
              return [kinds, scripts = scripts_for(kinds), problem](Node& me, NodeData data) {
                  return two_kinds(me, kinds, *scripts, problem, data);
              };
          }},
         {.paper = "Bertsekas et al. 1991, section 2 (its all-gather)",
          .origin = Origin::dcube,
          .summary = "two tables gather and spread the blocks, one of them a step ahead of the other",
          .idea =
              "Reduce-scatter followed by all-gather leaves ports idle twice. So blocks of two kinds overlap: each "
              "block is summed up at its own node, but one kind begins to spread a step before the other is "
              "gathered. The gathering of each kind is the mirror image of the other's spreading, with some ports "
              "swapped, so that the step in which both happen uses different ports. Links fall in two halves by the "
              "parity of some bits of their start, and the table uses each (step, half, port) at most once.",
          .formula = {.steps = "2 ceil((N - 1)/d) - 1", .transmissions = "2 m (N - 1)"},
          .paper_note = "That and its reverse take 2 ceil((N - 1)/d) steps for N blocks. This takes one less, which is "
                        "the bound, where 2 ((N - 1) mod d) is at most d.",
          .planning_work = [](const Topology& topology,
                              const Problem&) { return std::uint64_t{400} * topology.nodes() * topology.dimension(); },
          .phases = two_kinds_phases}})};
}

}  // namespace dcube::detail
