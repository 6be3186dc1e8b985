#pragma once
// The common part of planners of a schedule in pieces: one node's plan while it is made. Places are settled when all
// buffers are known.

#include "algorithms/programs/piece_plan.hpp"

#include <dcube/graph.hpp>

#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <utility>
#include <vector>

namespace dcube::detail {

// Storage for bytes under way, or for a sum: wanted from one step on, and free from another.
struct PieceBuffer {
    std::uint64_t message;
    std::uint64_t begin;  // in the message's bytes
    std::uint64_t end;
    Step from;
    Step free_from;
    std::uint64_t final_bytes = 0;  // those wanted here in the end
    std::uint64_t offset = 0;       // in the storage
    bool at_home = false;           // it lies in the output after all
};

// Gives every buffer a place; those that are not wanted at the same time may share it. Returns the bytes of all.
std::uint64_t lay_out(std::vector<PieceBuffer>& buffers);

// A packet as one of its two ends sees it.
struct PieceEvent {
    Step step;  // by the clock: a packet is received in the step after it was sent
    bool is_send;
    Port port;
    std::size_t packet;
};

class PiecePlanner {
public:
    PiecePlanner(const PiecePlanner&) = delete;
    PiecePlanner& operator=(const PiecePlanner&) = delete;

protected:
    static constexpr std::size_t in_input = std::numeric_limits<std::size_t>::max();
    static constexpr std::size_t in_output = in_input - 1;
    static constexpr Step for_good = std::numeric_limits<Step>::max();

    // A stretch's place, and since when it is usable.
    struct Held {
        std::size_t buffer = in_input;  // or in_output
        std::uint64_t message0 = 0;     // where byte 0 of the message would lie there; modulo 2^64
        std::uint32_t since = 0;
    };

    PiecePlanner(const Flow& flow, const MessagePlaces& messages, NodeId self)
        : flow_(flow), messages_(messages), self_(self), own_(messages.own(self))
    {
    }
    ~PiecePlanner() = default;

    [[nodiscard]] NodeId self() const { return self_; }
    [[nodiscard]] const MessagePlaces& messages() const { return messages_; }
    [[nodiscard]] const std::vector<Own>& owned() const { return own_; }
    [[nodiscard]] std::span<const Flow::Part> parts_of(const PieceEvent& event) const
    {
        return flow_.parts_of(event.packet);
    }
    [[nodiscard]] PieceBuffer& buffer_of(const Held& held) { return buffers_[held.buffer]; }

    [[nodiscard]] std::optional<Held> own(std::uint64_t message) const;
    [[nodiscard]] std::optional<Held> home(std::uint64_t message) const;

    // Begins the actions of this step, behind those that are there.
    void begin_stage(Step step);
    [[nodiscard]] bool no_stages() const { return plan_.stages.empty(); }
    void act(PieceAction::Kind kind, Port port, std::uint64_t begin, std::uint64_t end, const Held& place,
             const Held& base);

    std::uint32_t new_time() { return plan_.times++; }
    Held new_buffer(std::uint64_t message, std::uint64_t begin, std::uint64_t end, Step step);
    void use(const Held& held, Step free_from);

    // The plan, when nothing is missing.
    NodePlan settled_plan();

private:
    struct Unsettled {  // the places of an action
        Held place;
        Held base;
        std::uint64_t begin;  // in the message's bytes
    };

    [[nodiscard]] std::pair<PieceAction::Area, std::uint64_t> settled(const Held& held, std::uint64_t begin) const;

    const Flow& flow_;
    const MessagePlaces& messages_;
    NodeId self_;
    std::vector<Own> own_;  // by message
    std::vector<PieceBuffer> buffers_;
    std::vector<Unsettled> unsettled_;
    NodePlan plan_;
};

// The plan of a node that keeps sums apart, from a flow that says for every part which nodes' shares it sums up
// (Flow::apart). `terms`: those in the sum that it gets.
NodePlan plan_of_sums(const Flow& flow, const MessagePlaces& messages, NodeId self, const Contributors& terms,
                      const std::vector<PieceEvent>& events);

}  // namespace dcube::detail
