// All-reduce on any network: the plans of this folder, of which the least counts.

#include "algorithms/beyond/any_network/tree_all_reduce.hpp"
#include "algorithms/families.hpp"

namespace dcube::detail {

std::vector<Entry> tree_all_reduce_family()
{
    std::vector<Entry> family{window_sums_entry(), by_dimensions_entry(), recursive_doubling_entry()};
    for (const auto entry : {trees_up_and_down_entry, periodic_trees_entry, spread_twice_entry, merged_groups_entry,
                             gather_and_combine_entry})
        for (const PortModel ports : {PortModel::all, PortModel::one})
            family.push_back(entry(ports));
    return family;
}

}  // namespace dcube::detail
