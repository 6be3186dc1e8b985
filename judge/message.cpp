#include "judge/message.hpp"

#include <dcube/judge.hpp>

#include <fmt/format.h>

#include <optional>

namespace dcube {

namespace {

using End = Messages::End;

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
    case Collective::all_to_all: return {End::any, End::any};
    }
    return {End::none, End::none};
}

std::string allowed(End end, NodeId root, NodeId nodes)
{
    switch (end) {
    case End::none: return "null";
    case End::root: return fmt::format("the root, {},", root);
    case End::any: return fmt::format("a node from 0 to {}", nodes - 1);
    }
    return {};
}

bool fits(End end, std::optional<NodeId> given, NodeId root, NodeId nodes)
{
    if (end == End::none || !given)
        return end == End::none && !given;
    return end == End::root ? *given == root : *given < nodes;
}

std::string shown(std::optional<NodeId> given)
{
    return given ? std::to_string(*given) : "null";
}

}  // namespace

Messages::Messages(const Problem& problem, const Topology& topology)
    : origin_(ends(problem.collective).origin), target_(ends(problem.collective).target), root_(problem.root),
      nodes_(topology.nodes()), origins_(origin_ == End::any ? nodes_ : 1), targets_(target_ == End::any ? nodes_ : 1),
      length_(Layout(problem, topology).message)
{
}

void Messages::require_valid(const Record& record, const Record::Piece& piece) const
{
    if (!fits(origin_, piece.origin, root_, nodes_))
        throw TraceError(record.line, fmt::format("a piece has origin {}: {} is allowed", shown(piece.origin),
                                                  allowed(origin_, root_, nodes_)));
    if (!fits(target_, piece.target, root_, nodes_))
        throw TraceError(record.line, fmt::format("a piece has target {}: {} is allowed", shown(piece.target),
                                                  allowed(target_, root_, nodes_)));
    if (piece.length == 0)
        throw TraceError(record.line, "a piece has length 0: 1 or more is allowed");
    if (piece.offset >= length_ || piece.length > length_ - piece.offset)
        throw TraceError(record.line,
                         fmt::format("a piece of {} bytes at offset {} does not lie within a message, which "
                                     "has {} bytes",
                                     piece.length, piece.offset, length_));
}

std::uint64_t Messages::number(const Record::Piece& piece) const
{
    const std::uint64_t origin = origin_ == End::any ? piece.origin.value_or(0) : 0;
    const std::uint64_t target = target_ == End::any ? piece.target.value_or(0) : 0;
    return origin * targets_ + target;
}

std::string Messages::describe(std::uint64_t number) const
{
    const std::uint64_t origin = origin_ == End::any ? number / targets_ : root_;
    const std::uint64_t target = target_ == End::any ? number % targets_ : root_;
    std::string text = origin_ == End::none ? "the sum" : fmt::format("the message from node {}", origin);
    if (target_ != End::none)
        text += fmt::format("{} node {}", origin_ == End::none ? " for" : " to", target);
    return text;
}

}  // namespace dcube
