#pragma once
/// Failing: links and nodes that fail while a program runs, and the packets that are lost by that.

#include <dcube/graph.hpp>

#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <tuple>

namespace dcube {

class Topology;

/// From step `from` on what is sent between the neighbours `a` and `b` is lost, in both directions. If they are the
/// same node it is the node that fails: what is sent over any of its links is lost.
struct Failing {
    NodeId a = 0;
    NodeId b = 0;
    Step from = 1;

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
/// As those read it: "5-7@2", or "5@2" of a node.
std::string to_string(const Failing& failing);

/// Throws InvalidArgument: a node or a link that the network does not have, or step 0.
void validate(std::span<const Failing> failing, const Topology& topology);

/// True if the node fails within `steps` steps.
bool has_failed(std::span<const Failing> failing, NodeId node, Step steps);

/// Why what goes between these neighbours in that step is lost: of those that have failed the one that failed first,
/// then the one that stands first. Null if nothing has.
const Failing* failed_between(std::span<const Failing> failing, NodeId from, NodeId to, Step step);

/// "link 5-7 fails from step 2 on", "node 5 fails ..."
std::string describe(const Failing& failing);

/// A packet that was sent, and did not arrive.
struct LostPacket {
    Step step = 0;
    NodeId from = 0;
    Port port = 0;
    NodeId to = 0;
    std::size_t bytes = 0;
    Failing cause{};

    friend bool operator==(const LostPacket&, const LostPacket&) = default;
};

/// By step, then node, then port.
inline bool comes_before(const LostPacket& one, const LostPacket& other)
{
    return std::tie(one.step, one.from, one.port) < std::tie(other.step, other.from, other.port);
}

}  // namespace dcube
