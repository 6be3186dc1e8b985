#pragma once
// Links that take time.

#include <dcube/link.hpp>

#include <cstdint>

namespace test_support {

inline dcube::LinkModel link_bound(std::int64_t tau, std::int64_t beta)
{
    return {dcube::LinkKind::link_bound, {tau, 1}, {beta, 1}, dcube::LinkClock::data_driven};
}

}  // namespace test_support
