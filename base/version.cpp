#include <dcube/version.hpp>

#define DCUBE_TEXT_OF(number) #number
#define DCUBE_DOTTED(major, minor, patch) DCUBE_TEXT_OF(major) "." DCUBE_TEXT_OF(minor) "." DCUBE_TEXT_OF(patch)

namespace dcube {

std::string_view version()
{
    return DCUBE_DOTTED(DCUBE_VERSION_MAJOR, DCUBE_VERSION_MINOR, DCUBE_VERSION_PATCH);
}

}  // namespace dcube
