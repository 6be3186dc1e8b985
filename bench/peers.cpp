// The same problem without dcube: what the machine's channels, rules and coroutines are measured against.

#include "bench/benchmarks.hpp"

#include "base/memory.hpp"
#include "bench/peers/hops.hpp"

#include <fmt/format.h>

#include <oneapi/tbb/blocked_range.h>
#include <oneapi/tbb/enumerable_thread_specific.h>
#include <oneapi/tbb/parallel_for.h>
#include <oneapi/tbb/task_arena.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <barrier>
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

// A total exchange in plain arrays, hop by hop. The packet from node o to node t has to cross the 1 bits of x = o ^ t;
// all packets of one x go together, between two buffers that stay in the cache, so a hop is one memcpy, as in dcube. No
// channels, no steps, no rules.
class PlainExchange {
    // Where each node's packet of this x lies: first the one that it sends, in the end the one that is for it.
    auto blocks(std::size_t array, std::size_t x)
    {
        return [x, n = n_, bytes = bytes_, begin = arrays_[array]](std::size_t node) {
            return begin + (node * n + (node ^ x)) * bytes;
        };
    }

public:
    PlainExchange(unsigned dimension, std::size_t bytes, int threads)
        : d_(dimension), n_(std::size_t{1} << dimension), bytes_(bytes),
          arena_(threads), memory_{dcube::Memory(n_ * n_ * bytes), dcube::Memory(n_ * n_ * bytes)},
          arrays_{memory_[0].bytes().data(), memory_[1].bytes().data()},
          hops_([this] { return peer::Hops(n_, bytes_); })
    {
        for (std::size_t packet = 0; packet < n_ * n_; ++packet)
            write(&arrays_[0][packet * bytes_], packet);
    }

    // As many x at a time as share a cache line of the output.
    void run()
    {
        const oneapi::tbb::blocked_range<std::size_t> all(0, n_, 16);
        arena_.execute([&] {
            oneapi::tbb::parallel_for(all, [this](const auto& some) {
                peer::Hops& hops = hops_.local();
                for (std::size_t x = some.begin(); x != some.end(); ++x)
                    hops.take(x, blocks(0, x), blocks(1, x));
            });
        });
    }

    [[nodiscard]] bool correct()
    {
        std::vector<std::byte> expected(bytes_);
        for (std::size_t target = 0; target < n_; ++target)
            for (std::size_t x = 0; x < n_; ++x) {
                write(expected.data(), (target ^ x) * n_ + target);
                if (std::memcmp(blocks(1, x)(target), expected.data(), bytes_) != 0)
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
    oneapi::tbb::enumerable_thread_specific<peer::Hops> hops_;
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
        peer.run();
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
