#include "view/words/same_for_all.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cstdint>
#include <optional>
#include <vector>

namespace dcube::view {

namespace {

constexpr std::size_t most_ports = 8;  // that a sentence can list

// A row as its sender sees it; what does not apply is 0.
struct Seen {
    Port port = 0;
    NodeId origin = 0;
    NodeId target = 0;
    std::uint32_t part = 0;
    std::uint32_t count = 0;
    std::uint64_t terms = 0;

    friend bool operator==(const Seen&, const Seen&) = default;
};

// What the sender of flight `at` sends before flight `last`; moves `at` to the next sender's.
std::vector<Seen> seen_by_next(const Film& film, std::size_t& at, std::size_t last)
{
    std::vector<Seen> all;
    const NodeId sender = film.recording.flights[at].from;
    const auto from_here = [&](std::optional<NodeId> node) { return node ? film.relative.seen(*node, sender) : 0; };
    for (; at < last && film.recording.flights[at].from == sender; ++at)
        for (const Row& row : film.rows_of(at)) {
            const MessageEnds ends = film.messages.ends(row.message);
            const bool sum = film.messages.kind() == MessageKind::sums;
            all.push_back({film.recording.flights[at].port, from_here(ends.origin), from_here(ends.target), row.part,
                           row.count, sum ? film.sets[row.set].size() : 0});
        }
    return all;
}

// What everybody sends; nothing if somebody sends something else.
std::vector<Seen> sent_by_all(const Film& film, Step step)
{
    auto [at, last] = film.flights_in(step);
    if (film.relative.relation() == Relation::plain || at == last)
        return {};
    const std::vector<Seen> common = seen_by_next(film, at, last);
    NodeId senders = 1;
    for (; at < last; ++senders)
        if (seen_by_next(film, at, last) != common)
            return {};
    return senders == film.recording.topology.nodes() ? common : std::vector<Seen>();
}

// "0101", or how far in every digit: "+1", "(+1, -2)".
std::string offset_text(const Film& film, NodeId offset)
{
    if (film.relative.relation() == Relation::exclusive_or)
        return fmt::format("{:0{}b}", offset, film.recording.topology.dimension());
    std::vector<std::string> digits;
    const auto& sizes = film.relative.sizes();
    for (auto size = sizes.rbegin(); size != sizes.rend(); ++size) {
        const auto digit = static_cast<std::int64_t>(offset % *size);
        const std::int64_t steps = 2 * digit > *size ? digit - *size : digit;
        digits.insert(digits.begin(), steps == 0 ? "0" : fmt::format("{:+}", steps));
        offset /= *size;
    }
    return digits.size() == 1 ? digits.front() : fmt::format("({})", fmt::join(digits, ", "));
}

// What the packets have in common, and for each what it differs in: "blocks that still have to change bits 001, 010".
std::string packets_text(const Film& film, const std::vector<Seen>& rows)
{
    const char* const what = film.parts.count() == 1 ? "blocks" : "packets";
    const bool bits = film.relative.relation() == Relation::exclusive_or;
    std::vector<std::string> each;
    for (const Seen& row : rows) {
        switch (film.messages.kind()) {
        case MessageKind::moves: each.push_back(offset_text(film, row.target)); break;
        case MessageKind::copies: each.push_back(row.origin == 0 ? "itself" : offset_text(film, row.origin)); break;
        case MessageKind::sums: each.push_back(std::to_string(row.terms)); break;
        }
    }
    const std::string list = fmt::format("{}", fmt::join(each, ", "));
    switch (film.messages.kind()) {
    case MessageKind::moves:
        return fmt::format("{} that still have {} {}", what, bits ? "to change bits" : "to go", list);
    case MessageKind::copies:
        return fmt::format("{} that began at {}", what, bits ? "the nodes that differ in bits " + list : list);
    case MessageKind::sums: break;
    }
    return fmt::format("sums of {} terms", list);
}

}  // namespace

std::string same_for_all(const Film& film, Step step)
{
    const std::vector<Seen> rows = sent_by_all(film, step);
    std::vector<Port> ports;
    for (const Seen& row : rows)
        if (ports.empty() || ports.back() != row.port)
            ports.push_back(row.port);
    if (ports.empty())
        return {};
    const std::string links = ports.size() > most_ports
                                  ? fmt::format("{} links", ports.size())
                                  : fmt::format("link{} {}", ports.size() == 1 ? "" : "s", fmt::join(ports, ", "));
    std::string carried;
    if (rows.size() == ports.size() && ports.size() <= most_ports)
        carried = packets_text(film, rows);
    else
        carried =
            fmt::format("{} {} in all", rows.size(), film.messages.kind() == MessageKind::sums ? "sums" : "blocks");
    return fmt::format("Every node does the same, seen from itself: its {} carr{} {}.", links,
                       ports.size() == 1 ? "ies" : "y", carried);
}

}  // namespace dcube::view
