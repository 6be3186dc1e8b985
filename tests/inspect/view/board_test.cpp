// Boards: what their documents hold.

#include "inspect/view/document/board.hpp"
#include "tests/inspect/view/recordings.hpp"
#include "tests/support/catch.hpp"

#include <dcube/bounds.hpp>
#include <dcube/error.hpp>
#include <dcube/judge.hpp>

#include <nlohmann/json.hpp>

#include <sstream>

using namespace dcube;
using namespace test_support;

namespace {

using Json = nlohmann::ordered_json;

TraceQuestion asked(Collective collective, const char* network, std::size_t packets = 1)
{
    const Topology topology = Topology::parse(network);
    Problem problem = small_problem(collective, topology);
    problem.packets = packets;
    return {topology, PortModel::all, problem};
}

}  // namespace

TEST_CASE("board: the document has the judge's first line, both bounds for both kinds of ports, and an empty film",
          "[view]")
{
    for (const Collective collective :
         {Collective::broadcast, Collective::reduce, Collective::scatter, Collective::gather, Collective::all_gather,
          Collective::reduce_scatter, Collective::all_to_all, Collective::send})
        for (const char* const network :
             {"hypercube:3", "ring:5", "mesh:3x3", "petersen", "hypercube:3 without 0-1,5"}) {
            CAPTURE(name(collective), network);
            const TraceQuestion question = asked(collective, network, 3);
            const Json document = Json::parse(view::board_document(question, "dcube view --board"));
            const Json& board = document.at("board");
            std::istringstream head(board.at("head").dump() + "\n");
            const std::optional<TraceQuestion> read = question_of(head);
            REQUIRE(read);
            CHECK(read->problem.collective == collective);
            CHECK(read->topology.name() == question.topology.name());
            CHECK(read->problem.packets == 3);
            for (const PortModel ports : {PortModel::all, PortModel::one}) {
                const Json& bounds = board.at("bounds").at(ports == PortModel::all ? "all" : "one");
                CHECK(bounds.at("steps").at("value") == steps_bound(question.topology, ports, question.problem).value);
                CHECK(bounds.at("packets").at("value") ==
                      transmissions_bound(question.topology, question.problem).value);
            }
            const Json& film = board.at("film");
            CHECK(film.at("steps") == 0);
            CHECK(film.at("columns").at("rows") == 0);
            CHECK(film.at("messages").at("parts") == 3);
        }
}

TEST_CASE("board: other collectives, links that take time, groups, and large networks are refused", "[view]")
{
    const auto refused = [](const TraceQuestion& question, const std::string& why) {
        CHECK_THROWS_WITH(view::board_document(question, ""), Catch::Contains(why));
    };
    refused(asked(Collective::all_reduce, "hypercube:2"),
            "there is no board for all-reduce: expected one of broadcast");
    refused(asked(Collective::broadcast, "hypercube:7"), "has 128 nodes: a board has at most 64");
    refused(asked(Collective::broadcast, "hypercube:3", 143),
            "takes at least 1 001 transmissions: a board is for at most 1 000");
    CHECK_NOTHROW(view::board_document(asked(Collective::broadcast, "hypercube:3", 142), ""));
    TraceQuestion timed = asked(Collective::broadcast, "hypercube:3");
    timed.problem.link.kind = LinkKind::link_bound;
    refused(timed, "a board has steps");
    TraceQuestion grouped = asked(Collective::broadcast, "hypercube:3");
    grouped.problem.within = {0, 1};
    refused(grouped, "a board is for all nodes together, not for groups");
}
