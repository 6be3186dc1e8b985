#pragma once
// Exact numbers as failed checks show them.

#include "base/exact.hpp"
#include "tests/support/catch.hpp"

namespace Catch {
template <>
struct StringMaker<dcube::detail::Integer> {
    static std::string convert(const dcube::detail::Integer& value) { return value.str(); }
};
template <>
struct StringMaker<dcube::detail::Exact> {
    static std::string convert(const dcube::detail::Exact& value)
    {
        return numerator(value).str() + "/" + denominator(value).str();
    }
};
}  // namespace Catch
