#include "python/src/bind.hpp"

namespace dcube::python {

void bind_errors(py::module_& /*module*/) {}

}  // namespace dcube::python
