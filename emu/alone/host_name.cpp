#include "emu/host_name.hpp"

namespace dcube::detail {

std::string host_name()
{
    return "";
}

}  // namespace dcube::detail
