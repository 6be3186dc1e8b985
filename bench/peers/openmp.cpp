// peer-openmp: loops over plain arrays, shared among the cores by OpenMP. No channels, no steps, no rules.
//
//   hops     every block crosses the dimensions in which its two nodes differ, one copy each: dcube's hops. All blocks
//            of one x = origin ^ target go together, so that most copies are within the cache
//   direct   every block is copied once, from where it is to where it belongs: a transposition of blocks, in tiles
//
// Fair: huge pages, as dcube has. Not a machine of nodes: it is the least that moving the bytes can cost here. Nobody
// takes steps, or looks whether a link carries two blocks at once. `direct` moves each block once instead of d / 2
// times, and touches memory that two computers would not share.

#include "bench/peers/hops.hpp"
#include "bench/peers/memory.hpp"
#include "bench/peers/peer.hpp"

#include <omp.h>

namespace {

class Exchange {
public:
    explicit Exchange(const peer::Arguments& arguments)
        : nodes_(arguments.nodes()), bytes_(arguments.bytes), input_(nodes_ * nodes_ * bytes_),
          output_(nodes_ * nodes_ * bytes_), tiles_(nodes_, nodes_, bytes_)
    {
        for (int thread = 0; thread < omp_get_max_threads(); ++thread)
            hops_.emplace_back(nodes_, bytes_);
    }

    void fill()
    {
#pragma omp parallel for
        for (std::size_t node = 0; node < nodes_; ++node)
            for (std::size_t target = 0; target < nodes_; ++target) {
                peer::fill(input(node, target), bytes_, node, target);
                std::memset(output(node, target), 0xA5, bytes_);
            }
    }

    // As many x at a time as share a cache line of the output; some have more hops than others, hence dynamic.
    void run_hops()
    {
#pragma omp parallel for schedule(dynamic, 16)
        for (std::size_t x = 0; x < nodes_; ++x) {
            const auto block = [x, nodes = nodes_, bytes = bytes_](std::byte* blocks) {
                return [=](std::size_t node) { return blocks + (node * nodes + (node ^ x)) * bytes; };
            };
            hops_[static_cast<std::size_t>(omp_get_thread_num())].take(x, block(input_.data()), block(output_.data()));
        }
    }

    void run_direct()
    {
#pragma omp parallel for
        for (std::size_t row = 0; row < tiles_.tile_rows(); ++row)
            tiles_.in_row(row, [&](std::size_t target, std::size_t origin) {
                std::memcpy(output(target, origin), input(origin, target), bytes_);
            });
    }

    const std::byte* held(std::size_t target, std::size_t origin)
    {
        return output(target, origin);
    }

private:
    std::byte* output(std::size_t target, std::size_t origin)
    {
        return output_.data() + (target * nodes_ + origin) * bytes_;
    }
    std::byte* input(std::size_t origin, std::size_t target)
    {
        return input_.data() + (origin * nodes_ + target) * bytes_;
    }

    std::size_t nodes_;
    std::size_t bytes_;
    peer::Memory input_;
    peer::Memory output_;
    peer::Tiles tiles_;
    std::vector<peer::Hops> hops_;  // by thread
};

struct WithHops : Exchange {
    using Exchange::Exchange;
    void run() { run_hops(); }
};

struct Direct : Exchange {
    using Exchange::Exchange;
    void run() { run_direct(); }
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
    return peer::main("openmp", argc, argv, {{"hops", measured<WithHops>}, {"direct", measured<Direct>}});
}
