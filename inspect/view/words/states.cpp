#include "inspect/view/words/states.hpp"

#include "base/numbers.hpp"
#include "inspect/view/film/holdings.hpp"
#include "inspect/view/words/gap.hpp"
#include "inspect/view/words/titles.hpp"

#include <dcube/collective.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <numeric>
#include <string>
#include <string_view>
#include <utility>

namespace dcube::view {

namespace {

constexpr std::string_view nothing_to_do = "Nothing has to move here: every node has what it needs.";

// The blocks that are not empty: the fewest and the most that a node sends to others, of members in their order.
std::pair<NodeId, NodeId> blocks_of_a_node(const Problem& problem, NodeId members)
{
    const bool all = problem.collective == Collective::all_to_all;
    NodeId fewest = members;
    NodeId most = 0;
    for (NodeId row = 0; row < (all ? members : 1); ++row) {
        NodeId blocks = 0;
        for (NodeId target = 0; target < members; ++target)
            blocks += target != (all ? row : problem.root) && problem.counts[std::size_t{row} * members + target] > 0;
        fewest = std::min(fewest, blocks);
        most = std::max(most, blocks);
    }
    return {fewest, most};
}

struct BlocksForOthers {
    std::string number;
    std::string_view whose = "one for each other node";
};

// Empty blocks are not held.
BlocksForOthers blocks_for_others(const Problem& problem, const Topology& network, NodeId others)
{
    const bool all_there = network.members() == network.nodes();
    if (problem.counts.empty() || !problem.within.empty() || !all_there)
        return {grouped(others, "block")};
    const auto [fewest, most] = blocks_of_a_node(problem, network.members());
    if (fewest == others)
        return {grouped(others, "block")};
    return {(fewest == most ? "" : "up to ") + grouped(most, "block"), "for other nodes"};
}

// The nodes' data at the start.
std::string held_before(const Film& film)
{
    const Problem& problem = film.recording.problem;
    if (is_program_alone(film.recording))
        return "Every node has data of its own.";
    if (film.recording.free)
        return fmt::format("Every node has {} of its own.", size_text(problem.bytes * problem.packets));
    const Group* const groups = film.messages.groups();
    const NodeId others = (groups ? groups->network() : film.recording.topology).members() - 1;
    const std::string up_to = problem.counts.empty() ? "" : "up to ";
    const std::uint64_t packets = most_packets(problem);
    const std::string in_packets =
        packets == 1 && up_to.empty() ? "" : fmt::format(" of {}{}", up_to, grouped(packets, "packet"));
    const std::string start =
        (groups ? "In every group, by ranks: " : "") + std::string(traits(problem.collective).start);
    const BlocksForOthers blocks = blocks_for_others(problem, film.recording.topology, others);
    return fmt::format(fmt::runtime(start), fmt::arg("root", problem.root), fmt::arg("peer", problem.peer),
                       fmt::arg("other_blocks", blocks.number), fmt::arg("for_others", blocks.whose),
                       fmt::arg("in_packets", in_packets));
}

bool node_failed(const Recording& recording)
{
    return std::ranges::any_of(recording.failing, &Failing::is_node);
}

// The collective's goal, once reached; the judge asks nothing of nodes that failed.
std::string achieved(const Film& film, std::uint64_t needed)
{
    if (node_failed(film.recording))
        return "Every node that has not failed has what it needs";
    const NodeId root = film.recording.problem.root;
    const std::string number = needed == 1 ? "The block is where it belongs"
                                           : fmt::format("All {} are where they belong", grouped(needed, "block"));
    switch (film.messages.kind()) {
    case MessageKind::moves: return number;
    case MessageKind::copies:
        if (film.messages.groups())
            return "Every node has the messages of its group";
        return film.messages.count() == 1 ? "Every node has the message" : "Every node has all messages";
    case MessageKind::sums: break;
    }
    if (is_barrier(film.recording.problem.collective))
        return "Every node knows that all have begun";
    const bool of_all = film.messages.groups() == nullptr;
    if (has_root(film.recording.problem.collective))
        return of_all ? fmt::format("Node {} has the sum of all", root) : "Every root has the sum of its group";
    return of_all && film.messages.count() == 1 && !is_scan(film.recording.problem.collective)
               ? "Every node has the sum of all"
               : "Every node has its sum";
}

std::uint64_t needed_messages(const Film& film)
{
    std::uint64_t needed = 0;
    for (std::uint64_t message = 0; message < film.messages.count(); ++message) {
        const MessageEnds ends = film.messages.ends(message);
        needed += ends.origin == ends.target ? 0 : 1;
    }
    return film.is_of_one_node() ? needed * film.recording.topology.nodes() : needed;
}

// " 3 packets were lost on the way."
std::string losses(const Recording& recording)
{
    const auto lost = std::accumulate(recording.lost.begin(), recording.lost.end(), std::uint64_t{0});
    if (lost == 0)
        return "";
    return fmt::format(" {} {} lost on the way.", grouped(lost, "packet"), lost == 1 ? "was" : "were");
}

// "2 of 7 blocks have arrived where they belong."
std::string arrived_text(const Film& film)
{
    Holdings holdings(film);
    while (holdings.played() < film.recording.steps)
        holdings.play();
    const bool one = holdings.arrived() == 1 || holdings.needed() == 1;
    if (is_barrier(film.recording.problem.collective))
        return fmt::format("{} of {} {} heard of all.", grouped(holdings.arrived()), grouped(holdings.needed(), "node"),
                           one ? "has" : "have");
    return fmt::format("{} of {} {} arrived where they belong.", grouped(holdings.arrived()),
                       grouped(holdings.needed(), film.messages.kind() == MessageKind::sums ? "sum" : "block"),
                       one ? "has" : "have");
}

std::string_view ended(Ending::What what)
{
    switch (what) {
    case Ending::What::rejected: return "The trace was rejected";
    case Ending::What::rule: return "A rule was broken";
    case Ending::What::deadlock: return "All nodes that are left wait for one another";
    case Ending::What::lost: return "A packet was lost, and its receiver counts on it";
    case Ending::What::threw: return "A node's program failed";
    case Ending::What::wrong_bytes: return "A node does not hold what it should";
    case Ending::What::impossible: return "This cannot be";
    }
    return "";
}

std::string ended_sentence(const Film& film)
{
    const std::string what(ended(film.recording.ending->what));
    return film.has_rows() && !film.recording.free ? what + ": " + arrived_text(film) : what + ".";
}

std::string unjudged_sentence(const Film& film)
{
    const std::string sent = grouped(film.recording.transmissions, "packet");
    const std::string all =
        fmt::format("All {} sent, in {}.", sent + (film.recording.transmissions == 1 ? " is" : " are"),
                    amount_text(film.recording, reached(film.recording)));
    return film.has_rows() ? all + " " + arrived_text(film) : all;
}

}  // namespace

std::string before_sentence(const Film& film)
{
    return fmt::format("{}{} Nothing has been sent.", film.timed() ? "" : "Before step 1. ", held_before(film));
}

std::string last_sentence(const Film& film)
{
    const Recording& recording = film.recording;
    if (recording.ending)
        return ended_sentence(film);
    if (!recording.judged)
        return unjudged_sentence(film) + losses(recording);
    if (recording.transmissions == 0)
        return recording.free ? "All programs have ended, and nothing was sent." : std::string(nothing_to_do);
    const Rational bound = lower_bound(recording);
    const std::string amount = amount_text(recording, reached(recording));
    if (recording.free)
        return fmt::format("All programs have ended, after {}. What they have made is not verified.", amount) +
               losses(recording);
    if (reached(recording) != bound) {
        const std::string gap = gap_sentence(recording);
        return fmt::format("Done in {}; the lower bound is {}.{}{}", amount, amount_text(recording, bound),
                           gap.empty() ? "" : " ", gap) +
               losses(recording);
    }
    const std::uint64_t needed = film.messages.kind() == MessageKind::moves ? needed_messages(film) : 0;
    return fmt::format("Done. {}, in {}: the {} there can be.", achieved(film, needed), amount,
                       recording.problem.link.bound() ? "least" : "fewest") +
           losses(recording);
}

namespace {

/// A row is a hop: it brings something nearer, or to a node that lacks all of it.
bool is_useful(const Film& film, const Holdings& before, const Flight& flight, const Row& row)
{
    if (film.messages.kind() == MessageKind::moves) {
        const Topology& topology = film.recording.topology;
        const NodeId target = *film.messages.ends(row.message).target;
        return topology.distance(flight.to, target) < topology.distance(flight.from, target);
    }
    for (std::uint32_t part = row.part; part < row.part + row.count; ++part)
        if (before.has(flight.to, row.message, part))
            return false;
    return true;
}

}  // namespace

std::string hops_sentence(const Film& film)
{
    if (!film.has_rows() || film.messages.kind() == MessageKind::sums || film.rows.empty())
        return {};
    std::uint64_t useful = 0;
    std::uint64_t hops = 0;
    Holdings holdings(film);
    while (holdings.played() < film.recording.steps) {
        const auto [first, last] = film.flights_in(holdings.played() + 1);
        for (std::size_t i = first; i < last; ++i)
            for (const Row& row : film.rows_of(i)) {
                ++hops;
                useful += is_useful(film, holdings, film.recording.flights[i], row) ? 1 : 0;
            }
        holdings.play();
    }
    const bool moves = film.messages.kind() == MessageKind::moves;
    const std::string tally = fmt::format("{} of {}", grouped(useful), grouped(hops));
    if (film.is_of_one_node())
        return fmt::format("Hops of node 0's blocks that brought them nearer: {}.", tally);
    if (useful < hops)
        return fmt::format("Hops that brought {}: {}.", moves ? "something nearer" : "something new", tally);
    if (!moves)
        return fmt::format("Every hop brought its receiver something new: {}.", tally);
    return fmt::format("Every hop brought its {} nearer: {}.", film.parts.count() == 1 ? "block" : "packet", tally);
}

}  // namespace dcube::view
