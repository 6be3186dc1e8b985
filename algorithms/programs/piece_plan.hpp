#pragma once
// The memory that every node uses to carry out a flow: all is settled before the run, so that packets need no headers
// and nodes no tables of what they hold.

#include "algorithms/programs/routing.hpp"

#include <dcube/problem.hpp>
#include <dcube/schedule.hpp>
#include <dcube/topology.hpp>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

namespace dcube::detail {

// The flow of a schedule in pieces: its packets as stretches of numbered messages, each to be kept or added where it
// arrives.
struct Flow {
    struct Part {
        std::uint64_t message;
        std::uint64_t begin;
        std::uint64_t end;
        Arrival arrival;
        std::shared_ptr<const Contributors> sum_of{};  // if given; given for all parts where sums are kept apart
    };
    struct Packet {
        Step step;
        NodeId from;
        NodeId to;
        Port port;          // the sender's
        Port arrival_port;  // the receiver's
        std::size_t first_part;
    };

    std::vector<Packet> packets;  // in the order of their steps
    std::vector<Part> parts;
    bool apart = false;  // nodes keep sums apart, and send some of them

    [[nodiscard]] std::span<const Part> parts_of(std::size_t packet) const
    {
        const std::size_t end = packet + 1 < packets.size() ? packets[packet + 1].first_part : parts.size();
        return std::span(parts).subspan(packets[packet].first_part, end - packets[packet].first_part);
    }
};

// Throws InvalidArgument: a link or a stretch of a message that does not exist.
Flow flow_of(const PieceSchedule& schedule, const Topology& topology, const Problem& problem,
             const MessagePlaces& messages);

// A part of a packet, or a copy: bytes at an offset of an area of the node's memory.
struct PieceAction {
    enum class Area : std::uint8_t { input, output, storage };
    enum class Kind : std::uint8_t {
        copy,   // local work: place = base
        start,  // the same for a sum, which is as old as its base
        join,   // local work: place = place op base
        keep,   // receive: place = packet
        add,    // receive: place = base op packet
        again,  // receive what is here already, perhaps earlier than it was
        send,   // from place
    };

    std::uint64_t place;
    std::uint64_t base;  // copy and add
    std::uint64_t length;
    // Virtual times are numbered at each node; number 0 is the start.
    std::uint32_t since;       // since when the bytes at `place` are usable
    std::uint32_t base_since;  // add: those at `base`
    std::uint16_t port;
    Kind kind;
    Area place_area;
    Area base_area;
};
static_assert(sizeof(PieceAction) == 40);

// The actions of one step: receives, by port, then sends, by port.
struct PieceStage {
    Step step;
    std::vector<PieceAction> actions;
};

// Measured on all-to-all: actions at both ends, and as much while they are made.
inline constexpr std::uint64_t plan_bytes_of_a_piece = 200;

struct NodePlan {
    std::vector<PieceStage> stages;
    std::size_t storage = 0;  // bytes
    std::uint32_t times = 1;
};

// One plan per node, for bytes that move or for sums. Throws InvalidArgument if bytes are sent before they are there.
std::vector<NodePlan> piece_plans(const Flow& flow, const Topology& topology, const Problem& problem,
                                  const MessagePlaces& messages);

}  // namespace dcube::detail
