#pragma once
// Failure: what ends a run, and whose it is.

#include <dcube/graph.hpp>

#include <exception>
#include <utility>

namespace dcube::detail {

// Of several failures in one step the one with the smallest (step, node) counts, whoever came across it.
struct Failure {
    Step step = 0;
    NodeId node = 0;
    std::exception_ptr error{};

    void keep_first(const Failure& other)
    {
        if (other.error && (!error || std::pair(other.step, other.node) < std::pair(step, node)))
            *this = other;
    }

    // A program's exception is the program's own. (Of a rule that it broke the failure is noted already, and precedes
    // this one: the run ends whatever the program does with the exception. Another machine's is not this one's rule.)
    static Failure of_program(const std::exception_ptr& error, Step step, NodeId node);
};

}  // namespace dcube::detail
