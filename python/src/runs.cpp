#include "python/src/bind.hpp"

namespace dcube::python {

void bind_runs(py::module_& /*module*/) {}

}  // namespace dcube::python
