// The module dcube._core.

#include "python/src/bind.hpp"

PYBIND11_MODULE(_core, module)
{
    using namespace dcube::python;
    module.doc() = "The C++ core of dcube. Use the package dcube.";
    bind_errors(module);
    bind_networks(module);
    bind_runs(module);
    bind_programs(module);
    bind_collectives(module);
    bind_algorithms(module);
    bind_schedules(module);
    bind_films(module);
    bind_benches(module);
}
