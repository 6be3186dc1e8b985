// The world of tests itself: no rank hangs, whatever another does.

#include "tests/support/local_world.hpp"

#include "tests/support/catch.hpp"

#include <array>
#include <stdexcept>
#include <string>
#include <vector>

using namespace dcube;
using namespace test_support;

namespace {

constexpr std::array<std::byte, 3> three{std::byte{1}, std::byte{2}, std::byte{3}};

// The error of every rank, in words; run_ranks rethrows one of them.
std::vector<std::string> errors_of(unsigned ranks, const RankProgram& program)
{
    std::vector<std::string> errors(ranks);
    run_ranks(ranks, [&](const std::shared_ptr<World>& world) {
        try {
            program(world);
        } catch (const std::exception& error) {
            errors[world->rank()] = error.what();
        }
    });
    return errors;
}

}  // namespace

TEST_CASE("local world: ranks lie on hosts one after the other", "[support][world]")
{
    std::vector<unsigned> on_host(5);
    std::vector<unsigned> hosts(5);
    run_ranks(
        5,
        [&](const std::shared_ptr<World>& world) {
            on_host[world->rank()] = world->ranks_on_host();
            hosts[world->rank()] = world->hosts();
        },
        2);
    CHECK(on_host == std::vector<unsigned>{3, 3, 3, 2, 2});
    CHECK(hosts == std::vector<unsigned>(5, 2));
}

TEST_CASE("local world: the lowest rank's own exception is rethrown", "[support][world]")
{
    const auto two_fail = [](const std::shared_ptr<World>& world) {
        if (world->rank() == 1 || world->rank() == 3)
            throw std::out_of_range("rank " + std::to_string(world->rank()));
        (void)world->broadcast(three, 3);
    };
    CHECK_THROWS_WITH(run_ranks(4, two_fail), "rank 1");
    CHECK_THROWS_AS(run_ranks(4, two_fail), std::out_of_range);
}

TEST_CASE("local world: waiting for a rank that has ended is an error", "[support][world]")
{
    const auto errors = errors_of(3, [](const std::shared_ptr<World>& world) {
        if (world->rank() != 1)
            (void)world->broadcast(three, 1);
    });
    CHECK(errors == std::vector<std::string>{"rank 0 waits for rank 1, which has ended", "",
                                             "rank 2 waits for rank 1, which has ended"});
}

TEST_CASE("local world: a message arrives even if its sender has ended", "[support][world]")
{
    std::vector<std::size_t> bytes(3);
    run_ranks(3,
              [&](const std::shared_ptr<World>& world) { bytes[world->rank()] = world->broadcast(three, 2).size(); });
    CHECK(bytes == std::vector<std::size_t>{3, 3, 3});
}

TEST_CASE("local world: ranks that make different calls get an error", "[support][world]")
{
    const auto errors = errors_of(2, [](const std::shared_ptr<World>& world) {
        if (world->rank() == 0)
            (void)world->gather(three);
        else
            (void)world->broadcast(three, 1);
    });
    CHECK(errors == std::vector<std::string>{"rank 0 calls gather where rank 1 calls broadcast", ""});
}

TEST_CASE("local world: ranks that wait for each other get an error", "[support][world]")
{
    const auto errors =
        errors_of(3, [](const std::shared_ptr<World>& world) { (void)world->broadcast({}, (world->rank() + 1) % 3); });
    CHECK(errors == std::vector<std::string>(3, "all ranks that are left wait for each other"));
}

TEST_CASE("local world: a rank that abandons the world ends the others' waiting", "[support][world]")
{
    const auto errors = errors_of(3, [](const std::shared_ptr<World>& world) {
        if (world->rank() == 1) {
            world->abandon("no more memory");
            (void)world->broadcast(three, 2);  // for which it would wait itself
        } else {
            (void)world->broadcast(three, 1);
        }
    });
    CHECK(errors == std::vector<std::string>(3, "rank 1 cannot go on: no more memory"));
}
