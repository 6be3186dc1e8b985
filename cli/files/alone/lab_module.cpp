// The module for pages where the program is that module itself.

#include "cli/files/lab_module.hpp"

#include "cli/alone/host.hpp"

namespace dcube::cli {

std::string usual_module()
{
    return host::module();
}

}  // namespace dcube::cli
