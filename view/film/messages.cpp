#include "view/film/messages.hpp"

#include <dcube/collective.hpp>
#include <dcube/layout.hpp>
#include <dcube/matrix.hpp>

#include <algorithm>

namespace dcube::view {

namespace {

MessageKind kind_of(Collective collective)
{
    if (is_reduction(collective))
        return MessageKind::sums;
    return traits(collective).target == Who::nobody ? MessageKind::copies : MessageKind::moves;
}

}  // namespace

Messages::Messages(const Problem& problem, const Topology& topology)
    : kind_(kind_of(problem.collective)), topology_(topology), nodes_(topology.nodes()),
      bytes_(Layout(problem, topology).message)
{
    const CollectiveTraits& of = traits(problem.collective);
    if (of.origin == Who::root || of.target == Who::root)
        root_ = problem.root;
    one_ = (kind_ == MessageKind::copies && of.origin == Who::root) ||
           (kind_ == MessageKind::sums && of.target != Who::all);
    if (is_matrix(problem.collective))
        list_matrix(problem, topology);
    else if (is_point_to_point(problem.collective))
        list_ends(problem);
    else if (kind_ == MessageKind::moves && root_)
        pairs_ = of.origin == Who::root ? Pairs::from_root : Pairs::to_root;
    if (topology.lacks_nodes() && kind_ == MessageKind::moves && pairs_ != Pairs::list)
        list_members();
}

// The messages between nodes that are there.
void Messages::list_members()
{
    for (NodeId i = 0; i < topology_.members(); ++i)
        for (NodeId j = 0; j < topology_.members(); ++j) {
            const NodeId origin = topology_.member(i);
            const NodeId target = topology_.member(j);
            if ((pairs_ != Pairs::from_root || origin == root_) && (pairs_ != Pairs::to_root || target == root_))
                list_.emplace_back(origin, target);
        }
    pairs_ = Pairs::list;
}

void Messages::list_ends(const Problem& problem)
{
    pairs_ = Pairs::list;
    if (has_permutation(problem.collective)) {
        for (NodeId node = 0; node < nodes_; ++node)
            if (topology_.is_member(node))
                list_.emplace_back(node, problem.permutation[node]);
        return;
    }
    list_.emplace_back(problem.root, problem.peer);
    if (traits(problem.collective).origin == Who::ends)
        list_.emplace_back(problem.peer, problem.root);
    std::ranges::sort(list_);
}

// Nodes may have more elements for one node than for another, and none for a third.
void Messages::list_matrix(const Problem& problem, const Topology& topology)
{
    const MatrixMove move(problem, topology);
    for (NodeId i = 0; i < topology.members(); ++i)
        for (NodeId j = 0; j < topology.members(); ++j)
            if (const NodeId origin = topology.member(i), target = topology.member(j);
                const std::size_t elements = move.elements(origin, target)) {
                list_.emplace_back(origin, target);
                lengths_.push_back(elements * size_of(problem.type));
            }
    bytes_ = lengths_.empty() ? 1 : std::ranges::max(lengths_);
    if (std::ranges::all_of(lengths_, [&](std::uint64_t length) { return length == bytes_; }))
        lengths_.clear();
    const bool all = lengths_.empty() && list_.size() == std::size_t{nodes_} * nodes_;
    if (all)
        list_.clear();
    pairs_ = all ? Pairs::all : Pairs::list;
}

std::uint64_t Messages::count() const
{
    if (one_)
        return 1;
    if (kind_ == MessageKind::copies)
        return topology_.members();
    if (kind_ == MessageKind::sums)
        return nodes_;  // also those for nodes that are missing, which nobody needs
    switch (pairs_) {
    case Pairs::all: return std::uint64_t{nodes_} * nodes_;
    case Pairs::from_root:
    case Pairs::to_root: return nodes_;
    case Pairs::list: break;
    }
    return list_.size();
}

MessageEnds Messages::ends(std::uint64_t number) const
{
    const auto node = static_cast<NodeId>(number);
    if (kind_ == MessageKind::copies)
        return {one_ ? root_ : topology_.member(node), std::nullopt};
    if (kind_ == MessageKind::sums)
        return {std::nullopt, one_ ? root_ : node};
    switch (pairs_) {
    case Pairs::all: return {static_cast<NodeId>(number / nodes_), static_cast<NodeId>(number % nodes_)};
    case Pairs::from_root: return {root_, node};
    case Pairs::to_root: return {node, root_};
    case Pairs::list: break;
    }
    return {list_[number].first, list_[number].second};
}

std::optional<std::uint64_t> Messages::number_of(const MessageEnds& wanted) const
{
    std::uint64_t number = 0;
    if (kind_ == MessageKind::moves && pairs_ == Pairs::list) {
        if (!wanted.origin || !wanted.target)
            return std::nullopt;
        const auto found = std::ranges::lower_bound(list_, std::pair(*wanted.origin, *wanted.target));
        number = static_cast<std::uint64_t>(found - list_.begin());
    } else if (kind_ == MessageKind::moves && pairs_ == Pairs::all) {
        number = std::uint64_t{wanted.origin.value_or(0)} * nodes_ + wanted.target.value_or(0);
    } else if (!one_) {
        const bool by_origin = kind_ == MessageKind::copies || pairs_ == Pairs::to_root;
        const NodeId node = (by_origin ? wanted.origin : wanted.target).value_or(0);
        if (kind_ == MessageKind::copies && node >= nodes_)
            return std::nullopt;
        number = kind_ == MessageKind::copies ? topology_.member_number(node) : node;
    }
    return number < count() && ends(number) == wanted ? std::optional(number) : std::nullopt;
}

std::optional<std::uint64_t> Messages::number_of(const Piece& piece) const
{
    const std::optional<std::uint64_t> number = number_of(MessageEnds{piece.origin, piece.target});
    if (!number || piece.length == 0 || piece.length > bytes(*number) || piece.offset > bytes(*number) - piece.length)
        return std::nullopt;
    return number;
}

bool Messages::needs(NodeId node, std::uint64_t number) const
{
    const std::optional<NodeId> target = ends(number).target;
    return topology_.is_member(node) && (!target || *target == node);
}

bool Messages::starts_with(NodeId node, std::uint64_t number) const
{
    const std::optional<NodeId> origin = ends(number).origin;
    return origin ? *origin == node : topology_.is_member(node);
}

Parts::Parts(const Messages& messages, std::span<const Piece> pieces) : cuts_{0, messages.most_bytes()}
{
    for (const Piece& piece : pieces) {
        if (!messages.number_of(piece))
            continue;
        cuts_.push_back(piece.offset);
        cuts_.push_back(piece.offset + piece.length);
        if (cuts_.size() == cuts_.capacity())
            sort_cuts();
    }
    for (std::uint64_t number = 0; number < messages.list().size(); ++number)
        cuts_.push_back(messages.bytes(number));
    sort_cuts();
}

void Parts::sort_cuts()
{
    std::ranges::sort(cuts_);
    const auto rest = std::ranges::unique(cuts_);
    cuts_.erase(rest.begin(), rest.end());
}

std::uint32_t Parts::part_at(std::uint64_t offset) const
{
    return static_cast<std::uint32_t>(std::ranges::lower_bound(cuts_, offset) - cuts_.begin());
}

}  // namespace dcube::view
