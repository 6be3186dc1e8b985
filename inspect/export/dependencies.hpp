#pragma once
// The packets that have to arrive before another can leave: derived from the origins of their bytes.

#include "run/recording.hpp"

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace dcube {

/// For every flight, the flights that brought its bytes to its sender: the first one where several brought the same
/// bytes, and for a sum those with the sums that are in it. If the contributors of a sum are unknown, all that could be
/// in it.
class Dependencies {
public:
    explicit Dependencies(const Recording& recording);

    /// Indices into Recording::flights, ascending.
    [[nodiscard]] std::span<const std::uint32_t> of(std::size_t flight) const
    {
        return std::span(all_).subspan(first_[flight], first_[flight + 1] - first_[flight]);
    }

private:
    std::vector<std::uint32_t> all_;
    std::vector<std::size_t> first_;
};

}  // namespace dcube
