#include "explain/small_case.hpp"

#include <dcube/layout.hpp>
#include <dcube/run.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>
#include <tuple>

namespace dcube::explain {

namespace {

struct Sent {
    Step step;
    NodeId from;
    NodeId to;
    Port port;
    std::uint64_t bytes;
    std::vector<Piece> pieces;
};

bool every_node_acts(Collective collective)
{
    return !has_root(collective) && !has_peer(collective) && !has_permutation(collective) && !is_matrix(collective);
}

// The same step as node 0 sees it, were it the sender.
std::string seen_from_sender(const Topology& topology, const Sent& sent)
{
    std::string text = fmt::format("{}:", sent.port);
    for (const Piece& one : sent.pieces) {
        const auto shown = [&](const std::optional<NodeId>& node) {
            return node ? std::to_string(topology.untranslate(*node, sent.from)) : std::string("*");
        };
        text += fmt::format(" {}>{} {}+{}", shown(one.origin), shown(one.target), one.offset, one.length);
    }
    return text;
}

// Whether every node does in every step what node 0 does, seen from itself.
bool all_alike(const Topology& topology, const std::vector<Sent>& all)
{
    if (!topology.symmetric())
        return false;
    std::map<NodeId, std::multiset<std::pair<Step, std::string>>> of;
    for (const Sent& sent : all)
        of[sent.from].insert({sent.step, seen_from_sender(topology, sent)});
    return of.size() == topology.nodes() &&
           std::ranges::all_of(of, [&](const auto& one) { return one.second == of.begin()->second; });
}

// What differs from packet to packet in this collective.
enum class Shown : std::uint8_t { bytes, both, origin, target, number };

Shown shown_of(const Case& one)
{
    if (one.problem.link.bound() || is_matrix(one.problem.collective))
        return Shown::bytes;
    const CollectiveTraits& collective = traits(one.problem.collective);
    if (collective.origin == Who::all)
        return collective.target == Who::all ? Shown::both : Shown::origin;
    return collective.target == Who::all ? Shown::target : Shown::number;
}

std::string packet_text(const Case& one, const Sent& sent)
{
    const Piece& piece = sent.pieces.front();
    switch (shown_of(one)) {
    case Shown::bytes: return fmt::format("{}B", sent.bytes);
    case Shown::both: return fmt::format("{}>{}", piece.origin.value_or(0), piece.target.value_or(0));
    case Shown::origin: return std::to_string(piece.origin.value_or(0));
    case Shown::target: return std::to_string(piece.target.value_or(0));
    case Shown::number: break;
    }
    return std::to_string(piece.offset / one.problem.bytes);
}

std::string_view packet_legend(const Case& one)
{
    switch (shown_of(one)) {
    case Shown::bytes: return "bytes";
    case Shown::both: return "origin>target";
    case Shown::origin: return "origin";
    case Shown::target: return "target";
    case Shown::number: break;
    }
    return "packet";
}

std::vector<ProofLine> rows_of(const Case& one, const std::vector<Sent>& all, bool node_0_only, std::size_t most)
{
    std::vector<ProofLine> rows;
    for (const Sent& sent : all) {
        if (node_0_only && sent.from != 0)
            continue;
        const std::string label = fmt::format("step {}", sent.step);
        if (rows.empty() || rows.back().words != label) {
            if (rows.size() == most)
                break;
            rows.push_back({label, ""});
        }
        std::string& row = rows.back().number;
        row += row.empty() ? "" : " ";
        row += node_0_only ? fmt::format("{}:{}", sent.port, packet_text(one, sent))
                           : fmt::format("{}->{}:{}", sent.from, sent.to, packet_text(one, sent));
    }
    return rows;
}

}  // namespace

SmallCase run_small(const Algorithm& algorithm, const Case& one)
{
    constexpr std::size_t most_steps = 12;
    std::vector<Sent> all;
    RunOptions options;
    options.trace = [&](const Transmission& sent) {
        all.push_back({sent.step, sent.from, sent.to, sent.port, sent.bytes, {sent.pieces.begin(), sent.pieces.end()}});
    };
    Machine machine(one.topology, {.ports = one.ports, .link = one.problem.link, .threads = 1});
    SmallCase small{.report = run_verified(machine, algorithm, one.problem, {}, options), .legend = {}, .rows = {}};
    const bool alike = every_node_acts(one.problem.collective) && all_alike(one.topology, all);
    small.legend =
        alike ? fmt::format("Every node does the same, seen from itself; node 0 sends (port:{})", packet_legend(one))
              : fmt::format("Who sends (sender->receiver:{})", packet_legend(one));
    small.rows = rows_of(one, all, alike, most_steps);
    if (small.report.counts.steps > most_steps)
        small.cut_off = fmt::format("and so on, up to step {}", small.report.counts.steps);
    return small;
}

}  // namespace dcube::explain
