#pragma once
// Node programs written in Python. Every node has an ordinary coroutine, drive(), which resumes the node's generator
// and awaits what it yields; so rules, counts, traces and films are those of all programs.
//
// No coroutine's frame holds a Python object, because the machine destroys frames on any thread. All references are in
// Programs, one object per run, which is made and destroyed with the GIL held.

#include "python/src/bind.hpp"
#include "python/src/slots.hpp"
#include "run/recording.hpp"

#include <dcube/error.hpp>
#include <dcube/machine.hpp>
#include <dcube/node.hpp>
#include <dcube/problem.hpp>
#include <dcube/run.hpp>
#include <dcube/task.hpp>
#include <dcube/topology.hpp>

#include <cstdint>
#include <exception>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

namespace dcube::python {

/// The trace of a run of programs: its packets one by one. ProgramRun has it as `_trace`.
struct ProgramTrace {
    struct Row {
        Step step;
        NodeId from;
        NodeId to;
        Port port;
        std::uint64_t bytes;
        std::uint32_t phase;
        Time start;
        Time end;
        bool lost;
    };
    std::vector<Row> rows{};
    std::vector<std::string> phases{};
    LinkModel link{};  ///< of the machine
};

// films.cpp

/// Makes the film of a run of `program` that has sent this and then ended in that event, and gives it to `error`, which
/// the run raises. Where the run cannot be shown there is no film.
void attach_film(const py::error_already_set& error, Ending ending, const ProgramTrace& sent, const Machine& machine,
                 const std::string& program);

/// _core.Machine: what dcube.Machine is.
struct MachineObject {
    Machine machine;
    py::object topology;  ///< its network, as Python sees it
};

struct NodeProgram;  // node.hpp
enum class Next : std::uint8_t;

/// Whether the run's thread keeps the GIL, or every node takes it for its turn, as in runs with several threads.
enum class Gil : std::uint8_t { kept, by_turns };
inline Gil gil_for(const Machine& machine)
{
    return machine.threads() > 1 ? Gil::by_turns : Gil::kept;
}

/// A node's program has raised an exception, which Programs has kept.
struct PythonFailed : std::exception {
    explicit PythonFailed(NodeId of) : node(of) {}
    [[nodiscard]] const char* what() const noexcept override { return "an exception in Python"; }
    NodeId node;
};

/// The programs of all nodes in one run.
///
///     Programs all(function, network, topology, seed, gil_for(machine));
///     Counts counts = all.run([&](RunOptions& options) {
///         return machine.run([&](Node& me) { return drive(me, all); }, options);
///     });
class Programs {
public:
    /// `program(me)` gives a generator. `network`, which outlives this, is the machine's, and `topology` the same as
    /// Python sees it; `seed` is that of the nodes' random().
    Programs(py::object program, const Topology& network, py::object topology, std::uint64_t seed, Gil gil);
    ~Programs();  // cuts the nodes off, then closes the generators; takes the GIL
    Programs(const Programs&) = delete;
    Programs& operator=(const Programs&) = delete;

    /// The program's other arguments besides the node: a sequence or a mapping with one per node.
    void set_arguments(const py::object& arguments);
    /// Is called after every step. What it raises ends the run.
    void set_on_step(const py::object& on_step)
    {
        if (!on_step.is_none())
            on_step_ = on_step;
    }

    /// The problem of an algorithm, which its nodes may read.
    void set_problem(const Problem& problem) { problem_ = problem; }
    /// The same; null if there is none.
    [[nodiscard]] const Problem* problem() const { return problem_ ? &*problem_ : nullptr; }
    /// The same, of which a node reads this field now.
    [[nodiscard]] const Problem* read_field(std::string_view key)
    {
        fields_read_.insert(key);
        return problem();
    }
    /// Whether no node has read this field.
    [[nodiscard]] bool is_unread(std::string_view key) const { return !fields_read_.contains(key); }

    /// Calls program(me, *arguments): the generator that drive(me, *this) then runs. Without it, drive does so itself.
    /// If the node has had one (a run that is repeated), that is closed. In in_python() only.
    void begin(Node& me, const py::tuple& arguments);

    /// Does work for this node that needs Python, with the GIL held. What it raises or throws is
    /// the node's failure: it is kept, and PythonFailed ends the run.
    template <class Work>
    void in_python(Node& me, const Work& work)
    {
        const Held held(gil_);
        try {
            work();
        } catch (...) {
            note(std::current_exception());
            throw_raised(me);
        }
    }

    /// Runs `work(options)`, which runs drive(): with the seed, Ctrl-C and on_step in the options. A Python exception
    /// of a node, or a broken rule, comes out as py::error_already_set, with the program's own traceback and notes that
    /// say where it was; other C++ exceptions as they are.
    template <class Work>
    auto run(const Work& work)
    {
        using Result = std::invoke_result_t<const Work&, RunOptions&>;
        const Nested nested;
        RunOptions options = run_options();
        std::conditional_t<std::is_void_v<Result>, bool, std::optional<Result>> result{};
        const std::exception_ptr failure = without_gil([&] {
            if constexpr (std::is_void_v<Result>)
                work(options);
            else
                result.emplace(work(options));
        });
        if (failure)
            raise(failure);
        if constexpr (!std::is_void_v<Result>)
            return std::move(*result);
    }

    /// The return values of the nodes' programs.
    [[nodiscard]] py::list results() const;

private:
    friend Task drive(Node& me, Programs& all);
    friend struct NodeCalls;

    struct Held {
        explicit Held(Gil gil)
        {
            if (gil == Gil::by_turns)
                taken.emplace();
        }
        std::optional<WithGil> taken{};
    };

    // A broken rule, as the machine and as Python know it.
    struct Violation {
        RuleViolation rule;
        PyObject* error;
    };

    // Releases the GIL if nodes take it by turns; returns the exception of `work`.
    template <class Work>
    std::exception_ptr without_gil(const Work& work)
    {
        std::optional<WithoutGil> released;
        if (gil_ == Gil::by_turns)
            released.emplace();
        try {
            work();
        } catch (...) {
            return std::current_exception();
        }
        return {};
    }

    NodeProgram& of(NodeId node);
    RunOptions run_options();
    void after_step(Step step);
    // The Python error that is set is the node's.
    [[noreturn]] void throw_raised(const Node& me);
    [[noreturn]] void raise(const std::exception_ptr& failure);
    [[noreturn]] void raise_of(NodeId node);
    [[noreturn]] void raise_violation(const RuleViolation& violation);
    [[nodiscard]] std::vector<std::string> suspended(const RuleViolation& violation) const;
    void note(const std::exception_ptr& error);
    void begin_itself(Node& me);
    Next resume(Node& me, NodeProgram& own);
    static PySendResult go_on(NodeProgram& own, PyObject* value, PyObject*& yielded);
    static bool settle(NodeProgram& own, PyObject* yielded);
    PyObject* given(NodeProgram& own);
    void close();
    static void close(PyObject* generator);

    py::object program_;
    py::object topology_;
    py::object arguments_;
    py::object on_step_;
    std::uint64_t seed_;
    std::uint64_t runs_ = 0;  // so far, this one included
    Gil gil_;
    const Topology& network_;
    std::vector<std::unique_ptr<NodeProgram>> nodes_;
    std::vector<Violation> violations_;
    Slots slots_;
    std::optional<Problem> problem_{};
    std::set<std::string_view> fields_read_{};  // keys of problem_fields()
    // The node in whose program Ctrl-C was noticed, or another signal (or that wants to exit): the others do nothing
    // more.
    std::optional<NodeId> interrupted_{};
    // The smallest node whose program has failed: those after it, whose failures would not count, do nothing more.
    std::optional<NodeId> failed_{};
    PyObject* stopped_ = nullptr;    // the exception of on_step or Ctrl-C
    std::vector<PyObject*> held_{};  // until the end of a run that is traced: labels stick to addresses
};

/// Runs this node's program to its end.
Task drive(Node& me, Programs& all);

}  // namespace dcube::python
