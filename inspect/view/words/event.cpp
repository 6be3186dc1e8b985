#include "inspect/view/words/event.hpp"

#include "base/numbers.hpp"
#include "inspect/view/film/holdings.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>

namespace dcube::view {

namespace {

// "All 8 nodes", "5 nodes", "Node 3"
std::string waiting_nodes(const Film& film, const std::vector<RuleViolation::Waits>& waiting)
{
    if (waiting.size() == 1)
        return fmt::format("Node {}", waiting.front().node);
    const std::string nodes = grouped(waiting.size(), "node");
    return waiting.size() == film.recording.topology.members() ? "All " + nodes : nodes;
}

std::string deadlock_sentence(const Film& film, const std::vector<RuleViolation::Waits>& waiting)
{
    const bool alone = waiting.size() == 1;
    const std::uint32_t port = waiting.front().port;
    const bool same = port != RuleViolation::no_port &&
                      std::ranges::all_of(waiting, [&](const auto& one) { return one.port == port; });
    const std::string whom =
        !same ? (alone ? "for a neighbour" : "for neighbours")
              : fmt::format("for {} over port {}", alone ? "its neighbour" : "their neighbours", port);
    return fmt::format("{} {} {}: nobody can go on.", waiting_nodes(film, waiting), alone ? "waits" : "wait", whom);
}

// "Node 0 at port 0: a second packet on one link in one step."
std::string rule_sentence(const Ending& ending)
{
    return fmt::format("Node {}{}: {}.", *ending.node, ending.port ? fmt::format(" at port {}", *ending.port) : "",
                       ending.detail);
}

// Whether any part of a message of `origin` that `node` needs has come.
bool has_any(const Film& film, const Holdings& holdings, NodeId node, NodeId origin)
{
    for (std::uint64_t message = 0; message < film.messages.count(); ++message) {
        const MessageEnds ends = film.messages.ends(message);
        if (ends.origin != origin || (ends.target && *ends.target != node))
            continue;
        for (std::uint32_t part = 0; part < film.parts.count(); ++part)
            if (holdings.has(node, message, part))
                return true;
    }
    return false;
}

std::string missing_sentence(const Film& film, NodeId node, NodeId origin)
{
    if (!film.has_rows() || film.is_of_one_node() || film.messages.kind() == MessageKind::sums)
        return {};
    Holdings holdings(film);
    while (holdings.played() < film.recording.steps)
        holdings.play();
    return has_any(film, holdings, node, origin)
               ? std::string()
               : fmt::format("Node {}'s message never arrived at node {}.", origin, node);
}

}  // namespace

std::string event_sentence(const Film& film)
{
    const std::optional<Ending>& ending = film.recording.ending;
    if (!ending)
        return {};
    switch (ending->what) {
    case Ending::What::deadlock: return ending->waiting.empty() ? "" : deadlock_sentence(film, ending->waiting);
    case Ending::What::rule: return ending->node && !ending->detail.empty() ? rule_sentence(*ending) : "";
    case Ending::What::wrong_bytes:
        return ending->node && ending->origin ? missing_sentence(film, *ending->node, *ending->origin) : "";
    case Ending::What::rejected:
    case Ending::What::lost:
    case Ending::What::threw:
    case Ending::What::impossible: return {};
    }
    return {};
}

}  // namespace dcube::view
