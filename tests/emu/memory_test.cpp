// The memory that nodes allocate from their machine.

#include "tests/support/catch.hpp"
#include "tests/support/error_of.hpp"

#include <dcube/machine.hpp>

#include <algorithm>
#include <array>
#include <cstdint>
#include <limits>
#include <span>
#include <stdexcept>
#include <string>

using namespace dcube;
using test_support::error_of;

namespace {

constexpr std::size_t most = std::numeric_limits<std::size_t>::max();

// The error of a run whose nodes each ask for this much.
template <class Ask>
std::string error_when(Machine& machine, const Ask& ask)
{
    return error_of([&] {
        machine.run([&ask](Node& me) -> Task {
            co_await me.next_step();
            ask(me);
        });
    });
}

}  // namespace

TEST_CASE("allocated memory is aligned, apart, and of the size asked for", "[emu]")
{
    Machine machine(Topology::hypercube(4));
    std::array<std::span<std::byte>, 16> parts;
    bool aligned = true;
    const auto program = [&](Node& me) -> Task {
        const std::span<std::byte> mine = me.allocate(100 + me.id());
        parts[me.id()] = mine;
        std::fill(mine.begin(), mine.end(), std::byte{static_cast<unsigned char>(me.id())});
        co_await me.next_step();
        for (const std::byte byte : mine)
            if (byte != std::byte{static_cast<unsigned char>(me.id())})
                throw std::runtime_error("overlap");
    };
    CHECK_NOTHROW(machine.run(program));
    for (NodeId node = 0; node < 16; ++node) {
        CHECK(parts[node].size() == 100 + node);
        aligned = aligned && reinterpret_cast<std::uintptr_t>(parts[node].data()) % 64 == 0;
    }
    CHECK(aligned);
}

TEST_CASE("a node that asks for more memory than there is ends the run with one clear error", "[emu][negative]")
{
    for (const unsigned threads : {1U, 2U, 4U}) {
        Machine machine(Topology::hypercube(4), {.threads = threads});
        const std::string refused = "the nodes ask for more memory in step 2 than there is";
        for (const std::size_t bytes :
             {most, most - 1, most - 62, most - 63, most - 64, most / 2 + 1, most / 2, most / 4})
            CHECK(error_when(machine, [=](Node& me) { me.allocate(bytes); }) == refused);
        CHECK(error_when(machine, [](Node& me) { me.allocate_stripes(most / 2, 4); }) == refused);
        CHECK(error_when(machine, [](Node& me) { me.allocate_stripes(most / 64, 8); }) == refused);
        CHECK(error_when(machine, [](Node& me) { me.allocate_stripes(1, most / 2); }) == refused);
        CHECK(error_when(machine, [](Node& me) { me.allocate(1000); }).empty());
    }
}

TEST_CASE("what nodes allocate counts against the machine's memory limit", "[emu][negative]")
{
    const Topology cube = Topology::hypercube(4);
    MachineOptions options{.watch_lent_bytes = false};
    const std::size_t own = machine_memory(cube, options);
    options.memory_limit = own + 16 * 1000;
    for (const unsigned threads : {1U, 2U, 4U}) {
        options.threads = threads;
        Machine machine(cube, options);
        const std::string refused = "the nodes ask for more memory in step 2 than there is (the limit is " +
                                    std::to_string(options.memory_limit) + " bytes";
        for (int time = 0; time < 2; ++time) {
            CHECK(error_when(machine, [](Node& me) { me.allocate(1000); }).empty());
            CHECK_THAT(error_when(machine, [](Node& me) { me.allocate(me.id() == 7 ? 1001 : 1000); }),
                       Catch::StartsWith(refused));
            CHECK(error_when(machine, [](Node& me) { me.allocate_stripes(10, 100); }).empty());
            CHECK_THAT(error_when(machine, [](Node& me) { me.allocate_stripes(11, 100); }), Catch::StartsWith(refused));
        }
    }
}

TEST_CASE("a program cannot go on without the memory that it was refused", "[emu][negative]")
{
    Machine machine(Topology::hypercube(2), {.memory_limit = std::size_t{1} << 20});
    const std::string error = error_when(machine, [](Node& me) {
        try {
            me.allocate(std::size_t{1} << 30);
        } catch (const std::exception&) {
        }
    });
    CHECK_THAT(error, Catch::StartsWith("the nodes ask for more memory in step 2 than there is"));
}

TEST_CASE("watching and a trace count against the machine's memory limit", "[emu][negative]")
{
    const Topology cube = Topology::hypercube(8);
    MachineOptions options{.watch_lent_bytes = false};
    options.memory_limit = machine_memory(cube, options);
    Machine machine(cube, options);
    const auto nothing = [](Node&) -> Task { co_return; };
    CHECK_NOTHROW(machine.run(nothing));
    RunOptions traced;
    traced.trace = [](const Transmission&) {};
    CHECK_THAT(error_of([&] { machine.run(nothing, traced); }), Catch::StartsWith("a trace would need "));
    CHECK_NOTHROW(machine.run(nothing));
    options.watch_lent_bytes = true;
    CHECK_THAT(error_of([&] { Machine watching(cube, options); }),
               Catch::StartsWith("the nodes and channels of hypercube:8 would need "));
}

TEST_CASE("what a run asks for is told together with what the machine takes", "[emu][negative]")
{
    const Topology cube = Topology::hypercube(4);
    MachineOptions options{.watch_lent_bytes = false};
    const std::size_t own = machine_memory(cube, options);
    options.memory_limit = own + 1000;
    const Machine machine(cube, options);
    CHECK_NOTHROW(machine.require_memory(1000));
    CHECK_THAT(error_of([&] { machine.require_memory(1001); }),
               Catch::StartsWith("this run would need " + std::to_string(own + 1001) + " bytes"));
    CHECK_THROWS_AS(machine.require_memory(most), InvalidArgument);
}
