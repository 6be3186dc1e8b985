#include "python/src/bind.hpp"

namespace dcube::python {

void bind_schedules(py::module_& /*module*/) {}

}  // namespace dcube::python
