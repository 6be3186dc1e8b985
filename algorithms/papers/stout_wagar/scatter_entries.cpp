// The entries of scatter.cpp, with their costs and phases.

#include "algorithms/papers/stout_wagar/scatter.hpp"

#include "algorithms/families.hpp"
#include "algorithms/formulas.hpp"
#include "algorithms/papers/stout_wagar/opposite_corner_send.hpp"
#include "algorithms/papers/stout_wagar/spreading_time.hpp"
#include "algorithms/programs/cut.hpp"
#include "algorithms/programs/entry.hpp"
#include "base/arithmetic.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <span>
#include <string>
#include <vector>

namespace dcube::detail {

double spread_pieces(unsigned d)
{
    return d * std::pow(3, d - 1.0);
}

// In stage d - s the messages for distance s leave the root.
Phases farthest_first_phases(unsigned d, std::string_view what_is_done)
{
    PhaseLine line;
    for (unsigned s = d; s >= 1; --s)
        line.add(1, {fmt::format("distance {}", s),
                     fmt::format("{} {}, {}; all that is due on a link goes as one packet.", what_is_done,
                                 nodes_at(s, d), s == 1 ? std::string("uncut") : fmt::format("each in {} parts", s))});
    return line.take();
}

Phases distribute_2_phases(unsigned d, const WavePlan& plan, Direction direction)
{
    const bool forwards = direction == Direction::forwards;
    Phases phases;
    for_each_wavelet(d, plan, [&](Step wave, const Wavelet& wavelet, std::span<const Step> stages) {
        if (phases.size() == wave) {
            const unsigned first = wavelet.distance;
            const unsigned last = plan[wave].back().distance;
            const std::string which =
                first == last ? fmt::format("distance {}", first) : fmt::format("distances {} to {}", first, last);
            phases.push_back(
                {wave + 1, 0, fmt::format("wave {}: {}", wave + 1, which),
                 fmt::format("The root {} {} as one packet per link, which {}: each distance crosses the "
                             "cube a level at a time, behind the waves before.",
                             forwards ? "sends what this wave has for" : "receives what this wave has from", which,
                             forwards ? "falls apart behind it" : "has come together before it")});
        }
        phases.back().last = std::max(phases.back().last, stages.back() + 1);
    });
    return phases;
}

namespace {

// The most time of the scatters, for messages that do not divide: every cut rounded up. A link from level j of the cube
// on carries one part of every message for distance s whose path it is on: C(d-1-j, s-1-j) of them.

Exact farthest_first_limit(unsigned d, std::size_t m, const LinkCosts& costs)
{
    Exact time = 0;
    for (unsigned s = d; s >= 1; --s)  // the root's links carry the most
        time += costs.packet(Exact(choose(d - 1, s - 1)) * ceil_div(m, s));
    return time;
}

Exact farthest_first_even_limit(unsigned d, std::size_t m, const LinkCosts& costs)
{
    std::vector<std::vector<std::size_t>> largest(d + 1);
    for (unsigned s = 1; s <= d; ++s)
        largest[s] = spreading_parts(s, m);
    Exact time = 0;
    for (unsigned k = 0; k < d; ++k) {
        Exact most = 0;
        for (unsigned j = 0; j <= k; ++j) {
            const unsigned s = d - k + j;
            most = std::max<Exact>(most, Exact(choose(d - 1 - j, s - 1 - j)) * largest[s][j]);
        }
        time += costs.packet(most);
    }
    return time;
}

// The largest packets of a wavelet, level by level. (Of messages that are shorter it may carry as much.)
std::vector<std::size_t> largest_packets(const Wavelet& wavelet, std::size_t m)
{
    const Integer share = ceiling((wavelet.end - wavelet.begin) * Exact(m));
    return spreading_parts(wavelet.distance, share.convert_to<std::size_t>());
}

}  // namespace

// Computes as wave_plan_time() does, but for the largest packets.
Exact waves_limit(const WavePlan& plan, unsigned d, std::size_t m, const LinkCosts& costs)
{
    Exact now = 0;
    std::vector<Exact> free_from(d);
    Exact finish = 0;
    for (const Wave& wave : plan) {
        Exact bytes = 0;
        for (const Wavelet& wavelet : wave)
            bytes += Exact(choose(d - 1, wavelet.distance - 1)) * largest_packets(wavelet, m).front();
        if (bytes == 0)
            continue;
        now += costs.packet(bytes);
        for (const Wavelet& wavelet : wave) {
            const std::vector<std::size_t> largest = largest_packets(wavelet, m);
            Exact arrival = now;
            for (unsigned j = 1; j < wavelet.distance && largest[j] != 0; ++j) {
                const Exact packet = Exact(choose(d - 1 - j, wavelet.distance - 1 - j)) * largest[j];
                arrival = free_from[j] = std::max(free_from[j], arrival) + costs.packet(packet);
            }
            finish = std::max(finish, arrival);
        }
    }
    return finish;
}

Exact distribute_everywhere_limit(unsigned d, std::size_t m, const LinkCosts& costs)
{
    Exact time = 0;
    Exact bytes = 0;
    for (unsigned s = d; s >= 1; --s) {  // in every stage one more distance begins
        bytes += Exact(choose(d - 1, s - 1)) * ceil_div(m, s);
        time += costs.packet(bytes);
    }
    return time;
}

namespace {

Exact waves_time(const Topology& topology, const Problem& problem)
{
    return wave_plan_time(wave_plan_for(topology, problem), topology.dimension(), message_bytes(problem),
                          LinkCosts(problem.link));
}

std::optional<CaseFormula> waves_formula(const Topology& topology, const Problem&)
{
    return CaseFormula{.text = "(N - 1) tau m/d + k beta",
                       .letters = {{"k", least_waves(topology.dimension())}},
                       .remark = "but for messages as short as these"};
}

// The stretches, about, that the table of farthest-first holds.
double distribute_1_pieces(unsigned d)
{
    return d * std::exp2(d - 1.0);
}

// Phases of a scatter or of a gather, as they follow each other in a scatter.
using DistributionPhases = std::function<Phases(const Topology&, const Problem&, Direction)>;

Phases farthest_first_phases_of(const Topology& topology, const Problem&, Direction direction)
{
    return farthest_first_phases(topology.dimension(), direction == Direction::forwards
                                                           ? "The root sends its messages for"
                                                           : "The root receives the messages of");
}

Phases waves_phases(const Topology& topology, const Problem& problem, Direction direction)
{
    return distribute_2_phases(topology.dimension(), wave_plan_for(topology, problem), direction);
}

using LimitOf = Exact (*)(unsigned d, std::size_t m, const LinkCosts& costs);

auto scatter_limit(LimitOf limit_of)
{
    return in_ns([limit_of](const Topology& topology, const Problem& problem) {
        return limit_of(topology.dimension(), message_bytes(problem), LinkCosts(problem.link));
    });
}

// Completes a scatter from any root; a gather is the scatter backwards.
Entry completed(Entry head, const MakeRouting& distribution, const DistributionPhases& phases,
                double (*pieces)(unsigned d))
{
    head.paper = head.collective == Collective::scatter ? "Stout & Wagar 1990, section 5"
                                                        : "Stout & Wagar 1990, section 5 (backwards)";
    head.link = LinkKind::link_bound;
    head.phases = [phases, distribution](const Topology& topology, const Problem& problem) {
        if (problem.collective == Collective::scatter)
            return phases(topology, problem, Direction::forwards);
        const Step stages = distribution(topology, problem).stages;
        return mirrored(within(phases(topology, problem, Direction::backwards), stages), stages);
    };
    const auto routing = [distribution](const Topology& topology, const Problem& problem) {
        Routing there = distribution(topology, problem);
        if (problem.collective == Collective::gather)
            there = reversed(there, Arrival::kept);
        return translated(std::move(there), problem.root, true);
    };
    return routing_entry(std::move(head), routing, {.pieces = [pieces](const Topology& topology, const Problem&) {
                             return pieces(topology.dimension());
                         }});
}

}  // namespace

std::vector<Entry> link_scatter_family()
{
    std::vector<Entry> all;
    for (const Collective collective : {Collective::scatter, Collective::gather}) {
        all.push_back(completed(
            costed_by_formula(
                {{.collective = collective, .name = "farthest-first"},
                 {.aliases = {"D1", "DISTRIBUTE 1"},
                  .summary = "parts on rotated paths; the farthest messages leave first",
                  .idea =
                      "Every message is cut in parts that take rotated paths, so that the root's links have equal "
                      "shares. The farthest messages leave first, and all that is due on a link in a stage goes as one "
                      "packet: d start-ups. Gather is that backwards.",
                  .formula = {.time = "(N - 1) tau m/d + d beta"},
                  .paper_note =
                      "It gives this time. On the paths of O.C. SEND 2 the inner links have uneven loads, but "
                      "never more than the root's (errata, 10). COLLECT, their gather, is it backwards.",
                  .time_limit = scatter_limit(farthest_first_limit)}}),
            [](const Topology& topology, const Problem& problem) {
                return distribute_1(topology, equal_lengths(problem));
            },
            farthest_first_phases_of, distribute_1_pieces));
        all.push_back(completed(
            costed_by_formula(
                {{.collective = collective, .name = "farthest-first-even"},
                 {.aliases = {"D1 even"},
                  .origin = Origin::refinement,
                  .summary = "the same, every message spread evenly over its subcube",
                  .idea = "The same with every message spread evenly over its subcube, so that inner links have equal "
                          "loads too. The time is the same, because the root's links decide.",
                  .formula = {.time = "(N - 1) tau m/d + d beta"},
                  .paper_note = "Stout & Wagar's DISTRIBUTE 1 with the spreading of O.C. SEND 3 instead of the rotated "
                                "paths of O.C. SEND 2.",
                  .time_limit = scatter_limit(farthest_first_even_limit)}}),
            [](const Topology& topology, const Problem& problem) {
                return distribute_1_even(topology, equal_lengths(problem));
            },
            farthest_first_phases_of, spread_pieces));
        all.push_back(completed(
            {{.collective = collective, .name = "waves"},
             {.aliases = {"D2", "DISTRIBUTE 2"},
              .summary = "several classes of messages in one packet, so that fewer start-ups are paid",
              .idea =
                  "Fewer start-ups: several classes of messages, by distance, leave the root in one packet, and are "
                  "handed on in smaller ones while the root goes on. Which classes share a wave is chosen so that the "
                  "run is shortest: \"432|1\" sends those of distance 4, 3 and 2 together, then the neighbours'.",
              .formula = {.words = "Here k is the number of waves, the smallest with d (1 + (d-1) + .. + (d-1)^(k-1)) "
                                   ">= N - 1; which messages share a wave is searched, farthest ones first"},
              .paper_note = "It gives this time for large m; section 9 proves that then nothing is faster. Their plan "
                            "of waves has slips at d = 2, 5 and 10 (errata, 11 and 12). The search among other plans, "
                            "which shorter messages need, is dcube's.",
              .tunable = {.waves = true},
              .time = in_ns(waves_time),
              .time_limit = in_ns([](const Topology& topology, const Problem& problem) {
                  return waves_limit(wave_plan_for(topology, problem), topology.dimension(), message_bytes(problem),
                                     LinkCosts(problem.link));
              }),
              .case_formula = waves_formula}},
            [](const Topology& topology, const Problem& problem) {
                return distribute_2(topology, wave_plan_for(topology, problem), equal_lengths(problem));
            },
            waves_phases, spread_pieces));
    }
    return all;
}

}  // namespace dcube::detail
