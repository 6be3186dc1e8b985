#include "algorithms/beyond/cubes/one_port.hpp"
#include "algorithms/programs/cube.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/hypercube_run.hpp"
#include "tests/support/sizes.hpp"

#include <dcube/dcube.hpp>

#include <fmt/format.h>

#include <cstdint>
#include <optional>
#include <string>

using namespace dcube;
using namespace dcube::detail;
using namespace test_support;

TEST_CASE("one port: scatter farthest-first on the 2-cube goes as in the worked example", "[algorithms][one-port]")
{
    std::string hops;
    for (const Hop& hop : one_port_scatter(Topology::hypercube(2), 1).hops)
        hops += fmt::format("{}: {}->{} for {}, ", hop.step, hop.from, hop.from ^ bit(hop.port), hop.packet.target);
    CHECK(hops == "1: 0->1 for 3, 2: 1->3 for 3, 2: 0->1 for 1, 3: 0->2 for 2, ");
}

TEST_CASE("one port: offset-by-offset has one block in transit, where dimension-exchange has half of all blocks",
          "[algorithms][one-port]")
{
    for (unsigned d = 2; d <= smaller(10U, 7U); ++d) {
        CAPTURE(d);
        const Topology cube = Topology::hypercube(d);
        for (const unsigned threads : {1U, 2U}) {
            const Report report = run_one(d, PortModel::one, Collective::all_to_all, 2, "offset-by-offset", threads);
            CHECK(counted(report) == Cost{2 * cube.status(0), 2 * cube.sum_of_statuses()});
            CHECK(report.steps_optimal());
            CHECK(report.counts.largest_storage_bytes == (d == 2 ? 1 : 2));
            CHECK(report.in_transit == 1);
            CHECK(report.in_transit_lower_bound == 1);
        }
        const Problem exchange{Collective::all_to_all, 1};
        const std::optional<std::uint64_t> before =
            find_algorithm(cube, PortModel::one, exchange, "dimension-exchange").in_transit(cube, exchange);
        CHECK(before.value() >= cube.nodes() / 2 - 1);
    }
}
