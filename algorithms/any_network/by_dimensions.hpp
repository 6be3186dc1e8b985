#pragma once
// All-reduce on products, factor by factor.

#include <dcube/catalogue.hpp>

namespace dcube::detail {

// Adds program, cost, storage and phases to a head.
Algorithm dimensions_entry(Algorithm head);

Algorithm by_dimensions_entry();
Algorithm window_sums_entry();

}  // namespace dcube::detail
