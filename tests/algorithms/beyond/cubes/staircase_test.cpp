// The staircase: its table, what is in transit, and the rule by which it needs none.

#include "algorithms/beyond/cubes/staircase.hpp"
#include "algorithms/papers/bertsekas/all_to_all.hpp"
#include "algorithms/programs/cube.hpp"
#include "algorithms/programs/plan.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/hypercube_run.hpp"
#include "tests/support/sizes.hpp"

#include <dcube/dcube.hpp>

#include <map>
#include <set>
#include <string>
#include <utility>

using namespace dcube;
using namespace dcube::detail;
using namespace test_support;

namespace {

constexpr NodeId offset_of(const PacketName& packet)
{
    return packet.origin ^ packet.target;
}

Problem exchange(std::size_t bytes, std::size_t packets = 1)
{
    return {Collective::all_to_all, bytes, packets};
}

const Entry& named(unsigned d, PortModel ports, const Problem& problem, const std::string& name)
{
    return find_algorithm(Topology::hypercube(d), ports, problem, name);
}

std::uint64_t least_in_transit(unsigned d, const Problem& problem, std::uint64_t steps)
{
    return in_transit_bound(Topology::hypercube(d), problem, steps).value;
}

}  // namespace

TEST_CASE("staircase: every offset has each of its bits once, in different steps, and no link rests",
          "[algorithms][bertsekas][staircase][slow]")
{
    for (unsigned d = 1; d <= smaller(16U, 11U); ++d)
        for (const std::uint32_t copies : {1U, 3U}) {
            CAPTURE(d, copies);
            const Schedule schedule = staircase(d, copies);
            REQUIRE(schedule.steps == copies << (d - 1));
            REQUIRE(schedule.hops.size() == std::size_t{d} * schedule.steps);
            std::set<std::pair<Step, Port>> places;
            std::map<std::pair<NodeId, std::uint32_t>, NodeId> served;  // bits of every offset and copy
            std::map<std::pair<NodeId, std::uint32_t>, Step> last;
            for (const Hop& hop : schedule.hops) {
                REQUIRE(places.emplace(hop.step, hop.port).second);
                const std::pair packet(offset_of(hop.packet), hop.packet.copy);
                REQUIRE(hop.packet.origin == served[packet]);
                REQUIRE((hop.packet.target >> hop.port & 1) == 1);
                REQUIRE(hop.step > last[packet]);
                served[packet] |= NodeId{1} << hop.port;
                last[packet] = hop.step;
            }
            REQUIRE(served.size() == ((std::size_t{1} << d) - 1) * copies);
            for (const auto& [packet, bits] : served)
                REQUIRE(bits == packet.first);
        }
}

TEST_CASE("staircase: a packet sent over port k that must next cross h leaves over h in the step h - k later",
          "[algorithms][bertsekas][staircase]")
{
    for (unsigned d = 1; d <= smaller(12U, 8U); ++d) {
        std::map<std::pair<NodeId, std::uint32_t>, std::pair<Step, Port>> last;
        std::size_t forwarded = 0;
        for (const Hop& hop : staircase(d, 2).hops) {
            const auto [before, first] = last.try_emplace({offset_of(hop.packet), hop.packet.copy}, hop.step, hop.port);
            if (!first) {
                ++forwarded;
                REQUIRE(hop.step - before->second.first == hop.port - before->second.second);
                before->second = {hop.step, hop.port};
            }
        }
        CHECK(last.size() == std::size_t{2} * (bit(d) - 1));  // every offset of both copies
        CHECK(forwarded == std::size_t{d} * bit(d) - last.size());
    }
}

TEST_CASE("staircase: 2d - 4 blocks in transit and 3d - 6 slots, where the table of the paper needs 2^(d-2)",
          "[algorithms][bertsekas][staircase]")
{
    for (unsigned d = 1; d <= smaller(14U, 8U); ++d) {
        CAPTURE(d);
        const Topology cube = Topology::hypercube(d);
        const Plan plan(cube, exchange(1), staircase(d, 1));
        CHECK(plan.in_transit() == staircase_in_transit(d));
        CHECK(plan.slots(0) == staircase_slots(d));
        const Plan paper(cube, exchange(1), all_to_all_schedule(cube));
        CHECK(paper.in_transit() == all_to_all_in_transit(d));
        CHECK(staircase_in_transit(d) >= least_in_transit(d, exchange(1), cube.nodes() / 2));
        CHECK(least_in_transit(d, exchange(1), cube.nodes() / 2) == d - 1);
        CHECK(staircase_in_transit(d) <= all_to_all_in_transit(d));
    }
}

TEST_CASE("staircase: several copies of every packet need no more slots than one", "[algorithms][bertsekas][staircase]")
{
    for (unsigned d = 1; d <= smaller(9U, 7U); ++d)
        for (const std::uint32_t copies : {2U, 3U, 8U}) {
            CAPTURE(d, copies);
            const Plan plan(Topology::hypercube(d), exchange(1, copies), staircase(d, copies));
            CHECK(plan.in_transit() <= staircase_in_transit(d));
            CHECK(plan.slots(0) <= staircase_slots(d));
        }
}

TEST_CASE("staircase: every number of packets, of every size, takes the fewest steps",
          "[algorithms][bertsekas][staircase]")
{
    for (unsigned d = 0; d <= smaller(6U, 4U); ++d)
        for (const std::size_t packets : {1U, 2U, 5U, 6U, 64U})
            for (const std::size_t bytes : {1U, 9U, 32U, 100U}) {
                CAPTURE(d, packets, bytes);
                std::string digest;
                for (const unsigned threads : {1U, 2U}) {
                    Machine machine(Topology::hypercube(d), {.threads = threads});
                    CallOptions options;
                    options.algorithm = "staircase";
                    const Report report = run_verified(machine, exchange(bytes, packets), {}, options);
                    CHECK(report.steps_optimal());
                    CHECK(report.transmissions_optimal());
                    CHECK(report.in_transit.value() >= report.in_transit_lower_bound);
                    CHECK((digest.empty() || digest == report.result_digest));
                    digest = report.result_digest;
                }
            }
}

TEST_CASE("auto takes the staircase, and offset by offset with one port", "[algorithms][bertsekas][staircase]")
{
    for (unsigned d = 2; d <= 8; ++d) {
        CHECK(named(d, PortModel::all, exchange(64), "auto").name == "staircase");
        CHECK(named(d, PortModel::one, exchange(64), "auto").name == "offset-by-offset");
    }
}

TEST_CASE("bounds: the lower bound on blocks in transit has the values counted by hand", "[bounds][staircase]")
{
    const Topology cube = Topology::hypercube(4);
    // 17 waits a node in 7 moments; with twice the steps in 15, and never without one.
    CHECK(in_transit_bound(cube, exchange(1), 8).value == 3);
    CHECK(in_transit_bound(cube, exchange(1), 16).value == 2);
    CHECK(in_transit_bound(cube, exchange(1), 1000).value == 1);
    CHECK(in_transit_bound(cube, {Collective::all_gather}, 4).value == 0);
    CHECK(in_transit_bound(Topology::hypercube(0), exchange(1), 0).value == 0);
    CHECK(in_transit_bound(Topology::hypercube(1), exchange(1), 1).value == 0);
    // A path of 3: one packet over two hops each way.
    const Topology path = Topology::parse("mesh:3");
    CHECK(in_transit_bound(path, exchange(1), 2).value == 1);
}
