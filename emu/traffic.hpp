#pragma once
// Traffic: what a packet goes through, from the sender's call to the receiver's. There is one kind for every kind of
// channel and every policy; the engine chooses one for a run.

#include "emu/node_state.hpp"
#include "emu/wires.hpp"

#include <dcube/elements.hpp>
#include <dcube/node.hpp>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>

namespace dcube::detail {

class Traffic {
public:
    Traffic() = default;
    Traffic(const Traffic&) = delete;
    Traffic& operator=(const Traffic&) = delete;
    virtual ~Traffic() = default;

    virtual void send(NodeState& me, Port port, const Parcel& parcel, Usable usable) = 0;
    virtual BorrowedPacket receive(NodeState& me, Port port) = 0;
    virtual BorrowedParts receive_joined(NodeState& me, Port port) = 0;
    virtual Packet receive(NodeState& me, Port port, std::span<std::byte> into) = 0;
    virtual Packet receive(NodeState& me, Port port, std::span<std::byte> into, std::span<const std::byte> base,
                           Combine operation) = 0;
    [[nodiscard]] virtual BorrowedPacket peek(NodeState& me, Port port) const = 0;
    [[nodiscard]] virtual bool arrived(const NodeState& me, Port port) const = 0;
    [[nodiscard]] virtual bool has_room(const NodeState& me, Port port) const = 0;
    [[nodiscard]] virtual bool alive(const NodeState& me, Port port) const = 0;
};

class Engine;

// `checked`: the rules are tested and packets counted; without that only a benchmark goes, which measures what they
// cost. `instrumented`: there is more to sending than that: virtual time, a trace, or lent bytes that are watched.
// `losing`: links fail, too.
enum class Policy : std::uint8_t { unchecked, checked, instrumented, losing };
std::unique_ptr<Traffic> make_traffic(Engine& engine, Policy policy);

// The traffic of a machine that is not running: it moves no packets. quiet: while tasks are destroyed, whose
// destructors must not throw.
enum class Idle : std::uint8_t { complaining, quiet };
Traffic& idle_traffic(Idle manner);

}  // namespace dcube::detail
