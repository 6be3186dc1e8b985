// Plans of the catalogue's algorithms in files: read instead of made. One that is not possible is made anew, and one
// that achieves nothing fails where it is run.

#include "algorithms/beyond/any_network/block_plan.hpp"
#include "algorithms/programs/kept_schedule.hpp"
#include "base/memo.hpp"
#include "base/plan_files.hpp"
#include "base/planning.hpp"

#include "tests/support/catch.hpp"
#include "tests/support/error_of.hpp"
#include "tests/support/files.hpp"

#include <dcube/bounds.hpp>
#include <dcube/catalogue.hpp>
#include <dcube/plan_cache.hpp>
#include <dcube/run.hpp>
#include <dcube/stop.hpp>

#include <algorithm>
#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <vector>

using namespace dcube;
using namespace dcube::test;
using dcube::detail::UnitQuestion;
using test_support::contains;

namespace {

// Keeps every plan, however small, in a folder of its own.
class KeepingAll {
public:
    KeepingAll()
    {
        set_plan_cache({.directory = folder.file("plans"), .least_work = 0, .warn = [this](const std::string& line) {
                            warnings.push_back(line);
                        }});
        detail::forget_memos();
    }
    ~KeepingAll()
    {
        forget_plan_cache();
        detail::forget_memos();
    }
    KeepingAll(const KeepingAll&) = delete;
    KeepingAll& operator=(const KeepingAll&) = delete;

    [[nodiscard]] std::vector<std::string> files(const std::string& kind) const
    {
        std::vector<std::string> all;
        for (const auto& entry : std::filesystem::directory_iterator(folder.file("plans")))
            if (entry.path().filename().string().starts_with(kind + "-"))
                all.push_back(entry.path());
        return all;
    }

    TemporaryFolder folder;
    std::vector<std::string> warnings;
};

const std::vector<std::string> cached_networks{"petersen", "mesh:3x4", "ring:5*path:3", "torus:3x4", "star:3*path:2"};

Problem cached_problem(const Topology& topology, Collective collective)
{
    Problem problem{collective};
    problem.packets = collective == Collective::all_reduce ? 5 : 2;
    if (has_root(collective) || has_peer(collective))
        problem.root = 1;
    if (has_peer(collective))
        problem.peer = topology.nodes() - 1;
    if (has_permutation(collective))
        for (NodeId node = 0; node < topology.nodes(); ++node)
            problem.permutation.push_back((node + 3) % topology.nodes());
    return problem;
}

// Every entry that can do something there: what it takes, and what happens when.
std::vector<std::pair<std::string, Cost>> all_cached_costs(const Topology& topology)
{
    std::vector<std::pair<std::string, Cost>> all;
    for (const Entry& algorithm : catalogue()) {
        if (is_matrix(algorithm.collective) || algorithm.link != LinkKind::unit ||
            !contains(algorithm.networks, topology))
            continue;
        const Problem problem = cached_problem(topology, algorithm.collective);
        if (!obstacle_of(algorithm, topology, algorithm.ports, problem).empty())
            continue;
        std::string name(algorithm.name);
        for (const AlgorithmPhase& phase : algorithm.phases(topology, problem))
            name += "; " + phase.sentence;
        all.emplace_back(name, algorithm.cost(topology, problem));
        steps_bound(topology, algorithm.ports, problem);
    }
    return all;
}

Problem broadcast_of(std::size_t packets)
{
    Problem problem{Collective::broadcast};
    problem.packets = packets;
    return problem;
}

const Entry& spread_on(const Topology& topology, const Problem& problem)
{
    return find_algorithm(topology, PortModel::all, problem, "spread");
}

}  // namespace

TEST_CASE("plan cache: a plan that is read is the one that was made, and no algorithm plans again",
          "[algorithms][long]")
{
    for (const std::string& name : cached_networks) {
        CAPTURE(name);
        KeepingAll cache;
        const Topology topology = Topology::parse(name);
        const PlanCacheUse before = plan_cache_use();
        const auto made = all_cached_costs(topology);
        const PlanCacheUse between = plan_cache_use();
        CHECK(between.made > before.made);
        CHECK(between.written - before.written == between.made - before.made);
        detail::forget_memos();
        CHECK(all_cached_costs(topology) == made);
        const PlanCacheUse after = plan_cache_use();
        CHECK(after.made == between.made);
        CHECK(after.read > between.read);
        CHECK(after.refused == before.refused);
        CHECK(cache.warnings.empty());
    }
}

TEST_CASE("plan cache: a plan that was read achieves its collective", "[algorithms]")
{
    const Topology topology = Topology::parse("ring:5*path:3");
    const KeepingAll cache;
    for (const Collective collective : all_collectives) {
        if (is_matrix(collective))
            continue;
        CAPTURE(name(collective));
        for (const PortModel ports : {PortModel::one, PortModel::all}) {
            Machine machine(topology, {.ports = ports, .threads = 1});
            Problem problem = cached_problem(topology, collective);
            const Report made = run_verified(machine, problem);
            detail::forget_memos();
            const Report read = run_verified(machine, problem);
            CHECK(read.result_digest == made.result_digest);
            CHECK(read.counts.steps == made.counts.steps);
            CHECK(read.counts.transmissions == made.counts.transmissions);
        }
    }
}

TEST_CASE("plan cache: another network under the same name has another plan", "[algorithms]")
{
    const KeepingAll cache;
    const std::string file = cache.folder.file("network");
    const Problem problem = broadcast_of(3);
    const auto steps = [&](const std::string& edges) {
        write_text(file, edges);
        detail::forget_memos();
        const Topology topology = Topology::parse("graph:" + file);
        return spread_on(topology, problem).cost(topology, problem).steps;
    };
    CHECK(steps("0 1\n1 2\n2 3\n") == 5);  // a path: 3 + 3 - 1
    CHECK(steps("0 1\n0 2\n0 3\n") == 3);  // a star
    CHECK(steps("0 1\n1 2\n2 3\n") == 5);
    CHECK(cache.files("spread").size() == 2);
}

TEST_CASE("plan cache: a plan of the right form and checksum that is not possible is made anew", "[algorithms]")
{
    KeepingAll cache;
    const Topology topology = Topology::parse("mesh:3x4");
    const Problem problem = broadcast_of(2);
    const Entry& algorithm = find_algorithm(topology, PortModel::all, problem, "shortest-paths");
    const Cost cost = algorithm.cost(topology, problem);
    const UnitQuestion question{topology, PortModel::all, Collective::broadcast, 2, 0, 0, {}};
    const detail::PlanFile file("shortest-paths", key_of(question));
    const std::optional<std::string> plan = file.read();
    REQUIRE(plan);
    const auto warning_of = [&](const std::function<void(Schedule&)>& change) {
        detail::ByteReader reader(*plan);
        Schedule schedule = detail::read_schedule(reader);
        change(schedule);
        detail::ByteWriter bytes;
        detail::write_schedule(bytes, schedule);
        file.write(bytes.take());
        cache.warnings.clear();
        detail::forget_memos();
        CHECK(algorithm.cost(topology, problem) == cost);
        CHECK(file.read() == plan);  // and written again
        return cache.warnings.size() == 1 ? cache.warnings[0] : std::string();
    };
    CHECK(contains(warning_of([](Schedule& one) { one.hops.front().port = 7; }), "port 7 is not possible"));
    CHECK(contains(warning_of([](Schedule& one) { one.hops.front().from = 11; }), " is sent, but "));
    CHECK(contains(warning_of([](Schedule& one) { ++one.steps; }), "steps but takes"));
    CHECK(contains(warning_of([](Schedule& one) { one.steps = one.hops.front().step = 1000; }),
                   "hops, which cannot take 1000 steps"));
    CHECK(contains(warning_of([](Schedule& one) { one.symmetry = Symmetry::translated; }), " is rebuilt: "));
}

TEST_CASE("plan cache: a plan that loses a packet fails where it is run", "[algorithms]")
{
    const KeepingAll cache;
    const Topology topology = Topology::parse("mesh:3x4");
    const Problem problem = broadcast_of(2);
    const Entry& algorithm = find_algorithm(topology, PortModel::all, problem, "shortest-paths");
    algorithm.cost(topology, problem);
    const detail::PlanFile file("shortest-paths",
                                key_of(UnitQuestion{topology, PortModel::all, Collective::broadcast, 2, 0, 0, {}}));
    const std::optional<std::string> plan = file.read();
    REQUIRE(plan);
    detail::ByteReader reader(*plan);
    Schedule schedule = detail::read_schedule(reader);
    std::erase_if(schedule.hops, [&](const Hop& hop) { return topology.neighbour(hop.from, hop.port) == 11; });
    schedule.steps = std::ranges::max_element(schedule.hops, {}, &Hop::step)->step;
    detail::ByteWriter bytes;
    detail::write_schedule(bytes, schedule);
    file.write(bytes.take());
    detail::forget_memos();
    Machine machine(topology, {.threads = 1});
    CHECK_THROWS_AS(run_verified(machine, algorithm, problem), Error);
}

TEST_CASE("plan cache: no change of a plan's bytes leads to a wrong result", "[algorithms]")
{
    const KeepingAll cache;
    const Topology topology = Topology::parse("mesh:3x3");
    const std::string block_key = key_of(detail::BlockQuestion{topology, PortModel::all, 3});
    const auto schedule_key = [&](Collective collective) {
        return key_of(UnitQuestion{topology, PortModel::all, collective, 1, 0, 0, {}});
    };
    struct Case {
        const char* kind;
        Problem problem;
        std::string key;
    };
    for (const auto& [kind, problem, key] :
         {Case{"spread", {Collective::all_gather}, schedule_key(Collective::all_gather)},
          Case{"priced-routes", {Collective::all_to_all}, schedule_key(Collective::all_to_all)},
          Case{"trees-up-and-down", {.collective = Collective::all_reduce, .packets = 3}, block_key}}) {
        CAPTURE(kind);
        const Entry& algorithm = find_algorithm(topology, PortModel::all, problem, kind);
        const detail::PlanFile file(kind, key);
        Machine machine(topology, {.threads = 1});
        const std::string right = run_verified(machine, algorithm, problem).result_digest;
        const std::optional<std::string> plan = file.read();
        REQUIRE(plan);
        std::size_t failed = 0;
        for (std::size_t i = 0; i < plan->size(); i += 5) {
            std::string changed = *plan;
            changed[i] = static_cast<char>(changed[i] ^ 1);
            file.write(changed);
            detail::forget_memos();
            std::string result = right;
            try {
                result = run_verified(machine, algorithm, problem).result_digest;
            } catch (const Error&) {
                ++failed;  // the plan is possible, but does not achieve the collective
            }
            CHECK(result == right);
        }
        CHECK(failed < plan->size() / 5);
    }
}

TEST_CASE("plan cache: planning that is stopped leaves no file", "[algorithms]")
{
    const KeepingAll cache;
    const Topology topology = Topology::parse("mesh:5x5");
    StopSource stop;
    const detail::PlanningScope scope(stop.get_token(), [&](const detail::PlanningStage&) { stop.request_stop(); });
    const Problem problem{Collective::all_to_all};
    const Entry* routes = nullptr;
    for (const Entry& algorithm : catalogue())
        if (algorithm.name == "priced-routes" && algorithm.collective == Collective::all_to_all)
            routes = &algorithm;
    REQUIRE(routes);
    CHECK_THROWS_AS(routes->cost(topology, problem), Interrupted);
    CHECK(std::filesystem::is_empty(cache.folder.file("plans")));
}
