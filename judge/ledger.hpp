#pragma once
// Ledgers: who holds which bytes (or whose contributions) while a trace is replayed.

#include "judge/trace_line.hpp"
#include "judge/trace_messages.hpp"

#include <dcube/problem.hpp>
#include <dcube/topology.hpp>
#include <dcube/trace.hpp>

#include <cstdint>
#include <functional>
#include <memory>

namespace dcube {

/// The most memory that a ledger may take.
inline constexpr std::uint64_t most_ledger_bytes = std::uint64_t{8} << 30;

class Ledger {
public:
    Ledger() = default;
    Ledger(const Ledger&) = delete;
    Ledger& operator=(const Ledger&) = delete;
    virtual ~Ledger() = default;

    /// Books one piece of a transmission, or one without bytes for a packet of a barrier; the piece is valid, the link
    /// exists, and under the link-bound model the times in ticks are known. If the transmission is lost, the sender
    /// must hold the bytes, but no node gets them. Throws TraceError.
    virtual void carry(const Record& record, const Piece& piece) = 0;

    /// Whether the record's sender can send this packet in this step, and its receiver lacks it; a message for one node
    /// is no use once it is there.
    [[nodiscard]] virtual bool brings(const Record& record, const PacketBytes& packet) const = 0;

    /// Packets that arrived in the step that ends can leave from now on.
    virtual void end_step() = 0;

    /// Throws TraceError, without a line, unless every node holds what the collective demands; nodes for which
    /// `excused` returns true need not.
    using Excused = std::function<bool(NodeId)>;
    virtual void require_complete(const Excused& excused) const = 0;
};

/// The number of times a byte may be brought to a node in the unit-time model.
enum class Deliveries : std::uint8_t { once, repeated };

/// For collectives that move bytes: every node holds stretches of messages.
std::unique_ptr<Ledger> make_byte_ledger(const Problem& problem, const Topology& topology,
                                         Deliveries deliveries = Deliveries::once);
/// For reductions: every node holds, for every byte, sums of sets of nodes' contributions.
/// `most_memory` limits the bytes used to track the contributors of sums.
std::unique_ptr<Ledger> make_sum_ledger(const Problem& problem, const Topology& topology,
                                        std::uint64_t most_memory = most_ledger_bytes);
/// For barriers: every node has heard of some others.
std::unique_ptr<Ledger> make_signal_ledger(const Problem& problem, const Topology& topology);

}  // namespace dcube
