#pragma once
/// @file
/// Faults: links and nodes that a network lacks from the start, and those that fail while a program runs.

#include <dcube/graph.hpp>

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>
#include <vector>

#pragma GCC visibility push(default)
namespace dcube {

/// @addtogroup network
/// @{

class Topology;

/// The missing parts of a network: links, each between two neighbours and in both directions, and nodes with all their
/// links.
struct Faults {
    std::vector<std::pair<NodeId, NodeId>> links{};  ///< each by its two ends, in either order
    std::vector<NodeId> nodes{};                     ///< missing with all their links

    /// True if nothing is missing.
    [[nodiscard]] bool empty() const { return links.empty() && nodes.empty(); }
    /// Adds what the others lack.
    void add(const Faults& others);

    friend bool operator==(const Faults&, const Faults&) = default;
};

/// Reads links "a-b" and nodes "v", separated by commas, blanks or line ends; what follows a '#' in its line does not
/// count. Throws InvalidArgument, which names the line if there are several.
Faults parse_faults(std::string_view text);
/// The two ends of a link: "4-5". Throws InvalidArgument.
std::pair<NodeId, NodeId> parse_link_between(std::string_view text);
/// A node's id: "9". Throws InvalidArgument.
NodeId parse_node_id(std::string_view text);

/// "0-1,4-5,9", as parse_faults() reads it.
std::string to_string(const Faults& faults);

/// Faults by chance: each of the network's links with probability `rate`, 0 to 1. A seed gives the same links on every
/// machine. Throws InvalidArgument for any other rate.
Faults random_faults(const Topology& topology, double rate, std::uint64_t seed);

/// A failure in a run (RunOptions::failing): from step `from` on what is sent between the neighbours `a` and `b` is
/// lost, in both directions. If they are the same node it is the node that fails: what is sent over any of its links is
/// lost.
struct Failing {
    NodeId a = 0;   ///< one end of the link, or the node
    NodeId b = 0;   ///< the other end, or the same node
    Step from = 1;  ///< the first step in which it is gone

    /// True if it is a node that fails.
    [[nodiscard]] bool is_node() const { return a == b; }

    friend bool operator==(const Failing&, const Failing&) = default;
};

/// A node that fails from that step on, with all its links.
constexpr Failing failing_node(NodeId node, Step from)
{
    return {node, node, from};
}

/// "5-7@2": the link between nodes 5 and 7, from step 2 on. Throws InvalidArgument.
Failing parse_failing_link(std::string_view text);
/// "5@2": node 5. Throws InvalidArgument.
Failing parse_failing_node(std::string_view text);
/// The text that parse_failing_link() or parse_failing_node() reads: "5-7@2", or "5@2" of a node.
std::string to_string(const Failing& failing);

/// Throws InvalidArgument: a node or a link that the network does not have, or step 0.
void validate(std::span<const Failing> failing, const Topology& topology);

/// True if the node fails within `steps` steps.
bool has_failed(std::span<const Failing> failing, NodeId node, Step steps);

/// Why a packet between these neighbours is lost in that step: of the causes so far the one that failed first, then the
/// one that is listed first. Null if nothing there has failed.
const Failing* failed_between(std::span<const Failing> failing, NodeId from, NodeId to, Step step);

/// A description: "link 5-7 fails from step 2 on", "node 5 fails from step 2 on".
std::string describe(const Failing& failing);

/// A packet that was sent, and did not arrive.
struct LostPacket {
    Step step = 0;          ///< when it was sent
    NodeId from = 0;        ///< the sender
    Port port = 0;          ///< the sender's port
    NodeId to = 0;          ///< the node that it was for
    std::size_t bytes = 0;  ///< its size
    Failing cause{};        ///< the failure that lost it

    friend bool operator==(const LostPacket&, const LostPacket&) = default;
};

/// The order of lost packets: by step, then sender, then port.
inline bool comes_before(const LostPacket& one, const LostPacket& other)
{
    return std::tie(one.step, one.from, one.port) < std::tie(other.step, other.from, other.port);
}

/// @}

}  // namespace dcube
#pragma GCC visibility pop
