// A machine without threads of its own: nobody lends any, and none is pinned.

#include "emu/pinning.hpp"
#include "emu/workers.hpp"
#include "tests/support/catch.hpp"

#include <dcube/error.hpp>
#include <dcube/machine.hpp>

#include <string>

using namespace dcube;

TEST_CASE("without threads: a machine has its caller's, however many are asked for", "[emu]")
{
    CHECK(available_threads() == 1);
    CHECK(detail::borrow_workers(8)->most() == 1);
    for (const unsigned threads : {0U, 1U, 2U, 1024U})
        CHECK(Machine(Topology::hypercube(10), {.threads = threads}).threads() == 1);
    CHECK_THROWS_WITH(Machine(Topology::hypercube(10), {.threads = 1025}), Catch::Contains("threads are too many"));
}

TEST_CASE("without threads: none is pinned", "[emu][negative]")
{
    const std::string refused = "threads cannot be pinned in a build without threads: use --pin none";
    CHECK(pinned_processors(Pinning::none).empty());
    for (const Pinning pinning : {Pinning::compact, Pinning::scatter}) {
        CHECK_THROWS_WITH(pinned_processors(pinning), refused);
        CHECK_THROWS_WITH(Machine(Topology::hypercube(3), {.pinning = pinning}), refused);
    }
    CHECK_THROWS_WITH(detail::Processors::of_this_process(), refused);
    const detail::Pinned free(detail::Pins({0, 1}), 0);  // changes nothing
}
