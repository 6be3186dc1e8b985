#pragma once
// Random numbers from a seed: the same everywhere.

#include <cstddef>
#include <cstdint>
#include <random>
#include <utility>
#include <vector>

namespace test_support {

class Draw {
public:
    explicit Draw(std::uint64_t seed) : random_(seed) {}

    /// Any word, and one below `limit` (0 for 0).
    std::uint64_t word() { return random_(); }
    std::size_t below(std::size_t limit) { return limit == 0 ? 0 : random_() % limit; }
    bool chance(std::size_t percent) { return below(100) < percent; }
    template <class T>
    const T& one_of(const std::vector<T>& all)
    {
        return all[below(all.size())];
    }
    template <class T>
    void shuffle(std::vector<T>& all)
    {
        for (std::size_t left = all.size(); left > 1; --left)
            std::swap(all[left - 1], all[below(left)]);
    }

private:
    std::mt19937_64 random_;
};

}  // namespace test_support
