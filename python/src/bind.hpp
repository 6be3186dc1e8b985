#pragma once
// What the files of the Python module share. All of Python's part of dcube is in dcube::python.

#include <pybind11/pybind11.h>

namespace dcube::python {

namespace py = pybind11;

// Each adds what its file has to the module.
void bind_errors(py::module_& module);
void bind_networks(py::module_& module);
void bind_runs(py::module_& module);
void bind_programs(py::module_& module);
void bind_collectives(py::module_& module);
void bind_algorithms(py::module_& module);
void bind_schedules(py::module_& module);
void bind_films(py::module_& module);
void bind_benches(py::module_& module);

}  // namespace dcube::python
