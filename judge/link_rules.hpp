#pragma once
// The rules for single transmissions: the link exists, time does not go back, and nobody does two things at once.

#include "judge/trace_line.hpp"

#include <dcube/ports.hpp>
#include <dcube/problem.hpp>
#include <dcube/topology.hpp>

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace dcube {

/// Why a line of `step` may not stand after one of step `before`.
std::string out_of_order(Step step, Step before);

class LinkRules {
public:
    LinkRules(const Topology& topology, PortModel ports, const Problem& problem);

    /// Throws TraceError.
    void require_kept(const Record& record);

private:
    void require_order(const Record& record);
    void require_link(const Record& record) const;
    void require_node(const Record& record, std::string_view what, NodeId node) const;
    void require_size(const Record& record) const;
    void require_free(const Record& record);

    Topology topology_;
    PortModel ports_;
    std::uint64_t packet_;
    Step step_ = 0;
    std::vector<Step> link_used_;  // the last step in which each directed link carried a packet
    std::vector<Step> sent_;       // the last step in which each node sent, and received
    std::vector<Step> received_;
};

}  // namespace dcube
