// Kept limits where there are no files: none are kept.

#include "inspect/measure/kept_limits.hpp"

namespace dcube::measure {

std::optional<Limits> kept_limits()
{
    return std::nullopt;
}

}  // namespace dcube::measure
