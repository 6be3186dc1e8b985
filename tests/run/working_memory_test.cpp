// The memory that a run needs.

#include "run/working_memory.hpp"
#include "tests/support/catch.hpp"

#include <dcube/catalogue.hpp>
#include <dcube/machine.hpp>

#include <cstdint>
#include <type_traits>

using namespace dcube;

TEST_CASE("estimates of memory have 64 bits", "[run]")
{
    const Problem problem;
    const Topology cube = Topology::hypercube(3);
    const Entry& any = find_algorithm(cube, PortModel::all, problem, "auto");
    STATIC_REQUIRE(std::is_same_v<decltype(any.storage(cube, problem)), std::uint64_t>);
    STATIC_REQUIRE(std::is_same_v<decltype(storage_of(any, cube, problem)), std::uint64_t>);
    STATIC_REQUIRE(std::is_same_v<decltype(machine_memory(cube, {})), std::uint64_t>);
    STATIC_REQUIRE(std::is_same_v<decltype(working_memory(any, cube, problem)), std::uint64_t>);
    STATIC_REQUIRE(std::is_same_v<decltype(memory_of_a_rank(any, cube, {}, problem)), std::uint64_t>);
}
