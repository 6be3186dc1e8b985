#pragma once

#include <type_traits>

namespace dcube::detail {

// a / b, rounded up.
template <class T>
constexpr T ceil_div(T a, std::type_identity_t<T> b)
{
    return a / b + (a % b != 0);
}

}  // namespace dcube::detail
