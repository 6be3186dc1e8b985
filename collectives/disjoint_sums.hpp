#pragma once
// Whether a sum can be made of others: an exact cover of its contributors.

#include <dcube/contributors.hpp>

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace dcube {

/// Whether a sum can be made of others: of disjoint ones, so that no contribution is counted twice.
struct Partition {
    enum class Answer : std::uint8_t {
        found,
        none,
        unknown,  ///< more than most_tried_sets were tried
    };

    Answer answer;
    std::vector<std::size_t> parts{};  ///< which of the sets, if they were found

    [[nodiscard]] bool found() const { return answer == Answer::found; }
};

/// The limit of sets that are tried where some overlap: choosing disjoint ones is exact cover, for which no fast
/// algorithm is known.
inline constexpr std::uint64_t most_tried_sets = 100'000;

/// Some of `sets` that are disjoint and together `whole`: one alone if there is one, all within `whole` if they are
/// disjoint. Sets may be equal; those that reach beyond `whole` are passed over. Cost: a look at each of them, and a
/// search where they overlap.
Partition partition(const Contributors& whole, std::span<const Contributors* const> sets);

}  // namespace dcube
