// dcube scale: what it chooses to measure, and what it says about what was measured.

#include "inspect/measure/bench_run.hpp"
#include "inspect/measure/host.hpp"
#include "inspect/measure/scale_findings.hpp"
#include "inspect/measure/scale_plan.hpp"
#include "tests/support/catch.hpp"

#include <dcube/error.hpp>

#include <algorithm>
#include <cstdint>
#include <set>
#include <string>
#include <vector>

using namespace dcube;
using namespace dcube::measure;

namespace {

constexpr std::uint64_t gib = std::uint64_t{1} << 30;

ScaleGround two_cores()
{
    ScaleGround ground;
    ground.processors = {.processors = 2, .cores = 2, .cores_per_package = 2};
    ground.usable_threads = 2;
    ground.memory_bytes = 4 * gib;
    return ground;
}

// Two packages of two third-level caches, which 6 cores of 2 processors share.
ScaleGround large_machine()
{
    ScaleGround ground;
    ground.processors = {.processors = 48,
                         .cores = 24,
                         .l3_caches = 4,
                         .cores_per_l3 = 6,
                         .numa_nodes = 2,
                         .packages = 2,
                         .cores_per_package = 12};
    ground.usable_threads = 48;
    ground.last_cache_bytes = 128U << 20U;
    ground.memory_bytes = 64 * gib;
    return ground;
}

template <class Member>
std::set<std::remove_cvref_t<std::invoke_result_t<Member, const ScaleCell&>>> values(const ScalePlan& plan,
                                                                                     Member member)
{
    std::set<std::remove_cvref_t<std::invoke_result_t<Member, const ScaleCell&>>> all;
    for (const ScaleCell& cell : plan.cells)
        all.insert(std::invoke(member, cell));
    return all;
}

std::set<std::string> pins_of(const ScalePlan& plan)
{
    return values(plan, [](const ScaleCell& cell) { return name(cell.pin); });
}

Json cell_of(unsigned dim, unsigned threads, double median, double speed_up, const std::string& pin = "none",
             const std::vector<std::string>& doubts = {})
{
    Json cell{{"topology", "hypercube:" + std::to_string(dim)},
              {"nodes", std::uint64_t{1} << dim},
              {"bytes", 64},
              {"threads", threads},
              {"pin", pin},
              {"median_seconds", median},
              {"interval_seconds", {0.95 * median, 1.05 * median}},
              {"speed_up", speed_up},
              {"speed_up_interval", {0.95 * speed_up, 1.05 * speed_up}},
              {"doubts", doubts}};
    if (speed_up == 0)
        cell["speed_up"] = cell["speed_up_interval"] = nullptr;
    return cell;
}

std::vector<std::string> findings(const std::vector<Json>& cells)
{
    return scale_findings({{"host", {{"cpu", "Abacus 9"}}}, {"warnings", Json::array()}, {"cells", cells}});
}

}  // namespace

TEST_CASE("scale: the numbers of threads are those where something of the machine is full, and powers of two",
          "[measure][scale]")
{
    CHECK(values(scale_plan(two_cores(), std::nullopt, 280, 3), &ScaleCell::threads) == std::set<unsigned>{1, 2});
    CHECK(values(scale_plan(large_machine(), std::nullopt, 36'000, 3), &ScaleCell::threads) ==
          std::set<unsigned>{1, 2, 4, 6, 8, 12, 16, 24, 32, 48});
}

TEST_CASE("scale: pins are measured where the machine has places to choose from", "[measure][scale]")
{
    CHECK(pins_of(scale_plan(large_machine(), std::nullopt, 36'000, 3)) ==
          std::set<std::string>{"none", "no-smt", "one-per-l3", "compact"});
    CHECK(pins_of(scale_plan(two_cores(), std::nullopt, 280, 3)) == std::set<std::string>{"none", "compact"});
    ScaleGround one = two_cores();
    one.processors = {};
    one.usable_threads = 1;
    CHECK(pins_of(scale_plan(one, std::nullopt, 280, 1)) == std::set<std::string>{"none"});
}

TEST_CASE("scale: a plan keeps its time by leaving out cells, and fills it by longer slices", "[measure][scale]")
{
    const ScalePlan usual = scale_plan(two_cores(), std::nullopt, 280, 3);
    CHECK(usual.seconds <= 280);
    CHECK(values(usual, &ScaleCell::bytes) == std::set<std::uint64_t>{8, 64, 512});
    for (const double seconds : {30.0, 60.0, 600.0, 6000.0}) {
        CAPTURE(seconds);
        const ScalePlan plan = scale_plan(two_cores(), std::nullopt, seconds, 3);
        CHECK(plan.seconds <= seconds);
        CHECK(plan.effort.min_seconds < plan.effort.max_seconds);
        CHECK(!plan.cells.empty());
        CHECK_NOTHROW(require_different(setups_of(plan)));
    }
    const ScalePlan none = scale_plan(two_cores(), std::nullopt, 1, 3);  // as little as possible
    CHECK(none.cells.size() < usual.cells.size());
    CHECK_THAT(none.reasons.back(), Catch::Contains("because time is short"));
    CHECK(scale_plan(two_cores(), std::nullopt, 6000, 1).effort.max_seconds > usual.effort.max_seconds);
}

TEST_CASE("scale: networks are large enough for caches and threads, and fit into the memory", "[measure][scale]")
{
    const ScalePlan plan = scale_plan(large_machine(), std::nullopt, 36'000, 1);
    CHECK(*values(plan, &ScaleCell::dim).rbegin() == 11);  // 2 * 64 bytes * 4^11 = 512 MiB
    for (const ScaleCell& cell : plan.cells)
        CHECK((cell.threads == 1 || 16 * cell.threads <= 1U << cell.dim));  // or fewer would work
    ScaleGround small = two_cores();
    small.memory_bytes = 1U << 20U;
    for (const ScaleCell& cell : scale_plan(small, std::nullopt, 280, 1).cells)
        CHECK((cell.bytes << (2 * cell.dim + 1)) <= small.memory_bytes);
}

TEST_CASE("scale: a plan is read as it was written, and anything else is refused", "[measure][scale]")
{
    const ScalePlan plan = scale_plan(large_machine(), std::nullopt, 280, 3);
    const nlohmann::ordered_json document = scale_plan_document(plan);
    const ScalePlan read = read_scale_plan(document.dump(), "plan.json");
    CHECK(read.cells == plan.cells);
    CHECK(read.reasons == plan.reasons);
    CHECK(read.processes == plan.processes);
    CHECK(read.effort.min_seconds == plan.effort.min_seconds);
    CHECK(read.effort.max_seconds == plan.effort.max_seconds);
    CHECK(read.effort.rounds == plan.effort.rounds);
    const auto refused = [&](const char* key, const nlohmann::ordered_json& value) {
        nlohmann::ordered_json other = document;
        other[key] = value;
        CHECK_THROWS_WITH(read_scale_plan(other.dump(), "plan.json"),
                          Catch::Matchers::StartsWith("plan.json is no plan of dcube scale: "));
    };
    refused("kind", "benchmark");
    refused("schema", 2);
    refused("cells", nlohmann::ordered_json::array());
    refused("cells", {{{"dim", 40}, {"bytes", 8}, {"threads", 1}, {"pin", "none"}}});
    refused("cells", {{{"dim", 4}, {"bytes", "8"}, {"threads", 1}, {"pin", "none"}}});
    refused("processes", 0);
    refused("rounds", 0);
    refused("min_seconds", 0);
    refused("max_seconds", nullptr);
    for (const char* const text : {"", "{", "[]", "null", "{}"})
        CHECK_THROWS_AS(read_scale_plan(text, "plan.json"), InvalidArgument);
    nlohmann::ordered_json pinned = document;
    pinned["cells"][0]["pin"] = "close";
    CHECK_THROWS_AS(read_scale_plan(pinned.dump(), "plan.json"), InvalidArgument);
}

TEST_CASE("scale: the conclusion names the best speed-up that no doubt concerns", "[measure][scale]")
{
    const std::vector<std::string> said =
        findings({cell_of(8, 1, 1e-3, 1), cell_of(8, 2, 2e-3, 0.5), cell_of(10, 2, 1e-2, 1.5), cell_of(10, 4, 1e-2, 3),
                  cell_of(11, 4, 1e-2, 3.9, "none", {"few: 2 clean samples"})});
    REQUIRE(said.size() == 4);
    CHECK(said[0] == "on Abacus 9, all-to-all gains most by 4 threads, which are 3 times as fast as one (95 %: 2.85 to "
                     "3.15) in hypercube:10 with packets of 64 bytes; the best of 3 cells without a doubt");
    CHECK(said[1] == "with packets of 64 bytes, 2 threads lose up to hypercube:8 (0.5 there) and gain from "
                     "hypercube:10 on (1.5 there)");
    CHECK(said[2] == "with packets of 64 bytes, 4 threads gain from hypercube:10 on (3 there)");
    CHECK(said[3] == "1 of 5 cells is doubtful, and no sentence uses them");
}

TEST_CASE("scale: where nothing can be told, the conclusion says so", "[measure][scale]")
{
    CHECK(findings({cell_of(8, 1, 1e-3, 1)}).front() ==
          "nothing can be said of several threads on Abacus 9: no cell is free of doubt");
    CHECK_THAT(findings({cell_of(8, 2, 1e-3, 1.01)}).front(),
               Catch::Contains("not certain that several threads gain anything: at best 2"));
    const std::vector<std::string> doubtful = findings({cell_of(8, 2, 1e-3, 1.9, "none", {"modes: ..."})});
    CHECK(doubtful.front() == "nothing can be said of several threads on Abacus 9: no cell is free of doubt");
    CHECK(doubtful.back() == "1 of 1 cells is doubtful, and no sentence uses them");
}

TEST_CASE("scale: pins are compared with the same threads that the system moves, where intervals are apart",
          "[measure][scale]")
{
    CHECK(findings({cell_of(8, 2, 1e-3, 1.9), cell_of(8, 2, 0.5e-3, 0, "compact"), cell_of(8, 2, 2e-3, 0, "scatter"),
                    cell_of(8, 2, 1.01e-3, 0, "no-smt")}) ==
          std::vector<std::string>{
              "on Abacus 9, all-to-all gains most by 2 threads, which are 1.9 times as fast as one (95 %: 1.8 to 1.99) "
              "in hypercube:8 with packets of 64 bytes; no other cell is free of doubt",
              "with packets of 64 bytes, 2 threads gain from hypercube:8 on (1.9 there)",
              "2 threads pinned compact are 2 times as fast as free ones in hypercube:8 with packets of 64 bytes",
              "2 threads pinned scatter take 2 times as long as free ones in hypercube:8 with packets of 64 bytes"});
}

TEST_CASE("scale: the environment has its keys, also where nothing can be read", "[measure][scale]")
{
    for (const char* const root : {"/", "/no/such/folder/"}) {
        const nlohmann::ordered_json document = environment_document(this_host({.watched = {}}), root);
        CHECK(document["kind"] == "environment");
        for (const char* const key : {"date", "program", "host", "affinity", "cgroups", "processor_quota",
                                      "transparent_huge_pages", "governor", "microcode", "libraries"})
            CHECK(document.contains(key));
        CHECK(document["host"]["cpu"].is_string());
    }
    CHECK(environment_document(this_host({.watched = {}}), "/no/such/folder/")["affinity"].is_null());
}
