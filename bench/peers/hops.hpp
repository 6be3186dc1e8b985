#pragma once
// Hops as copies in one memory, in the order that suits the caches.

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstring>
#include <type_traits>
#include <utility>
#include <vector>

namespace peer {

/// Takes the blocks of one x = origin ^ target along the dimensions of x, one after the other, all nodes' together:
/// between the first copy and the last they are in two buffers that stay in the cache. A hop is one copy.
class Hops {
    // Before its users, which its return type is deduced for.
    [[nodiscard]] auto in_buffer()
    {
        return [data = buffers_[0].data(), bytes = bytes_](std::size_t node) { return data + node * bytes; };
    }

public:
    Hops(std::size_t nodes, std::size_t bytes)
        : nodes_(nodes),
          bytes_(bytes), buffers_{std::vector<std::byte>(nodes * bytes), std::vector<std::byte>(nodes * bytes)}
    {
    }

    /// `from(origin)` is where the block of a node begins, `to(target)` where the one for a node ends. Without hops,
    /// for x = 0, it is a copy.
    template <class From, class To>
    void take(std::size_t x, const From& from, const To& to)
    {
        if (std::popcount(x) < 2) {
            hop(x, from, to);
            return;
        }
        const std::size_t last = std::bit_floor(x);
        std::size_t left = x & (x - 1);
        hop(x ^ left, from, in_buffer());
        for (; left != last; left &= left - 1) {
            const auto before = in_buffer();
            std::swap(buffers_[0], buffers_[1]);
            hop(left & ~(left - 1), before, in_buffer());
        }
        hop(last, in_buffer(), to);
    }

private:
    template <class From, class To>
    void hop(std::size_t bit, const From& from, const To& to) const
    {
        const auto copy_all = [&, nodes = nodes_](auto bytes) {
            for (std::size_t node = 0; node < nodes; ++node)
                std::memcpy(to(node), from(node ^ bit), bytes);
        };
        switch (bytes_) {  // a size that the compiler knows is a few instructions, and no call
        case 8: copy_all(std::integral_constant<std::size_t, 8>()); break;
        case 64: copy_all(std::integral_constant<std::size_t, 64>()); break;
        default: copy_all(bytes_);
        }
    }

    std::size_t nodes_;
    std::size_t bytes_;
    std::array<std::vector<std::byte>, 2> buffers_;
};

/// A table of blocks, tile by tile: a tile is four cache lines wide, and has as many rows as columns, so that both
/// sides of a transposition use up the lines that they touch.
class Tiles {
public:
    Tiles(std::size_t rows, std::size_t columns, std::size_t bytes)
        : rows_(rows), columns_(columns), width_(std::bit_floor(std::max(std::size_t{256} / bytes, std::size_t{1})))
    {
    }

    [[nodiscard]] std::size_t tile_rows() const { return (rows_ + width_ - 1) / width_; }

    /// Calls `copy(row, column)` for each block of that row of tiles.
    template <class Copy>
    void in_row(std::size_t tile_row, const Copy& copy) const
    {
        const std::size_t end = std::min((tile_row + 1) * width_, rows_);
        for (std::size_t left = 0; left < columns_; left += width_)
            for (std::size_t i = tile_row * width_; i < end; ++i)
                for (std::size_t j = left; j < std::min(left + width_, columns_); ++j)
                    copy(i, j);
    }

private:
    std::size_t rows_;
    std::size_t columns_;
    std::size_t width_;
};

}  // namespace peer
