#pragma once
// Prices that a search has found, in the files of a plan cache. Any prices give a true bound, so nothing that a file
// says can make one false.

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace dcube::detail {

// What make() returns, from a file if it takes so much work and was made before: as many prices as `count`, or none.
std::vector<double> kept_prices(std::string_view kind, std::uint64_t work, const std::function<std::string()>& key,
                                std::size_t count, const std::function<std::vector<double>()>& make);

}  // namespace dcube::detail
