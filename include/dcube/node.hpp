#pragma once
/// @file
/// Node: all that a program sees of the machine.

#include <dcube/elements.hpp>
#include <dcube/link.hpp>
#include <dcube/packet.hpp>
#include <dcube/random.hpp>
#include <dcube/task.hpp>
#include <dcube/topology.hpp>

#include <array>
#include <bit>
#include <concepts>
#include <coroutine>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <type_traits>

#pragma GCC visibility push(default)
namespace dcube {

/// @addtogroup program
/// @{

namespace detail {

class [[gnu::visibility("hidden")]] Engine;
struct [[gnu::visibility("hidden")]] Follow;
struct [[gnu::visibility("hidden")]] NodeState;
class [[gnu::visibility("hidden")]] RenamedNode;

// The awaitable that any_arrival() returns.
struct [[nodiscard]] AnyArrival {
    static constexpr std::size_t none = ~std::size_t{0};

    Node* node;
    const Port* ports;  // null: all
    std::size_t count;

    [[nodiscard]] Port port(std::size_t i) const { return ports ? ports[i] : static_cast<Port>(i); }
    // The same as the machine numbers it.
    [[nodiscard, gnu::visibility("hidden")]] Port port_of_machine(std::size_t i) const;
    // The first of the ports at which a packet waits, or none.
    [[nodiscard]] std::size_t found() const;
    [[nodiscard]] bool await_ready() const { return found() != none; }
    void await_suspend(std::coroutine_handle<> task) const noexcept;
    Port await_resume() const { return port(found()); }
};
static_assert(std::is_trivially_destructible_v<AnyArrival>);

}  // namespace detail

/// Equal-sized pieces of memory that belong to one node, one every `stride` bytes.
struct Stripes {
    std::byte* first = nullptr;  ///< where the first one begins
    std::size_t stride = 0;      ///< bytes from one to the next; a multiple of 64
};

/// One virtual processor, as its program sees it. A program touches its Node and its own memory, nothing else.
///
///     Task pass_on(Node& me, std::span<std::byte> mine, std::span<std::byte> theirs)
///     {
///         me.send(0, mine);            // step 1
///         co_await me.next_step();
///         me.receive(0, theirs);       // step 2
///     }
///
/// Every rule that a call breaks is a RuleViolation, which names the rule, the step, the node and the port. The tasks
/// that a node's functions return are awaited by its own tasks: anything else is a RuleViolation, no_such_task.
class Node {
public:
    Node(const Node&) = delete;
    Node& operator=(const Node&) = delete;

    /// This node's number.
    [[nodiscard]] NodeId id() const { return id_; }
    /// The number of its ports, which are 0, 1, ..., ports() - 1.
    [[nodiscard]] Port ports() const { return ports_; }
    /// The network that it is part of.
    [[nodiscard]] const Topology& topology() const { return *topology_; }
    /// The port that leads one up or down in a dimension: Topology::port_to() of this node.
    [[nodiscard]] Port port_to(unsigned dimension, int direction) const
    {
        return topology_->port_to(id_, dimension, direction);
    }

    /// The number of ports that a node may use in a step.
    [[nodiscard]] PortModel port_model() const;
    /// The time that a packet holds its link, and the clock.
    [[nodiscard]] const LinkModel& link() const;

    /// The step that is running, 1, 2, 3, ...
    [[nodiscard]] Step step() const;

    /// Sends `bytes` over `port`; they can be received there from the next step on.
    /// The bytes are lent: leave them unchanged until the end of the step in which the receiver takes them (the next
    /// one, in every algorithm here). Builds with asserts or sanitizers watch that, and report lent_bytes_changed;
    /// MachineOptions::watch_lent_bytes switches it on and off. `header` is a word that travels with them; it is not
    /// counted as bytes.
    /// Throws RuleViolation: no_such_port, link_busy (a link carries one packet per step), second_send (one-port
    /// machines), channel_full.
    /// Under the link-bound model it leaves when its link is free and the bytes are usable: `usable` is that of the
    /// packet that brought them (of several the latest), or the value of usable_now() when the node held them; by
    /// default the latest time of anything that the node has received. A packet of no bytes takes beta. Throws
    /// RuleViolation also there: time_overflow.
    void send(Port port, std::span<const std::byte> bytes, std::uint64_t header = 0, Usable usable = {});

    /// Sends on a packet that was received into the node's own memory.
    void send(Port port, const Packet& packet) { send(port, packet.bytes, packet.header, packet.usable); }

    /// Sends bytes that lie in several places as one packet, without joining them in memory first: the list is lent
    /// like the bytes. The receiver takes it with receive_joined, or with the receive that copies.
    void send(Port port, const JoinedPacket& packet);

    /// Sends a value, or values side by side, as they stand in memory: `me.send(port, number)`,
    /// `me.send(port, std::span(numbers).first(5))`. They are lent too.
    template <Lendable T>
    void send(Port port, T&& what)
    {
        send(port, std::as_bytes(detail::as_span(what)));
    }

    /// Does not compile: received data must be copied into the node's own memory before they are sent on (store and
    /// forward), so receive into that.
    template <std::derived_from<BorrowedBytes> Borrowed>
    void send(Port port, const Borrowed& bytes, std::uint64_t header = 0, Usable usable = {}) = delete;
    /// Does not compile, for the same reason.
    void send(Port port, const BorrowedParts& packet) = delete;

    /// The earliest time at which everything the node now holds may be sent: the latest arrival time of anything it has
    /// received, 0 before that. A program that sends what it held from its start, after it has received something, asks
    /// first.
    [[nodiscard]] Usable usable_now() const;

    /// True if a packet can be sent over `port` now and cannot exceed the channel's capacity: none was sent in this
    /// step, and fewer waited in the channel when the step began than its capacity allows. Throws RuleViolation:
    /// no_such_port; InvalidArgument under the unit model, where channels do not push back and too many packets break a
    /// rule.
    [[nodiscard]] bool has_room(Port port) const;

    /// True if what is sent over `port` in the running step arrives; false from the step on in which its link fails
    /// (RunOptions::failing). A link fails in both directions at once. Throws RuleViolation: no_such_port.
    [[nodiscard]] bool alive(Port port) const;

    /// True if a packet that was sent over `port`'s link in an earlier step waits to be received.
    /// Throws RuleViolation: no_such_port.
    [[nodiscard]] bool arrived(Port port) const;

    /// The oldest packet that waits at `port`, which stays there. Throws RuleViolation: no_such_port, nothing_arrived.
    [[nodiscard]] BorrowedPacket peek(Port port);

    /// Takes the oldest packet that waits at `port` without copying it: its bytes are the sender's, and may be read
    /// (added up, say) until this node's next step, and not be sent. Throws RuleViolation: no_such_port,
    /// nothing_arrived, channel_full (the sender's), second_receive.
    BorrowedPacket receive(Port port);

    /// Takes a packet that was sent joined, without copying it: its parts lie where the sender has them.
    /// Throws RuleViolation as above, and size_mismatch for a packet of one stretch (as receive does for a joined one).
    BorrowedParts receive_joined(Port port);

    /// Takes the oldest packet that waits at `port` and copies it to `into`, which must have its size.
    /// Throws RuleViolation as above, and size_mismatch.
    Packet receive(Port port, std::span<std::byte> into);

    /// Takes the oldest packet that waits at `port` into a value, or into values side by side, of its size.
    template <Fillable T>
    Packet receive(Port port, T&& into)
    {
        return receive(port, std::as_writable_bytes(detail::as_span(into)));
    }

    /// Takes the oldest packet that waits at `port` and returns it as a value: `me.receive<double>(port)`. A trace
    /// cannot follow its bytes.
    template <Value T>
    T receive(Port port)
    {
        std::array<std::byte, sizeof(T)> bytes;
        receive(port, std::span<std::byte>(bytes));
        return std::bit_cast<T>(bytes);
    }

    /// Takes the oldest packet that waits at `port` and combines it: into = base op packet, for three stretches of one
    /// size. Returns `into`, as usable as the packet. Throws RuleViolation as above; InvalidArgument if `combine` is
    /// null.
    Packet receive(Port port, std::span<std::byte> into, std::span<const std::byte> base, Combine combine);

    /// Local work, which takes no time in any model: copies bytes, for a packet that is made of several or taken to
    /// several places. A trace follows what is copied here (and by receive), and nothing else.
    /// Throws InvalidArgument if the sizes differ.
    void copy(std::span<std::byte> into, std::span<const std::byte> from);
    /// Copies another node's bytes, as receive() lends them.
    void copy(std::span<std::byte> into, const BorrowedBytes& from) { copy(into, std::span(from.data(), from.size())); }

    /// Local work, as copy() is, for sums: into = base op from, for three stretches of one size. Throws InvalidArgument
    /// if the sizes differ or `combine` is null.
    void combine(std::span<std::byte> into, std::span<const std::byte> base, std::span<const std::byte> from,
                 Combine combine);
    /// Combines with another node's bytes, as receive() lends them.
    void combine(std::span<std::byte> into, std::span<const std::byte> base, const BorrowedBytes& from,
                 Combine operation)
    {
        combine(into, base, std::span(from.data(), from.size()), operation);
    }

    /// Declares that this node starts, in this step, an operation of all nodes, as Prepared collectives do. It costs
    /// nothing. If not all nodes start the same `what` in this step, the run ends after it with RuleViolation
    /// not_together, which contains `name`. On machines of several ranks, where each has its own `what`, two are the
    /// same if their names and `meaning`s are. Throws RuleViolation stray_packet if a packet waits at one of the node's
    /// ports.
    void begin_together(const void* what, std::string_view name, std::uint64_t meaning = 0);

    /// From now on this node is in the phase of that name, until the next one, or its program's end. Counts and reports
    /// have the first and the last step that any node spent in it, and a trace has the phase of every packet's sender.
    /// An empty name: no phase.
    void phase(std::string_view name);

    /// Adds `number` to a counter of the program's own; Counts and reports have its sum over all nodes.
    void count(std::string_view name, std::uint64_t number = 1);

    /// Random numbers that depend on the run's seed (RunOptions::seed) and the node, and nothing else. The same from
    /// their beginning at each call: `Random random = me.random();` once.
    [[nodiscard]] Random random() const;

    /// True if the run is traced: then all copying must go through copy and combine.
    [[nodiscard]] bool traced() const;

    /// Memory of the node's own for packets under way, aligned to 64 bytes, uninitialised, until the end of the run.
    /// The report's in-transit storage is the sum of these. Throws InvalidArgument, which ends the run, if all nodes
    /// together ask for more than the machine may take (MachineOptions::memory_limit).
    std::span<std::byte> allocate(std::size_t bytes);

    /// The same for the lists of the parts of joined packets, which are lent as their bytes are. A list is not in
    /// transit: the report does not count it.
    std::span<std::span<const std::byte>> allocate_parts(std::size_t parts);

    /// The same for pieces of equal size that lie between those of the other nodes: what neighbouring nodes do with
    /// pieces of one number touches neighbouring memory. For programs in which all nodes ask for the same.
    Stripes allocate_stripes(std::size_t pieces, std::size_t bytes);

    /// `co_await me.next_step();` ends this node's part in the running step.
    auto next_step() noexcept { return NextStep{this}; }

    /// `co_await me.exchange(port, mine, theirs);` sends `mine`, ends this node's part in the running step, and in the
    /// next one receives `theirs`, for two neighbours that do the same. Throws RuleViolation as send and receive do.
    auto exchange(Port port, std::span<const std::byte> mine, std::span<std::byte> theirs)
    {
        return Exchange{this, port, mine, theirs};
    }

    /// Exchanges values: `co_await me.exchange(port, my_key, their_key);`
    template <Lendable Mine, Fillable Theirs>
    auto exchange(Port port, Mine&& mine, Theirs&& theirs)
    {
        return Exchange{this, port, std::as_bytes(detail::as_span(mine)),
                        std::as_writable_bytes(detail::as_span(theirs))};
    }

    /// `co_await me.until(step);` does nothing until that step; at once if it has come already.
    auto until(Step step) noexcept { return Until{this, step}; }

    /// `co_await me.arrival(port);` waits, for as many steps as it takes, until a packet waits at `port`.
    auto arrival(Port port) { return Wait{this, port, false}; }

    /// `const Port port = co_await me.any_arrival(ports);` waits, for as many steps as it takes, until a packet waits
    /// at one of `ports`, and says at which: the first of them in their order. The list is borrowed until then. Throws
    /// InvalidArgument if it is empty.
    detail::AnyArrival any_arrival(std::span<const Port> ports);
    /// `co_await me.any_arrival();` waits at all of the node's ports.
    detail::AnyArrival any_arrival();

    /// `co_await me.room(port);` waits, for as many steps as it takes, until has_room(port): channels push back.
    auto room(Port port) { return Wait{this, port, true}; }

private:
    friend class detail::Engine;
    friend struct detail::NodeState;
    friend class detail::RenamedNode;
    friend struct detail::Follow;
    friend struct detail::AnyArrival;

    struct [[nodiscard]] NextStep {
        Node* node;
        static bool await_ready() noexcept { return false; }
        void await_suspend(std::coroutine_handle<> task) const noexcept { node->pause(task); }
        static void await_resume() noexcept {}
    };
    struct [[nodiscard]] Exchange {
        Node* node;
        Port port;
        std::span<const std::byte> mine;
        std::span<std::byte> theirs;
        [[nodiscard]] bool await_ready() const
        {
            node->send(port, mine);
            return false;
        }
        void await_suspend(std::coroutine_handle<> task) const noexcept { node->pause(task); }
        void await_resume() const { node->receive(port, theirs); }
    };
    struct [[nodiscard]] Until {
        Node* node;
        Step first;
        [[nodiscard]] bool await_ready() const noexcept { return node->step() >= first; }
        void await_suspend(std::coroutine_handle<> task) const noexcept { node->pause_until(task, first); }
        static void await_resume() noexcept {}
    };
    struct [[nodiscard]] Wait {  // for an arrival, or for room
        Node* node;
        Port port;
        bool for_room;
        [[nodiscard]] bool await_ready() const { return for_room ? node->has_room(port) : node->arrived(port); }
        void await_suspend(std::coroutine_handle<> task) const noexcept { node->pause_for(task, port, for_room); }
        static void await_resume() noexcept {}
    };
    static_assert(std::is_trivially_destructible_v<NextStep> && std::is_trivially_destructible_v<Exchange> &&
                  std::is_trivially_destructible_v<Until> && std::is_trivially_destructible_v<Wait>);

    Node() = default;
    // End the step of the node whose task is suspended. True if it is this one; another's breaks a rule.
    bool pause(std::coroutine_handle<> task) noexcept;
    [[gnu::visibility("hidden")]] detail::NodeState* pause_longer(std::coroutine_handle<> task) noexcept;
    void pause_until(std::coroutine_handle<> task, Step step) noexcept;
    bool pause_for(std::coroutine_handle<> task, Port port, bool room) noexcept;

    NodeId id_ = 0;
    Port ports_ = 0;
    const Topology* topology_ = nullptr;
    detail::NodeState* state_ = nullptr;  // the machine's state of it
};

/// @}

}  // namespace dcube
#pragma GCC visibility pop
