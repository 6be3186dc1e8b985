#include "python/src/programs.hpp"

namespace dcube::python {

void bind_programs(py::module_& /*module*/) {}

}  // namespace dcube::python
