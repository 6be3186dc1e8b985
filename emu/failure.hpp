#pragma once
// Failure: what ends a run, and whose it is.

#include <dcube/error.hpp>
#include <dcube/graph.hpp>

#include <exception>
#include <optional>
#include <string>
#include <tuple>
#include <vector>

namespace dcube::detail {

// A failure of a run. If several happen in one step, the one with the smallest (step, node, port) counts, no matter
// which thread found it. `port` is set only if others than the node itself find the rule broken; the failures that a
// node finds itself count in its program's order.
struct Failure {
    Step step = 0;
    NodeId node = 0;
    std::exception_ptr error{};
    Port port = 0;

    void keep_first(const Failure& other)
    {
        if (other.error && (!error || std::tie(other.step, other.node, other.port) < std::tie(step, node, port)))
            *this = other;
    }

    // A rule that this node has broken.
    static Failure of_rule(Rule rule, NodeId node, Port port, Step step, const std::string& detail,
                           std::optional<RuleViolation::Packet> packet = {});
    static Failure of_deadlock(NodeId node, Port port, Step step, const std::string& detail,
                               std::vector<RuleViolation::Waits> waiting);

    // An exception that a program throws. (If the program broke a rule, that failure is noted already and precedes this
    // one: the run ends whatever the program does with the exception. A rule violation of another machine is treated
    // like any other exception.)
    static Failure of_program(const std::exception_ptr& error, Step step, NodeId node);

    // A failure of the engine itself while it works on this node, such as a lack of memory. dcube's own errors keep
    // their text; others are given the step and the node, and are nested.
    static Failure of_machine(const std::exception_ptr& error, Step step, NodeId node) noexcept;
};

}  // namespace dcube::detail
