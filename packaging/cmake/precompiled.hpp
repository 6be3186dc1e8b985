// Precompiled once for all libraries and the program: parsing these takes half of an ordinary file's time to compile.
// Only what nearly every file needs: a file waits for all of it, however little it uses.
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

#include <fmt/format.h>
#include <fmt/ranges.h>
