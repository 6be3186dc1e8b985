#pragma once
// Numbers in sentences.

#include "base/numbers.hpp"

#include <cstdint>
#include <string>
#include <string_view>

namespace dcube::view {

/// "1 block", "240 blocks".
inline std::string counted(std::uint64_t count, std::string_view what)
{
    return grouped(count) + " " + std::string(what) + (count == 1 ? "" : "s");
}

}  // namespace dcube::view
