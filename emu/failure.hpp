#pragma once
// Failure: what ends a run, and whose it is.

#include <dcube/graph.hpp>

#include <exception>
#include <tuple>

namespace dcube::detail {

// Of several failures in one step the one with the smallest (step, node, port) counts, whoever came across it. `port`
// is that of a rule that others than the node found broken; what a node finds itself counts in its program's order.
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

    // A program's exception is the program's own. (Of a rule that it broke the failure is noted already, and precedes
    // this one: the run ends whatever the program does with the exception. Another machine's is not this one's rule.)
    static Failure of_program(const std::exception_ptr& error, Step step, NodeId node);

    // What the engine comes across while it is at this node: memory that there is not, say. Errors of dcube's own have
    // their words; others are given the step and the node, and are nested.
    static Failure of_machine(const std::exception_ptr& error, Step step, NodeId node) noexcept;
};

}  // namespace dcube::detail
