#pragma once

#include <string>

namespace dcube::detail {

// This host's name in its network; empty if it has none.
std::string host_name();

}  // namespace dcube::detail
