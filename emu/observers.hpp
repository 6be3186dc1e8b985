#pragma once
// Observers: what more there is to sending and receiving in runs that want it: virtual time, traces, lent bytes. A
// plain run never comes here (Policy::instrumented).

#include "emu/chunk.hpp"
#include "emu/failure.hpp"
#include "emu/lent_bytes.hpp"
#include "emu/tracer.hpp"

#include <dcube/machine.hpp>

#include <cstdint>
#include <memory>
#include <span>
#include <utility>

namespace dcube::detail {

class Engine;

// The fate of a packet that is sent.
enum class Fate : std::uint8_t { arrives, lost };

class Observers {
public:
    explicit Observers(Engine& engine) : engine_(engine) {}

    // For as long as the machine lives; `places`: the number of places in all channels.
    void watch_lent_bytes(std::uint64_t places) { lent_ = std::make_unique<LentBytes>(places); }
    // For one run.
    void begin_trace(const RunOptions& options);
    void end_run()
    {
        tracer_.reset();
        failure_across_ = {};
    }

    // Programs see it as Node::traced(): the bytes are followed, so copies and sums must be reported.
    [[nodiscard]] bool any() const { return tracer_ || lent_; }
    [[nodiscard]] bool watch_loans() const { return lent_ != nullptr; }
    [[nodiscard]] Tracer* tracer() const { return tracer_.get(); }

    // Called by the worker that runs the node. `place`: of the packet in its channel.
    void send(NodeState& node, Port port, std::uint32_t link, std::uint64_t place, const Parcel& parcel, Usable usable,
              Fate fate);
    Time take(NodeState& node, std::uint64_t place);
    void receive(const NodeState& node, std::uint32_t link, std::span<const std::span<const std::byte>> parts);
    void copy(const NodeState& node, std::span<const std::byte> into, std::span<const std::byte> from);
    // The same of sums, and what they were combined with.
    void receive_sum(const NodeState& node, std::uint32_t link, std::span<const std::byte> into,
                     std::span<const std::byte> base);
    void combine(const NodeState& node, std::span<const std::byte> into, std::span<const std::byte> base,
                 std::span<const std::byte> from);
    // After each of them, where bytes of the node's own were written.
    void written(const NodeState& node, std::span<const std::byte> into);

    // When a step ends: compares the lent bytes of packets that the chunk's nodes have taken in it with what was sent.
    void check_loans(Chunk& chunk);

    // For the border to other ranks: whether the bytes of the packet in that place can still be read.
    [[nodiscard]] bool lent_is_there(std::uint64_t place) const { return !lent_ || lent_->take(place).there(); }
    // Another rank has taken the packet that was sent from that place.
    void take_across(std::uint64_t place);
    // A packet of another rank's has come to this place.
    void arrival(NodeId receiver, std::uint64_t place, Time arrival);
    // The failures that take_across() has found since this was last called.
    [[nodiscard]] Failure take_failure_across() { return std::exchange(failure_across_, {}); }

private:
    [[nodiscard]] Failure lent_bytes_changed(const LentBytes::Loan& loan) const;

    Engine& engine_;
    std::unique_ptr<Tracer> tracer_;   // in a traced run
    std::unique_ptr<LentBytes> lent_;  // if lent bytes are watched
    Failure failure_across_{};
};

}  // namespace dcube::detail
