// Worked examples move by move, d = 3 and d = 4, built from the rules of Bertsekas et al. 1991, section 2, by hand.

#include "algorithms/papers/bertsekas/all_gather.hpp"
#include "algorithms/programs/cube.hpp"
#include "tests/support/catch.hpp"

#include <fmt/format.h>

#include <string>
#include <vector>

using namespace dcube;
using namespace dcube::detail;

namespace {

using Lines = std::vector<std::string>;

// "step: node <- parent p port ..." for root 0 of an all-gather.
Lines all_gather_rows(unsigned d)
{
    const Schedule schedule = all_gather_schedule(Topology::hypercube(d), 1);
    Lines rows(schedule.steps);
    for (const Hop& hop : schedule.hops) {
        const NodeId parent = hop.packet.origin;  // the sender, seen from the packet's origin
        rows[hop.step - 1] += fmt::format("{:0{}b}<-{:0{}b} p{} ", parent ^ bit(hop.port), d, parent, d, hop.port);
    }
    return rows;
}

}  // namespace

TEST_CASE("all-gather on the 3-cube and the 4-cube goes as in the worked examples", "[algorithms][bertsekas]")
{
    CHECK(all_gather_rows(3) ==
          Lines{"001<-000 p0 010<-000 p1 100<-000 p2 ", "011<-010 p0 110<-100 p1 101<-001 p2 ", "111<-110 p0 "});
    CHECK(all_gather_rows(4) == Lines{"0001<-0000 p0 0010<-0000 p1 0100<-0000 p2 1000<-0000 p3 ",
                                      "0011<-0010 p0 0110<-0100 p1 1100<-1000 p2 1001<-0001 p3 ",
                                      "0101<-0100 p0 1010<-1000 p1 1101<-1001 p2 1011<-0011 p3 ",
                                      "0111<-0110 p0 1110<-1100 p1 1111<-1011 p2 "});
}

TEST_CASE("all-gather of two packets on the 3-cube numbers the copies as in the worked example",
          "[algorithms][bertsekas]")
{
    const Schedule schedule = all_gather_schedule(Topology::hypercube(3), 2);
    std::string numbers;
    for (const Hop& hop : schedule.hops)
        numbers += fmt::format("{}:{} ", hop.packet.copy, hop.packet.origin ^ bit(hop.port));
    CHECK(numbers == "0:1 0:2 0:4 1:1 1:2 1:4 0:3 0:6 0:5 1:3 1:6 1:5 1:7 0:7 ");
    CHECK(schedule.steps == 5);
}
