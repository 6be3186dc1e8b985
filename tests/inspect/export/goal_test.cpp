// GOAL: what LogGOPSim makes of our schedules.

#include "tests/support/catalogue_cases.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/error_of.hpp"
#include "tests/support/files.hpp"
#include "tests/support/goal_replay.hpp"
#include "tests/support/link_bound.hpp"
#include "tests/support/recorded.hpp"
#include "tests/support/sizes.hpp"

#include <numeric>
#include <regex>
#include <set>
#include <string>

using namespace dcube;
using namespace dcube::test;
using namespace test_support;

namespace {

enum class Promise { equal, earlier, one_by_one };

Promise promise_in(const std::string& goal)
{
    const std::string head = goal.substr(0, goal.find("num_ranks"));
    if (head.find("time equals dcube's") != std::string::npos)
        return Promise::equal;
    return head.find("is not dcube's") != std::string::npos ? Promise::earlier : Promise::one_by_one;
}

// Runs the case, writes it down, and lets the replay find its time.
Promise check_time(const Case& one, std::uint64_t our_time, const std::string& goal)
{
    INFO(words(one));
    const std::uint64_t found = replayed_time(goal, parameters_in(goal));
    const Promise promise = promise_in(goal);
    if (promise == Promise::equal)
        CHECK(found == our_time);
    if (promise == Promise::earlier)
        CHECK(found < our_time);
    return promise;
}

}  // namespace

TEST_CASE("goal: with unit links the simulator's time is our steps, or less where the schedule waits, as is said",
          "[export][long]")
{
    int equal = 0;
    int all = 0;
    for_each_unit_case(2, [&](const Case& one) {
        if (is_barrier(one.problem.collective))
            return;  // is refused
        const Recording recording = recorded(one);
        if (recording.flights.empty())
            return;
        const Promise promise = check_time(one, recording.steps, text_of(*goal_export(recording)));
        CHECK((promise != Promise::one_by_one || one.algorithm.ports == PortModel::one));
        equal += promise == Promise::equal ? 1 : 0;
        ++all;
    });
    CAPTURE(all);
    CHECK(equal > smaller(1000, 300));
}

TEST_CASE("goal: on links that take time the simulator's time is ours wherever it is promised", "[export][slow]")
{
    int equal = 0;
    int all = 0;
    for_each_link_bound_case(1, smaller(3U, 2U), {60, 96}, [&](const Case& one) {
        const Recording recording = recorded(one);
        if (recording.flights.empty())
            return;
        const auto unit = static_cast<std::uint64_t>(
            std::gcd(one.problem.link.tau.numerator, one.problem.link.beta.numerator));  // whole ns
        const Promise promise = check_time(one, recording.end / unit, text_of(*goal_export(recording)));
        equal += promise == Promise::equal ? 1 : 0;
        ++all;
    });
    CAPTURE(all);
    CHECK(equal > smaller(1000, 30));
}

TEST_CASE("goal: simulated times are those known from formulas", "[export]")
{
    // p packets that are stored and forwarded over h links take h + p - 1 steps.
    const Problem sent{.collective = Collective::send, .packets = 7, .peer = 5};
    const std::string path = text_of(*goal_export(recorded("path:6", sent)));
    CHECK(replayed_time(path, {1, 1, 0}) == 11);
    CHECK(replayed_time(path, {1000, 1000, 0}) == 11'000);

    // BROADCAST 1: d (tau m + beta).
    const Problem spread{.collective = Collective::broadcast, .bytes = 8, .link = link_bound(3, 50)};
    for (const unsigned d : {2U, 4U, 6U}) {
        const Recording run = recorded("hypercube:" + std::to_string(d), spread, "recursive-doubling");
        const std::string goal = text_of(*goal_export(run));
        CHECK(promise_in(goal) == Promise::equal);
        CHECK(replayed_time(goal, parameters_in(goal)) == d * (3 * 8 + 50));
    }
    const std::string exchange = text_of(*goal_export(recorded("hypercube:2", {})));
    CHECK(replayed_time(exchange, {1, 1, 0}) == 2);
}

TEST_CASE("goal: fractions of a nanosecond are whole units", "[export]")
{
    Problem problem{.collective = Collective::send, .bytes = 10, .peer = 1};
    problem.link = {LinkKind::link_bound, {5, 2}, {15, 1}, LinkClock::data_driven};
    const std::string goal = text_of(*goal_export(recorded("hypercube:1", problem)));
    CHECK_THAT(goal, Catch::Contains("-L 7 -g 7 -G 1"));  // 15 is six times 5/2
    CHECK_THAT(goal, Catch::Contains("equals dcube's: 16 units of 5/2 ns"));
    CHECK(replayed_time(goal, parameters_in(goal)) == 16);
}

TEST_CASE("goal: a machine in lockstep waits where the simulator does not", "[export]")
{
    Problem problem{.collective = Collective::broadcast, .bytes = 4096, .link = link_bound(1, 100)};
    problem.link.clock = LinkClock::lockstep;
    const std::string goal = text_of(*goal_export(recorded("hypercube:4", problem, "pipelined")));
    CHECK(promise_in(goal) != Promise::equal);
}

TEST_CASE("goal: nics are ports on hypercubes, one number on one port, and unique at both ends elsewhere", "[export]")
{
    const auto nics = [](const std::string& goal) {
        std::set<std::string> all;
        std::set<std::string> ends;  // a nic at a rank is of one neighbour
        static const std::regex line("(send|recv) [0-9]+b (?:to|from) ([0-9]+) tag [0-9]+ nic ([0-9]+)");
        std::string rank;
        for (const std::string& one : lines_of(goal)) {
            std::smatch m;
            if (one.starts_with("rank "))
                rank = one;
            if (std::regex_search(one, m, line)) {
                all.insert(m[3]);
                ends.insert(rank + m[1].str() + " " + m[3].str() + " " + m[2].str());
            }
        }
        std::set<std::string> distinct;
        for (const std::string& end : ends)
            distinct.insert(end.substr(0, end.rfind(' ')));
        CHECK(distinct.size() == ends.size());
        return all;
    };
    CHECK(nics(text_of(*goal_export(recorded("hypercube:3", {})))) == std::set<std::string>{"0", "1", "2"});
    CHECK(nics(text_of(*goal_export(recorded("mesh:3x4", {})))).size() <= 7);
    CHECK(nics(text_of(*goal_export(recorded("star:4", {})))) == std::set<std::string>{"0", "1", "2"});
    const std::string one_port = text_of(*goal_export(recorded("hypercube:3", {}, "auto", PortModel::one)));
    CHECK_THAT(one_port, !Catch::Contains("nic 1"));
}

TEST_CASE("goal: a send waits for what brought its bytes, and for nothing else", "[export]")
{
    // 0 - 1 - 2: node 1 passes on what came from 0 in step 1, and has its own for 2 from the start.
    const Problem problem{.collective = Collective::permute, .permutation = {2, 0, 1}};
    const std::string goal = text_of(*goal_export(recorded("path:3", problem)));
    const auto rank = goal.find("rank 1 {");
    const std::string own = goal.substr(rank, goal.find("\n}", rank) - rank);
    CHECK_THAT(own, Catch::Contains("requires r1p"));
    for (const std::string& line : lines_of(goal.substr(0, rank)))
        CHECK_THAT(line, !Catch::Contains(" requires "));
}

TEST_CASE("goal: one packet and one unit are written in the singular", "[export]")
{
    Problem problem{.collective = Collective::broadcast, .bytes = 1};
    const std::string step = text_of(*goal_export(recorded("hypercube:1", problem)));
    CHECK_THAT(step, Catch::Contains(": 1 packet\n"));
    CHECK_THAT(step, Catch::Contains("LogGOPSim's time equals dcube's: 1 step\n"));
    problem.link = {LinkKind::link_bound, {5, 2}, {0, 1}, LinkClock::data_driven};
    CHECK_THAT(text_of(*goal_export(recorded("hypercube:1", problem))), Catch::Contains("dcube's: 1 unit of 5/2 ns\n"));
}

TEST_CASE("goal: runs that the format cannot express are refused", "[export][negative]")
{
    Problem problem{.collective = Collective::send, .peer = 1};
    problem.link = {LinkKind::link_bound, {1, 1}, {std::int64_t{1} << 40, 1}, LinkClock::data_driven};
    const Recording slow = recorded("hypercube:1", problem);
    CHECK_THROWS_MATCHES(
        goal_export(slow), InvalidArgument,
        Catch::Message("LogGOPSim cannot count tau + beta, 1099511627777 ns: at most 2147483647 are possible"));
    Problem nothing{.collective = Collective::permute};
    nothing.permutation = {0, 1};
    const Recording empty = recorded("hypercube:1", nothing);
    CHECK_THROWS_MATCHES(goal_export(empty), InvalidArgument,
                         Catch::Message("GOAL cannot express a schedule without packets"));
    const Recording barrier = recorded("hypercube:2", {.collective = Collective::barrier});
    CHECK_THROWS_MATCHES(goal_export(barrier), InvalidArgument,
                         Catch::Message("GOAL cannot express a packet of 0 bytes: expected 1 to 2000000000"));
    const Recording wide = recorded("complete:300", {.collective = Collective::broadcast});
    CHECK_THROWS_AS(goal_export(wide), InvalidArgument);
}
