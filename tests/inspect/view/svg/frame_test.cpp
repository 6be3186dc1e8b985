// Figures of films: states and packets of real runs.

#include "inspect/view/svg/frame.hpp"
#include "inspect/view/svg/state.hpp"

#include "tests/support/catch.hpp"
#include "tests/support/error_of.hpp"

#include <dcube/catalogue.hpp>

using namespace dcube;
using namespace dcube::view;
using test_support::contains;
using test_support::error_of;

namespace {

Film film_of(const Topology& topology, const Problem& problem)
{
    Machine machine(topology, {.link = problem.link, .threads = 1});
    return Film(record(machine, find_algorithm(topology, PortModel::all, problem), problem));
}

double filled(const NodeMark& node)
{
    double sum = 0;
    for (const CellMark& cell : node.cells)
        sum += std::max(0.0, cell.share);
    return sum;
}

}  // namespace

TEST_CASE("states: in a total exchange cells are origins, and all are full in the end", "[view]")
{
    const Film film = film_of(Topology::hypercube(3), {Collective::all_to_all, 16});
    const States states(film);
    CHECK(states.cells().columns == 4);
    Holdings holdings(film);
    const FrameMark begin = states.frame(holdings);
    CHECK(begin.packets.size() == 24);
    CHECK(begin.idle.empty());
    for (NodeId node = 0; node < 8; ++node) {
        CHECK(filled(begin.nodes[node]) == 1);  // its own
        CHECK(begin.nodes[node].cells[node].share == 1);
        CHECK_FALSE(begin.nodes[node].complete);
        CHECK_FALSE(begin.nodes[node].root);
    }
    double sum = 8;
    std::uint64_t under_way = 0;
    for (Step step = 1; step <= film.recording.steps; ++step) {
        holdings.play();
        const FrameMark now = states.frame(holdings);
        sum = 0;
        under_way = 0;
        for (const NodeMark& node : now.nodes) {
            sum += filled(node);
            under_way += node.kept;
        }
        CHECK(sum == 8 + static_cast<double>(holdings.arrived()));
    }
    CHECK(sum == 64);
    CHECK(under_way == 0);
    CHECK(states.frame(holdings).packets.empty());
    for (const NodeMark& node : states.frame(holdings).nodes)
        CHECK(node.complete);
}

TEST_CASE("states: packets stand on the links that the trace says, with the number of their target", "[view]")
{
    const Film film = film_of(Topology::hypercube(3), {Collective::all_to_all, 16});
    const States states(film);
    const FrameMark frame = states.frame(Holdings(film));
    const std::vector<UndirectedLink> links = undirected_links(film.recording.topology);
    for (std::size_t i = 0; i < frame.packets.size(); ++i) {
        const Flight& flight = film.recording.flights[i];
        const UndirectedLink& link = links[frame.packets[i].link / 2];
        const bool up = frame.packets[i].link % 2 == 0;
        CHECK((up ? link.from : link.to) == flight.from);
        CHECK((up ? link.to : link.from) == flight.to);
        const Piece& piece = film.recording.pieces_of(flight)[0];
        CHECK(frame.packets[i].number == std::to_string(*piece.target));
        CHECK(frame.packets[i].colour == palette::hues[*piece.origin]);
    }
}

TEST_CASE("states: a broadcast fills a cell for each packet, a scatter one box a node, a sum a cell for each term",
          "[view]")
{
    const Topology cube = Topology::hypercube(3);
    const Film broadcast = film_of(cube, {Collective::broadcast, 16, 4});
    const States copies(broadcast);
    CHECK(copies.cells().count == 4);
    const FrameMark first = copies.frame(Holdings(broadcast));
    CHECK(first.nodes[0].root);
    CHECK(first.nodes[0].complete);
    CHECK(filled(first.nodes[0]) == 4);
    CHECK(filled(first.nodes[1]) == 0);
    CHECK(first.idle.size() == 3);  // the binding links to the antipode; none of the others

    const Film scatter = film_of(cube, {Collective::scatter, 16});
    CHECK(States(scatter).cells().count == 1);
    const FrameMark begin = States(scatter).frame(Holdings(scatter));
    CHECK(begin.nodes[3].cells[0].share == 0);
    CHECK(begin.nodes[0].complete);  // its own block is there

    const Film sum = film_of(cube, {Collective::all_reduce, 16});
    Holdings holdings(sum);
    holdings.play();
    const FrameMark second = States(sum).frame(holdings);
    CHECK(filled(second.nodes[5]) == 2);
    CHECK(second.packets[0].cells.size() == 8);
    CHECK(filled({.cells = second.packets[0].cells}) == 2);
}

TEST_CASE("figure of a film: figures before, in and after the steps have the same bytes every time", "[view]")
{
    const Film film = film_of(Topology::hypercube(2), {Collective::all_to_all, 16});
    const Step last = film.recording.steps + 1;
    const FilmFigure strip = figure(film, {.moments = steps_between(0, last), .width_mm = 120});
    CHECK(strip.svg == figure(film, {.moments = steps_between(0, last), .width_mm = 120}).svg);
    CHECK(contains(strip.svg, ">before step 1</text>"));
    CHECK(contains(strip.svg, ">step 2</text>"));
    CHECK(contains(strip.svg, ">done</text>"));
    CHECK(contains(strip.svg, "<title>Total exchange on a 2-cube: "));
    CHECK(contains(strip.legend, "Disc: a packet; colour: its origin, number: its target."));  // in two rows
    CHECK(contains(figure(film, {.moments = {{1}}}).legend, "Disc: a packet; colour: its origin, number: its target."));
    CHECK(contains(strip.legend, "Green: has all that it needs."));
    const FilmFigure begin = figure(film, {.moments = {{0}}});
    CHECK(contains(strip.svg, "<circle "));
    CHECK_FALSE(contains(begin.svg, "<circle "));  // no packet
    CHECK_FALSE(contains(begin.legend, "Disc"));
    CHECK(contains(strip.legend, "Purple: links that the lower bound counts."));
    CHECK(contains(begin.svg, hex(palette::bound)));
}

TEST_CASE("figure of a film: idle links are shown while a step is under way", "[view]")
{
    const Film film = film_of(Topology::hypercube(3), {Collective::broadcast, 16, 4});
    CHECK(contains(figure(film, {.moments = {{1}}}).svg, hex(palette::wrong)));
    CHECK(contains(figure(film, {.moments = {{1}}}).legend, "Red dashes: those that are idle."));
    CHECK_FALSE(contains(figure(film, {.moments = {{0}}}).svg, hex(palette::wrong)));
    const Step end = film.recording.steps + 1;
    CHECK_FALSE(contains(figure(film, {.moments = {{end}}}).svg, hex(palette::wrong)));
    const Film full = film_of(Topology::hypercube(3), {Collective::all_to_all, 16});
    CHECK_FALSE(contains(figure(full, {.moments = {{2}}}).svg, hex(palette::wrong)));
}

TEST_CASE("figure of a film: at a given time links are filled as far as packets have come", "[view]")
{
    const Problem problem{.collective = Collective::broadcast,
                          .bytes = 24,
                          .link = {.kind = LinkKind::link_bound, .tau = {1, 1}, .beta = {10, 1}}};
    const Film film = film_of(Topology::hypercube(3), problem);
    const Time first_end = film.recording.flights.front().end;
    REQUIRE(film.recording.flights.front().start == 0);
    const States states(film);
    Holdings holdings(film);
    holdings.play_until(first_end / 2);
    const FrameMark half = states.frame_at(holdings, first_end / 2);
    CHECK(half.packets.size() == 3);  // the root's
    CHECK(half.packets[0].reached == .5);
    CHECK(filled(half.nodes[1]) == 0);
    holdings.play_until(first_end);
    CHECK(filled(states.frame_at(holdings, first_end).nodes[1]) == 1);
    Holdings done(film);
    done.play_until(film.recording.end);
    CHECK(done.arrived() == done.needed());
    CHECK(states.frame_at(done, film.recording.end).packets.empty());

    const FilmFigure drawn = figure(film, {.moments = {{.tick = tick_at(film, {9, 1})}}});
    CHECK(contains(drawn.svg, ">9 ns</text>"));
    CHECK(contains(drawn.legend, "how far its link is filled"));
    CHECK(contains(error_of([&] { static_cast<void>(tick_at(film, {1000, 1})); }), "the run takes "));
    const Film steps = film_of(Topology::hypercube(2), {Collective::all_to_all, 16});
    CHECK(error_of([&] {
              static_cast<void>(tick_at(steps, {9, 1}));
          }) == "packets have no times here, but steps: 0 (before the first) to 3 (when all is done)");
}

TEST_CASE("figure of a film: with one origin only its packets have colours, and boxes say what has come from it",
          "[view]")
{
    const Film film = film_of(Topology::hypercube(3), {Collective::all_to_all, 16});
    const States states(film, 5);
    Holdings holdings(film);
    FrameMark frame = states.frame(holdings);
    CHECK(std::ranges::count(frame.packets, false, &PacketMark::faint) == 3);
    CHECK(filled(frame.nodes[5]) == 1);
    CHECK(frame.nodes[5].root);
    for (const NodeMark& node : frame.nodes)
        CHECK(node.cells.size() == 1);
    std::size_t there = 1;
    for (Step step = 1; step <= film.recording.steps; ++step) {
        holdings.play();
        frame = states.frame(holdings);
        const auto full = static_cast<std::size_t>(
            std::ranges::count_if(frame.nodes, [](const NodeMark& node) { return filled(node) == 1; }));
        CHECK(full >= there);
        there = full;
    }
    CHECK(there == 8);
    CHECK(contains(figure(film, {.moments = {{2}}, .origin = 5}).legend, "Disc: a packet from node 5"));
    CHECK(contains(error_of([&] { static_cast<void>(figure(film, {.moments = {{2}}, .origin = 8})); }),
                   "there is no node 8: expected 0 to 7"));
    const Film sum = film_of(Topology::hypercube(3), {Collective::all_reduce, 16});
    CHECK(contains(error_of([&] { static_cast<void>(figure(sum, {.moments = {{2}}, .origin = 1})); }),
                   "sums have many origins"));
}

TEST_CASE("figure of a film: a node that is missing is no origin, and has no box", "[view]")
{
    const Film film = film_of(Topology::parse("hypercube:3 without 5"), {Collective::all_to_all, 16});
    CHECK(error_of([&] { static_cast<void>(figure(film, {.moments = {{2}}, .origin = 5})); }) ==
          "node 5 does not exist: hypercube:3 without 5 lacks that node");
    const Holdings holdings(film);
    for (const std::optional<NodeId> origin : {std::optional<NodeId>(), std::optional<NodeId>(4)}) {
        const States states(film, origin);
        const FrameMark frame = states.frame(holdings);
        for (NodeId node = 0; node < 8; ++node)
            CHECK(frame.nodes[node].missing == (node == 5));
    }
}

TEST_CASE("figure of a film: a layout is chosen by its name, and the legend can be left out", "[view]")
{
    const Film film = film_of(Topology::hypercube(4), {Collective::broadcast, 16, 4});
    const FilmFigure levels = figure(film, {.moments = {{2}}, .layout = "levels"});
    CHECK(levels.svg != figure(film, {.moments = {{2}}, .layout = "lattice"}).svg);
    const FilmFigure bare = figure(film, {.moments = {{2}}, .layout = "levels", .legend = Legend::left_out});
    CHECK_FALSE(contains(bare.svg, ">step 2</text>"));
    CHECK_FALSE(contains(bare.svg, ">Disc"));
    CHECK(bare.legend == levels.legend);
    CHECK(error_of([&] { static_cast<void>(figure(film, {.moments = {{2}}, .layout = "ring"})); }) ==
          "no layout 'ring' for hypercube:4: expected one of cube in cube, lattice, levels");
}

TEST_CASE("figure of a film: what cannot be drawn is refused in one line", "[view][negative]")
{
    const Film film = film_of(Topology::hypercube(2), {Collective::all_to_all, 16});
    CHECK(error_of([&] { static_cast<void>(figure(film, {.moments = {{7}}})); }) ==
          "step 7 is out of range: expected 0 (before the first) to 3 (after the last)");
    CHECK(error_of([&] { static_cast<void>(figure(film, {.moments = steps_between(2, 1)})); }) ==
          "steps 2 to 1: the first must not come after the last");
    const Film large = film_of(Topology::hypercube(8), {Collective::broadcast, 16});
    CHECK(error_of([&] { static_cast<void>(figure(large, {.moments = {{1}}})); }) ==
          "hypercube:8 cannot be drawn so that it can be read: networks of at most 128 nodes can");
    const Film tangled = film_of(Topology::parse("complete:20"), {Collective::broadcast, 16});
    CHECK(contains(error_of([&] { static_cast<void>(figure(tangled, {.moments = {{1}}})); }),
                   "its links would run over its nodes"));
}
