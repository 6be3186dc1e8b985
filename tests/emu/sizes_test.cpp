// Packets and places of different sizes.

#include "tests/support/catch.hpp"
#include "tests/support/error_of.hpp"
#include "tests/support/small_programs.hpp"

#include <dcube/machine.hpp>

#include <array>
#include <functional>
#include <span>
#include <string>

using namespace dcube;
using namespace test_support;
using test_support::error_of;

namespace {

}  // namespace

TEST_CASE("copying or combining bytes of different sizes is refused", "[emu][negative]")
{
    Machine machine(Topology::hypercube(0));
    std::array<std::byte, 8> into{};
    const Combine combine = combiner(Operation::sum, ElementType::int32);
    const auto error_in = [&](const std::function<void(Node&)>& work) {
        return error_of([&] {
            machine.run([&work](Node& me) -> Task {
                work(me);
                co_return;
            });
        });
    };
    const std::span<const std::byte> from(eight);
    CHECK_THAT(error_in([&](Node& me) { me.copy(into, from.first(7)); }),
               Catch::Contains("7 bytes do not fit a place of 8: sizes must be equal"));
    CHECK_THAT(error_in([&](Node& me) { me.combine(into, from, from.first(4), combine); }),
               Catch::Contains("4 bytes do not fit a place of 8: sizes must be equal"));
    CHECK_THAT(error_in([&](Node& me) { me.combine(into, from.first(4), from, combine); }),
               Catch::Contains("4 bytes do not fit a place of 8: sizes must be equal"));
    CHECK(error_in([&](Node& me) { me.combine(into, from, from, combine); }).empty());
}

TEST_CASE("a joined packet of another size is reported with its size", "[emu][negative]")
{
    Machine machine(Topology::hypercube(1));
    static const std::array<std::span<const std::byte>, 2> parts{std::span(eight).first(3), std::span(eight).last(7)};
    const auto error_at = [&](const std::function<void(Node&)>& receive) {
        return error_of([&] {
            machine.run([&receive](Node& me) -> Task {
                me.send(0, JoinedPacket{parts});
                co_await me.next_step();
                receive(me);
            });
        });
    };
    std::array<std::byte, 16> into{};
    const Combine combine = combiner(Operation::sum, ElementType::int32);
    const auto where = std::string("size-mismatch in step 2 at node 0, port 0: ");
    CHECK(error_at([&](Node& me) { me.receive(0, std::span(into).first(8)); }) ==
          where + "a packet of 10 bytes arrived where 8 are expected");
    for (const std::size_t room : {8U, 10U})
        CHECK(error_at([&](Node& me) {
                  me.receive(0, std::span(into).first(room), std::span(into).first(room), combine);
              }) == where + "the packet is joined from several places: receive_joined, or a receive that copies");
}
