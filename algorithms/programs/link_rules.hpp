#pragma once
// The rules of sending, for a plan as a whole: one packet a step on a link, and with one port one from and one to a
// node.

#include <dcube/ports.hpp>
#include <dcube/topology.hpp>

#include <cstdint>
#include <vector>

namespace dcube::detail {

class LinkRules {
public:
    LinkRules(const Topology& topology, PortModel ports) : topology_(topology), ports_(ports) {}

    // Throws InvalidArgument if there is no such step, node or port.
    void add(Step step, NodeId from, Port port);

    [[nodiscard]] Step last_step() const { return last_; }
    // Of all that was added. Throws InvalidArgument.
    void require_kept();

private:
    const Topology& topology_;
    PortModel ports_;
    Step last_ = 0;
    std::vector<std::uint64_t> links_{};  // that are used, with the step before them
    std::vector<std::uint64_t> senders_{};
    std::vector<std::uint64_t> receivers_{};
};

}  // namespace dcube::detail
