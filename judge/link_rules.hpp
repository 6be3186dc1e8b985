#pragma once
// The rules for single transmissions: the link exists, time does not go back, and no link, nor any node of a one-port
// machine, does two things at once. On half duplex sending and receiving are two things.

#include "judge/trace_line.hpp"

#include <dcube/link.hpp>
#include <dcube/problem.hpp>
#include <dcube/topology.hpp>

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace dcube {

/// The most bytes of a packet: in the unit-time model Problem::bytes, but for matrices.
std::uint64_t largest_packet(const Problem& problem);

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
    void require_one_of_both(const Record& record) const;

    Topology topology_;
    PortModel ports_;
    bool half_duplex_;
    std::uint64_t packet_;
    bool signals_;  // packets are empty
    Step step_ = 0;
    std::vector<Step> link_used_;  // the last step in which each directed link carried a packet
    std::vector<Step> sent_;       // the last step in which each node sent, and received
    std::vector<Step> received_;
};

// The times of a trace under the link-bound model: in whole ticks, as long as a packet takes, and one packet after the
// other on every link, and at every port where nodes have one; under the lockstep clock also one step after the other.

class LinkTimes {
public:
    /// Throws InvalidArgument if tau or beta cannot be expressed in ticks.
    LinkTimes(const LinkModel& link, const Topology& topology);

    /// Sets the record's start and end. Throws TraceError.
    void set_ticks(Record& record) const;
    /// Checks a record whose ticks are set, whose link exists, and whose step is no earlier than the one before. Throws
    /// TraceError.
    void require_kept(const Record& record);

    /// The arrival of the last packet.
    [[nodiscard]] Rational last() const { return last_; }

private:
    [[nodiscard]] Time ticks(const Record& record, std::string_view key, const std::optional<Rational>& time) const;
    [[nodiscard]] Rational in_ns(Time ticks) const;
    void require_duration(const Record& record) const;
    void require_free_link(const Record& record);
    void require_free_ports(const Record& record);
    void require_lockstep(const Record& record);

    Topology topology_;
    LinkModel link_;
    std::uint64_t ticks_per_ns_;
    Time tau_;  // in ticks, of links that have no times of their own
    Time beta_;
    std::vector<Time> free_;       // since when each directed link is
    std::vector<Time> sending_;    // until when each node does, if it has one port; on half duplex receives, too
    std::vector<Time> receiving_;  // on full duplex
    Step step_ = 0;                // lockstep: the running one
    Time began_ = 0;               // when it began
    Time ends_ = 0;                // when the last packet so far has arrived
    Rational last_{};
};

}  // namespace dcube
