// The entries of scan.cpp and scan_up_down.cpp, with their costs and phases.

#include "algorithms/beyond/cubes/scan.hpp"

#include "algorithms/families.hpp"
#include "algorithms/formulas.hpp"
#include "algorithms/programs/phases.hpp"
#include "base/arithmetic.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <string>
#include <utility>

namespace dcube::detail {

namespace {

// ---- Halvings, an exchange, doublings ----

unsigned halvings_of(const Topology& topology, const Problem& problem)
{
    const unsigned d = topology.dimension();
    return problem.tuning.halvings ? std::min(d, *problem.tuning.halvings) : best_halvings(d, problem.packets);
}

unsigned no_halvings(const Topology&, const Problem&)
{
    return 0;
}

Phases scan_halving_phases(unsigned d, unsigned q, std::uint64_t blocks)
{
    PhaseLine line;
    const auto round = [&](unsigned k) { return ceil_div(blocks, std::uint64_t{1} << k); };
    for (unsigned k = 0; k < q; ++k)
        line.add(round(k + 1),
                 {fmt::format("halving {}", k + 1),
                  fmt::format("Partners across dimension {} give each other the sums of half of the blocks that they "
                              "answer for: each goes on with 1/{} of all blocks, and notes the lower one's sums.",
                              k, bit(k + 1))});
    for (unsigned k = q; k < d; ++k)
        line.add(round(q), text_of_dimension(
                               k, fmt::format("Partners across dimension {} swap the sums of {} that they answer for: "
                                              "the lower one's precedes the higher one, and stands in front.",
                                              k, round(q) == 1 ? "the block" : "all blocks")));
    for (unsigned k = q; k-- > 0;)
        line.add(
            round(k + 1),
            {fmt::format("doubling {}", q - k),
             fmt::format("Partners across dimension {} tell each other what precedes the other's subcube: each knows "
                         "it for {} of the blocks.",
                         k, k == 0 ? "all" : fmt::format("1/{}", bit(k)))});
    return line.take();
}

// "2 (ceil(m/2) + ceil(m/2^2)) + (d - q) ceil(m/2^q)"
std::optional<CaseFormula> halving_formula(unsigned q)
{
    std::string halves;
    for (unsigned k = 1; k <= q; ++k)
        halves += fmt::format("{}ceil(m/2^{})", k == 1 ? "" : " + ", k);
    const std::string halvings = q == 0 ? "" : fmt::format("2 ({}) + ", halves);
    return CaseFormula{.text = halvings + "(d - q) ceil(m/2^q)", .letters = {{"q", q}}};
}

using Halvings = unsigned (*)(const Topology&, const Problem&);

Entry scan_halving_entry(Entry head, Halvings halvings)
{
    head.ports = PortModel::one;
    head.keeps_order = true;
    head.origin = Origin::dcube;
    head.paper_note = "None of the papers has a scan.";
    if (!head.formula.steps.empty())
        head = costed_by_formula(std::move(head));
    else
        head.cost = [halvings](const Topology& topology, const Problem& problem) {
            return halving_cost(topology.dimension(), halvings(topology, problem), problem.packets);
        };
    head.storage = [](const Topology& topology, const Problem& problem) {
        return topology.nodes() * 4 * (std::uint64_t{problem.packets} + topology.dimension()) * problem.bytes;
    };
    head.phases = [halvings](const Topology& topology, const Problem& problem) {
        return scan_halving_phases(topology.dimension(), halvings(topology, problem), problem.packets);
    };
    head.prepare = [halvings](const Topology& topology, const Problem& problem) -> CollectiveProgram {
        return [q = halvings(topology, problem), problem](Node& me, NodeData data) {
            return scan_halving(me, q, problem, data);
        };
    };
    return head;
}

Entry exchange_one_port_entry(Collective collective)
{
    return scan_halving_entry(
        {{.collective = collective, .name = "exchange-one-port"},
         {.paper = "textbook: dimension by dimension",
          .summary = "partners swap the sums of their subcubes, dimension by dimension",
          .idea = "Partners across dimension 0, 1, .. swap the sums of their subcubes, whose nodes have consecutive "
                  "ids: the lower one's precedes the higher one, and stands in front of its sum. All blocks cross a "
                  "dimension before the next one. The sum of a subcube after which no node comes is not sent.",
          .formula = {.steps = "m d", .transmissions = "m (N (d - 1) + 1)"}}},
        no_halvings);
}

Entry scan_halving_doubling_entry(Collective collective)
{
    return scan_halving_entry(
        {{.collective = collective, .name = "halving-doubling"},
         {.paper = "textbook: halving and doubling",
          .summary = "q halvings as in an all-reduce, an exchange of what is left, q doublings with what comes before",
          .idea =
              "Partners split the blocks that they answer for, give each other the sums of the other half, and note "
              "the lower one's. After q halvings they swap the sums of what is left. Then they tell each other what "
              "precedes the other's subcube, which is all that a node needs of the blocks that it gave away.",
          .formula = {.words =
                          "2 (ceil(m/2) + .. + ceil(m/2^q)) + (d - q) ceil(m/2^q) steps for the best q; if N divides "
                          "m, 2 m (N - 1)/N steps and m (2 (N - 1) - d) transmissions"},
          .tunable = {.halvings = true},
          .case_formula = [](const Topology& topology, const Problem& problem) -> std::optional<CaseFormula> {
              if (topology.nodes() == 1)
                  return std::nullopt;
              return halving_formula(halvings_of(topology, problem));
          }}},
        halvings_of);
}

// ---- Up and down ----

Phases up_down_phases(const Topology& topology, const Problem& problem)
{
    const unsigned d = topology.dimension();
    if (d == 0)
        return {};
    const std::uint64_t m = problem.packets;
    const auto last_up = static_cast<Step>(ceil_div(m, std::uint64_t{2}) + d - 1);
    Phases phases{
        {1, last_up, "up",
         fmt::format("Sums of ever larger subcubes go up two trees, those of odd blocks to node {} and those of "
                     "even ones to node {}.",
                     bit(d) - 1, (bit(d) - 1) ^ 1),
         std::nullopt}};
    if (const Step first = first_step_down(d, m); first > 0)
        phases.push_back({first, static_cast<Step>(up_down_cost(d, m).steps), "down",
                          "What precedes a subcube goes down the same trees, and to a higher half with the sum of the "
                          "lower one.",
                          std::nullopt});
    return phases;
}

Entry up_down_entry(Collective collective)
{
    Entry head{
        {.collective = collective, .name = "up-down", .keeps_order = true},
        {.paper = "textbook: sums up a tree and prefixes down",
         .origin = Origin::dcube,
         .summary = "sums go up two trees, what precedes a subcube goes down; optimal from 4d - 4 blocks on",
         .idea = "The sums of subcubes go up a tree, and what precedes each subcube comes down it: two packets a link, "
                 "where an exchange has d for every node. Odd blocks go up to the last node, even ones to the last but "
                 "one, so they use different links, and block follows block without a pause.",
         .formula = {.steps = "max(m, ceil(m/2) + 2 d - 2)", .transmissions = "m (2 (N - 1) - d)"},
         .paper_note =
             "None of the papers has a scan. That sums go up a tree and prefixes down is well known; the two "
             "trees that share no link, and the proof that from 4d - 4 blocks on nothing is faster, are dcube's "
             "(docs/optimality.md).",
         .phases = up_down_phases}};
    head = costed_by_formula(std::move(head));
    head.storage = [](const Topology& topology, const Problem& problem) {
        return std::uint64_t{2} * topology.nodes() * problem.packets * problem.bytes;
    };
    head.prepare = [](const Topology&, const Problem& problem) -> CollectiveProgram {
        return [problem](Node& me, NodeData data) { return scan_up_down(me, problem, data); };
    };
    return cutting_scan(std::move(head), up_down_moves);
}

}  // namespace

std::vector<Entry> scan_family()
{
    std::vector<Entry> family;
    for (const Collective collective : {Collective::scan, Collective::exscan})
        for (const auto entry : {exchange_one_port_entry, scan_halving_doubling_entry, up_down_entry})
            family.push_back(entry(collective));
    return family;
}

}  // namespace dcube::detail
