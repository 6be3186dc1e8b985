#include "judge/trace_messages.hpp"

#include "collectives/matrix_shapes.hpp"

#include <dcube/judge.hpp>
#include <dcube/layout.hpp>

#include <fmt/format.h>

#include <string_view>

namespace dcube {

namespace {

constexpr std::uint64_t longest_message = std::uint64_t{1} << 62;

std::uint64_t choices(Who end, NodeId nodes)
{
    return end == Who::all ? nodes : end == Who::ends ? 2 : 1;
}

// "origin 3", or "no origin".
std::string shown(std::string_view end, std::optional<NodeId> given)
{
    return given ? fmt::format("{} {}", end, *given) : fmt::format("no {}", end);
}

}  // namespace

TraceMessages::TraceMessages(const Problem& problem, const Topology& topology)
    : problem_(problem), origin_(traits(problem.collective).origin), target_(traits(problem.collective).target),
      topology_(topology), origins_(choices(origin_, topology.nodes())), targets_(choices(target_, topology.nodes())),
      length_(Layout(problem, topology).message), packets_(moves_nothing(problem) ? 0 : most_packets(problem)),
      packet_bytes_(problem.bytes)
{
    if (!is_matrix(problem.collective))
        return;
    packets_ = 1;
    packet_bytes_ = longest_message;
    move_.emplace(problem, topology);
}

void TraceMessages::complete(Piece& piece) const
{
    if (!piece.origin && origin_ == Who::root)
        piece.origin = problem_.root;
    const bool from_one = fits(origin_, piece.origin, 0);
    if (!piece.target && target_ == Who::root)
        piece.target = problem_.root;
    else if (!piece.target && target_ == Who::peer)
        piece.target = problem_.peer;
    else if (!piece.target && target_ == Who::partner && from_one)
        piece.target = target_of(*piece.origin);
    if (piece.length != Record::left_out)
        return;
    piece.length = 1;  // require_valid reports any error in it
    if (from_one && fits(target_, piece.target, piece.origin.value_or(0)))
        if (const std::uint64_t message = length(number(piece)); piece.offset < message)
            piece.length = message - piece.offset;
}

void TraceMessages::require_valid(const Record& record, const Piece& piece) const
{
    if (is_barrier(problem_.collective))
        throw TraceError(record.line, "the packet has a piece: the packets of a barrier are empty");
    if (!fits(origin_, piece.origin, 0))
        throw TraceError(record.line, fmt::format("a piece has {}: {} is allowed", shown("origin", piece.origin),
                                                  allowed(origin_, 0)));
    const NodeId from = piece.origin.value_or(0);
    if (!fits(target_, piece.target, from))
        throw TraceError(record.line, fmt::format("a piece has {}: {} is allowed", shown("target", piece.target),
                                                  allowed(target_, from)));
    if (piece.sum_of)
        require_contributors(record, piece);
    if (piece.length == 0)
        throw TraceError(record.line, "a piece has length 0: 1 or more is allowed");
    const std::uint64_t message = length(number(piece));
    if (piece.offset >= message || piece.length > message - piece.offset)
        throw TraceError(record.line,
                         fmt::format("a piece of {} bytes at offset {} does not lie within a message, which "
                                     "has {} bytes",
                                     piece.length, piece.offset, message));
}

void TraceMessages::require_contributors(const Record& record, const Piece& piece) const
{
    if (origin_ != Who::nobody)
        throw TraceError(record.line, "a piece has \"sum_of\": only those of sums are allowed to");
    if (piece.sum_of->empty())
        throw TraceError(record.line, "a piece is the sum of no node: expected one or more");
    if (const NodeId last = piece.sum_of->ranges().back().last; last >= topology_.nodes())
        throw TraceError(record.line, fmt::format("a piece is a sum of node {}: nodes 0 to {} are allowed", last,
                                                  topology_.nodes() - 1));
    for (const NodeId missing : topology_.faults().nodes)
        if (piece.sum_of->contains(missing))
            throw TraceError(record.line, fmt::format("a piece is a sum of node {}, which is missing", missing));
    for (const NodeId node : topology_.fabric().switches)
        if (piece.sum_of->contains(node))
            throw TraceError(record.line, fmt::format("a piece is a sum of node {}, which is a switch", node));
}

bool TraceMessages::fits(Who end, std::optional<NodeId> given, NodeId origin) const
{
    if (!given)
        return end == Who::nobody;
    switch (end) {
    case Who::nobody: return false;
    case Who::root: return *given == problem_.root;
    case Who::peer: return *given == problem_.peer;
    case Who::ends: return *given == problem_.root || *given == problem_.peer;
    case Who::partner: return *given == target_of(origin);
    case Who::all: return *given < topology_.nodes() && topology_.is_member(*given);
    }
    return false;
}

std::string TraceMessages::allowed(Who end, NodeId origin) const
{
    switch (end) {
    case Who::nobody: return "none";
    case Who::root: return fmt::format("the root, {},", problem_.root);
    case Who::peer: return fmt::format("the peer, {},", problem_.peer);
    case Who::ends: return fmt::format("the root, {}, or the peer, {},", problem_.root, problem_.peer);
    case Who::partner: return fmt::format("node {}'s target, {},", origin, target_of(origin));
    case Who::all:
        return fmt::format("a node from 0 to {}{}", topology_.nodes() - 1,
                           topology_.lacks_nodes() ? " that is neither missing nor a switch" : "");
    }
    return {};
}

NodeId TraceMessages::target_of(NodeId origin) const
{
    if (has_permutation(problem_.collective))
        return problem_.permutation[origin];
    return origin == problem_.root ? problem_.peer : problem_.root;
}

std::uint64_t TraceMessages::number(const Piece& piece) const
{
    const NodeId from = piece.origin.value_or(0);
    const std::uint64_t origin = origin_ == Who::all ? from : origin_ == Who::ends && from == problem_.peer ? 1 : 0;
    const std::uint64_t target = target_ == Who::all ? piece.target.value_or(0) : 0;
    return origin * targets_ + target;
}

NodeId TraceMessages::origin(std::uint64_t number) const
{
    if (origin_ == Who::all)
        return static_cast<NodeId>(number / targets_);
    return origin_ == Who::ends && number == 1 ? problem_.peer : problem_.root;
}

NodeId TraceMessages::target(std::uint64_t number) const
{
    switch (target_) {
    case Who::all: return static_cast<NodeId>(number % targets_);
    case Who::partner: return target_of(origin(number));
    case Who::peer: return problem_.peer;
    case Who::nobody:
    case Who::root:
    case Who::ends: break;
    }
    return problem_.root;
}

std::uint64_t TraceMessages::length(std::uint64_t number) const
{
    if (move_)
        return move_->elements(origin(number), target(number)) * size_of(problem_.type);
    return problem_.counts.empty()
               ? length_
               : packets_between(problem_, topology_, origin(number), target(number)) * packet_bytes_;
}

PacketBytes TraceMessages::whole_packet(std::uint64_t number, std::uint64_t packet) const
{
    const std::uint64_t begin = packet * packet_bytes_;
    return {number, packet, begin, std::min(length(number), begin + packet_bytes_)};
}

std::vector<std::uint64_t> TraceMessages::held_by(NodeId node) const
{
    if (!topology_.is_member(node) || (target_ == Who::root && node != problem_.root))
        return {};
    return from_all_to(target_ == Who::all ? node : 0);
}

bool TraceMessages::is_sent(std::uint64_t number) const
{
    const bool from_member = origin_ == Who::nobody || topology_.is_member(origin(number));
    const bool to_member = target_ == Who::nobody || topology_.is_member(target(number));
    const bool stays = origin_ != Who::nobody && target_ != Who::nobody && origin(number) == target(number);
    return from_member && to_member && !stays && length(number) != 0;
}

Piece TraceMessages::piece(const PacketBytes& bytes) const
{
    Piece piece;
    if (origin_ != Who::nobody)
        piece.origin = origin(bytes.message);
    if (target_ != Who::nobody)
        piece.target = target(bytes.message);
    piece.offset = bytes.begin;
    piece.length = bytes.end - bytes.begin;
    return piece;
}

/// The messages from all origins to one target, of those that are not empty.
std::vector<std::uint64_t> TraceMessages::from_all_to(NodeId node) const
{
    if (move_ && has_partners(*move_))
        return {move_->source({node, 0}).node * targets_ + node};
    std::vector<std::uint64_t> messages;
    for (std::uint64_t origin = 0; origin < origins_; ++origin)
        if (origin_ != Who::all || topology_.is_member(static_cast<NodeId>(origin)))
            messages.push_back(origin * targets_ + node);
    return messages;
}

std::string TraceMessages::describe(std::uint64_t number) const
{
    std::string text = origin_ == Who::nobody ? "the sum" : fmt::format("the message from node {}", origin(number));
    if (target_ != Who::nobody)
        text += fmt::format("{} node {}", origin_ == Who::nobody ? " for" : " to", target(number));
    return text;
}

}  // namespace dcube
