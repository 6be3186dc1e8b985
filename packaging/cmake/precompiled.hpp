// Precompiled once for all libraries and the program: parsing these takes half of an ordinary file's time to compile,
// Boost's integers alone as much as that of an algorithm.
#pragma once

#include <algorithm>
#include <array>
#include <atomic>
#include <bit>
#include <coroutine>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <numeric>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <tuple>
#include <unordered_map>
#include <vector>

#include <boost/multiprecision/cpp_int.hpp>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>

// Their code is made once, in base/json.cpp.
extern template class nlohmann::basic_json<>;
extern template class nlohmann::basic_json<nlohmann::ordered_map>;
