#include "python/src/bind.hpp"

namespace dcube::python {

void bind_films(py::module_& /*module*/) {}

}  // namespace dcube::python
