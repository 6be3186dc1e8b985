#pragma once
// Routings: what every link carries in every stage, for messages that are cut and joined freely (Stout & Wagar 1990).
//
// A packet is a list of fragments, each a stretch of one message. Stages give the order in which a link's packets leave
// (at most one per stage), and a fragment leaves a node in a later stage than it arrived there. The time at which a
// packet leaves is determined by the machine's virtual time; a stage becomes a step of the machine.

#include <dcube/layout.hpp>
#include <dcube/node.hpp>
#include <dcube/schedule.hpp>
#include <dcube/task.hpp>

#include <compare>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <unordered_map>
#include <vector>

namespace dcube::detail {

struct Fragment {
    std::uint64_t message;
    std::size_t offset;
    std::size_t length;
};
using Fragments = std::vector<Fragment>;

// How a packet came to a switch: in a stage, over a port.
struct CameIn {
    Step stage;
    Port port;
    friend auto operator<=>(const CameIn&, const CameIn&) = default;
};

struct Routing {
    Step stages = 0;
    // Appends the fragments of the packet that `from` sends over `port` in stage 0, 1, ...; none if it sends nothing.
    std::function<void(Step stage, NodeId from, Port port, Fragments& fragments)> packet;
    // Fragments that arrive in the first stages are added to the receiver's; later they are kept as they are.
    Step adding_stages = 0;
    // Before stage giving_stages a sender forgets what it sends, so that no partial sum counts twice. (Where a byte
    // leaves every node at most once, that holds for all stages.)
    Step giving_stages = 0;
    // All-reduce: sums are double-buffered, because the partner still reads the old one; with an odd number of
    // exchanges they start in the spare buffer and so end where they are wanted.
    bool sums_begin_aside = false;
    // A switch passes packets on whole, and each once: how the packet that it sends over a port in a stage came to it.
    std::function<CameIn(Step stage, NodeId from, Port port)> came{};
};

// Appends a fragment, joined to the last one if it continues it. Fragments of no bytes vanish.
void append(Fragments& fragments, const Fragment& fragment);

// A list of fragments read as one string: `length` bytes of it from `offset` on.
Fragments substring(const Fragments& string, std::size_t offset, std::size_t length);
std::size_t length(const Fragments& string);

// Time reversal: every packet goes back, and the last stage comes first. With Arrival::added what was spread is summed
// up.
Routing reversed(const Routing& routing, Arrival arrival);
// The routing for another root: node n does what n ^ root did. `relabel` takes message ids along.
Routing translated(Routing routing, NodeId root, bool relabel);
Routing followed_by(Routing first, Routing second);

std::uint64_t packets(const Routing& routing, const Topology& topology);

// A routing that is written down packet by packet.
class RoutingTable {
public:
    explicit RoutingTable(const Topology& topology) : ports_(topology.max_ports()) {}

    void add(Step stage, NodeId from, Port port, const Fragment& fragment);
    void add(Step stage, NodeId from, Port port, const Fragments& fragments);
    // All of another table's packets; its stage k becomes stages[k].
    void add_all(const RoutingTable& other, std::span<const Step> stages);
    [[nodiscard]] Routing routing() &&;

private:
    Port ports_;
    std::vector<std::unordered_map<std::uint64_t, Fragments>> stages_;  // by from * ports + port
};

// A message's id is origin * targets + target, where what can be one node only is numbered 0 (the ends of an exchange:
// root 0, peer 1), whatever is given here.
std::uint64_t message_number(const Problem& problem, const Topology& topology, NodeId origin, NodeId target);

// The messages of a collective, as a node's data hold them.
struct Own {
    std::uint64_t message;
    std::size_t offset;  // in the node's input
    std::size_t length;
    bool summed_at_home = false;  // copy_own_block has put it where it is wanted
};
class MessagePlaces {
public:
    virtual ~MessagePlaces() = default;
    // The stretches that the node holds at the start, by message.
    [[nodiscard]] virtual std::vector<Own> own(NodeId node) const = 0;
    // The place in its output where the node wants a message; nowhere if it only passes it on.
    [[nodiscard]] virtual std::optional<std::size_t> wanted(NodeId node, std::uint64_t message) const = 0;
    // The message's length in bytes.
    [[nodiscard]] virtual std::size_t length(std::uint64_t message) const = 0;
    // True if a byte leaves every node at most once, so that it need not be kept.
    [[nodiscard]] virtual bool leaves_once() const = 0;
};
std::shared_ptr<const MessagePlaces> message_places(const Problem& problem, const Topology& topology);

// The program of every node but switches: sends what the routing says and keeps what arrives where the collective wants
// it, or in storage of its own until it has been passed on.
Task run_routing(Node& me, const Routing& routing, const MessagePlaces& messages, const Problem& problem,
                 NodeData data);
// The program of a switch.
Task pass_on(Node& me, const Routing& routing);

}  // namespace dcube::detail
