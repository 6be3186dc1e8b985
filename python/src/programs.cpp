#include "python/src/bind.hpp"

namespace dcube::python {

void bind_programs(py::module_& /*module*/) {}

}  // namespace dcube::python
