// Runs of collectives, and what is known without them.

#include "python/src/bind.hpp"

#include "run/given.hpp"

#include <dcube/run.hpp>

#include <pybind11/stl.h>

#include <optional>
#include <string>

namespace dcube::python {

namespace {

bool on_main_thread()
{
    const py::module_ threading = py::module_::import("threading");
    return threading.attr("main_thread")().attr("ident").cast<unsigned long>() == PyThread_get_thread_ident();
}

VerifiedRunOptions verified(const Asked& asked)
{
    VerifiedRunOptions how;
    how.seed = asked.question.seed;
    how.repeat = asked.repeat;
    return how;
}

Report run(const Asked& asked)
{
    std::optional<Report> report;
    run_asked(asked, [&](Machine& machine, const Algorithm& algorithm, const RunOptions& options) {
        report = run_verified(machine, algorithm, asked.question.problem, verified(asked), options);
    });
    if (asked.threads_given)
        report->threads_asked = asked.machine.threads;
    return std::move(*report);
}

py::object run_and_report(py::handle what, const py::dict& given)
{
    const Asked asked = asked_of(what, given);
    return report_object(run(asked), question_with(what, given));
}

}  // namespace

void run_asked(const Asked& asked, const std::function<void(Machine&, const Algorithm&, RunOptions&)>& work)
{
    const Question& question = asked.question;
    const auto run_by = [&](Machine& machine, const Algorithm& algorithm, RunOptions options) {
        options.failing = question.failing;
        work(machine, algorithm, options);
    };
    if (asked.own) {
        Machine machine(question.topology, asked.machine);
        with_algorithm(asked.own, machine, question.seed, [&](const Algorithm& algorithm, const RunOptions& options) {
            run_by(machine, algorithm, options);
        });
        return;
    }
    without_gil([&](const RunOptions& options) {
        const Algorithm& algorithm =
            require_algorithm(question.topology, question.ports, question.problem, question.algorithm);
        Machine machine(question.topology, asked.machine);
        run_by(machine, algorithm, options);
    });
}

py::object report_object(const Report& report, const py::dict& question)
{
    // Kept for ever: what is destroyed at exit comes after the interpreter.
    static PyObject* const type = py::object(py::module_::import("dcube.reports").attr("Report")).release().ptr();
    return py::handle(type)(to_json(report), question);
}

Watch::Watch()
{
    if (on_main_thread())
        main_ = std::this_thread::get_id();
}

void Watch::look()
{
    if (std::this_thread::get_id() != main_ || source_.stop_requested() || Clock::now() < next_)
        return;
    const py::gil_scoped_acquire held;
    if (PyErr_CheckSignals() != 0)  // the error stays where it is until the work has ended
        source_.request_stop();
    next_ = Clock::now() + pause;
}

void Watch::raise_if_interrupted() const
{
    if (source_.stop_requested() && PyErr_Occurred())
        throw py::error_already_set();
}

void bind_runs(py::module_& module)
{
    module.def("run", &run_and_report, py::arg("collective"), py::arg("question"));
}

}  // namespace dcube::python
