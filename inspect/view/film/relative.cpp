#include "inspect/view/film/relative.hpp"

namespace dcube::view {

namespace {

// (a - b) modulo its size, digit by digit.
NodeId difference(const std::vector<NodeId>& sizes, NodeId a, NodeId b)
{
    NodeId result = 0;
    NodeId stride = 1;
    for (auto size = sizes.rbegin(); size != sizes.rend(); ++size) {
        result += (a % *size + *size - b % *size) % *size * stride;
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
    case Relation::digits: return difference(sizes_, node, sender);
    case Relation::plain: break;
    }
    return node;
}

}  // namespace dcube::view
