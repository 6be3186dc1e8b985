#pragma once
// Engine: what stands behind a Machine: the nodes' states, the links and the steps.

#include "emu/channel.hpp"
#include "emu/clock.hpp"
#include "emu/frame_pool.hpp"
#include "emu/tracer.hpp"

#include <dcube/machine.hpp>

#include <atomic>
#include <cstdint>
#include <exception>
#include <memory>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

namespace dcube::detail {

// A node's end of a link that leaves it: the channel's sender side, and what the rules and counters need. Small,
// because every hop touches one, and thousands of nodes must fit in a cache. Which member of the union counts is the
// engine's to know.
struct LinkOut {
    union {
        Slot* ring;
        SpscChannel* queue;
    };
    std::uint32_t place;    // the next one of a ring
    Step last_sent;         // 0: nothing sent yet
    std::uint32_t packets;  // fits: at most one a step
};

// A node's end of a link that enters it.
struct LinkIn {
    union {
        Slot* ring;
        SpscChannel* queue;
    };
    std::uint32_t place;
    std::uint32_t taken;  // packets
};

// When a packet leaves, and when its receiver can use it.
struct Transit {
    Time start = 0;
    Time end = 0;
};

// Node and all that the engine knows about it. One worker at a time touches it, but for `last_arrival`.
struct alignas(64) NodeState : Node {
    static NodeState& of(Node& node) { return static_cast<NodeState&>(node); }
    static const NodeState& of(const Node& node) { return static_cast<const NodeState&>(node); }

    static constexpr Port no_port = ~Port{0};

    void place(Engine& owner, const Topology& topology, NodeId id, LinkOut* links_out, LinkIn* links_in);

    void resume();

    [[nodiscard]] bool waiting(Port port) const;
    [[nodiscard]] bool has_room(Port port) const;
    // Whether what the node waits for is there; true if it waits for nothing.
    [[nodiscard]] bool may_resume() const;
    bool push(LinkOut& link, const Parcel& parcel) const;
    Parcel take(Port port);

    void check_port(Port port) const;
    void check_arrival(Port port) const;
    void check_size(Port port, std::size_t packet, std::size_t room) const;
    [[noreturn, gnu::cold]] void throw_violation(Rule rule, Port port, const char* detail) const;
    [[noreturn, gnu::cold]] void throw_size_mismatch(Port port, std::size_t packet, std::size_t room) const;
    // The same violation whether the sender or the receiver comes across it (channel.hpp).
    [[noreturn, gnu::cold]] static void throw_channel_full(Step step, NodeId sender, Port port, std::size_t capacity);

    Engine* engine = nullptr;
    LinkOut* out = nullptr;
    LinkIn* in = nullptr;

    Task::Handle
        innermost{};  // the task to resume: the program or the sub-task it awaits; null when the program has ended
    Task::Handle program{};
    bool paused = false;
    bool awaits_room = false;  // at the awaited port; else an arrival
    Step asleep_until = 0;
    Port awaited_port = no_port;
    Step awaited_since = 0;

    Step last_send = 0;  // for one-port machines
    std::uint64_t transmissions = 0;
    std::uint64_t bytes = 0;
    std::size_t storage = 0;

    FramePool frames;

    std::atomic<Step> last_arrival{0};  // written by senders of one-port machines
};

class Engine {
public:
    Engine(const Topology& topology, const MachineOptions& options);
    ~Engine();

    Counts run(const Machine::Program& program, const RunOptions& options);
    void for_each_node(const std::function<void(NodeId)>& work);
    void require_memory(std::size_t bytes, std::string_view what) const;

    [[nodiscard]] const Topology& topology() const { return topology_; }
    [[nodiscard]] const MachineOptions& options() const { return options_; }
    [[nodiscard]] Step step() const { return step_; }

    // For nodes.
    [[nodiscard]] bool slots() const { return options_.channel == ChannelKind::slots; }
    [[nodiscard]] std::size_t places() const { return places_; }
    [[nodiscard]] bool one_port() const { return options_.ports == PortModel::one; }
    [[nodiscard]] bool observed() const { return observed_; }
    [[nodiscard]] bool link_bound() const { return bound_; }
    // True if there is more to sending than the rules: virtual time, a trace, or lent bytes that are watched.
    [[nodiscard]] bool attentive() const { return attentive_; }
    void attend_send(NodeState& node, Port port, const Parcel& parcel, Time usable);
    // When the packet that waits at the port has arrived.
    [[nodiscard]] Time arrival_time(const NodeState& node, Port port) const;
    void note_arrival(NodeId receiver);
    // Since when the packet is usable that was just taken. `parts`: where the receiver finds its bytes; the sender's
    // memory if it does not copy them.
    Time attend_receive(NodeState& node, Port port, std::span<const std::span<const std::byte>> parts);
    void observe_copy(const NodeState& node, std::span<const std::byte> into, std::span<const std::byte> from);
    std::span<std::byte> allocate(NodeState& node, std::size_t bytes);

private:
    // Of several failures in one step the one with the smallest (step, node) counts, whoever came across it.
    struct Failure {
        Step step = 0;
        NodeId node = 0;
        std::exception_ptr error{};

        void keep_first(const Failure& other)
        {
            if (other.error && (!error || std::pair(other.step, other.node) < std::pair(step, node)))
                *this = other;
        }
    };
    // What one chunk of nodes did in a step; a cache line of its own each.
    struct alignas(64) Tally {
        std::size_t unfinished = 0;
        std::size_t waiting = 0;
        std::uint64_t sent = 0;
        std::uint64_t bytes = 0;
        Time longest = 0;
        Failure failure{};
    };
    struct Lent {
        std::vector<std::span<const std::byte>> parts;
        std::size_t hash = 0;
        Step step = 0;
    };

    void set_link_model();
    // When a packet of a link-bound machine leaves and arrives; books its link, and tells the channel's other end.
    Transit depart(NodeState& node, Port port, std::size_t bytes, Time usable);
    void observe_send(NodeState& node, Port port, std::span<const std::span<const std::byte>> parts, Transit transit);
    void make_links();
    void start(const Machine::Program& program);
    void reset();
    void run_nodes(std::size_t first, std::size_t last, Tally& tally);
    void fetch(const NodeState& node) const;
    bool run_node(NodeState& node, Tally& tally);
    void check_lent_bytes(NodeState& node);
    Clock::Next close_step(const RunOptions& options);
    Tally add_up();
    static Failure attribute(const std::exception_ptr& error, Step step, NodeId node);
    [[nodiscard]] Failure violation(Rule rule, const NodeState& node, Port port, Step step,
                                    const std::string& detail) const;
    [[nodiscard]] Clock::Next next_step(const Tally& total) const;
    [[nodiscard]] Failure find_second_receive() const;
    [[nodiscard]] Failure find_deadlock(const Tally& total) const;
    [[nodiscard]] Failure find_never_received() const;
    [[nodiscard]] bool has_room_after(const NodeState& node) const;
    [[nodiscard]] std::string describe_waiting() const;
    Counts count(double wall_seconds) const;
    // The other end of the link that enters at `port`.
    [[nodiscard]] const LinkOut& sender_end(const NodeState& node, Port port) const
    {
        return nodes_[topology_.neighbour(node.id(), port)].out[topology_.arrival_port(node.id(), port)];
    }
    [[nodiscard]] std::uint64_t link_index(const NodeState& node, Port port) const;
    [[nodiscard]] std::uint64_t incoming_index(const NodeState& node, Port port) const;

    // Indices of packets that are under way in the link that leaves, or enters, at `port`.
    [[nodiscard]] std::uint64_t sending_place(const NodeState& node, Port port) const
    {
        const NodeId to = topology_.neighbour(node.id(), port);
        return (first_link_[to] + topology_.arrival_port(node.id(), port)) * places_ + node.out[port].packets % places_;
    }
    [[nodiscard]] std::uint64_t receiving_place(const NodeState& node, Port port) const
    {
        return link_index(node, port) * places_ + node.in[port].taken % places_;
    }

    Topology topology_;
    MachineOptions options_;
    std::size_t places_;  // in a channel: capacity + 1

    std::vector<std::uint64_t> first_link_;  // of every node, and the total
    Memory links_out_;
    Memory links_in_;
    Memory slots_;
    std::vector<std::unique_ptr<SpscChannel>> queues_;
    std::unique_ptr<NodeState[]> nodes_;

    Clock clock_;
    std::vector<Tally> tallies_;  // of the chunks; the last is of a step that is run alone
    Step step_ = 0;
    Failure failure_{};
    std::atomic<bool> second_receive_{false};

    // The link-bound model, in ticks.
    bool bound_ = false;
    bool lockstep_ = false;
    Time tau_ = 0;
    Time beta_ = 0;
    Time now_ = 0;  // lockstep: when the running step began
    struct Sending {
        Time latest = 0;   // when the last packet that the node has sent arrives
        Time longest = 0;  // lockstep: what the longest one that it sent in this step takes
    };
    std::vector<Sending> sending_;    // of every node
    std::vector<Time> free_from_;     // of every directed link
    std::vector<Time> arrival_time_;  // of every place in every channel, by receiver

    bool attentive_ = false;
    bool observed_ = false;           // traced, or lent bytes are watched
    std::unique_ptr<Tracer> tracer_;  // in a traced run
    std::unique_ptr<Lent[]> lent_;    // if lent bytes are watched

    std::mutex storage_mutex_;
    std::vector<Memory> storage_;  // chunks that Node::allocate hands out, kept for the next run
    std::size_t storage_chunk_ = 0;
    std::size_t storage_used_ = 0;  // of the chunk
};

// The few functions that every hop goes through; a call of each would cost as much as what it does.

[[gnu::always_inline]] inline bool NodeState::waiting(Port port) const
{
    const LinkIn& link = in[port];
    const Step step = engine->step();
    return engine->slots() ? slots::waiting(link.ring, link.place, step) : link.queue->waiting(step);
}

[[gnu::always_inline]] inline bool NodeState::push(LinkOut& link, const Parcel& parcel) const
{
    return engine->slots() ? slots::push(link.ring, link.place, engine->places(), parcel) : link.queue->push(parcel);
}

[[gnu::always_inline]] inline Parcel NodeState::take(Port port)
{
    // Locals, because the compiler must assume that every store to a channel changes the engine.
    const bool ring = engine->slots();
    const std::size_t places = engine->places();
    LinkIn& link = in[port];
    const Step step = engine->step();
#ifndef DCUBE_UNCHECKED
    check_arrival(port);
    const Step overfull =
        ring ? slots::overfull_since(link.ring, link.place, places, step) : link.queue->overfull_since(step, places);
    if (overfull != 0) [[unlikely]]
        throw_channel_full(overfull, topology().neighbour(id(), port), topology().arrival_port(id(), port), places - 1);
#endif
    return ring ? slots::pop(link.ring, link.place, places, step) : link.queue->pop(step, engine->link_bound());
}

inline bool NodeState::has_room(Port port) const
{
    const LinkOut& link = out[port];
    const Step step = engine->step();
    if (link.last_sent == step)
        return false;
    return engine->slots() ? slots::has_room(link.ring, link.place, engine->places(), step)
                           : link.queue->has_room(step, engine->places(), link.packets);
}

inline bool NodeState::may_resume() const
{
    return awaited_port == no_port || (awaits_room ? has_room(awaited_port) : waiting(awaited_port));
}

[[gnu::always_inline]] inline void NodeState::check_port(Port port) const
{
    if (port >= ports()) [[unlikely]]
        throw_violation(Rule::no_such_port, port, "the node has no such port");
}

[[gnu::always_inline]] inline void NodeState::check_arrival(Port port) const
{
    check_port(port);
    if (!waiting(port)) [[unlikely]]
        throw_violation(Rule::nothing_arrived, port, "no packet waits to be received");
}

[[gnu::always_inline]] inline void NodeState::check_size(Port port, std::size_t packet, std::size_t room) const
{
    if (packet != room) [[unlikely]]
        throw_size_mismatch(port, packet, room);
}

}  // namespace dcube::detail
