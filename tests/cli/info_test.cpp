// dcube info.

#include "tests/inspect/explain/arithmetic.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/command_lines.hpp"
#include "tests/support/process.hpp"

#include <nlohmann/json.hpp>

#include <string>

using namespace dcube::test;
using nlohmann::json;

namespace {

json info(const std::string& topology)
{
    const Outcome outcome = dcube_program({"info", "--topology", topology, "--format", "json"});
    INFO(outcome.err);
    REQUIRE(outcome.exit_code == 0);
    return json::parse(outcome.out);
}

json algorithm(const json& facts, const std::string& name)
{
    for (const json& one : facts["algorithms"])
        if (one["name"] == name)
            return one;
    return nullptr;
}

json bound(const json& facts, const std::string& ports, const std::string& name)
{
    for (const json& one : facts["bounds"])
        if (one["name"] == name && one["ports"] == ports)
            return one;
    return nullptr;
}

}  // namespace

TEST_CASE("info: a torus of 6 x 6 has the expected facts and bounds", "[cli][info]")
{
    const json facts = info("torus:6x6");
    CHECK(facts["schema"] == 1);
    CHECK(facts["topology"] == "torus:6x6");
    CHECK(facts["dimensions"] == 2);
    CHECK(facts["nodes"] == 36);
    CHECK(facts["links"] == 72);
    CHECK(facts["directed_links"] == 144);
    CHECK(facts["degree"] == json{{"least", 4}, {"most", 4}});
    CHECK(facts["diameter"] == 6);
    CHECK(facts["status"] == json{{"least", 108}, {"most", 108}});
    CHECK(facts["average_status"] == 108);
    CHECK(facts["average_distance"] == "108/35");
    CHECK(facts["average_distance_formula"] == "d k^(d-1) floor(k^2/4) / (k^d - 1)");
    CHECK(facts["bisection_width"] == 12);
    CHECK(facts["bisection_bounds"] == json{{"least", 12}, {"most", 12}});
    CHECK(facts["edge_connectivity"] == 4);
    CHECK(facts["node_connectivity"] == 4);
    CHECK(facts["girth"] == 4);
    CHECK(bound(facts, "one", "L1")["steps"] == 108);
    CHECK(bound(facts, "all", "L5")["steps"] == 27);
    CHECK(algorithm(facts, "edge-colouring")["steps"] == 27);
    CHECK(algorithm(facts, "edge-colouring")["optimal"] == true);
    CHECK(algorithm(facts, "homogeneous")["steps"] == 30);
    CHECK(algorithm(facts, "homogeneous")["optimal"] == false);
    CHECK(algorithm(facts, "factor-by-factor")["optimal"] == true);
    CHECK(algorithm(facts, "optimal").is_null());
}

TEST_CASE("info: a mesh, whose nodes differ, has least, largest and average values", "[cli][info][long]")
{
    const json facts = info("mesh:3x5");
    CHECK(facts["degree"] == json{{"least", 2}, {"most", 4}});
    CHECK(facts["status"] == json{{"least", 28}, {"most", 45}});
    CHECK(facts["average_status"] == "112/3");
    CHECK(bound(facts, "one", "L1") ==
          json{{"name", "L1"},
               {"ports", "one"},
               {"value", "112/3"},
               {"steps", 38},
               {"reason", "the sum of all distances, N moves a step"},
               {"binds", false},
               {"arithmetic",
                {{{"words", "Hops of all packets together, the sum of their distances"}, {"number", "560"}},
                 {{"words", "Packets that can move in one step, one per node"}, {"number", "15"}},
                 {{"words", "So at least"}, {"number", "560 / 15 = 37.3.., so 38 steps"}}}}});
    CHECK(bound(facts, "one", "L2")["steps"] == 40);
    CHECK(bound(facts, "one", "prices")["steps"] == 41);
    CHECK(bound(facts, "one", "prices")["binds"] == true);
    CHECK(bound(facts, "all", "L5")["binds"] == true);  // it says more than L4, which comes to the same
    CHECK(bound(facts, "all", "L4")["binds"] == false);
    CHECK(algorithm(facts, "mixed-routes")["optimal"] == true);
    CHECK(algorithm(facts, "interleaved")["steps"] == 18);
    CHECK(algorithm(facts, "factor-by-factor")["steps"] == 56);
}

TEST_CASE("info: the text says the same as the JSON", "[cli][info]")
{
    const Outcome outcome = dcube_program({"info", "--topology", "ring:5*path:4*complete:4"});
    CHECK(outcome.exit_code == 0);
    CHECK_THAT(outcome.out, Catch::Contains("ring:5*path:4*complete:4, 80 nodes, 260 links"));
    CHECK_THAT(outcome.out, Catch::Contains("degree         6 to 7"));
    CHECK_THAT(outcome.out, Catch::Contains("  grouped              80 optimal"));
    CHECK_THAT(outcome.out, Catch::Contains("bisection      20 links between two halves, at least\n"));
    CHECK_THAT(outcome.out, Catch::Contains("connectivity   6 links or 6 nodes: removing fewer leaves it connected\n"));
    CHECK_THAT(outcome.out, Catch::Contains("girth          3 links in a shortest cycle\n"));
    for (const std::string& line : lines_of(outcome.out))
        CHECK(line.size() <= 80);
}

TEST_CASE("info: a width that takes long to find is bounded, and a path has no cycle", "[cli][info]")
{
    const json ghc = info("ghc:3x4x5");
    CHECK(ghc["bisection_width"].is_null());
    CHECK(ghc["bisection_bounds"]["least"] < ghc["bisection_bounds"]["most"]);
    CHECK(info("path:5")["girth"].is_null());
    CHECK_THAT(dcube_program({"info", "--topology", "path:5"}).out,
               Catch::Contains("girth          none: it has no cycle\n"));
}

TEST_CASE("info: the arithmetic of the lower bounds is right", "[cli][info]")
{
    for (const char* const network : {"torus:6x6", "mesh:2x3", "path:5", "star:4", "hypercube:4"}) {
        const json facts = info(network);
        std::size_t binding = 0;
        for (const json& one : facts["bounds"]) {
            CAPTURE(network, one.dump());
            binding += one["binds"].get<bool>() ? 1 : 0;
            for (const json& line : one["arithmetic"])
                CHECK(evaluated(line["number"].get<std::string>()).right);
            CHECK(evaluated(one["arithmetic"].back()["number"].get<std::string>()).value == one["steps"].get<int>());
        }
        CHECK(binding == 2);  // one of each port model
    }
    const std::string text = dcube_program({"info", "--topology", "torus:6x6"}).out;
    CHECK_THAT(text, Catch::Contains("why no algorithm needs fewer than 27 steps, by L5\n"));
    CHECK_THAT(text, Catch::Contains("324 / 12 = 27 steps\n"));
    CHECK_THAT(text, Catch::Contains("why no algorithm needs fewer than 108 steps, by L1\n"));
}

TEST_CASE("info: hypercubes of any size and a single node are described", "[cli][info]")
{
    CHECK(info("hypercube:20")["average_status"] == 10485760);
    CHECK(dcube_program({"info", "--dim", "24"}).exit_code == 0);
    const json one = info("hypercube:0");
    CHECK(one["nodes"] == 1);
    CHECK(one["bounds"].empty());
    CHECK(algorithm(info("hypercube:3"), "optimal")["optimal"] == true);
}

TEST_CASE("info: facts that need a search are left open on large networks", "[cli][info][long]")
{
    const json facts = info("mesh:9x9");
    CHECK(algorithm(facts, "farthest-first")["steps"].is_null());
    CHECK(algorithm(facts, "farthest-first")["optimal"].is_null());
    CHECK(algorithm(facts, "digit-rounds")["optimal"] == true);
}

TEST_CASE("info: the share of packets that cross between ranks is shown, and a better order of the factors",
          "[cli][info][world][long]")
{
    CHECK(info("torus:8x8x64")["over_ranks"].is_null());
    const std::vector<std::string> asked{"info", "--topology", "torus:4x4x8", "--ranks", "4"};
    std::vector<std::string> as_json = asked;
    as_json.insert(as_json.end(), {"--format", "json"});
    CHECK(json::parse(dcube_program(as_json).out)["over_ranks"] == json{{"ranks", 4},
                                                                        {"crossing_links", 256},
                                                                        {"crossing_share", "1/3"},
                                                                        {"most_peers", 2},
                                                                        {"better_order", "torus:8x4x4"},
                                                                        {"better_crossing_share", "1/6"}});
    CHECK_THAT(dcube_program(asked).out,
               Catch::Contains("over 4 ranks\n"
                               "  between them 256 of 768 directed links, 33.33 % of the links\n"
                               "  peers        at most 2 ranks, with which a rank exchanges "
                               "one message per step\n"
                               "  better order torus:8x4x4: 16.67 % of the links\n"));
    const Outcome too_many = executed("info --dim 2 --ranks 5");
    CHECK(too_many.exit_code == 2);
    CHECK(too_many.err == "dcube: --ranks 5 is too many for the 4 nodes of hypercube:2: 1 to 4 are allowed\n");
}
