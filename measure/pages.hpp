#pragma once
// Which pages the system gives to memory that dcube asks for.

#include "measure/limits.hpp"

#include <cstdint>

namespace dcube::measure {

struct Host;

/// Asks for `bytes` as the machine does, touches them, and looks which share of them lies in huge pages.
Pages pages_in_use(const Host& host, std::uint64_t bytes);

}  // namespace dcube::measure
