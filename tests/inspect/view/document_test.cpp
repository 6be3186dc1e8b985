// Documents: what they hold, read again.

#include "inspect/view/document/document.hpp"
#include "inspect/view/layouts/layout.hpp"
#include "inspect/view/words/sentences.hpp"
#include "inspect/view/words/states.hpp"
#include "tests/inspect/view/recordings.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/played.hpp"
#include "tests/support/sums_apart.hpp"

#include <cmath>
#include <set>

using namespace dcube;
using namespace test_support;
using view::Film;
using view::Packing;

namespace {

Json document_of(const Film& film, Packing packing = Packing::deflated)
{
    return Json::parse(view::document(std::span(&film, 1), "dcube view", packing));
}

// The packets as the machine traced them, with stretches that follow each other in one.
std::vector<PlayedPacket> told(const Recording& recording)
{
    std::vector<PlayedPacket> packets;
    for (const Flight& flight : recording.flights) {
        PlayedPacket packet{flight.step,
                            flight.from,
                            flight.port,
                            static_cast<std::int64_t>(flight.start),
                            static_cast<std::int64_t>(flight.end),
                            {}};
        const bool copies =
            traits(recording.problem.collective).target == Who::nobody && !is_reduction(recording.problem.collective);
        for (const Piece& piece : recording.pieces_of(flight)) {
            PlayedPiece one{piece.origin ? std::int64_t{*piece.origin} : -1,
                            piece.target && !copies ? std::int64_t{*piece.target} : -1,
                            piece.offset,
                            piece.length,
                            {}};
            if (piece.sum_of)
                for (const auto& [first, last] : piece.sum_of->ranges())
                    one.sum_of.emplace_back(first, last);
            packet.pieces.push_back(std::move(one));
        }
        packets.push_back(std::move(packet));
    }
    return packets;
}

// Stretches that follow each other are one.
std::vector<PlayedPacket> joined(std::vector<PlayedPacket> packets)
{
    for (PlayedPacket& packet : packets) {
        std::vector<PlayedPiece> pieces;
        for (PlayedPiece& piece : packet.pieces) {
            if (!pieces.empty() && pieces.back().origin == piece.origin && pieces.back().target == piece.target &&
                pieces.back().sum_of == piece.sum_of && pieces.back().offset + pieces.back().length == piece.offset)
                pieces.back().length += piece.length;
            else
                pieces.push_back(std::move(piece));
        }
        packet.pieces = std::move(pieces);
    }
    return packets;
}

// A packet of a barrier is shown as the set of nodes of which its sender has heard.
void show_signals(const Film& film, std::vector<PlayedPacket>& packets)
{
    std::size_t i = 0;
    for (PlayedPacket& packet : packets) {
        PlayedPiece all{-1, -1, 0, 0, {}};
        for (const auto& [first, last] : film.sets[film.rows_of(i++).front().set].ranges())
            all.sum_of.emplace_back(first, last);
        packet.pieces = {all};
    }
}

void require_same(const Recording& recording, Packing packing = Packing::deflated)
{
    const Film film(recording);
    REQUIRE(film.has_rows());
    const Json json = document_of(film, packing).at("films").at(0);
    const std::vector<PlayedPacket> found = joined(played(json));
    std::vector<PlayedPacket> expected = joined(told(recording));
    if (is_barrier(recording.problem.collective))
        show_signals(film, expected);
    REQUIRE(found.size() == expected.size());
    for (std::size_t i = 0; i < found.size(); ++i)
        if (found[i] != expected[i]) {
            CAPTURE(i, found[i].step, found[i].from, found[i].port, found[i].pieces.size(), expected[i].pieces.size());
            FAIL("a packet is told otherwise than the machine has sent it");
        }
}

constexpr const char* recorded_networks[] = {"hypercube:0", "hypercube:1", "hypercube:3",   "torus:3x4",
                                             "ring:5",      "path:4",      "star:3*path:2", "petersen"};

}  // namespace

TEST_CASE("document: a product says how many values each coordinate has", "[view]")
{
    const auto network = [](const char* name) {
        const Film film(*recording_of(Topology::parse(name), {Collective::broadcast, 8}));
        return nlohmann::json::parse(view::document(std::span(&film, 1), ""))["films"][0]["network"];
    };
    CHECK(network("mesh:2x3")["coordinates"] == nlohmann::json::array({2, 3}));
    CHECK_FALSE(network("hypercube:3").contains("coordinates"));
    CHECK_FALSE(network("ring:5").contains("coordinates"));
}

TEST_CASE("document: the packets of every collective are those that the machine has sent", "[view][slow]")
{
    std::set<Collective> tried;
    for (const char* const network : recorded_networks)
        for (const Collective collective : all_collectives)
            for (const std::size_t packets : {std::size_t{1}, std::size_t{3}}) {
                const Topology topology = Topology::parse(network);
                Problem problem = small_problem(collective, topology);
                problem.packets = packets;
                CAPTURE(network, name(collective), packets);
                if (const auto recording = recording_of(topology, problem)) {
                    require_same(*recording);
                    if (!recording->flights.empty())
                        tried.insert(collective);
                }
            }
    CHECK(tried.size() == collective_count);
}

TEST_CASE("document: the packets of link-bound runs are those that the machine has sent, also uncompressed", "[view]")
{
    std::size_t tried = 0;
    for (const char* const network : {"hypercube:3", "torus:3x4", "path:4"})
        for (const Collective collective : all_collectives) {
            const Topology topology = Topology::parse(network);
            Problem problem = small_problem(collective, topology);
            problem.packets = 5;
            problem.bytes = 24;
            problem.link = {.kind = LinkKind::link_bound, .tau = {1, 2}, .beta = {7, 3}};
            CAPTURE(network, name(collective));
            if (const auto recording = recording_of(topology, problem)) {
                require_same(*recording, Packing::plain);
                ++tried;
            }
        }
    CHECK(tried > 15);
}

TEST_CASE("document: the contributors of a sum are known without being in the trace", "[view]")
{
    for (const char* const network : {"hypercube:3", "petersen", "path:4"})
        for (const Collective collective : {Collective::reduce, Collective::reduce_scatter, Collective::all_reduce}) {
            const Topology topology = Topology::parse(network);
            const Problem problem = small_problem(collective, topology);
            if (keeps_sums_apart(find_algorithm(topology, PortModel::all, problem)))
                continue;
            CAPTURE(network, name(collective));
            auto recording = recording_of(topology, problem);
            REQUIRE(recording);
            const Json with = document_of(Film(*recording)).at("films").at(0);
            for (Piece& piece : recording->pieces)
                piece.sum_of.reset();
            const Json without = document_of(Film(*recording)).at("films").at(0);
            CHECK(played(with) == played(without));
        }
}

TEST_CASE("document: titles, counts and bounds are those of the run", "[view]")
{
    const Topology topology = Topology::hypercube(3);
    const auto recording = recording_of(topology, {Collective::all_to_all, 16});
    REQUIRE(recording);
    const Json all = document_of(Film(*recording));
    CHECK(all.at("schema") == 1);
    CHECK(all.at("title") == "Total exchange on a 3-cube");
    CHECK(all.at("subtitle") ==
          "8 nodes, all ports: every node sends a different block of 16 bytes to each of the 7 others.");
    CHECK(all.at("versus").is_null());
    const Json& film = all.at("films").at(0);
    CHECK(film.at("clock") == "steps");
    CHECK(film.at("steps") == recording->report->counts.steps);
    CHECK(film.at("columns").at("rows") == recording->report->counts.transmissions);
    CHECK(film.at("verdict") == Json{{"accepted", true}});
    CHECK(film.at("messages").at("kind") == "moves");
    CHECK(film.at("messages").at("pairs") == "all");
    CHECK(film.at("messages").at("part_bytes") == 16);
    CHECK(film.at("cells") == Json{{"columns", 4}, {"rows", 2}, {"count", 8}});
    CHECK(film.at("sentences").size() == recording->steps + 2);
    CHECK(film.at("bound").at("value") == recording->report->steps_lower_bound);
    CHECK(film.at("bound").at("met") == true);
    CHECK(film.at("bound").at("after") == "Every hop brought its block nearer: 96 of 96.");
    CHECK(film.at("use").is_null());
    const Json& links = film.at("network").at("links");
    CHECK(links.size() == 5 * topology.directed_links() / 2);
    for (std::size_t i = 0; i < links.size(); i += 5) {
        CHECK(topology.neighbour(links[i].get<NodeId>(), links[i + 2].get<Port>()) == links[i + 1].get<NodeId>());
        CHECK(topology.neighbour(links[i + 1].get<NodeId>(), links[i + 3].get<Port>()) == links[i].get<NodeId>());
    }
}

TEST_CASE("document: the links that bind are numbered as the network's are", "[view]")
{
    const Topology topology = Topology::hypercube(3);
    const auto recording = recording_of(topology, {Collective::scatter, 16});
    REQUIRE(recording);
    const Json film = document_of(Film(*recording)).at("films").at(0);
    const Json& links = film.at("network").at("links");
    REQUIRE(film.at("bound").at("links").size() == 3);  // the root's
    for (const std::size_t link : film.at("bound").at("links")) {
        const std::size_t ends = link / 2 * 5;
        CHECK(links.at(ends + link % 2) == recording->problem.root);
    }
}

TEST_CASE("document: a run that is too large has only the number of links in use in every step", "[view]")
{
    const Topology topology = Topology::hypercube(3);
    Machine machine(topology, {.threads = 1});
    const Problem problem{Collective::all_to_all, 16};
    const Film film(
        record(machine, find_algorithm(topology, PortModel::all, problem), problem, {}, {}, {.flights = 5}));
    const Json json = document_of(film).at("films").at(0);
    CHECK(json.at("columns").is_null());
    CHECK(decoded(json.at("use").at("links"), 4, true) == std::vector<std::int64_t>{24, 24, 24, 24});
}

TEST_CASE("document: every number of threads gives the same document", "[view]")
{
    for (const Collective collective : {Collective::all_to_all, Collective::all_reduce, Collective::broadcast}) {
        const auto alone = recording_of(Topology::hypercube(5), {collective, 8}, PortModel::all, "auto", 1);
        const auto together = recording_of(Topology::hypercube(5), {collective, 8}, PortModel::all, "auto", 4);
        const Film one(*alone);
        const Film other(*together);
        CHECK(view::document(std::span(&one, 1), "x") == view::document(std::span(&other, 1), "x"));
    }
}

TEST_CASE("document: an exchange on an 8-cube is small", "[view][slow]")
{
    const auto recording = recording_of(Topology::hypercube(8), {Collective::all_to_all, 1});
    REQUIRE(recording);
    const Film film(*recording);
    const std::string json = view::document(std::span(&film, 1), "x");
    CHECK(json.size() < 150'000);
    const Json columns = Json::parse(json).at("films").at(0).at("columns");
    CHECK(columns.at("rows") == 262'144);
    CHECK(columns.dump().size() < 20'000);
}

TEST_CASE("document: a total exchange that is too large shows node 0's blocks, and the use of all links", "[view]")
{
    const Problem problem{Collective::all_to_all, 16};
    Machine machine(Topology::hypercube(4), {.threads = 1});
    const Entry& entry = find_algorithm(Topology::hypercube(4), PortModel::all, problem);
    const Film film(record(machine, entry, problem, {}, {}, {.flights = 500}));
    REQUIRE(film.is_of_one_node());
    CHECK(film.recording.flights.size() == 32);
    CHECK(view::last_sentence(film) ==
          "Done. All 240 blocks are where they belong, in 8 steps: the fewest there can be.");
    CHECK(view::hops_sentence(film) == "Hops of node 0's blocks that brought them nearer: 32 of 32.");
    CHECK(view::same_for_all(film, 1).empty());
    const Json json = Json::parse(view::document(std::span(&film, 1), "x")).at("films").at(0);
    CHECK(json.at("messages").at("pairs") == Json{{"from", 0}});
    CHECK(json.at("messages").at("everybody") == true);
    CHECK(json.at("columns").at("rows") == 32);
    CHECK(json.at("use").at("links") == 64);  // in every step
    CHECK(json.at("bound").at("tally").is_null());
    CHECK(json.at("one").at("name") == "node 0's block for node 15");
}

TEST_CASE("document: two films stand side by side, with what the comparison shows", "[view]")
{
    const Topology topology = Topology::hypercube(3);
    const Problem problem{Collective::all_to_all, 16};
    std::vector<Film> films;
    films.emplace_back(*recording_of(topology, problem));
    films.emplace_back(*recording_of(topology, problem, PortModel::all, "dimension-exchange"));
    const Json json = Json::parse(view::document(films, "x"));
    REQUIRE(json.at("films").size() == 2);
    CHECK(json.at("versus").at("axis") == "step");
    CHECK(json.at("versus").at("sentence") ==
          "The same task on the same machine: staircase takes 4 steps, dimension-exchange 12 steps: 3 times as many. "
          "Both send 96 packets. Links are busy for 100 % and 33 % of the time.");
    CHECK(joined(played(json.at("films").at(1))) == joined(told(films[1].recording)));
}

TEST_CASE("document: equal bends are written once, and give the layout's lines", "[view]")
{
    for (const char* const network : {"hypercube:4", "hypercube:6", "torus:4x4", "torus:5x3", "ring:4*star:3"}) {
        CAPTURE(network);
        const Topology topology = Topology::parse(network);
        const Film film(*recording_of(topology, {Collective::broadcast, 8}));
        const Json told = document_of(film).at("films").at(0).at("network");
        const std::vector<view::Layout> layouts = view::layouts_of(topology, 0);
        REQUIRE(told.at("layouts").size() == layouts.size());
        const auto start = [&](std::size_t link) { return told.at("links").at(5 * link).get<NodeId>(); };
        for (std::size_t i = 0; i < layouts.size(); ++i)
            for (std::size_t k = 0; k < layouts[i].variants.size(); ++k) {
                const view::Variant& variant = layouts[i].variants[k];
                const Json& bends = told.at("layouts").at(i).at("variants").at(k).at("bends");
                REQUIRE(bends.size() == variant.bends.size());
                for (const auto& [link, lines] : variant.bends) {
                    const Json& bend = bends.at(std::to_string(link));
                    const std::uint32_t shape = bend.is_number() ? bend.get<std::uint32_t>() : link;
                    const view::Point here = variant.nodes[start(link)];
                    const view::Point there = variant.nodes[start(shape)];
                    const Json& points = bends.at(std::to_string(shape));
                    REQUIRE(points.size() == lines.size());
                    for (std::size_t line = 0; line < lines.size(); ++line)
                        for (std::size_t point = 0; point < lines[line].size(); ++point) {
                            const double x = points.at(line).at(2 * point).get<double>() + here.x - there.x;
                            const double y = points.at(line).at(2 * point + 1).get<double>() + here.y - there.y;
                            CHECK(std::abs(x - lines[line][point].x) < .003);
                            CHECK(std::abs(y - lines[line][point].y) < .003);
                        }
                }
            }
    }
}

TEST_CASE("document: links that are missing have their lines, where both nodes are there", "[view]")
{
    const auto lost = [](std::string_view network) {
        const Film film(*recording_of(Topology::parse(network), {Collective::all_gather, 16, 1}));
        const Json variant = document_of(film).at("films")[0].at("network").at("layouts")[0].at("variants")[0];
        return variant.contains("lost") ? variant.at("lost") : Json();
    };
    CHECK(lost("hypercube:3").is_null());
    CHECK(lost("hypercube:3 without 5").is_null());
    const Json line = lost("hypercube:3 without 0-1");
    REQUIRE(line.size() == 1);
    CHECK(line[0].size() == 4);
}

TEST_CASE("document: layouts of more than 64 nodes are marked to be drawn on demand", "[view]")
{
    for (const auto& [network, on_demand] : {std::pair{"hypercube:6", false}, std::pair{"torus:10x10", true}}) {
        const Film film(*recording_of(Topology::parse(network), {Collective::broadcast, 8}));
        const Json layouts = document_of(film).at("films").at(0).at("network").at("layouts");
        REQUIRE(!layouts.empty());
        for (const Json& layout : layouts)
            CHECK(layout.value("on_demand", false) == on_demand);
    }
}

TEST_CASE("document: networks of too many nodes, and times that cannot be told apart, are refused", "[view]")
{
    Recording large;
    large.topology = Topology::hypercube(17);
    large.problem = {Collective::broadcast, 8};
    large.detail = Detail::counts;
    const Film film(large);
    CHECK_THROWS_WITH(view::document(std::span(&film, 1), "x"), Catch::Contains("at most 65536"));
}
