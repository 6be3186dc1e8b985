#include "collectives/group_pieces.hpp"

#include <dcube/contributors.hpp>

#include <memory>
#include <vector>

namespace dcube {

namespace {

// The piece with other names; none if `named` has none for one of them.
template <class Named>
std::optional<Piece> with_names(const Piece& piece, const Named& named)
{
    Piece other = piece;
    for (std::optional<NodeId>* const end : {&other.origin, &other.target})
        if (*end && !(*end = named(**end)))
            return std::nullopt;
    if (!piece.sum_of)
        return other;
    std::vector<NodeId> nodes;
    for (const auto& [first, last] : piece.sum_of->ranges())
        for (NodeId node = first; node <= last; ++node) {
            const std::optional<NodeId> name = named(node);
            if (!name)
                return std::nullopt;
            nodes.push_back(*name);
        }
    other.sum_of = std::make_shared<const Contributors>(Contributors::of(nodes));
    return other;
}

}  // namespace

Piece with_nodes(const Piece& piece, const Group& groups, NodeId number)
{
    return *with_names(piece, [&](NodeId rank) { return std::optional(groups.node(number, rank)); });
}

std::optional<Piece> with_ranks(const Piece& piece, const Group& groups, NodeId number)
{
    return with_names(piece, [&](NodeId node) {
        const bool is_here = node < groups.topology().nodes() && groups.number(node) == number;
        return is_here ? std::optional(groups.rank(node)) : std::nullopt;
    });
}

}  // namespace dcube
