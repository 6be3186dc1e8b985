#pragma once
// Plans of blocks in the files of a plan cache.

#include "algorithms/any_network/block_plan.hpp"

#include <string>
#include <string_view>

namespace dcube::detail {

std::string key_of(const BlockQuestion& question);
std::string bytes_of_block_plan(const BlockPlan& plan);

// Throws InvalidArgument if the bytes are no plan, or one that breaks a rule or does not add up all blocks everywhere.
BlockPlan block_plan_in(std::string_view bytes, const BlockQuestion& question);

}  // namespace dcube::detail
