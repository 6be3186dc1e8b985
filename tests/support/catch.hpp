#pragma once
// Catch2, version 2 or 3.

#if __has_include(<catch2/catch_all.hpp>)
#include <catch2/catch_all.hpp>

namespace Catch {  // the names of version 2
using namespace Matchers;
inline auto Contains(const std::string& part)
{
    return Matchers::ContainsSubstring(part);
}
}  // namespace Catch

using Catch::Approx;
#else
#include <catch2/catch.hpp>
#endif
