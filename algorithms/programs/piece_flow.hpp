#pragma once
// What flows in a schedule in pieces: its packets as stretches of numbered messages, each to be kept or added where it
// arrives.

#include "algorithms/programs/routing.hpp"

#include <dcube/piece_schedule.hpp>
#include <dcube/problem.hpp>
#include <dcube/schedule.hpp>
#include <dcube/topology.hpp>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

namespace dcube::detail {

struct Flow {
    struct Part {
        std::uint64_t message;
        std::uint64_t begin;
        std::uint64_t end;
        Arrival arrival;
        std::shared_ptr<const Contributors> sum_of{};  // if it is told, and of all parts where sums are kept apart
    };
    struct Packet {
        Step step;
        NodeId from;
        NodeId to;
        Port port;          // of the sender
        Port arrival_port;  // of the receiver
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

}  // namespace dcube::detail
