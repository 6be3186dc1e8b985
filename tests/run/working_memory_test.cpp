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

TEST_CASE("groups need the memory of their own network, as often as there are groups", "[run][groups]")
{
    const Topology cube = Topology::hypercube(5);
    const Topology smaller = Topology::hypercube(2);
    for (const Collective collective : {Collective::broadcast, Collective::all_to_all, Collective::send}) {
        Problem alone{.collective = collective, .bytes = 64, .packets = 3, .root = 1, .peer = 2};
        Problem in_groups = alone;
        in_groups.within = {1, 4};
        const Entry& entry = find_algorithm(cube, PortModel::all, in_groups);
        CAPTURE(name(collective), entry.name);
        CHECK(working_memory(entry, cube, in_groups) == 8 * working_memory(entry, smaller, alone));
    }
}
