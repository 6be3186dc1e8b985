#include "python/src/bind.hpp"

namespace dcube::python {

void bind_collectives(py::module_& /*module*/) {}

}  // namespace dcube::python
