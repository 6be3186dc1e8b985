#include "view/film/relative.hpp"

namespace dcube::view {

namespace {

// Combines the digits of a and b, least significant first.
template <class Combine>
NodeId by_digits(const std::vector<NodeId>& sizes, NodeId a, NodeId b, const Combine& combine)
{
    NodeId result = 0;
    NodeId stride = 1;
    for (auto size = sizes.rbegin(); size != sizes.rend(); ++size) {
        result += combine(a % *size, b % *size, *size) * stride;
        a /= *size;
        b /= *size;
        stride *= *size;
    }
    return result;
}

}  // namespace

Relative::Relative(const Topology& topology)
    : relation_(topology.is_hypercube() ? Relation::exclusive_or
                : topology.symmetric()  ? Relation::digits
                                        : Relation::plain)
{
    if (relation_ == Relation::digits)
        for (unsigned i = 0; i < topology.dimension(); ++i)
            sizes_.push_back(topology.factor(i).nodes());
}

NodeId Relative::seen(NodeId node, NodeId sender) const
{
    switch (relation_) {
    case Relation::exclusive_or: return node ^ sender;
    case Relation::digits:
        return by_digits(sizes_, node, sender, [](NodeId a, NodeId b, NodeId size) { return (a + size - b) % size; });
    case Relation::plain: break;
    }
    return node;
}

NodeId Relative::back(NodeId seen, NodeId sender) const
{
    switch (relation_) {
    case Relation::exclusive_or: return seen ^ sender;
    case Relation::digits:
        return by_digits(sizes_, seen, sender, [](NodeId a, NodeId b, NodeId size) { return (a + b) % size; });
    case Relation::plain: break;
    }
    return seen;
}

}  // namespace dcube::view
