#include "emu/link_numbers.hpp"

#include "base/sizes.hpp"

namespace dcube::detail {

namespace {

constexpr NodeId gap = 72;  // a tile's links, and half a line's sets more

bool all_alike(const Topology& topology)
{
    if (topology.is_hypercube())
        return true;
    for (NodeId node = 0; node < topology.nodes(); ++node)
        if (topology.ports(node) != topology.max_ports())
            return false;
    return true;
}

}  // namespace

LinkNumbers::LinkNumbers(const Topology& topology, NodeRange own)
    : own_(own), regular_(all_alike(topology)),
      stride_(regular_ ? topology.nodes() + (topology.nodes() < 64 ? 0 : gap) : 1),
      count_(regular_ ? std::uint64_t{stride_} * topology.max_ports() : topology.directed_links())
{
    if (!regular_) {
        first_.resize(topology.nodes());
        std::uint32_t next = 0;
        for (NodeId node = 0; node < topology.nodes(); ++node) {
            first_[node] = next;
            next += topology.ports(node);
        }
    }
    if (!topology.is_hypercube()) {
        outs_ = Memory(count_ * sizeof(std::uint32_t));
        out_ = {reinterpret_cast<std::uint32_t*>(outs_.bytes().data()), as_size(count_)};
    }
}

void LinkNumbers::note_outs(const Topology& topology, NodeId first, NodeId last)
{
    if (topology.is_hypercube())
        return;
    for (NodeId node = first; node < last; ++node)
        for (Port port = 0; port < topology.ports(node); ++port)
            out_[in(node, port)] = in(topology.neighbour(node, port), topology.arrival_port(node, port));
}

}  // namespace dcube::detail
