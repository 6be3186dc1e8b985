// The module dcube._core.

#include "python/src/bind.hpp"

#include <dcube/version.hpp>

namespace {

namespace py = pybind11;

// pybind11 gives an object whose __init__ was never called memory that nothing is in.
void refuse_unmade_objects(const py::module_& module)
{
    for (const auto& [name, type] : py::reinterpret_borrow<py::dict>(module.attr("__dict__")))
        if (PyType_Check(type.ptr()) != 0)
            if (auto* const info = py::detail::get_type_info(reinterpret_cast<PyTypeObject*>(type.ptr())))
                info->operator_new = [](std::size_t) -> void* {
                    throw py::type_error("an object is used whose __init__ has not been called");
                };
}

}  // namespace

PYBIND11_MODULE(_core, module)
{
    using namespace dcube::python;
    module.doc() = "The C++ core of dcube. Use the package dcube.";
    module.attr("__version__") = dcube::version();
    bind_errors(module);
    bind_networks(module);
    bind_runs(module);
    bind_programs(module);
    bind_collectives(module);
    bind_algorithms(module);
    bind_schedules(module);
    bind_films(module);
    bind_benches(module);
    refuse_unmade_objects(module);
}
