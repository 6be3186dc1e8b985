#include "cli/text/frame_cells.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>

namespace dcube::cli {

namespace {

using view::MessageEnds;
using view::MessageKind;

std::string set_text(const Contributors& nodes)
{
    std::string text;
    for (const auto& [first, last] : nodes.ranges()) {
        text += text.empty() ? "" : " ";
        text += first == last ? std::to_string(first) : fmt::format("{}-{}", first, last);
    }
    return text;
}

// ".3", ".3-5"; nothing if messages have one part.
std::string parts_text(const view::Film& film, const view::Row& row)
{
    if (film.parts.count() == 1)
        return "";
    return row.count == 1 ? fmt::format(".{}", row.part) : fmt::format(".{}-{}", row.part, row.part + row.count - 1);
}

bool has_all(const view::Film& film, const view::Holdings& holdings, NodeId node, std::uint64_t message)
{
    for (std::uint32_t part = 0; part < film.parts_of(message); ++part)
        if (!holdings.has(node, message, part))
            return false;
    return true;
}

// The parts of the one message of a broadcast.
std::string parts_held(const view::Film& film, const view::Holdings& holdings, NodeId node)
{
    std::vector<NodeId> parts;
    for (std::uint32_t part = 0; part < film.parts.count(); ++part)
        if (holdings.has(node, 0, part))
            parts.push_back(part);
    return set_text(Contributors::of(parts));
}

// Who is in the sum that it needs, or holds; where that differs from part to part, in the smallest.
std::string sum_held(const view::Film& film, const view::Holdings& holdings, NodeId node)
{
    const std::uint64_t message = film.messages.count() == 1 ? 0 : node;
    Contributors least = holdings.sum(node, message, 0);
    bool same = true;
    for (std::uint32_t part = 1; part < film.parts.count(); ++part) {
        Contributors sum = holdings.sum(node, message, part);
        same = same && sum == least;
        if (sum.size() < least.size())
            least = std::move(sum);
    }
    return same ? set_text(least) : fmt::format("at least {}", set_text(least));
}

std::string held_by(const view::Film& film, const view::Holdings& holdings, NodeId node)
{
    if (film.messages.kind() == MessageKind::sums)
        return sum_held(film, holdings, node);
    if (film.messages.count() == 1)
        return parts_held(film, holdings, node);
    std::vector<NodeId> origins;
    for (NodeId origin = 0; origin < film.messages.count(); ++origin)
        if (has_all(film, holdings, node, origin))
            origins.push_back(origin);
    return set_text(Contributors::of(origins));
}

// Of messages that move all are looked at once.
std::vector<HeldTexts> moving(const view::Film& film, const view::Holdings& holdings, std::span<const NodeId> nodes)
{
    std::vector<std::vector<NodeId>> origins(nodes.size());
    std::vector<HeldTexts> texts(nodes.size());
    for (std::uint64_t message = 0; message < film.messages.count(); ++message) {
        const MessageEnds ends = film.messages.ends(message);
        for (std::uint32_t part = 0; part < film.parts_of(message); ++part)
            for (const NodeId at : holdings.nodes_with(message, part)) {
                const auto found = std::ranges::lower_bound(nodes, at);
                if (found == nodes.end() || *found != at)
                    continue;
                const auto i = static_cast<std::size_t>(found - nodes.begin());
                if (ends.target == at)
                    origins[i].push_back(*ends.origin);
                else if (ends.origin != at)
                    texts[i].keeps += (texts[i].keeps.empty() ? "" : " ") +
                                      packet_text(film, {static_cast<std::uint32_t>(message), part, 1, 0});
            }
    }
    for (std::size_t i = 0; i < nodes.size(); ++i)
        texts[i].has = set_text(Contributors::of(origins[i]));
    return texts;
}

}  // namespace

std::string packet_text(const view::Film& film, const view::Row& row)
{
    const MessageEnds ends = film.messages.ends(row.message);
    const bool one = film.messages.count() == 1;
    const std::string parts = parts_text(film, row);
    switch (film.messages.kind()) {
    case MessageKind::moves: return fmt::format("{}>{}{}", *ends.origin, *ends.target, parts);
    case MessageKind::copies:
        if (one)
            return parts.empty() ? std::to_string(*ends.origin) : parts.substr(1);
        return fmt::format("{}{}", *ends.origin, parts);
    case MessageKind::sums: break;
    }
    return fmt::format("{}{}{{{}}}", one ? "" : fmt::format("{}:", *ends.target), parts.empty() ? "" : parts.substr(1),
                       set_text(film.sets[row.set]));
}

std::vector<HeldTexts> held_texts(const view::Film& film, const view::Holdings& holdings, std::span<const NodeId> nodes)
{
    if (film.messages.kind() == MessageKind::moves)
        return moving(film, holdings, nodes);
    std::vector<HeldTexts> texts;
    for (const NodeId node : nodes)
        texts.push_back({held_by(film, holdings, node), ""});
    return texts;
}

}  // namespace dcube::cli
