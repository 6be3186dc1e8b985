// All-to-all on Cartesian products of any graphs: Dimakopoulos & Dimopoulos 1998, and beyond it.

#include "algorithms/dimakopoulos/entries.hpp"
#include "algorithms/families.hpp"

namespace dcube::detail {

std::vector<Algorithm> total_exchange_family()
{
    return {row_by_row_entry(),     factor_by_factor_entry(), mixed_routes_entry(), edge_colouring_entry(),
            class_matching_entry(), digit_rounds_entry(),     homogeneous_entry(),  interleaved_entry(),
            grouped_entry(),        farthest_first_entry()};
}

}  // namespace dcube::detail
