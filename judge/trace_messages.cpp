#include "judge/trace_messages.hpp"

#include "collectives/matrix_shapes.hpp"

#include <dcube/judge.hpp>

#include <fmt/format.h>

#include <algorithm>

namespace dcube {

namespace {

using End = Messages::End;

constexpr std::uint64_t longest_message = std::uint64_t{1} << 62;

struct Ends {
    End origin;
    End target;
};

Ends ends(Collective collective)
{
    switch (collective) {
    case Collective::broadcast: return {End::root, End::none};
    case Collective::reduce: return {End::none, End::root};
    case Collective::scatter: return {End::root, End::any};
    case Collective::gather: return {End::any, End::root};
    case Collective::all_gather: return {End::any, End::none};
    case Collective::reduce_scatter: return {End::none, End::any};
    case Collective::all_reduce: return {End::none, End::none};
    case Collective::send: return {End::root, End::peer};
    case Collective::exchange: return {End::either, End::follows};
    case Collective::permute: return {End::any, End::follows};
    case Collective::all_to_all:
    case Collective::matrix_transpose:
    case Collective::matrix_quarter_turn:
    case Collective::matrix_half_turn:
    case Collective::matrix_relayout: return {End::any, End::any};
    }
    return {End::none, End::none};
}

std::uint64_t choices(End end, NodeId nodes)
{
    return end == End::any ? nodes : end == End::either ? 2 : 1;
}

std::string shown(std::optional<NodeId> given)
{
    return given ? std::to_string(*given) : "null";
}

}  // namespace

Messages::Messages(const Problem& problem, const Topology& topology)
    : problem_(problem), origin_(ends(problem.collective).origin), target_(ends(problem.collective).target),
      nodes_(topology.nodes()), origins_(choices(origin_, nodes_)), targets_(choices(target_, nodes_)),
      length_(Layout(problem, topology).message), packets_(problem.packets), packet_bytes_(problem.bytes)
{
    if (!is_matrix(problem.collective))
        return;
    packets_ = 1;
    packet_bytes_ = longest_message;
    move_.emplace(problem, topology);
}

void Messages::require_valid(const Record& record, const Record::Piece& piece) const
{
    if (!fits(origin_, piece.origin, 0))
        throw TraceError(record.line,
                         fmt::format("a piece has origin {}: {} is allowed", shown(piece.origin), allowed(origin_, 0)));
    const NodeId from = piece.origin.value_or(0);
    if (!fits(target_, piece.target, from))
        throw TraceError(record.line, fmt::format("a piece has target {}: {} is allowed", shown(piece.target),
                                                  allowed(target_, from)));
    if (piece.length == 0)
        throw TraceError(record.line, "a piece has length 0: 1 or more is allowed");
    const std::uint64_t message = length(number(piece));
    if (piece.offset >= message || piece.length > message - piece.offset)
        throw TraceError(record.line,
                         fmt::format("a piece of {} bytes at offset {} does not lie within a message, which "
                                     "has {} bytes",
                                     piece.length, piece.offset, message));
}

bool Messages::fits(End end, std::optional<NodeId> given, NodeId origin) const
{
    if (end == End::none || !given)
        return end == End::none && !given;
    switch (end) {
    case End::root: return *given == problem_.root;
    case End::peer: return *given == problem_.peer;
    case End::either: return *given == problem_.root || *given == problem_.peer;
    case End::follows: return *given == target_of(origin);
    default: return *given < nodes_;
    }
}

std::string Messages::allowed(End end, NodeId origin) const
{
    switch (end) {
    case End::none: return "null";
    case End::root: return fmt::format("the root, {},", problem_.root);
    case End::peer: return fmt::format("the peer, {},", problem_.peer);
    case End::either: return fmt::format("the root, {}, or the peer, {},", problem_.root, problem_.peer);
    case End::follows: return fmt::format("node {}'s target, {},", origin, target_of(origin));
    case End::any: return fmt::format("a node from 0 to {}", nodes_ - 1);
    }
    return {};
}

NodeId Messages::target_of(NodeId origin) const
{
    if (problem_.collective == Collective::permute)
        return problem_.permutation[origin];
    return origin == problem_.root ? problem_.peer : problem_.root;
}

std::uint64_t Messages::number(const Record::Piece& piece) const
{
    const NodeId from = piece.origin.value_or(0);
    const std::uint64_t origin = origin_ == End::any ? from : origin_ == End::either && from == problem_.peer ? 1 : 0;
    const std::uint64_t target = target_ == End::any ? piece.target.value_or(0) : 0;
    return origin * targets_ + target;
}

NodeId Messages::origin(std::uint64_t number) const
{
    if (origin_ == End::any)
        return static_cast<NodeId>(number / targets_);
    return origin_ == End::either && number == 1 ? problem_.peer : problem_.root;
}

NodeId Messages::target(std::uint64_t number) const
{
    switch (target_) {
    case End::any: return static_cast<NodeId>(number % targets_);
    case End::follows: return target_of(origin(number));
    case End::peer: return problem_.peer;
    default: return problem_.root;
    }
}

std::uint64_t Messages::length(std::uint64_t number) const
{
    return move_ ? move_->elements(origin(number), target(number)) * size_of(problem_.type) : length_;
}

std::vector<std::uint64_t> Messages::held_by(NodeId node) const
{
    switch (problem_.collective) {
    case Collective::broadcast: return {0};
    case Collective::scatter: return {node};
    case Collective::gather: return node == problem_.root ? from_all_to(0) : std::vector<std::uint64_t>();
    default: return from_all_to(target_ == End::any ? node : 0);
    }
}

/// The messages from all origins to one target, of those that are not empty.
std::vector<std::uint64_t> Messages::from_all_to(NodeId node) const
{
    if (move_ && has_partners(*move_))
        return {move_->source({node, 0}).node * targets_ + node};
    std::vector<std::uint64_t> messages;
    for (std::uint64_t origin = 0; origin < origins_; ++origin)
        messages.push_back(origin * targets_ + node);
    return messages;
}

std::string Messages::describe(std::uint64_t number) const
{
    std::string text = origin_ == End::none ? "the sum" : fmt::format("the message from node {}", origin(number));
    if (target_ != End::none)
        text += fmt::format("{} node {}", origin_ == End::none ? " for" : " to", target(number));
    return text;
}

}  // namespace dcube
