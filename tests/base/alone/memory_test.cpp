// Memory where there is no system to ask.

#include "base/memory.hpp"
#include "tests/support/catch.hpp"

#include <dcube/error.hpp>
#include <dcube/machine.hpp>

#include <algorithm>
#include <cstdint>
#include <limits>

using namespace dcube;

TEST_CASE("memory without a system: zeroed, aligned, given back, and counted", "[base]")
{
    const std::size_t before = available_memory();
    constexpr std::size_t bytes = 100'001;
    for (int time = 0; time < 2; ++time) {  // also of memory that was used and given back
        const Memory memory(bytes);
        REQUIRE(memory.bytes().size() == bytes);
        CHECK(reinterpret_cast<std::uintptr_t>(memory.bytes().data()) % 64 == 0);
        CHECK(std::ranges::all_of(memory.bytes(), [](std::byte byte) { return byte == std::byte{}; }));
        std::ranges::fill(memory.bytes(), std::byte{0xff});
        CHECK(available_memory() + bytes <= before);
        CHECK(peak_memory() >= bytes);
    }
    CHECK(available_memory() == before);
    CHECK(Memory().bytes().empty());
    CHECK(Memory(0).bytes().empty());
}

TEST_CASE("memory without a system: more than there is, is refused", "[base][negative]")
{
    CHECK_THROWS_WITH(Memory(std::numeric_limits<std::size_t>::max()),
                      Catch::StartsWith("the system refuses to lend ") && Catch::EndsWith(" of memory"));
    CHECK_THROWS_AS(Memory(available_memory() + 1), InvalidArgument);
    CHECK_THROWS_WITH(Machine(Topology::hypercube(20), {.channel_capacity = 100}), Catch::Contains("would need"));
}
