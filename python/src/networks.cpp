#include "python/src/bind.hpp"

namespace dcube::python {

void bind_networks(py::module_& /*module*/) {}

}  // namespace dcube::python
