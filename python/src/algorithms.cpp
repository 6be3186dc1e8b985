#include "python/src/bind.hpp"

namespace dcube::python {

void bind_algorithms(py::module_& /*module*/) {}

}  // namespace dcube::python
