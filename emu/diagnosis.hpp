#pragma once
// Diagnosis: failures that are found at the end of a step or of the run: what went wrong, which node caused it, and the
// message. Failures that a node finds in its own step are found where they happen (traffic.cpp, node.cpp). Nothing here
// is called in a step in which nothing is wrong, except find_second_receive() and find_deadlock(), which read one word
// each.

#include "emu/collective_starts.hpp"
#include "emu/failure.hpp"
#include "emu/ranks.hpp"
#include "emu/summary.hpp"

#include <dcube/contributors.hpp>
#include <dcube/faults.hpp>

#include <cstdint>
#include <optional>

namespace dcube::detail {

class Diagnosis {
public:
    explicit Diagnosis(Engine& engine) : engine_(engine) {}

    // Two packets have set out for one node of a one-port machine in this step; the senders have noticed. Names the
    // second port.
    [[nodiscard]] Failure find_second_receive() const;
    // Some nodes, but not all, have begun what takes all of them, or they have begun different things. `own`: on this
    // rank; `nodes`: how many on all.
    [[nodiscard]] Failure find_not_together(const CollectiveStarts& own, std::uint64_t nodes) const;
    // Every remaining node waits, and nothing was sent that one of them could wait for. Packets taken in this step may
    // have made room for the next.
    [[nodiscard]] Failure find_deadlock(const Summary& sum) const;
    // When all programs have ended: packets that wait in their channels, and tasks that were made and have never run.
    [[nodiscard]] Failure find_left_over() const;
    [[nodiscard]] Failure too_many_steps() const;

    // The failure of a program that counted on a lost packet. The loss is reported, and with it the failure that
    // followed elsewhere than at its link's two ends: the one need not have led to the other.
    [[nodiscard]] Failure named_by_loss(const Failure& failure, const std::optional<LostPacket>& first_lost) const;

private:
    [[nodiscard]] bool any_under_way() const;
    [[nodiscard]] Failure find_never_received() const;
    [[nodiscard]] Failure find_never_awaited() const;
    [[nodiscard]] bool any_finds_room() const;
    [[nodiscard]] Waiting who_waits() const;
    [[nodiscard]] Contributors who_did_not_begin() const;

    Engine& engine_;
};

}  // namespace dcube::detail
