#pragma once
// dcube.Node: what a program in Python sees of its node, and the state of that program. A type of the C API, because
// nearly all that a program does are calls of it.

#include "python/src/programs.hpp"
#include "python/src/slots.hpp"

#include <dcube/run.hpp>

#include <cstddef>
#include <exception>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace dcube::python {

/// The next action of a node, after its generator has yielded.
enum class Next : std::uint8_t { ended, step, until, arrival, any_arrival, room, collective };

/// dcube.Node. It owns nothing of the program, so that there is no cycle.
struct NodeObject {
    PyObject ob_base;
    NodeProgram* program;  // null after the run
    NodeId id;
    NodeId nodes;
    Port ports;
    PyObject* topology;
    PyObject* weak_references;
};

/// A node's program: its generator, and all that belongs to it. References are owned, null where there is nothing.
struct NodeProgram {
    Programs* all = nullptr;
    Node* node = nullptr;
    NodeObject* me = nullptr;
    PyObject* generator = nullptr;
    PyObject* result = nullptr;
    PyObject* error = nullptr;  ///< the exception of the program
    Step error_step = 0;
    PyObject* random = nullptr;

    unsigned long thread = 0;   ///< that runs the program now; 0: none
    std::uint64_t run = 0;      ///< in which it has begun, 1, 2, ...
    bool begun = false;         ///< the generator has been resumed
    bool observed = false;      ///< the machine follows bytes, or watches loans: no memory may be used twice
    std::vector<Slot*> last{};  ///< by port: the slot of the packet that was sent last

    // The event that the next yield waits for, if it is a call of this node.
    PyObject* pause = nullptr;      ///< the result of such calls, always the same object
    const char* pending = nullptr;  ///< the call that has to be yielded next
    Next next = Next::step;
    Port port = 0;  ///< of an arrival, of room, of an exchange; the port that any_arrival has found
    Step until = 0;
    std::vector<Port> ports{};  ///< of any_arrival
    bool exchanging = false;    ///< a packet is to be received in the next step
    PyObject* out = nullptr;    ///< the array for it
    PyObject* prepared = nullptr;
    PyObject* input = nullptr;
    PyObject* output = nullptr;
    std::vector<PyObject*> references{};  ///< to input and output: they cannot be resized
    const Prepared* collective = nullptr;
    std::span<const std::byte> input_bytes{};
    std::span<std::byte> output_bytes{};
    std::exception_ptr failed{};  ///< why the collective came to nothing
};

/// The functions of NodeObject that need Programs.
struct NodeCalls {
    static Slots& slots(NodeProgram& own) { return own.all->slots_; }
    static std::uint64_t seed(const NodeProgram& own) { return own.all->seed_; }
    /// The problem of an algorithm, of which the node reads this field now; null for programs of a machine.
    static const Problem* read_field(const NodeProgram& own, std::string_view key) { return own.all->read_field(key); }
    /// The operation for combining if none is given: the question's operation, or a sum.
    static std::string_view operation(const NodeProgram& own)
    {
        const Problem* const problem = own.all->read_field("operation");
        const bool combines = problem && is_reduction(problem->collective) && !is_average(*problem);
        return name(combines ? problem->operation : Operation::sum);  // averages are sums until the end
    }
    /// Holds what a traced run must not give back before its end.
    static void hold(const NodeProgram& own, PyObject* object) { own.all->held_.push_back(Py_NewRef(object)); }
    /// Sets the Python error for a C++ exception that a call of the node has thrown.
    static void note(NodeProgram& own, const std::exception_ptr& error) { own.all->note(error); }
};

/// A new dcube.Node for the program, which it does not own. Null with a Python error set.
NodeObject* new_node(NodeProgram& own, const Topology& network, PyObject* topology);
PyObject* new_pause();

/// Receives what waits at the port: a new object, or `out` filled. Null with a Python error set.
PyObject* receive(NodeProgram& own, Port port, PyObject* out);

/// A collective's start: what total(me, x, out) does.
PyObject* start_collective(PyObject* prepared, const Prepared& collective, PyObject* node, PyObject* input,
                           PyObject* output);

/// The message about the pending call, which was not yielded. It is no longer pending.
std::string not_yielded(NodeProgram& own);
/// The same as the Python error that is set.
void set_not_yielded(NodeProgram& own);

/// Sets the Python error that belongs to a C++ exception, as functions bound by pybind11 do.
void set_error(const std::exception_ptr& error);

void bind_node(py::module_& module);

}  // namespace dcube::python
