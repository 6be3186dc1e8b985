#include "emu/host_name.hpp"

#include <unistd.h>

#include <array>

namespace dcube::detail {

std::string host_name()
{
    std::array<char, 256> host{};
    gethostname(host.data(), host.size() - 1);
    return host.data();
}

}  // namespace dcube::detail
