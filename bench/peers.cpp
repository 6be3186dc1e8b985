// The same problem without dcube: what the machine's channels, rules and coroutines are measured against.

#include "bench/benchmarks.hpp"

#include "base/memory.hpp"

#include <fmt/format.h>

#include <oneapi/tbb/parallel_for.h>
#include <oneapi/tbb/task_arena.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <barrier>
#include <bit>
#include <cstdint>
#include <cstring>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

namespace {

using benchmark::Counter;

// work(node) for all nodes, an equal share for every thread of the arena.
template <class Work>
void for_each_node(oneapi::tbb::task_arena& arena, std::size_t nodes, const Work& work)
{
    arena.execute([&] { oneapi::tbb::parallel_for(std::size_t{0}, nodes, work, oneapi::tbb::static_partitioner{}); });
}

// A total exchange in plain arrays, dimension by dimension. The packet from node o to node t has to cross the 1 bits of
// x = o ^ t, and it lies at (node, node ^ x) of one array or, after an odd number of hops, of the other: so a hop is
// one memcpy, as in dcube, and packets that do not cross stay where they are. No channels, no steps, no rules.
class PlainExchange {
public:
    PlainExchange(unsigned dimension, std::size_t bytes, int threads)
        : d_(dimension), n_(std::size_t{1} << dimension), bytes_(bytes),
          arena_(threads), memory_{dcube::Memory(n_ * n_ * bytes), dcube::Memory(n_ * n_ * bytes)},
          arrays_{memory_[0].bytes().data(), memory_[1].bytes().data()}
    {
        for (std::size_t packet = 0; packet < n_ * n_; ++packet)
            write(&arrays_[0][packet * bytes_], packet);
    }

    void run()
    {
        for (unsigned k = 0; k < d_; ++k) {
            const std::size_t bit = std::size_t{1} << k;
            for_each_node(arena_, n_, [&](std::size_t node) {
                for (std::size_t x = bit; x < n_; x = (x + 1) | bit) {
                    const auto hops = static_cast<std::size_t>(std::popcount(x & (bit - 1)));
                    std::memcpy(at((hops + 1) % 2, node, x), at(hops % 2, node ^ bit, x), bytes_);
                }
            });
        }
    }

    [[nodiscard]] bool correct()
    {
        for (std::size_t target = 0; target < n_; ++target)
            for (std::size_t x = 0; x < n_; ++x) {
                const auto hops = static_cast<std::size_t>(std::popcount(x));
                std::vector<std::byte> expected(bytes_);
                write(expected.data(), (target ^ x) * n_ + target);
                if (std::memcmp(at(hops % 2, target, x), expected.data(), bytes_) != 0)
                    return false;
            }
        return true;
    }

    // All of the one array to the other.
    void copy_everything()
    {
        const std::size_t share = n_ * bytes_;
        for_each_node(arena_, n_, [&](std::size_t node) {
            std::memcpy(&arrays_[1][node * share], &arrays_[0][node * share], share);
        });
    }

    [[nodiscard]] double hops() const { return static_cast<double>(n_ * n_ / 2 * d_); }
    [[nodiscard]] double array_bytes() const { return static_cast<double>(n_ * n_ * bytes_); }

private:
    std::byte* at(std::size_t array, std::size_t node, std::size_t x)
    {
        return &arrays_[array][(node * n_ + (node ^ x)) * bytes_];
    }
    void write(std::byte* where, std::uint64_t value) const
    {
        std::memcpy(where, &value, std::min(bytes_, sizeof value));
    }

    unsigned d_;
    std::size_t n_;
    std::size_t bytes_;
    oneapi::tbb::task_arena arena_;
    std::array<dcube::Memory, 2> memory_;  // in huge pages, like the machine's
    std::array<std::byte*, 2> arrays_;
};

struct Size {
    unsigned dimension;
    std::size_t bytes;
    int threads;
};

void plain_exchange(benchmark::State& state, const Size& size)
{
    PlainExchange peer(size.dimension, size.bytes, size.threads);
    peer.run();
    if (!peer.correct())
        throw std::logic_error("packets are not where they belong");
    for (auto _ : state) {
        peer.run();  // moves whatever lies there by now: as many bytes, along the same paths
        benchmark::ClobberMemory();
    }
    const double hops = peer.hops() * static_cast<double>(state.iterations());
    state.counters["hops/s"] = Counter(hops, Counter::kIsRate);
    state.counters["time/hop"] = Counter(hops, Counter::kIsRate | Counter::kInvert);
    state.counters["link_bytes/s"] = Counter(hops * static_cast<double>(size.bytes), Counter::kIsRate);
}

void plain_memcpy(benchmark::State& state, const Size& size)
{
    PlainExchange peer(size.dimension, size.bytes, size.threads);
    peer.copy_everything();
    for (auto _ : state) {
        peer.copy_everything();
        benchmark::ClobberMemory();
    }
    state.counters["bytes/s"] = Counter(peer.array_bytes() * static_cast<double>(state.iterations()), Counter::kIsRate);
}

// The least that a barrier of two can be: both count themselves in, and spin until the other has.
class SpinningBarrier {
public:
    void arrive_and_wait()
    {
        const unsigned goal = arrived_.fetch_add(1, std::memory_order_acq_rel) / 2 * 2 + 2;
        while (arrived_.load(std::memory_order_acquire) < goal) {
        }
    }

private:
    std::atomic<unsigned> arrived_{0};
};

// The cost of a step of two threads that only wait for each other.
template <class Barrier, class... Arguments>
void barrier_rounds(benchmark::State& state, Arguments... arguments)
{
    constexpr int rounds = 1000;
    for (auto _ : state) {
        Barrier barrier(arguments...);
        const auto go_round = [&barrier] {
            for (int round = 0; round < rounds; ++round)
                barrier.arrive_and_wait();
        };
        std::thread other(go_round);
        go_round();
        other.join();
    }
    const auto count = static_cast<double>(rounds) * static_cast<double>(state.iterations());
    state.counters["time/step"] = Counter(count, Counter::kIsRate | Counter::kInvert);
}

std::string name_of(const Size& size)
{
    return fmt::format("dim:{}/bytes:{}/workers:{}", size.dimension, size.bytes, size.threads);
}

}  // namespace

void bench::add_peers(Scale scale)
{
    const auto d = at(scale, 10U, 4U);
    for (const unsigned workers : worker_counts()) {
        const auto threads = static_cast<int>(workers);
        for (const std::size_t bytes : {8U, 64U})
            add(scale, "peers/plain-exchange/" + name_of({d, bytes, threads}), [=](benchmark::State& state) {
                plain_exchange(state, {d, bytes, threads});
            });
        add(scale, "peers/memcpy/" + name_of({d, 64, threads}), [=](benchmark::State& state) {
            plain_memcpy(state, {d, 64, threads});
        });
    }
    add(scale, "peers/plain-exchange/" + name_of({d, 4096, 2}), [=](benchmark::State& state) {
        plain_exchange(state, {d, 4096, 2});
    });
    add(scale, "peers/std-barrier", [](benchmark::State& state) { barrier_rounds<std::barrier<>>(state, 2); });
    add(scale, "peers/spinning-barrier", barrier_rounds<SpinningBarrier>);
}
