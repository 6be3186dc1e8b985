// The memory that nodes allocate from their machine.

#include "tests/support/catch.hpp"

#include <dcube/machine.hpp>

#include <algorithm>
#include <array>
#include <cstdint>
#include <span>
#include <stdexcept>

using namespace dcube;

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
