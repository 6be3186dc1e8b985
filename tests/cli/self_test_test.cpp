// dcube self-test: that it passes here, and that it can fail.

#include "tests/support/catch.hpp"
#include "tests/support/command_lines.hpp"
#include "tests/support/process.hpp"

#include "cli/commands/own_checks.hpp"

#include <dcube/error.hpp>
#include <dcube/schedule.hpp>
#include <dcube/version.hpp>

#include <algorithm>
#include <set>
#include <string>
#include <vector>

using namespace dcube;
using namespace dcube::test;
using cli::CheckGroup;
using cli::OwnCheck;
using cli::WrongProgram;

namespace {

std::vector<std::string> failures_of(const CheckGroup& group)
{
    std::vector<std::string> all;
    for (const OwnCheck& check : group.checks)
        if (std::string failure = cli::failure_of(check, *world_alone()); !failure.empty())
            all.push_back(check.name + ": " + failure);
    return all;
}

// The catalogue's broadcast by recursive doubling, changed.
template <class Change>
std::vector<std::string> failures_with(const Change& change)
{
    const std::vector<const Algorithm*> all = algorithms_for(Collective::broadcast);
    Algorithm one = **std::ranges::find_if(
        all, [](const Algorithm* a) { return a->name == "recursive-doubling" && a->link == LinkKind::unit; });
    change(one);
    const Algorithm* const changed = &one;
    return failures_of(cli::checks_of_runs(Collective::broadcast, std::span(&changed, 1), world_alone()));
}

}  // namespace

TEST_CASE("self-test: it passes, a line for each group of checks, and one for all", "[cli][self-test]")
{
    const Outcome outcome = dcube_program({"self-test"});
    CHECK(outcome.exit_code == 0);
    CHECK(outcome.err.empty());
    const std::vector<std::string> lines = lines_of(outcome.out);
    CHECK(lines.size() == cli::own_checks(world_alone()).size() + 1);
    CHECK_THAT(lines.back(), Catch::StartsWith("dcube " + std::string(version()) + " works: "));
    CHECK_THAT(outcome.out, Catch::Contains("broken rules         18 checks\n"));
}

TEST_CASE("self-test: --verbose lists every check", "[cli][self-test][long]")
{
    const std::string out = executed("self-test --verbose").out;
    for (const CheckGroup& group : cli::own_checks(world_alone()))
        for (const OwnCheck& check : group.checks)
            CHECK_THAT(out, Catch::Contains("\n  " + check.name + "\n"));
}

// The others need larger networks, or special ones.
TEST_CASE("self-test: nearly every algorithm of the catalogue is run", "[cli][self-test]")
{
    const auto is_run = [](const Algorithm& algorithm) {
        const Algorithm* const one = &algorithm;
        return !cli::checks_of_runs(algorithm.collective, std::span(&one, 1), world_alone()).checks.empty();
    };
    CHECK(10 * std::ranges::count_if(catalogue(), is_run) >= 9 * std::ssize(catalogue()));
}

TEST_CASE("self-test: each rule is broken once", "[cli][self-test]")
{
    std::set<Rule> broken;
    for (const WrongProgram& one : cli::wrong_programs())
        CHECK(broken.insert(one.rule).second);
    CHECK(broken.size() == static_cast<std::size_t>(Rule::stray_packet) + 1);
}

TEST_CASE("self-test: a rule that is not broken, or elsewhere, is a failure", "[cli][self-test][negative]")
{
    std::vector<WrongProgram> programs = cli::wrong_programs();
    programs.resize(2);
    programs[0].step += 1;
    programs[1].program = [](Node& me) -> Task { co_await me.next_step(); };
    const std::vector<std::string> failures = failures_of(cli::checks_of_rules(programs, world_alone()));
    REQUIRE(failures.size() == 2);
    CHECK_THAT(failures[0],
               Catch::Contains("expected no-such-port in step 3 at node 5, but got: no-such-port in step 2"));
    CHECK(failures[1] == "link-busy is noticed: nobody noticed that the rule was broken");
}

TEST_CASE("self-test: an algorithm that is wrong fails", "[cli][self-test][negative]")
{
    CHECK(failures_with([](Algorithm&) {}).empty());
    const auto wrong_bytes = failures_with([](Algorithm& one) {
        one.prepare = [right = one.prepare](const Topology& topology, const Problem& problem) -> CollectiveProgram {
            return [program = right(topology, problem)](Node& me, NodeData data) -> Task {
                Task all = program(me, data);
                co_await all;
                if (me.id() == 5)
                    data.output[7] ^= std::byte{1};
            };
        };
    });
    REQUIRE_FALSE(wrong_bytes.empty());
    CHECK_THAT(wrong_bytes[0], Catch::StartsWith("recursive-doubling on hypercube:3, all ports, 1 packet: ") &&
                                   Catch::Contains("node 5"));
    const auto wrong_cost = failures_with([](Algorithm& one) {
        one.cost = [right = one.cost](const Topology& topology, const Problem& problem) {
            Cost cost = right(topology, problem);
            ++cost.transmissions;
            return cost;
        };
    });
    REQUIRE_FALSE(wrong_cost.empty());
    CHECK_THAT(wrong_cost[0], Catch::Contains("were promised, but it took"));
}

TEST_CASE("self-test: a result that depends on the threads fails", "[cli][self-test][negative]")
{
    int runs = 0;
    const auto failures = failures_with([&runs](Algorithm& one) {
        one.cost = nullptr;
        one.prepare = [&runs, right = one.prepare](const Topology& topology, const Problem& problem) {
            const bool idles = ++runs % 2 == 0;
            return [idles, program = right(topology, problem)](Node& me, NodeData data) -> Task {
                if (idles)
                    co_await me.next_step();
                Task all = program(me, data);
                co_await all;
            };
        };
    });
    REQUIRE_FALSE(failures.empty());
    CHECK_THAT(failures[0], Catch::Contains(": one thread reports ") && Catch::Contains(", but two report "));
}
