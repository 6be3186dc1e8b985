#pragma once
// RenamedNode: a node of a recognised network, as the programs of the known network see it.

#include <dcube/node.hpp>
#include <dcube/topology.hpp>

#include <span>

namespace dcube::detail {

// Its number, its ports and its network are those of Recognition::network; what is sent and received goes over the
// machine's own ports. It must not outlive the recognition, nor the tasks that it is given to.
class RenamedNode : public Node {
public:
    // `me`: the machine's own.
    RenamedNode(const Node& me, const Recognition& known);

    // A port that is not there keeps its number.
    [[nodiscard]] Port port_of_machine(Port port) const
    {
        return port < ports_of_machine_.size() ? ports_of_machine_[port] : port;
    }

private:
    std::span<const Port> ports_of_machine_;
};

}  // namespace dcube::detail
