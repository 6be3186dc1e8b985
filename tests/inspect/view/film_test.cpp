// Columns, relative numbers, messages and rejected traces.

#include "collectives/example.hpp"
#include "inspect/view/document/columns.hpp"
#include "inspect/view/document/document.hpp"
#include "inspect/view/film/film.hpp"
#include "inspect/view/film/holdings.hpp"
#include "tests/inspect/view/recordings.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/played.hpp"

#include <dcube/group.hpp>

#include <dcube/message_counts.hpp>

#include <sstream>
#include <utility>

using namespace dcube;
using namespace test_support;
using view::encoded;
using view::Film;
using view::Packing;

namespace {

Json json_of(const view::Column& column)
{
    return column.constant ? Json(*column.constant) : Json{{"raw", column.raw}, {"data", column.data}};
}

}  // namespace

TEST_CASE("film column: numbers that are encoded are read again", "[view]")
{
    constexpr std::int64_t large = std::int64_t{1} << 52;
    const std::vector<std::vector<std::int64_t>> all{
        {}, {7}, {5, 5, 5}, {0, 1}, {-1, 0, -1, 63, 64, -64, -65}, {large, -large, 0}, {1, 1, 1, 2, 2, 2, 300, 299}};
    for (const auto& values : all)
        for (const Packing packing : {Packing::deflated, Packing::plain})
            CHECK(decoded(json_of(encoded(values, packing)), values.size(), packing == Packing::deflated) == values);
    CHECK(encoded(std::vector<std::int64_t>{5, 5, 5}, Packing::plain).constant == 5);
    CHECK(encoded(std::vector<std::int64_t>{}, Packing::plain).constant == 0);
    const view::Column known = encoded(std::vector<std::int64_t>{1, 2, 1, 200}, Packing::plain);
    CHECK(known.raw == 5);
    CHECK(known.data == "AgIBjgM=");  // 2 2 1 398
}

TEST_CASE("film: a node has a number as seen from another one, and neighbours look alike from all", "[view]")
{
    for (const char* const network :
         {"hypercube:3", "torus:3x4", "ring:5*complete:3", "path:4", "petersen", "star:3"}) {
        const Topology topology = Topology::parse(network);
        const view::Relative relative(topology);
        CAPTURE(network);
        for (NodeId sender = 0; sender < topology.nodes(); ++sender)
            for (NodeId node = 0; node < topology.nodes(); ++node)
                CHECK(relative.seen(node, sender) < topology.nodes());
    }
    const view::Relative torus(Topology::parse("torus:3x4"));
    CHECK(torus.relation() == view::Relation::digits);
    for (NodeId sender = 0; sender < 12; ++sender)
        CHECK(torus.seen(Topology::parse("torus:3x4").neighbour(sender, 0), sender) == 1);  // one up in the last digit
    CHECK(view::Relative(Topology::parse("path:4")).relation() == view::Relation::plain);
    CHECK(view::Relative(Topology::hypercube(3)).seen(6, 3) == 5);
}

TEST_CASE("film: each message has its number", "[view]")
{
    for (const char* const network : {"hypercube:3", "torus:3x3", "path:4"})
        for (const Collective collective : all_collectives) {
            const Topology topology = Topology::parse(network);
            const Problem problem = small_problem(collective, topology);
            CAPTURE(network, name(collective));
            try {
                validate(problem, topology);
            } catch (const InvalidArgument&) {
                continue;
            }
            const view::Messages messages(problem, topology);
            for (std::uint64_t number = 0; number < messages.count(); ++number) {
                const view::MessageEnds ends = messages.ends(number);
                CHECK(messages.number_of(Piece{ends.origin, ends.target, 0, 1}) == number);
                CHECK(messages.number_of(Piece{ends.origin, ends.target, 0, messages.bytes(number)}) == number);
                CHECK(!messages.number_of(Piece{ends.origin, ends.target, 1, messages.bytes(number)}));
            }
            CHECK(!messages.number_of(Piece{topology.nodes(), topology.nodes(), 0, 1}));
        }
}

TEST_CASE("film: uneven messages have their own lengths, and all parts arrive", "[view][uneven]")
{
    for (const char* const network : {"hypercube:3", "torus:3x3"})
        for (const Collective collective : {Collective::scatter, Collective::gather, Collective::all_gather,
                                            Collective::reduce_scatter, Collective::all_to_all}) {
            const Topology topology = Topology::parse(network);
            Problem problem = small_problem(collective, topology);
            problem.counts = counts_by_law("poisson:1", collective, topology, 2);
            CAPTURE(network, name(collective));
            const std::optional<Recording> recording = recording_of(topology, problem);
            REQUIRE(recording);
            const Film film(*recording);
            std::uint64_t parts = 0;
            for (std::uint64_t number = 0; number < film.messages.count(); ++number) {
                const view::MessageEnds ends = film.messages.ends(number);
                const std::uint64_t packets =
                    packets_between(problem, topology, ends.origin.value_or(0), ends.target.value_or(0));
                CHECK(film.messages.bytes(number) == 8 * packets);
                CHECK(film.parts_of(number) == packets);
                parts += packets;
            }
            CHECK(parts == all_packets(problem, topology));
            view::Holdings holdings(film);
            while (holdings.played() < film.recording.steps)
                holdings.play();
            CHECK(holdings.arrived() == holdings.needed());
            const Json messages =
                Json::parse(view::document(std::span(&film, 1), "x")).at("films").at(0).at("messages");
            CHECK(messages.at("lengths").size() == film.messages.count());
        }
}

TEST_CASE("film: in groups, messages stay in their group, and all that is needed arrives", "[view][groups]")
{
    for (const auto& [network, within] : {std::pair{"hypercube:4", "0,3"},
                                          {"hypercube:3", "1"},
                                          {"torus:3x4", "0"},
                                          {"torus:3x4", "1"},
                                          {"hypercube:3 without 2,6", "0,1"}})
        for (const Collective collective : all_collectives)
            for (const bool uneven : {false, true}) {
                if (is_matrix(collective) || (uneven && !may_be_uneven(collective)))
                    continue;
                const Topology topology = Topology::parse(network);
                const Group groups = Group::of(topology, parse_within(within));
                Problem problem = example_problem(collective, groups.network());
                problem.within = groups.within();
                if (uneven)
                    problem.counts = counts_by_law("hot:1:3", collective, groups.network(), 2);
                CAPTURE(network, within, name(collective), uneven);
                const auto recording = recording_of(topology, problem);
                REQUIRE(recording);
                const Film film(*recording);
                REQUIRE(film.has_rows());
                for (std::uint64_t number = 0; number < film.messages.count(); ++number) {
                    const auto [origin, target] = film.messages.ends(number);
                    if (origin && target)
                        CHECK(groups.number(*origin) == groups.number(*target));
                }
                view::Holdings holdings(film);
                CHECK(holdings.needed() % groups.count() == 0);
                while (holdings.played() < recording->steps)
                    holdings.play();
                CHECK(holdings.arrived() == holdings.needed());
            }
}

TEST_CASE("film: messages are divided as finely as the pieces need, and no finer", "[view]")
{
    const view::Messages messages({Collective::broadcast, 10, 2}, Topology::hypercube(1));
    const std::vector<Piece> pieces{{0, {}, 0, 12}, {0, {}, 15, 5}, {1, {}, 3, 1}};  // the last is of no message
    const view::Parts parts(messages, pieces);
    REQUIRE(parts.count() == 3);
    CHECK(parts.bytes(0) == 12);
    CHECK(parts.bytes(1) == 3);
    CHECK(parts.bytes(2) == 5);
    CHECK(parts.part_at(15) == 2);
    CHECK(parts.of(20) == 3);
}

namespace {

// A broadcast on a 2-cube whose third packet leaves a node that has nothing.
constexpr const char* wrong =
    R"({"step":1,"from":0,"to":1,"port":0,"bytes":8,"pieces":[{"origin":0,"target":null,"offset":0,"length":8}]}
{"step":2,"from":1,"to":3,"port":1,"bytes":8,"pieces":[{"origin":0,"target":null,"offset":0,"length":8}]}
{"step":2,"from":2,"to":3,"port":0,"bytes":8,"pieces":[{"origin":0,"target":null,"offset":0,"length":8}]}
)";

Recording judged(const std::string& text)
{
    std::istringstream trace(text);
    JudgeOptions how;
    how.question = [](const std::optional<TraceQuestion>&) {
        return TraceQuestion{Topology::hypercube(2), PortModel::all, {Collective::broadcast, 8}};
    };
    return record_trace(trace, how);
}

Json film_of(const Recording& recording)
{
    const Film film(recording);
    return Json::parse(view::document(std::span(&film, 1), "x")).at("films").at(0);
}

}  // namespace

TEST_CASE("film: a rejected trace is told up to the offending line, which is the last row", "[view]")
{
    const Json film = film_of(judged(wrong));
    CHECK(film.at("verdict").at("accepted") == false);
    CHECK_THAT(film.at("verdict").at("message").get<std::string>(), Catch::StartsWith("line 3: "));
    CHECK(film.at("verdict").at("step") == 2);
    CHECK(film.at("verdict").at("row") == 2);
    const std::vector<PlayedPacket> packets = played(film);
    REQUIRE(packets.size() == 3);
    CHECK(packets[2].from == 2);
    CHECK(film.at("bound").at("met") == false);
    CHECK(film.at("sentences").back() == "The trace was rejected: 2 of 3 blocks have arrived where they belong.");
    CHECK_THAT(film.at("sentences")[2].get<std::string>(), Catch::EndsWith("links; one of them breaks a rule."));
}

TEST_CASE("film: a line that cannot be read gives a verdict without a row", "[view]")
{
    const std::string torn = std::string(wrong).substr(0, 200) + "\n";
    const Json film = film_of(judged(torn));
    CHECK(film.at("verdict").at("accepted") == false);
    CHECK(!film.at("verdict").contains("row"));
    CHECK(played(film).size() == 1);
}

TEST_CASE("film: an offending line in the next step makes the film one step longer", "[view]")
{
    std::string late = wrong;
    late.replace(late.rfind("\"step\":2"), 8, "\"step\":3");
    const Json film = film_of(judged(late));
    CHECK(film.at("steps") == 3);
    CHECK(film.at("verdict").at("step") == 3);
    CHECK(film.at("sentences").size() == 5);
    late.replace(late.rfind("\"step\":3"), 8, "\"step\":9");
    const Json ahead = film_of(judged(late));  // too far to be shown in its place
    CHECK(ahead.at("steps") == 3);
    CHECK(ahead.at("verdict").at("step") == 3);
}

TEST_CASE("film: a free program that fails ends in its event, at that node, and is not judged", "[view]")
{
    const Topology ring = Topology::parse("ring:5");
    const Transmission sent[]{{.step = 1, .from = 0, .to = 1, .port = 0, .bytes = 8, .pieces = {}}};
    const ProgramError thrown(2, 3, "ZeroDivisionError: division by zero");
    const Recording failed = program_recording(ring, PortModel::all, {}, 0, sent, ending_of(thrown));
    const Json film = film_of(failed);
    CHECK(film.at("verdict") ==
          Json{{"accepted", false}, {"what", "threw"}, {"message", thrown.what()}, {"step", 2}, {"node", 3}});
    CHECK(film.at("steps") == 2);
    CHECK(played(film).size() == 1);
    CHECK(film.at("sentences").size() == 4);
    CHECK(film.at("sentences").back() == "A node's program failed.");
    CHECK(film.at("report")[2] == Json::array({"failed", thrown.what()}));
    CHECK(film.at("report")[3] == Json::array({"verified", "nothing: it achieves no collective that is known"}));

    RuleViolation deadlock(Rule::deadlock, 1, 0, 1, "all wait");
    deadlock.waiting = {{0, 1}, {4, RuleViolation::no_port}};
    const Json still = film_of(program_recording(ring, PortModel::all, {}, 0, {}, ending_of(deadlock)));
    CHECK(still.at("steps") == 1);
    CHECK(still.at("verdict").at("what") == "deadlock");
    CHECK(still.at("verdict").at("waiting") == Json::parse("[[0, 1], [4, -1]]"));
}

TEST_CASE("film: packets of one step are sorted, however a stranger writes them", "[view]")
{
    const std::string lines = wrong;
    const std::size_t second = lines.find('\n') + 1;
    const std::string first_line = lines.substr(0, second);
    const std::string other =
        R"({"step":1,"from":0,"to":2,"port":1,"bytes":8,"pieces":[{"origin":0,"target":null,"offset":0,"length":8}]})"
        "\n";
    CHECK(played(film_of(judged(other + first_line))) == played(film_of(judged(first_line + other))));
}

TEST_CASE("film: a packet that is lost is played, and does not arrive", "[view]")
{
    const Recording recording = recording_with_a_loss();
    const Json film = film_of(recording);
    CHECK(film.at("columns").at("rows") == 2);
    CHECK(film.at("lost").size() == 1);
    CHECK(film.at("verdict").at("accepted") == true);
    const Film whole(recording);
    view::Holdings holdings(whole);
    holdings.play();
    CHECK(holdings.has(1, 0, 0));
    CHECK_FALSE(holdings.has(2, 0, 0));
}

TEST_CASE("film: a trace that falls short is shown at its end", "[view]")
{
    const std::string first = std::string(wrong).substr(0, std::string(wrong).find('\n') + 1);
    const Json verdict = film_of(judged(first)).at("verdict");
    CHECK(verdict.at("accepted") == false);
    CHECK(verdict.at("what") == "rejected");
    CHECK(verdict.at("at_end") == true);
}
