#pragma once
// Virtual times without bytes: what a schedule, a routing or a stream takes on a link-bound machine, found by walking
// through it by the machine's own rules (emu/link_times.hpp). None where that would be too much work.

#include "algorithms/programs/routing.hpp"
#include "algorithms/programs/schedule.hpp"
#include "algorithms/programs/stream.hpp"
#include "collectives/graphs/link_ticks.hpp"
#include "collectives/problem_fields.hpp"

#include <dcube/link.hpp>
#include <dcube/problem.hpp>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

namespace dcube::detail {

// The number of packets, or of the stretches that they consist of, that take about half a second.
constexpr std::uint64_t most_walked = std::uint64_t{1} << 22;

// Links over which every packet takes one unit of time; ports and clock are those of `link`.
LinkModel packet_clock(const LinkModel& link);

// The clocks of nodes' ports, where nodes have one; none elsewhere.
class WalkedPorts {
public:
    WalkedPorts(const LinkModel& link, std::size_t nodes);

    // Since when both ends of a packet are free.
    [[nodiscard]] Time free_from(NodeId from, NodeId to) const;
    void hold(NodeId from, NodeId to, Time end);

private:
    std::vector<Time> sending_;    // on half duplex of both
    std::vector<Time> receiving_;  // on full duplex
};

// All links' clocks, in ticks (Time). A packet leaves when its bytes are usable, its link is free, and, where nodes
// have one port, those of its ends are; in lockstep when its step begins.
class WalkedLinks {
public:
    // `nodes`: whose ports count; none if it is for all ports only.
    WalkedLinks(const LinkModel& link, std::size_t links, std::size_t nodes = 0);
    // All links of a network, each with its own times, by Topology::link().
    WalkedLinks(const LinkModel& link, const Topology& topology);

    // Returns when the packet has arrived. Throws InvalidArgument if that does not fit in 64 bits.
    Time depart(std::size_t link, std::size_t bytes, Time usable, NodeId from = 0, NodeId to = 0);
    // All packets of the step have left.
    void end_step() { now_ = finish_; }

    // The arrival of the last packet.
    [[nodiscard]] Time finish() const { return finish_; }
    [[nodiscard]] Rational finish_in_ns() const;
    // The times by link.
    [[nodiscard]] const std::vector<Time>& free_from() const { return free_from_; }
    [[nodiscard]] bool lockstep() const { return lockstep_; }

private:
    LinkTicks pace_;                // of links without times of their own
    std::vector<LinkTicks> paces_;  // of all links, if some have times of their own
    std::uint64_t ticks_per_ns_;
    bool lockstep_;
    Time now_ = 0;
    Time finish_ = 0;
    std::vector<Time> free_from_;
    WalkedPorts ports_;
};

// The time of a schedule's packets if each takes one unit of time, carried out `rounds` times for copies 0, 1, ... All
// its packets have one size, so on any links it takes that many times as long as one packet.
std::optional<std::uint64_t> walked_packet_times(const Schedule& schedule, std::uint32_t rounds,
                                                 const Topology& topology, const Problem& problem);

// Whether all nodes do the same at the same time, so that one node stands for all (packets have the same sizes
// everywhere).
enum class Acting : std::uint8_t { apart, alike };

std::optional<Rational> walked_time(const Routing& routing, const MessagePlaces& messages, Acting acting,
                                    const Topology& topology, const Problem& problem);
std::optional<Rational> walked_time(const Stream& stream, const Topology& topology, const Problem& problem);

// All that the times of a plan, and what is in transit, can depend on.
struct WalkKey {
    Topology topology;
    Collective collective;
    std::vector<FieldValue> fields;  // the problem's, except those about the elements' values
    std::size_t element;             // bytes, where elements are not cut
    bool in_place;
    LinkModel link;

    friend bool operator==(const WalkKey&, const WalkKey&) = default;
};
WalkKey walk_key(const Topology& topology, const Problem& problem);
// The same for packets of any one size.
WalkKey packet_times_key(const Topology& topology, const Problem& problem);

}  // namespace dcube::detail
