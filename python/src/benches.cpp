#include "python/src/bind.hpp"

namespace dcube::python {

void bind_benches(py::module_& /*module*/) {}

}  // namespace dcube::python
