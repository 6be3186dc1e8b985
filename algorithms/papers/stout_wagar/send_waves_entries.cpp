// The entries of send_waves.cpp, with their costs and phases.

#include "algorithms/papers/stout_wagar/send_waves.hpp"

#include "algorithms/families.hpp"
#include "algorithms/papers/stout_wagar/broadcast.hpp"
#include "algorithms/papers/stout_wagar/send_case.hpp"
#include "algorithms/programs/entry.hpp"
#include "base/sizes.hpp"

#include <fmt/format.h>

namespace dcube::detail {

namespace {

// The stages end when the target has everything, wherever the waves are then.
Phases phases_of(const Topology& topology, const Problem& problem, SecondWave second)
{
    const SendCase send = send_case(topology, problem);
    const GroupedMessage message(topology, problem);
    const std::uint64_t g = wave_send_groups(send, message, problem, second);
    const std::uint64_t steps = wave_send_stages(send.d, send.distance(), as_size(g), second);
    Phases phases = forward_groups(g, send.d + 1, steps, "as a wave");
    if (steps > g)
        phases.push_back({static_cast<Step>(g + 1), static_cast<Step>(steps), "second wave",
                          second == SecondWave::relabelled
                              ? "The last group's packets go out again, exchanged so that the target first gets those "
                                "that it still lacks."
                              : "The last group's packets also go where the first wave would bring them too late."});
    return in_order(std::move(phases));
}

Entry completed(Entry head, SecondWave second)
{
    head.paper = "Stout & Wagar 1990, section 4";
    head.link = LinkKind::link_bound;
    head.time = in_ns([second](const Topology& topology, const Problem& problem) {
        const SendCase send = send_case(topology, problem);
        const GroupedMessage message(topology, problem);
        return wave_send_time(send, message, wave_send_groups(send, message, problem, second), second,
                              LinkCosts(problem.link));
    });
    head.phases = [second](const Topology& topology, const Problem& problem) {
        return phases_of(topology, problem, second);
    };
    return stream_entry(std::move(head), [second](const Topology& topology, const Problem& problem) {
        return arbitrary_send_2(topology, problem, second);
    });
}

// Beyond d - 2 links the broadcast is over before.
std::optional<CaseFormula> waves_send_formula(const Topology& topology, const Problem& problem)
{
    const bool far = send_case(topology, problem).distance() + 2 > topology.dimension();
    return CaseFormula{.text =
                           far ? "(d + g - 1) (tau ceil(m/(d g)) + beta)" : "(h + g + 1) (tau ceil(m/(d g)) + beta)"};
}

std::string only_medium_distances(const Topology& topology, const Problem& problem)
{
    const unsigned n = send_case(topology, problem).distance();
    const unsigned d = topology.dimension();
    if (2 * n < d || n + 2 > d)
        return fmt::format("it is for distances from d/2 to d - 2, and this is {}", n);
    return too_many_groups(topology, problem);
}

}  // namespace

std::vector<Entry> send_waves_family()
{
    return {
        completed({{.collective = Collective::send, .name = "waves", .obstacle = too_many_groups},
                   {.aliases = {"A2", "ARBITRARY SEND 2"},
                    .summary = "the pipelined broadcast, stopped when the target has everything",
                    .idea = "The pipelined broadcast from the sender, stopped when the target has everything: nodes "
                            "near by have it before the others.",
                    .formula = {.words = "Here g is searched: the number of groups, from 1 on, that takes least time; "
                                         "for h > d - 2 it ends as BROADCAST 4 does"},
                    .paper_note = "It prints h + g - 1 stages; there are h + g + 1, which its times use (errata, 1).",
                    .tunable = {.groups = true},
                    .case_formula = waves_send_formula}},
                  SecondWave::next_packet),
        completed(
            {{.collective = Collective::send, .name = "waves-relabelled", .obstacle = only_medium_distances},
             {.aliases = {"A2 relabelled"},
              .origin = Origin::refinement,
              .summary = "the same, with a last wave of what the target lacks",
              .idea = "The same, with a last wave of what the target lacks: the packets for it take the places of "
                      "packets that come early.",
              .formula = {.time = "(h + g) (tau ceil(m/(d g)) + beta)"},
              .paper_note =
                  "Stout & Wagar's ARBITRARY SEND 2 takes h + g + 1 stages. One less, for d <= 2 h, is dcube's.",
              .tunable = {.groups = true}}},
            SecondWave::relabelled)};
}

}  // namespace dcube::detail
