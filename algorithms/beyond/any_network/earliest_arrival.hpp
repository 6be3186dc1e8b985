#pragma once
// Messages that spread to all nodes of a network whose nodes or links differ.

#include "algorithms/beyond/any_network/transports.hpp"
#include "algorithms/programs/cut.hpp"

#include <cstdint>
#include <functional>
#include <span>
#include <vector>

namespace dcube::detail {

// A message that all nodes need, and the node that has it.
struct Spreading {
    Fragment message;
    NodeId root;
};

// The plan of least time among those that cut messages into 1, 2, .. pieces of whole units.
TransportPlan spread_by_arrival(const TimedArcs& arcs, std::span<const Spreading> messages, std::size_t unit);

// About how many operations that takes; `longest`: the units of the longest message.
std::uint64_t work_of_spreading(const Topology& topology, std::uint64_t messages, std::uint64_t longest);

// The messages, each in this many pieces of whole units.
template <class Message>
std::vector<Message> in_pieces(std::span<const Message> messages, std::size_t pieces, std::size_t unit)
{
    std::vector<Message> all;
    for (std::size_t piece = 0; piece < pieces; ++piece)
        for (Message one : messages) {
            const Stretch part = balanced_part(one.message.length / unit, pieces, piece);
            one.message.offset += part.offset * unit;
            one.message.length = part.length * unit;
            if (part.length > 0)
                all.push_back(one);
        }
    return all;
}

// Plans of 1, 2, 3, 4, 6, 8, .. pieces up to `most`, until more of them have not helped for a while; the best.
TransportPlan best_number_of_pieces(std::size_t most, const std::function<TransportPlan(std::size_t pieces)>& plan);

}  // namespace dcube::detail
