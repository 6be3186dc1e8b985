// Tasks: nesting, frames and what they cost.

#include "emu/frame_pool.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/sizes.hpp"

#include <dcube/machine.hpp>

#include <atomic>
#include <cstdlib>
#include <new>

using namespace dcube;

#ifndef DCUBE_SANITIZED  // the sanitizers have an operator new of their own

namespace {

std::atomic<std::uint64_t> allocations{0};

}  // namespace

// Counts what the whole program allocates with new; a run in its steady state must not add to it.
void* operator new(std::size_t bytes)
{
    ++allocations;
    if (void* const memory = std::malloc(bytes == 0 ? 1 : bytes))
        return memory;
    throw std::bad_alloc();
}
void operator delete(void* memory) noexcept
{
    std::free(memory);
}
void operator delete(void* memory, std::size_t) noexcept
{
    std::free(memory);
}

#endif

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
        const std::uint64_t before = allocations;
        machine.run([&](Node& me) { return many_exchanges(me, count, std::span(memory).subspan(me.id() * 16, 16)); });
        return allocations - before;
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
