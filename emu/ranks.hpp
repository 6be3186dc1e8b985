#pragma once
// Ranks: the processes that a machine is spread over, and what all of them agree on beside the messages of a step, so
// that each of them decides the same in the same step. On one rank all answers are its own.

#include "emu/border.hpp"
#include "emu/collective_starts.hpp"
#include "emu/failure.hpp"

#include <dcube/counts.hpp>
#include <dcube/machine.hpp>
#include <dcube/world.hpp>

#include <cstdint>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <tuple>
#include <vector>

namespace dcube::detail {

// The nodes that wait, by the step since which they wait, the port, and what they wait for: for the report of a
// deadlock.
using Waiting = std::map<std::tuple<Step, Port, std::string>, std::vector<NodeId>>;

class Ranks {
public:
    Ranks(const Topology& topology, const MachineOptions& options);

    // This rank's nodes, where `options` name a world.
    static NodeRange own_nodes(const Topology& topology, const MachineOptions& options);

    [[nodiscard]] World& world() const { return *world_; }
    [[nodiscard]] bool several() const { return world_->ranks() > 1; }
    [[nodiscard]] NodeRange own() const { return own_; }
    [[nodiscard]] bool owns(NodeId node) const { return own_.contains(node); }

    // Called when a machine is made. Throws InvalidArgument if the ranks have been asked for different machines, or for
    // one that cannot be spread over them.
    void require_same_machine(const MachineOptions& options) const;
    void make_border(Engine& engine) { border_ = std::make_unique<Border>(engine); }
    // The links to other ranks; null if there are none.
    [[nodiscard]] Border* border() const { return border_.get(); }

    // Before a run: all ranks must ask for the same run; any of them may want a trace or step callbacks. `watched`:
    // what ends the run may be found only after the ranks' messages of a step, even if no rank wants these.
    void agree_on(const RunOptions& options, bool watched);
    [[nodiscard]] bool traced() const { return traced_; }
    [[nodiscard]] bool told_of_steps() const { return told_of_steps_; }

    // Throws what ends the run or the call on any of the ranks: the same on all of them.
    void agree_on_failure(const Failure& own);
    // Makes what ends the run the same on all ranks from here on.
    void settle(Failure& failure, StepNote& all, const RunOptions& options);
    // The failure of the lowest rank that has one, whatever its step and node.
    [[nodiscard]] Failure of_lowest_rank(const Failure& own);

    // The same over all ranks.
    [[nodiscard]] CollectiveStarts starts_everywhere(const CollectiveStarts& own);
    [[nodiscard]] Waiting who_waits_everywhere(const Waiting& own);
    [[nodiscard]] std::vector<NodeId> nodes_everywhere(const std::vector<NodeId>& own);
    [[nodiscard]] bool any_finds_room(bool own);
    // `own`: packets that nodes of this rank have sent, less those that they have taken. A packet that one rank has
    // sent may have been taken by another, so the number of a single rank may be below zero; such numbers wrap around,
    // and so does their sum.
    [[nodiscard]] bool any_under_way(std::uint64_t own);
    [[nodiscard]] Counts added_up(const Counts& own) const;

private:
    void require_own_processors(const Pinning& pinning) const;
    [[nodiscard]] Failure first_of_all(const Failure& own);

    const Topology& topology_;
    std::shared_ptr<World> world_;
    NodeRange own_;
    std::unique_ptr<Border> border_;
    // Of the current run:
    bool traced_ = false;
    bool told_of_steps_ = false;
    bool settles_ = false;  // after the messages of a step the ranks ask each other once more what ends the run
    std::set<NamedStart> start_names_;  // in the running step, on all ranks
};

// Adds up the counts of parts of a machine, except steps, measured times, phases, counters and the traffic between
// ranks. If links carried equally many packets the first one stays, so add the parts in order.
void add(Counts& counts, const Counts& part);

}  // namespace dcube::detail
