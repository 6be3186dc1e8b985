#pragma once
// Declarations shared by the files of the Python module. All of Python's part of dcube is in dcube::python.

#include "base/planning.hpp"
#include "run/question.hpp"

#include <dcube/catalogue.hpp>
#include <dcube/machine.hpp>
#include <dcube/report.hpp>
#include <dcube/run.hpp>
#include <dcube/stop.hpp>

#include <pybind11/pybind11.h>

#include <array>
#include <chrono>
#include <cstddef>
#include <cxxabi.h>
#include <exception>
#include <functional>
#include <string>
#include <string_view>
#include <thread>
#include <type_traits>
#include <vector>

namespace dcube::python {

namespace py = pybind11;

// Each of these adds the definitions of its file to the module.
void bind_errors(py::module_& module);
void bind_networks(py::module_& module);
void bind_runs(py::module_& module);
void bind_programs(py::module_& module);
void bind_collectives(py::module_& module);
void bind_algorithms(py::module_& module);
void bind_schedules(py::module_& module);
void bind_films(py::module_& module);
void bind_benches(py::module_& module);

// errors.cpp

/// A class of dcube/errors.py. Borrowed, and kept for ever.
py::handle error_class(const char* name);

/// Whether a signal's handler has raised it, as Ctrl-C's raises KeyboardInterrupt, or the program wants to exit: it is
/// for the caller, wherever it came up, and no failure of what was run. Runs no Python code, in which the next signal
/// would be handled.
bool is_of_signal(py::handle error);
/// The same for one that was caught, whose exception may lack its traceback yet.
bool is_of_signal(const py::error_already_set& error);

/// Raises the error in the main thread as soon as that runs Python code, where it cannot be thrown here.
void raise_later(py::object error);

/// Adds a note that notebooks show too, once: programs may run programs. It runs no Python code either.
void add_note(py::handle error, const std::string& note);

/// The exception in one line: "KeyError: 'mine'".
std::string described(py::handle error);

/// Does work for an error that is about to be raised, and matters more: where the work fails, it is left undone. What a
/// signal's handler raises there is raised later.
void beside_an_error(const std::function<void()>& work);

/// A str. Throws UnicodeEncodeError, which is a ValueError, for one that is no text (surrogates).
std::string utf8(py::handle text);

// networks.cpp

/// A name, a Topology or a graph of networkx. Throws InvalidArgument or TypeError.
Topology topology_in(py::handle what);
/// Throws IndexError if it is no node's number, of any size, and TypeError if it is no whole number.
NodeId node_in(const Topology& topology, py::handle node);
/// An int, or a fractions.Fraction where it is not whole.
py::object fraction(const Rational& value);

// questions.cpp

/// NumPy's names of the types of ElementType, in its order. C++ calls two of them "float" and "double".
inline constexpr std::array<std::string_view, 14> element_types{
    "int8",   "int16",   "int32",   "int64",   "uint8",    "uint16",      "uint32",
    "uint64", "float32", "float64", "float16", "bfloat16", "int64-int64", "double-int64"};

/// The question that keyword arguments make.
struct Asked {
    Question question;
    MachineOptions machine;  ///< with the question's ports and links; of an algorithm made in Python, of one thread
    std::size_t repeat = 1;
    bool threads_given = false;
    /// An Algorithm made in Python, if `algorithm` is one: the caller's arguments hold it.
    py::handle own{};
};

/// Keyword arguments (a dict; None counts as not given), as dcube/questions.py lists them. `collective` is empty for
/// programs, and where only the network and its links matter. Throws InvalidArgument, TypeError.
Asked asked_of(std::string_view collective, const py::dict& given);

/// A number that need not be whole, as parse_rational reads it: "1/3" of a float, a Fraction or a Decimal.
std::string rational_text(py::handle number);
/// The same with the first positional argument, a collective's name or an Algorithm.
Asked asked_of(py::handle what, const py::dict& given);
/// Sets one thread for Python programs, which take turns and gain nothing by more. A number of threads that the
/// question gives is kept.
void use_one_thread(Asked& asked);
/// The keys of a question: tuples of the key, the argument's name and its kind.
py::tuple keys_of_questions();
/// The arguments that a Machine is made of.
std::vector<std::string_view> machine_arguments();
/// Report.question: the given arguments, with `what` as "collective" in front.
py::dict question_with(py::handle what, const py::dict& given);

// runs.cpp

/// A dcube.reports.Report; the question is what was asked, with the key "collective".
py::object report_object(const Report& report, const py::dict& question);

/// While the interpreter ends, CPython ends every other thread that wants the GIL, by an exception that must not be
/// caught and that C++ destructors do not survive. Here such a thread, a daemon of Python's, waits until the process is
/// gone.
[[noreturn]] void wait_for_ever();

/// Returns call(), which runs Python or takes the GIL.
template <class Call>
auto unless_exiting(const Call& call) -> std::invoke_result_t<const Call&>
{
    try {
        return call();
#ifdef _LIBCPP_VERSION  // has no name for it, as for everything that C++ did not throw
    } catch (...) {
        if (std::current_exception())
            throw;
#else
    } catch (const abi::__forced_unwind&) {
#endif
        wait_for_ever();
    }
}

/// The GIL is released for as long as this lives.
class WithoutGil {
public:
    WithoutGil() : state_(PyEval_SaveThread()) {}
    ~WithoutGil()
    {
        unless_exiting([this] { PyEval_RestoreThread(state_); });
    }
    WithoutGil(const WithoutGil&) = delete;
    WithoutGil& operator=(const WithoutGil&) = delete;

private:
    PyThreadState* state_;
};

/// The GIL is held for as long as this lives, on any thread.
class WithGil {
public:
    WithGil() : state_(taken()) {}
    ~WithGil() { PyGILState_Release(state_); }
    WithGil(const WithGil&) = delete;
    WithGil& operator=(const WithGil&) = delete;

private:
    static PyGILState_STATE taken();
    PyGILState_STATE state_;
};

/// While it lives, this thread runs Python programs, which may start runs themselves, and so on.
class Nested {
public:
    Nested();
    ~Nested();
    Nested(const Nested&) = delete;
    Nested& operator=(const Nested&) = delete;
};

/// Throws RecursionError (Python's) in a run that programs have started, if too little is left of the thread's stack
/// for it: Python counts its own calls, and knows nothing of how large a stack is. With the GIL.
void require_stack();

/// Looks for Ctrl-C while the GIL is released, every 20 ms, on the main thread only; then it asks for a stop.
class Watch {
public:
    Watch();

    /// May be called on any thread, and often.
    void look();
    [[nodiscard]] StopToken token() const { return source_.get_token(); }
    /// Raises the exception of a signal's handler again, usually KeyboardInterrupt. Needs the GIL.
    void raise_if_interrupted() const;

private:
    using Clock = std::chrono::steady_clock;
    static constexpr std::chrono::milliseconds pause{20};

    StopSource source_;
    std::thread::id main_{};  ///< that of this call; none where it is not the main one
    Clock::time_point next_ = Clock::now() + pause;
};

/// Returns work(options), made without the GIL: no Python object may be touched, copied or destroyed in it. Ctrl-C
/// stops planning and runs that get the options (stop and on_step are set).
template <class Work>
auto without_gil(Work work) -> std::invoke_result_t<Work, RunOptions&>
{
    using Result = std::invoke_result_t<Work, RunOptions&>;
    require_stack();
    Watch watch;
    const auto call = [&]() -> Result {
        const WithoutGil released;
        const detail::PlanningScope planning(watch.token(), [&watch](const detail::PlanningStage&) { watch.look(); });
        RunOptions options;
        options.stop = watch.token();
        options.on_step = [&watch](Step) { watch.look(); };
        return work(options);
    };
    try {
        if constexpr (std::is_void_v<Result>) {
            call();
            watch.raise_if_interrupted();
        } else {
            Result result = call();
            watch.raise_if_interrupted();
            return result;
        }
    } catch (const py::error_already_set&) {
        throw;
    } catch (...) {
        watch.raise_if_interrupted();
        throw;
    }
}

/// Calls work(machine, algorithm, options) once, on a machine of its own for the question: without the GIL, but with it
/// for an Algorithm made in Python. The options have stop, on_step and the failures.
void run_asked(const Asked& asked,
               const std::function<void(Machine& machine, const Entry& algorithm, RunOptions& options)>& work);

// algorithms.cpp

/// Whether it is an Algorithm made in Python.
bool is_algorithm(py::handle what);
/// The collective that it is for.
Collective collective_of(py::handle algorithm);
/// Calls work(algorithm, options) with the GIL held and on this thread, as its program needs it: for one run on this
/// machine, a recording, a comparison. The options have stop and on_step; the seed is that of the nodes' random(). What
/// the program raised comes out as it is. `machine` has one thread, unless the question says otherwise.
void with_algorithm(py::handle algorithm, const Machine& machine, std::uint64_t seed,
                    const std::function<void(const Entry&, RunOptions&)>& work);

}  // namespace dcube::python
