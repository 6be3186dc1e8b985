#pragma once
// Plans: schedules compiled to scripts, so that packets need no headers.
//
// For every node (of a kind, in a translated schedule) a plan has a script: the sends and receives with the places of
// their bytes, in the node's input, in its output, or in one of its slots. Packets in transit are assigned to reusable
// slots as a compiler assigns values to registers.

#include "algorithms/programs/schedule.hpp"
#include "emu/script.hpp"

#include <dcube/layout.hpp>
#include <dcube/node.hpp>
#include <dcube/task.hpp>

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace dcube::detail {

class Plan {
public:
    // The schedule is for the first packets / rounds copies of every message, and is repeated for the next ones, back
    // to back.
    Plan(const Topology& topology, const Problem& problem, const Schedule& schedule, std::uint32_t rounds = 1);

    [[nodiscard]] Script script(NodeId node) const;
    [[nodiscard]] std::size_t slots(NodeId node) const;
    // True if all nodes have as many slots, and use the same ones at the same time.
    [[nodiscard]] bool same_slots() const { return symmetry_ == Symmetry::translated && alternating_.empty(); }
    // The node whose translation takes the plan's labels to real ids.
    [[nodiscard]] NodeId origin(NodeId node) const;

    [[nodiscard]] const Problem& problem() const { return problem_; }
    [[nodiscard]] const Layout& layout() const { return layout_; }
    [[nodiscard]] Step steps() const { return steps_; }  // per round
    [[nodiscard]] std::uint32_t rounds() const { return rounds_; }
    // The most packets in slots of a node that it has received and not yet sent on (Entry::in_transit).
    [[nodiscard]] std::size_t in_transit() const { return in_transit_; }

    // In place: the packets that a node copies before a round, into places 0, 1, .. of region `input`, because others
    // take their place before they have been read. Blocks are labels of the schedule.
    struct Copied {
        NodeId block;
        std::uint32_t copy;
    };
    [[nodiscard]] std::span<const Copied> copied(NodeId node) const;
    // False in place where even so something would be overwritten in the step in which it is read.
    [[nodiscard]] bool safe() const { return safe_; }

private:
    [[nodiscard]] std::size_t list_of(NodeId node) const;

    Topology topology_;
    Problem problem_;
    Layout layout_;
    Symmetry symmetry_;
    std::vector<unsigned> alternating_;
    Step steps_;
    std::uint32_t rounds_;
    std::size_t in_transit_ = 0;
    bool safe_ = true;
    // The stages and actions of all scripts, one after the other.
    std::vector<Script::Stage> stages_;
    std::vector<Script::Action> actions_;
    std::vector<std::size_t> first_stage_;     // by script, and the end
    std::vector<std::size_t> slots_;           // by script
    std::vector<std::vector<Copied>> copied_;  // by script
};

// The memory of a plan of this many hops while it is made: the schedule, two events per hop, and tables of what is
// where. Measured: 140 to 220 bytes per hop on cubes of 8 to 14 dimensions; 32 stay.
constexpr std::uint64_t plan_bytes(std::uint64_t hops)
{
    return hops * 220;
}

// A plan of more would take gigabytes.
inline constexpr double most_planned_hops = 1 << 24;

// Why that is too much to plan, hops or elementary operations; empty if it is not.
std::string too_many_hops(double hops, double most = most_planned_hops);
std::string too_much_planning(std::uint64_t work, double most);

// The program of every node: does what the plan says.
Task run_plan(Node& me, const Plan& plan, NodeData data);

}  // namespace dcube::detail
