#include <dcube/report.hpp>

namespace dcube {

std::string_view version()
{
    return DCUBE_VERSION;  // the project's, as CMakeLists.txt has it
}

}  // namespace dcube
