// The entries of broadcast.cpp, with their costs and phases.

#include "algorithms/papers/stout_wagar/broadcast.hpp"

#include "algorithms/families.hpp"
#include "algorithms/formulas.hpp"
#include "algorithms/programs/cube.hpp"
#include "algorithms/programs/entry.hpp"

#include <fmt/format.h>

#include <string>
#include <utility>

namespace dcube::detail {

namespace {

// Phases of the broadcasts, of edge-disjoint-trees, and of the reduction that is one of them backwards. |n| of the
// rules is a node's distance from the root.

std::string sent_by_level(unsigned d, unsigned level, std::size_t parts)
{
    if (level == 0)
        return fmt::format("The root sends the {} of the message, {}", counted(parts, "part"), parts_in_turn(0, d));
    return fmt::format("From {} goes {}, or else the next part that the sender has", nodes_at(level, d),
                       parts_in_turn(0, d));
}

Phases backwards_phases(const GroupedMessage& message, std::uint64_t g, std::uint64_t stages)
{
    const TextOf text = [=](std::uint64_t q) {
        return PhaseText{
            fmt::format("group {}", q + 1),
            fmt::format("Partial sums of group {} of {} go up its trees, one link per step, and are complete "
                        "at the root in step {}.",
                        q + 1, g, stages - q)};
    };
    Phases phases = group_phases(g, message.d + 1, stages, text,
                                 {"the root completes sums",
                                  fmt::format("In every step the root completes the sums of another of {} groups.", g)},
                                 {"the first sums form", "Partial sums of the first groups go up their trees, one link "
                                                         "per step; none is complete yet."});
    if (message.d >= 2)
        phases.push_back({static_cast<Step>(g + 1), static_cast<Step>(stages), "short cuts",
                          "Shares that would come too late take links that one more group would have used, which saves "
                          "a step."});
    return mirrored(in_order(std::move(phases)), stages);
}

Phases rotated_doubling_phases(unsigned d)
{
    PhaseLine line;
    for (unsigned k = 0; k < d; ++k)
        line.add(1,
                 {fmt::format("{} to {} nodes", bit(k), bit(k + 1)),
                  fmt::format("Every part goes on from {} over a dimension of its own, {}, so that {} nodes have it.",
                              k == 0 ? "the root" : fmt::format("the {} nodes that have it", bit(k)),
                              parts_in_turn(k, d), bit(k + 1))});
    return line.take();
}

Phases wave_phases(unsigned d, std::size_t parts)
{
    PhaseLine line;
    for (unsigned k = 0; k <= d; ++k)
        line.add(1, {fmt::format("distance {}", k), sent_by_level(d, k, parts) + "."});
    return line.take();
}

Phases two_waves_phases(unsigned d, std::size_t parts)
{
    PhaseLine line;
    for (unsigned k = 0; k < d; ++k)
        line.add(1, {fmt::format("distance {}", k),
                     k == 0 ? sent_by_level(d, k, parts) + "."
                            : fmt::format("{}; a second wave, of the next part on every link, goes from {}.",
                                          sent_by_level(d, k, parts), k == 1 ? "the root" : nodes_at(k - 1, d))});
    return line.take();
}

}  // namespace

Phases forward_groups(std::uint64_t g, std::uint64_t levels, std::uint64_t stages, std::string_view ways)
{
    const TextOf text = [=](std::uint64_t q) {
        return PhaseText{fmt::format("group {}", q + 1),
                         fmt::format("Group {} of {} goes out {}: the root sends it in step {}, and every step takes "
                                     "it a link further.",
                                     q + 1, g, ways, q + 1)};
    };
    return group_phases(
        g, levels, stages, text,
        {"the root sends", fmt::format("The root sends another of {} groups in every step, each {}.", g, ways)},
        {"the last groups spread", "The root has no new groups; the last ones still go on, one link per step."});
}

namespace {

Phases forwards_phases(const Topology& topology, const Problem& problem, std::string_view ways, PhaseText second)
{
    const GroupedMessage message(topology, problem);
    const std::uint64_t g = pipelined_groups(message, problem);
    const std::uint64_t stages = message.d + g - 1;
    Phases phases = forward_groups(g, message.d + 1, stages, ways);
    if (message.d >= 2)
        phases.push_back(
            {static_cast<Step>(g + 1), static_cast<Step>(stages), std::move(second.name), std::move(second.sentence)});
    return in_order(std::move(phases));
}

Phases pipelined_phases(const Topology& topology, const Problem& problem)
{
    return forwards_phases(topology, problem, "as a wave",
                           {"second wave", "The last group's packets also go where the first wave would bring them too "
                                           "late, which saves a step."});
}

Phases pruned_phases(const Topology& topology, const Problem& problem)
{
    return forwards_phases(topology, problem, fmt::format("down {}", counted(topology.dimension(), "tree")),
                           {"short cuts", "Nodes that the last group would reach too late are reached over links that "
                                          "one more group would have used, which saves a step."});
}

}  // namespace

Phases reduced_phases(const Topology& topology, const Problem& problem)
{
    const GroupedMessage message(topology, problem);
    const std::uint64_t g = pipelined_groups(message, problem);
    return backwards_phases(message, g, message.d + g - 1);
}

namespace {

auto phases_in_parts(Phases (*phases)(unsigned d, std::size_t parts))
{
    return [phases](const Topology& topology, const Problem& problem) {
        const GroupedMessage message(topology, problem);
        return phases(message.d, static_cast<std::size_t>(message.packets(1)));
    };
}

}  // namespace

std::vector<Entry> link_broadcast_family()
{
    constexpr std::string_view paper = "Stout & Wagar 1990, section 2";
    Entry doubling{
        {.collective = Collective::broadcast, .name = "recursive-doubling", .link = LinkKind::link_bound},
        {.aliases = {"B1", "BROADCAST 1"},
         .paper = paper,
         .summary = "the whole message, link by link",
         .idea = "The whole message, link by link: every stage doubles the subcube that has it. Simple, and the links "
                 "of d - 1 dimensions are idle in every stage.",
         .formula = {.time = "d (tau m + beta)"},
         .paper_note = "It gives this time.",
         .phases = [](const Topology& topology, const Problem&) { return doubling_phases(topology.dimension()); }}};
    Entry rotated{
        {.collective = Collective::broadcast, .name = "rotated", .link = LinkKind::link_bound},
        {.aliases = {"B2", "BROADCAST 2"},
         .paper = paper,
         .summary = "d parts, each doubling in its own order of links",
         .idea = "Cut the message in d parts. Part i doubles as the whole did, but over the dimensions i, i + 1, .. in "
                 "turn, so in every stage each part has a dimension of its own. As many start-ups as before, a d-th of "
                 "the bytes.",
         .formula = {.time = "d (tau ceil(m/d) + beta)"},
         .paper_note =
             "It gives this time. After stage k a packet fills a subcube of k + 1 dimensions, not of k (errata, 7).",
         .phases = [](const Topology& topology, const Problem&) {
             return rotated_doubling_phases(topology.dimension());
         }}};
    Entry one{{.collective = Collective::broadcast, .name = "wave", .link = LinkKind::link_bound},
              {.aliases = {"B3A", "BROADCAST 3A"},
               .paper = paper,
               .summary = "d parts that leave the root as one wave",
               .idea = "Only the nodes of level k, those with k 1 bits, send in stage k, and on all their links: a "
                       "wave that runs through the cube. It takes a stage more than `rotated`, but the levels "
                       "behind it are free for the next wave.",
               .formula = {.time = "(d + 1) (tau ceil(m/d) + beta)"},
               .paper_note = "It gives this time.",
               .phases = phases_in_parts(wave_phases)}};
    Entry two{
        {.collective = Collective::broadcast, .name = "two-waves", .link = LinkKind::link_bound},
        {.aliases = {"B3B", "BROADCAST 3B"},
         .paper = paper,
         .summary = "a second wave, relabelled, saves the last stage",
         .idea = "When d stages of a wave are over, each part is missing at one node only, which would have got it in "
                 "the last stage. A second wave, one stage behind and relabelled by one, brings it there in time.",
         .formula = {.time = "d (tau ceil(m/d) + beta)"},
         .paper_note = "It gives this time.",
         .phases = phases_in_parts(two_waves_phases)}};
    Entry groups{
        {.collective = Collective::broadcast,
         .name = "pipelined",
         .link = LinkKind::link_bound,
         .obstacle = too_many_groups},
        {.aliases = {"B4", "BROADCAST 4"},
         .paper = paper,
         .summary = "waves of packets a stage apart",
         .idea = "Waves a stage apart: the message is cut in g groups of d packets, group q starts in stage q, and the "
                 "last one is followed by the second wave. More groups make a stage shorter and cost a stage each; the "
                 "best g is near g (g + 1) = (d - 1) tau m/(d beta).",
         .formula = {.time = "(d + g - 1) (tau ceil(m/(d g)) + beta)"},
         .paper_note = "It gives this time; no broadcast with packets of one size is faster. The best g is near g (g + "
                       "1) = (d - 1) tau m/(d beta); the paper takes a real number, dcube a whole one (errata, 14).",
         .tunable = {.groups = true},
         .time = in_ns(pipelined_time),
         .phases = pipelined_phases}};
    Entry pruned{{.collective = Collective::broadcast,
                  .name = "pipelined-pruned",
                  .link = LinkKind::link_bound,
                  .obstacle = too_many_groups},
                 {.aliases = {"B4 pruned"},
                  .paper = paper,
                  .origin = Origin::refinement,
                  .summary = "the same without packets that bring nothing new",
                  .idea = "BROADCAST 4 sends packets that bring nothing new: those that enter the root, and most of "
                          "the last wave. Without them every node receives each packet once, in the same time.",
                  .formula = {.time = "(d + g - 1) (tau ceil(m/(d g)) + beta)"},
                  .paper_note = "Stout & Wagar's BROADCAST 4 makes 232 transmissions with g = 3 on the 4-cube. Only "
                                "d g (N - 1) = 180 of them bring something new; to leave out the others is dcube's.",
                  .tunable = {.groups = true},
                  .time = in_ns(pipelined_time),
                  .phases = pruned_phases}};

    return {stream_entry(costed_by_formula(std::move(doubling)), broadcast_1),
            stream_entry(costed_by_formula(std::move(rotated)), broadcast_2),
            stream_entry(costed_by_formula(std::move(one)), broadcast_3a),
            stream_entry(costed_by_formula(std::move(two)), broadcast_3b),
            stream_entry(std::move(groups), broadcast_4),
            stream_entry(std::move(pruned), pipelined_pruned)};
}

}  // namespace dcube::detail
