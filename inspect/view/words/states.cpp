#include "inspect/view/words/states.hpp"

#include "base/numbers.hpp"
#include "inspect/view/film/holdings.hpp"
#include "inspect/view/words/titles.hpp"

#include <dcube/collective.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <numeric>
namespace dcube::view {

namespace {

constexpr std::string_view nothing_to_do = "Nothing has to move here: every node has what it needs.";

// The nodes' data at the start.
std::string held_before(const Film& film)
{
    const Problem& problem = film.recording.problem;
    if (is_program_alone(film.recording))
        return "Every node has data of its own.";
    if (film.recording.free)
        return fmt::format("Every node has {} of its own.", size_text(problem.bytes * problem.packets));
    const NodeId others = film.recording.topology.members() - 1;
    const std::string in_packets =
        problem.packets == 1 ? "" : fmt::format(" of {}", grouped(problem.packets, "packet"));
    return fmt::format(fmt::runtime(traits(problem.collective).start), fmt::arg("root", problem.root),
                       fmt::arg("peer", problem.peer), fmt::arg("other_blocks", grouped(others, "block")),
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
        return film.messages.count() == 1 ? "Every node has the message" : "Every node has all messages";
    case MessageKind::sums: break;
    }
    if (has_root(film.recording.problem.collective))
        return fmt::format("Node {} has the sum of all", root);
    return film.messages.count() == 1 ? "Every node has the sum of all" : "Every node has its sum";
}

std::uint64_t needed_messages(const Film& film)
{
    std::uint64_t needed = 0;
    for (std::uint64_t message = 0; message < film.messages.count(); ++message) {
        const MessageEnds ends = film.messages.ends(message);
        needed += ends.origin == ends.target ? 0 : 1;
    }
    return needed;
}

// " 3 packets were lost on the way."
std::string losses(const Recording& recording)
{
    const auto lost = std::accumulate(recording.lost.begin(), recording.lost.end(), std::uint64_t{0});
    if (lost == 0)
        return "";
    return fmt::format(" {} {} lost on the way.", grouped(lost, "packet"), lost == 1 ? "was" : "were");
}

std::string rejected_sentence(const Film& film)
{
    if (!film.has_rows())
        return "The trace was rejected.";
    Holdings holdings(film);
    while (holdings.played() < film.recording.steps)
        holdings.play();
    return fmt::format("The trace was rejected: {} of {} have arrived where they belong.", grouped(holdings.arrived()),
                       grouped(holdings.needed(), film.messages.kind() == MessageKind::sums ? "sum" : "block"));
}

}  // namespace

std::string before_sentence(const Film& film)
{
    return fmt::format("{}{} Nothing has been sent.", film.timed() ? "" : "Before step 1. ", held_before(film));
}

std::string last_sentence(const Film& film)
{
    const Recording& recording = film.recording;
    if (recording.rejection)
        return rejected_sentence(film);
    if (recording.transmissions == 0)
        return recording.free ? "All programs have ended, and nothing was sent." : std::string(nothing_to_do);
    const Rational bound = lower_bound(recording);
    const std::string amount = amount_text(recording, reached(recording));
    if (recording.free)
        return fmt::format("All programs have ended, after {}. What they have made is not verified.", amount) +
               losses(recording);
    if (reached(recording) != bound)
        return fmt::format("Done in {}; the lower bound is {}.", amount, amount_text(recording, bound)) +
               losses(recording);
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
    if (useful < hops)
        return fmt::format("Hops that brought {}: {}.", moves ? "something nearer" : "what was lacking", tally);
    if (!moves)
        return fmt::format("Every hop brought what its receiver lacked: {}.", tally);
    return fmt::format("Every hop brought its {} nearer: {}.", film.parts.count() == 1 ? "block" : "packet", tally);
}

}  // namespace dcube::view
