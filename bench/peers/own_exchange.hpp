#pragma once
// The same exchange by dcube: through its library, on a machine that is warm.

#include "bench/peers/comparison.hpp"

#include <vector>

namespace peers {

/// The algorithm that dcube chooses, on both kinds of channels. The machines are made, and have run once, when this
/// returns. Throws InvalidArgument if they do not fit in memory.
std::vector<OwnVariant> own_variants(const Size& size);

}  // namespace peers
