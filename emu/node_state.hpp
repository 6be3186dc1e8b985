#pragma once
// NodeState: a Node and all that the engine knows about it.

#include "base/cache_line.hpp"

#include <dcube/error.hpp>
#include <dcube/node.hpp>

#include <atomic>
#include <cstddef>
#include <cstdint>

namespace dcube::detail {

class Chunk;
class Engine;
struct Failure;

// Why a task cannot be run for a node, or null.
const char* refusal(const TaskLink& task, const Node& node) noexcept;

// One worker at a time touches it, but for the atomic members.
struct alignas(cache_line) NodeState : Node {
    static NodeState& of(Node& node) { return *node.state_; }
    static const NodeState& of(const Node& node) { return *node.state_; }

    static constexpr Port no_port = ~Port{0};

    NodeState(Engine& engine, Chunk& chunk, const Topology& topology, NodeId id, std::uint32_t first_link);

    // Resumes the program, or the sub-task that it awaits, until one of them ends the node's step or the program ends.
    // The trampoline: whichever task is innermost runs.
    void resume()
    {
        pause = Pause::none;
        while (innermost && pause == Pause::none)
            innermost.resume();
    }
    // Resets the node to its state before a run.
    void reset();

    [[nodiscard]] bool waits() const { return awaited_port != no_port; }
    // It has paused for a step only, or not at all yet.
    [[nodiscard]] bool is_ready() const { return pause != Pause::longer; }

    [[gnu::cold]] RuleViolation note_violation(Rule rule, Port port, const char* detail) const;
    [[noreturn, gnu::cold]] void throw_violation(Rule rule, Port port, const char* detail) const;
    // The run ends with this, whatever the program does with the exception that is thrown.
    [[noreturn, gnu::cold]] void end_run(const Failure& failure) const;
    [[noreturn, gnu::cold]] void throw_size_mismatch(Port port, std::size_t packet, std::size_t room) const;

    // The node's next activity, set when it pauses. Members read in every step lie in the first line.
    enum class Pause : std::uint8_t { none, for_a_step, longer };

    Engine* engine;
    Chunk* chunk;
    std::uint32_t first_link;  // LinkNumbers::first
    Pause pause = Pause::none;
    bool awaits_room = false;  // at the awaited port; else an arrival
    bool forgotten = false;    // not looked at again until its bell is rung (chunk.hpp)
    std::uint8_t looks = 0;    // how often it was looked at in vain since it waits
    TaskHandle innermost{};    // the task to resume; null when the program has ended
    Port awaited_port = no_port;
    union {
        Step awaited_since;  // while it waits()
        Step asleep_until = 0;
    };

    TaskHandle program{};
    const Follow* following = nullptr;
    const AnyArrival* awaited_any = nullptr;  // an arrival at one of these ports, of which awaited_port is the first

    std::uint32_t stay = 0;   // in a phase, by the chunk's notes
    Step began_together = 0;  // the last step in which it began what takes all nodes

    Step last_send = 0;                 // for one-port machines
    std::atomic<Step> last_arrival{0};  // written by senders of one-port machines
    std::atomic<bool> dormant{false};   // its bells are out
    NodeId next_rung = 0;               // in the chunk's list of nodes for which a bell was rung

    Time latest_arrival = 0;  // over all packets received so far, in virtual time
    std::size_t storage = 0;
};
static_assert(sizeof(NodeState) <= 128);

}  // namespace dcube::detail
