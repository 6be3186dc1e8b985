// peer-openmp: loops over plain arrays, shared among the cores by OpenMP. No channels, no steps, no rules.
//
//   dimensions   every block crosses the dimensions in which its two nodes differ, one copy each: dcube's hops
//   direct       every block is copied once, from where it is to where it belongs: a transposition of blocks
//
// Not a machine of nodes: it is the least that moving the bytes can cost here. `direct` moves each block once instead
// of d / 2 times, and touches memory that two computers would not share.

#include "bench/peers/holdings.hpp"

#include <array>
#include <bit>

namespace {

class Exchange {
public:
    explicit Exchange(const peer::Arguments& arguments)
        : d_(arguments.dim), nodes_(arguments.nodes()),
          bytes_(arguments.bytes), arrays_{std::vector<std::byte>(nodes_ * nodes_ * bytes_),
                                           std::vector<std::byte>(nodes_ * nodes_ * bytes_)}
    {
    }

    void fill()
    {
#pragma omp parallel for
        for (std::size_t node = 0; node < nodes_; ++node)
            for (std::size_t target = 0; target < nodes_; ++target)
                peer::fill(at(0, node, target), bytes_, node, target);
    }

protected:
    std::byte* at(std::size_t array, std::size_t node, std::size_t column)
    {
        return &arrays_[array][(node * nodes_ + column) * bytes_];
    }

    unsigned d_;
    std::size_t nodes_;
    std::size_t bytes_;

private:
    std::array<std::vector<std::byte>, 2> arrays_;
};

// The block for which o ^ t = x lies at (node, node ^ x) of the one array, or of the other after an odd number of hops.
class AlongDimensions : public Exchange {
public:
    using Exchange::Exchange;

    void run()
    {
        for (unsigned k = 0; k < d_; ++k) {
            const std::size_t bit = std::size_t{1} << k;
#pragma omp parallel for
            for (std::size_t node = 0; node < nodes_; ++node)
                peer::for_each_crossing(nodes_, k, [&](std::size_t x) {
                    const auto hops = static_cast<std::size_t>(std::popcount(x & (bit - 1)));
                    std::memcpy(at((hops + 1) % 2, node, node ^ x), at(hops % 2, node ^ bit, node ^ bit ^ x), bytes_);
                });
        }
    }

    const std::byte* held(std::size_t target, std::size_t origin)
    {
        return at(static_cast<std::size_t>(std::popcount(target ^ origin)) % 2, target, origin);
    }
};

class Direct : public Exchange {
public:
    using Exchange::Exchange;

    void run()
    {
#pragma omp parallel for
        for (std::size_t target = 0; target < nodes_; ++target)
            for (std::size_t origin = 0; origin < nodes_; ++origin)
                std::memcpy(at(1, target, origin), at(0, origin, target), bytes_);
    }

    const std::byte* held(std::size_t target, std::size_t origin)
    {
        return at(1, target, origin);
    }
};

template <class Kind>
peer::Result measured(const peer::Arguments& arguments)
{
    Kind exchange(arguments);
    return peer::measured(exchange, arguments);
}

}  // namespace

int main(int argc, char** argv)
{
    return peer::main("openmp", argc, argv, {{"dimensions", measured<AlongDimensions>}, {"direct", measured<Direct>}});
}
