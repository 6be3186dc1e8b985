#pragma once
// RenamedNode: a node of a recognised network, as the programs of the known network see it, or a node of a group, as
// those of the group's network see it.

#include <dcube/group.hpp>
#include <dcube/node.hpp>
#include <dcube/topology.hpp>

#include <span>

namespace dcube::detail {

// Its number, its ports and its network are those of Recognition::network, or of Group::network(); what is sent and
// received goes over the machine's own ports. It must not outlive the recognition or the group, nor the node that it
// renames, nor the tasks that it is given to.
class RenamedNode : public Node {
public:
    // `me`: the machine's own, or a renamed one.
    RenamedNode(const Node& me, const Recognition& known);
    RenamedNode(const Node& me, const Group& group);

    // Ports that are not there stand for such that the machine's node does not have either.
    [[nodiscard]] Port port_of_machine(Port port) const
    {
        const Port there = port < ports() ? ports_of_renamed_[port] : port - ports() + more_ports_;
        return outer_ ? outer_->port_of_machine(there) : there;
    }

private:
    RenamedNode(const Node& me, NodeId id, const Topology& network, std::span<const Port> ports);

    std::span<const Port> ports_of_renamed_;
    Port more_ports_;           // of the node that it renames
    const RenamedNode* outer_;  // that node; null: the machine's own
};

}  // namespace dcube::detail
