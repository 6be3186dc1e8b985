// Collectives on NumPy arrays. dcube/collectives.py has checked their shapes and types; here they are bytes.

#include "python/src/bind.hpp"
#include "python/src/programs.hpp"

#include "base/memory.hpp"
#include "run/given.hpp"
#include "run/whole_matrix.hpp"

#include <dcube/layout.hpp>

#include <pybind11/numpy.h>
#include <pybind11/stl.h>

#include <optional>
#include <span>
#include <string_view>

namespace dcube::python {

namespace {

// Uses the pointer, because arrays of some types (datetime64) do not export a buffer.
std::span<const std::byte> bytes_of(const py::array& array)
{
    return {static_cast<const std::byte*>(array.data()), static_cast<std::size_t>(array.nbytes())};
}

std::span<std::byte> writable_bytes_of(py::array& array)
{
    return {static_cast<std::byte*>(array.mutable_data()), static_cast<std::size_t>(array.nbytes())};
}

Report run_here(const Asked& asked, Machine& machine, std::span<const std::byte> input, std::span<std::byte> output)
{
    const Question& question = asked.question;
    if (!asked.own)
        return without_gil([&](RunOptions& options) {
            options.seed = question.seed;
            options.failing = question.failing;
            const Entry& algorithm =
                require_algorithm(machine.topology(), machine.ports(), question.problem, question.algorithm);
            return run(machine, algorithm, question.problem, input, output, options);
        });
    std::optional<Report> report;
    with_algorithm(asked.own, machine, question.seed, [&](const Entry& algorithm, RunOptions& options) {
        options.failing = question.failing;
        report = run(machine, algorithm, question.problem, input, output, options);
    });
    return std::move(*report);
}

// A matrix' elements lie on the nodes in an order of their own.
Report run_on_matrix(const Asked& asked, Machine& machine, std::span<const std::byte> input,
                     std::span<std::byte> output)
{
    const Problem& problem = asked.question.problem;
    const Topology& topology = machine.topology();
    const Layout layout(problem, topology);
    const Memory before(layout.input_bytes);
    const Memory after(problem.in_place ? 0 : layout.output_bytes);
    const std::span<std::byte> result = problem.in_place ? before.bytes() : after.bytes();
    {
        const WithoutGil released;
        deal_out(input, ElementOrder::by_rows, problem, topology, before.bytes());
    }
    Report report = run_here(asked, machine, before.bytes(), result);
    const WithoutGil released;
    collect(result, problem, topology, output);
    return report;
}

// Returns the report, if it is wanted: for small arrays making it takes as long as the run.
py::object run_on_arrays(std::string_view collective, const py::array& x, py::array& y, const py::dict& given,
                         const py::object& machine, bool wants_report)
{
    Asked asked = asked_of(collective, given);
    asked.question.problem.in_place = x.nbytes() > 0 && x.data() == y.data();
    std::optional<Machine> own;
    if (machine.is_none()) {
        const WithoutGil released;
        own.emplace(asked.question.topology, asked.machine);
    }
    Machine& on = own ? *own : machine.cast<MachineObject&>().machine;
    const auto run_it = is_matrix(asked.question.problem.collective) ? run_on_matrix : run_here;
    const Report report = run_it(asked, on, bytes_of(x), writable_bytes_of(y));
    return wants_report ? report_object(report, question_with(py::str(std::string(collective)), given)) : py::none();
}

// The links of a machine as arguments of a question; its network is `topology`.
py::dict question_of_machine(const MachineObject& object)
{
    py::dict question;
    const Machine& machine = object.machine;
    question["topology"] = object.topology;
    if (machine.ports() != PortModel::all)
        question["ports"] = py::str(std::string(name(machine.ports())));
    if (const LinkModel& link = machine.link(); link.bound()) {
        question["tau"] = fraction(link.tau);
        question["beta"] = fraction(link.beta);
        question["clock"] = py::str(std::string(name(link.clock)));
        if (link.one_port())
            question["duplex"] = py::str(std::string(name(link.duplex)));
    }
    return question;
}

}  // namespace

void bind_collectives(py::module_& module)
{
    module.attr("element_types") = py::tuple(py::cast(element_types));
    module.attr("question_keys") = keys_of_questions();
    module.attr("machine_arguments") = py::tuple(py::cast(machine_arguments()));
    module.def("run_on_arrays", &run_on_arrays, py::arg("collective"), py::arg("x"), py::arg("y"), py::arg("question"),
               py::arg("machine"), py::arg("wants_report"));
    module.def("question_of_machine", &question_of_machine, py::arg("machine"));
    module.def(
        "network_of", [](const py::dict& given) { return asked_of("", given).question.topology; }, py::arg("question"));
}

}  // namespace dcube::python
