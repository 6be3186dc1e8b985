// Tasks: nesting, frames and what they cost.

#include "emu/frame_pool.hpp"
#include "tests/support/allocations.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/sizes.hpp"

#include <dcube/machine.hpp>

#include <array>
#include <cstdint>
#include <vector>

using namespace dcube;

namespace {

Task nested(Node& me, int depth, int& deepest)
{
    if (depth == 0) {
        ++deepest;
        co_await me.next_step();
        co_return;
    }
    Task deeper = nested(me, depth - 1, deepest);
    co_await deeper;
}

#ifndef DCUBE_SANITIZED  // for the test that counts allocations
Task exchange(Node& me, Port port, std::span<const std::byte> mine, std::span<std::byte> theirs)
{
    me.send(port, mine);
    co_await me.next_step();
    me.receive(port, theirs);
}

Task many_exchanges(Node& me, Step count, std::span<std::byte> memory)
{
    for (Step step = 0; step < count; ++step) {
        Task sub = exchange(me, step % me.ports(), memory.first(8), memory.last(8));
        co_await sub;
    }
}
#endif

struct Object {
    int value;
    Task member(Node& me, int& seen) const
    {
        co_await me.next_step();
        seen = value;
    }
};

}  // namespace

TEST_CASE("sub-tasks nest as deep as memory allows, without using up the stack", "[emu]")
{
    constexpr int depth = test_support::smaller(200'000, 20'000);
    Machine machine(Topology::hypercube(0));
    int deepest = 0;
    CHECK(machine.run([&deepest](Node& me) { return nested(me, depth, deepest); }).steps == 1);
    CHECK(deepest == 1);
}

TEST_CASE("sub-tasks follow one another by the hundred thousand", "[emu]")
{
    constexpr int count = test_support::smaller(300'000, 30'000);
    Machine machine(Topology::hypercube(0));
    int ended = 0;
    const auto program = [&ended](Node& me) -> Task {
        const auto at_once = [&ended](Node&) -> Task {
            ++ended;
            co_return;
        };
        for (int i = 0; i < count; ++i) {
            Task sub = at_once(me);
            co_await sub;
        }
    };
    CHECK(machine.run(program).steps == 0);
    CHECK(ended == count);
}

TEST_CASE("member functions and capturing lambdas can be programs", "[emu]")
{
    Machine machine(Topology::hypercube(2));
    const Object object{42};
    std::array<int, 4> seen{};
    machine.run([&](Node& me) { return object.member(me, seen[me.id()]); });
    CHECK(seen == std::array{42, 42, 42, 42});
}

#ifndef DCUBE_SANITIZED

TEST_CASE("the steady state of a run allocates nothing", "[emu]")
{
    Machine machine(Topology::hypercube(4), {.threads = 1, .watch_lent_bytes = false});
    std::vector<std::byte> memory(16 * 16);
    const auto run_steps = [&](Step count) {
        const std::uint64_t before = test_support::allocations();
        machine.run([&](Node& me) { return many_exchanges(me, count, std::span(memory).subspan(me.id() * 16, 16)); });
        return test_support::allocations() - before;
    };
    run_steps(10);  // the first run fills the pools
    CHECK(run_steps(1000) == run_steps(10));
}

#endif

TEST_CASE("a pool gives a frame's memory to the next frame of its size", "[emu]")
{
    detail::FramePool pool;
    void* const first = pool.allocate(100);
    void* const other = pool.allocate(200);
    detail::FramePool::release(first);
    CHECK(pool.allocate(100) == first);
    detail::FramePool::release(first);
    detail::FramePool::release(other);
    CHECK(pool.allocate(200) == other);
    detail::FramePool::release(other);
    CHECK(pool.allocate(100) == first);
    detail::FramePool::release(first);
}

namespace {

// Alignment is the types': g++ 12 forgets that of a variable.
struct alignas(64) CacheLine {
    std::array<std::byte, 64> bytes;
};
struct alignas(32) Register {
    std::array<double, 4> lanes;
};

struct SeenAddresses {
    const void* line = nullptr;
    const void* lanes = nullptr;
    const void* parameter = nullptr;
};

Task keeps_aligned(Node& me, int depth, CacheLine by_value, std::vector<SeenAddresses>& seen)
{
    CacheLine line = by_value;
    Register lanes{{1, 2, 3, static_cast<double>(me.id())}};
    co_await me.next_step();
    seen[me.id()] = {&line, &lanes, &by_value};
    by_value.bytes[1] = line.bytes[0];
    lanes.lanes[0] += lanes.lanes[3];
    if (depth > 0) {
        Task deeper = keeps_aligned(me, depth - 1, line, seen);
        co_await deeper;
    }
}

bool is_aligned(const void* address, std::size_t to)
{
    return reinterpret_cast<std::uintptr_t>(address) % to == 0;
}

}  // namespace

TEST_CASE("a program may keep over a step what is aligned to a cache line", "[emu]")
{
    Machine machine(Topology::hypercube(4), {.threads = 1});
    for (int depth = 0; depth < 3; ++depth) {
        std::vector<SeenAddresses> seen(16);
        machine.run([&](Node& me) { return keeps_aligned(me, depth, {}, seen); });
        for (const SeenAddresses& one : seen) {
            CHECK(is_aligned(one.line, 64));
            CHECK(is_aligned(one.lanes, 32));
            CHECK(is_aligned(one.parameter, 64));
        }
    }
}

TEST_CASE("all frames are aligned to a cache line, whatever their sizes and whoever had their memory before", "[emu]")
{
    detail::FramePool pool;
    for (int round = 0; round < 2; ++round) {
        std::vector<void*> frames;
        for (std::size_t bytes = 1; bytes < 10'000; bytes += 1 + bytes / 3) {
            frames.push_back(pool.allocate(bytes));
            CHECK(is_aligned(frames.back(), detail::frame_alignment));
        }
        for (void* const frame : frames)
            detail::FramePool::release(frame);
    }
}
