#include "python/src/bind.hpp"

#include <dcube/error.hpp>

namespace dcube::python {

bool is_algorithm(py::handle /*what*/)
{
    return false;
}

Collective collective_of(py::handle /*algorithm*/)
{
    throw InvalidArgument("this is no Algorithm");
}

void with_algorithm(py::handle /*algorithm*/, const Machine& /*machine*/, std::uint64_t /*seed*/,
                    const std::function<void(const Algorithm&, RunOptions&)>& /*work*/)
{
    throw InvalidArgument("this is no Algorithm");
}

void bind_algorithms(py::module_& /*module*/) {}

}  // namespace dcube::python
