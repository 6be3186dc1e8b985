#pragma once
// Diagnosis: what is found out about a run at the end of a step or of the run: what went wrong, which node caused it,
// and the message. What a node finds in its own step is found where it happens (traffic.cpp, node.cpp). Nothing here is
// asked in a step in which nothing is wrong, but for find_second_receive() and find_deadlock(), which look at one word
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
    // Every node that is left waits, and nothing was sent that one of them could wait for. What was taken in this step
    // may have made room for the next.
    [[nodiscard]] Failure find_deadlock(const Summary& sum) const;
    // When all programs have ended: packets that wait in their channels, and tasks that were made and have never run.
    [[nodiscard]] Failure find_left_over() const;
    [[nodiscard]] Failure too_many_steps() const;

    // What a program that counts on a lost packet comes to. It is the loss that is reported, and what followed it
    // elsewhere than at its link's two ends: the one need not have led to the other.
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
