// Texts about films: numbers are counted again, and strangers' texts do no harm.

#include "base/files.hpp"
#include "inspect/view/film/holdings.hpp"
#include "inspect/view/words/clean.hpp"
#include "inspect/view/words/comparison.hpp"
#include "inspect/view/words/event.hpp"
#include "inspect/view/words/gap.hpp"
#include "inspect/view/words/sentences.hpp"
#include "inspect/view/words/states.hpp"
#include "inspect/view/words/titles.hpp"
#include "tests/inspect/view/recordings.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/link_bound.hpp"
#include "tests/support/recorded.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <string>

using namespace dcube;
using namespace test_support;
using view::clean;
using view::Film;

TEST_CASE("words: control characters, changes of direction and what is no text become U+FFFD", "[view]")
{
    const std::string mark = "\xEF\xBF\xBD";
    CHECK(clean("plain", 10) == "plain");
    CHECK(clean("na\xC3\xAFve \xF0\x9F\x99\x82", 10) == "na\xC3\xAFve \xF0\x9F\x99\x82");
    CHECK(clean("a\nb\033[2J\177", 20) == "a" + mark + "b" + mark + "[2J" + mark);
    CHECK(clean("\xE2\x80\xAE"
                "evil\xE2\x81\xA6\xE2\x80\xA8",
                20) == mark + "evil" + mark + mark);
    CHECK(clean("\xC2\x85", 20) == mark);                               // a control character of two bytes
    CHECK(clean("\xFFz\xC3", 20) == mark + "z" + mark);                 // torn
    CHECK(clean("\xC0\xAF", 20) == mark + mark);                        // overlong
    CHECK(clean("\xED\xA0\x80", 20) == mark + mark + mark);             // half of a pair
    CHECK(clean("\xF4\x90\x80\x80", 20) == mark + mark + mark + mark);  // too large
    CHECK(clean(std::string(300, 'x'), 200) == std::string(200, 'x'));
    CHECK(clean("\xC3\xA9\xC3\xA9\xC3\xA9", 2) == "\xC3\xA9\xC3\xA9");
}

TEST_CASE("words: each step's counts are those of the trace", "[view]")
{
    for (const char* const network : {"hypercube:3", "torus:3x3", "path:4"})
        for (const Collective collective : all_collectives)
            for (const PortModel ports : {PortModel::all, PortModel::one}) {
                const Topology topology = Topology::parse(network);
                const auto recording = recording_of(topology, small_problem(collective, topology), ports);
                if (!recording)
                    continue;
                CAPTURE(network, name(collective), ports);
                const Film film(*recording);
                const std::vector<std::string> sentences = view::step_sentences(film);
                REQUIRE(sentences.size() == recording->steps + 2);
                for (Step step = 1; step <= recording->steps; ++step) {
                    const auto sent =
                        static_cast<std::uint64_t>(std::ranges::count(recording->flights, step, &Flight::step));
                    const std::uint64_t links = topology.directed_links();
                    CAPTURE(step, sentences[step]);
                    std::string counts = fmt::format("{} packet{} on {} links, {} idle.", sent, sent == 1 ? "" : "s",
                                                     links, links - sent);
                    if (sent == 0)
                        counts = "Nothing is sent.";
                    else if (ports == PortModel::one)
                        counts = fmt::format("{} of {} nodes send.", sent, topology.nodes());
                    else if (sent == links)
                        counts = fmt::format("{} packets on {} links: none is idle.", sent, links);
                    CHECK_THAT(sentences[step], Catch::EndsWith(counts));
                }
            }
}

TEST_CASE("words: a sentence on all nodes appears only where all do the same", "[view]")
{
    const Film cube(
        *recording_of(Topology::hypercube(3), {Collective::all_to_all, 8}, PortModel::all, "dimension-exchange"));
    CHECK(view::same_for_all(cube, 1) ==
          "Node 0 sends the block for 1 over port 0; every other node does the same, seen from itself.");
    Film broken = cube;
    std::swap(broken.recording.flights[0].port, broken.recording.flights[1].port);
    broken.recording.flights[0].port = 2;
    CHECK(view::same_for_all(broken, 1).empty());
    const Film scatter(*recording_of(Topology::hypercube(3), {Collective::scatter, 8}));
    CHECK(view::same_for_all(scatter, 1).empty());
    const Film mesh(*recording_of(Topology::parse("mesh:2x3"), {Collective::all_to_all, 8}));
    CHECK(view::same_for_all(mesh, 1).empty());
    const Film ring(*recording_of(Topology::parse("ring:5"), {Collective::all_gather, 8}));
    CHECK(view::same_for_all(ring, 1) ==
          "Node 0 sends its own block over ports 0 and 1; every other node does the same, seen from itself.");
}

TEST_CASE("words: the sentences before and after a run count its blocks and steps", "[view]")
{
    const Film cube(*recording_of(Topology::hypercube(4), {Collective::all_to_all, 8}));
    CHECK(view::before_sentence(cube) ==
          "Before step 1. Every node holds 15 blocks, one for each other node. Nothing has been sent.");
    CHECK(view::last_sentence(cube) ==
          "Done. All 240 blocks are where they belong, in 8 steps: the fewest there can be.");
    CHECK(view::hops_sentence(cube) == "Every hop brought its block nearer: 512 of 512.");
    CHECK(view::title_of(cube.recording) == "Total exchange on a 4-cube");

    const Film slow(
        *recording_of(Topology::hypercube(3), {Collective::all_to_all, 8}, PortModel::all, "dimension-exchange"));
    CHECK(
        view::last_sentence(slow) ==
        "Done in 12 steps; the lower bound is 4 steps. The best known, staircase, takes 4 steps: the fewest there can "
        "be.");
    const Film nothing(*recording_of(Topology::hypercube(0), {Collective::all_to_all, 8}));
    CHECK(view::last_sentence(nothing) == "Nothing has to move here: every node has what it needs.");
    CHECK(view::step_sentences(nothing).size() == 2);
    const Film reduction(*recording_of(Topology::hypercube(3), {Collective::reduce, 8}));
    CHECK_THAT(view::last_sentence(reduction), Catch::StartsWith("Done. Node 0 has the sum of all, in "));
    CHECK(view::hops_sentence(reduction).empty());
}

TEST_CASE("words: a run that misses its bound says what is known, others say nothing", "[view]")
{
    Problem transpose{Collective::matrix_transpose, 1};
    transpose.rows = transpose.columns = 16;
    transpose.type = ElementType::uint8;
    const auto missed = recording_of(Topology::hypercube(4), transpose);
    REQUIRE(missed);
    const std::string exchange = "A total exchange (dcube run all-to-all) moves the same blocks in ";
    CHECK(view::gap_sentence(*missed) == exchange + "8 steps, and nobody has proved that 8 steps are needed.");
    const auto slower = recording_of(Topology::hypercube(4), transpose, PortModel::one);
    REQUIRE(slower);
    CHECK(view::gap_sentence(*slower) == exchange + "32 steps, and nobody has proved that 32 steps are needed.");
    transpose.layout = MatrixLayout::submatrices;  // only partners exchange
    transpose.rows = transpose.columns = 64;
    const auto partners = recording_of(Topology::hypercube(6), transpose, PortModel::one);
    REQUIRE(partners);
    CHECK(view::gap_sentence(*partners) == "Nothing better is known, and nobody has proved that 9 steps are needed.");
    const auto met = recording_of(Topology::hypercube(4), {Collective::all_to_all, 8});
    CHECK(view::gap_sentence(*met).empty());
    Recording lossy = *missed;
    lossy.lost = {1};
    CHECK(view::gap_sentence(lossy).empty());
    lossy = *missed;
    lossy.judged = false;
    CHECK(view::gap_sentence(lossy).empty());
}

TEST_CASE("words: a network is called by what it is, without what it lacks", "[view]")
{
    const auto title = [](const std::string& network, const char* without = "") {
        Recording recording;
        recording.topology = Topology::parse(network).without(parse_faults(without));
        recording.problem = {Collective::all_to_all, 8};
        return view::title_of(recording);
    };
    CHECK(title("hypercube:4", "9,0-1") == "Total exchange on a 4-cube without node 9 and link 0-1");
    CHECK(title("hypercube:4", "0-1,2-3,4-5") == "Total exchange on a 4-cube without links 0-1, 2-3 and 4-5");
    CHECK(title("torus:4x4", "0-1,4-5,2-3,6-7,8-9") == "Total exchange on a torus of 4x4 without 5 links");
    CHECK(title("petersen") == "Total exchange on the Petersen graph");
    CHECK(title("ring:5*path:4") == "Total exchange on ring:5*path:4");
    CHECK(title("ring:5") == "Total exchange on a ring of 5");
    CHECK(title("path:4") == "Total exchange on a path of 4");
    for (const char* const torus : {"torus:4x4", "kary:4^2", "ring:4*ring:4"})
        CHECK(title(torus) == "Total exchange on a torus of 4x4");
    CHECK(title("torus:2x3") == "Total exchange on a torus of 2x3");
    CHECK(title("mesh:2x3") == "Total exchange on a mesh of 2x3");
    CHECK(title("ghc:3x4") == "Total exchange on ghc:3x4");
    const std::string square = "0 1\n1 2\n2 3\n3 0\n";
    const detail::GivenFiles files({{"/a.b/the.square.txt", square}, {".square", square}, {"square", square}});
    CHECK(title("graph:/a.b/the.square.txt") == "Total exchange on the network the.square");
    CHECK(title("graph:.square") == "Total exchange on the network .square");
    CHECK(title("graph:square") == "Total exchange on the network square");
    const detail::GivenFiles nameless({{"graph.txt", square}, {"my/edges", square}});
    CHECK(title("graph:graph.txt") == "Total exchange on a network of 4 nodes");
    CHECK(title("graph:my/edges") == "Total exchange on a network of 4 nodes");
}

TEST_CASE("words: empty blocks are not held", "[view]")
{
    const Topology ring = Topology::parse("ring:4");
    const auto start = [&](Collective collective, std::vector<std::uint32_t> counts) {
        const auto recording = recording_of(ring, {.collective = collective, .counts = std::move(counts)});
        REQUIRE(recording);
        return view::before_sentence(Film(*recording));
    };
    CHECK_THAT(start(Collective::scatter, {5, 0, 2, 1}),
               Catch::Contains("Node 0 holds 2 blocks of up to 5 packets, for other nodes."));
    CHECK_THAT(start(Collective::scatter, {0, 3, 2, 1}),
               Catch::Contains("Node 0 holds 3 blocks of up to 3 packets, one for each other node."));
    CHECK_THAT(start(Collective::all_to_all, {0, 1, 2, 0, 0, 0, 0, 1, 1, 0, 0, 1, 0, 0, 1, 0}),
               Catch::Contains("Every node holds up to 2 blocks of up to 2 packets, for other nodes."));
}

TEST_CASE("words: lost packets are counted, and nobody is said to have what it lacks", "[view]")
{
    const Film film(recording_with_a_loss());
    REQUIRE_FALSE(film.recording.ending);
    CHECK(view::step_sentences(film)[1] == "2 packets on 6 links, 4 idle. 1 of them is lost.");
    CHECK(view::last_sentence(film) ==
          "Done. Every node that has not failed has what it needs, in 1 step: the fewest there can be. 1 packet was "
          "lost on the way.");
}

TEST_CASE("words: the use of links is the report's, also where there is none", "[view]")
{
    const auto use = [](const Recording& recording) {
        for (const auto& [what, value] : view::report_rows(recording))
            if (what == "link use")
                return value;
        return std::string();
    };
    const Recording alone = *recording_of(Topology::hypercube(0), {Collective::all_to_all, 8});
    CHECK(use(alone) == "no links");
    CHECK_THAT(view::comparison_sentence(alone, alone),
               Catch::EndsWith("Both send 0 packets. Links are busy for 100 % of the time in both."));
    CHECK(alone.report->link_utilisation() == 1);
    const Recording cube = *recording_of(Topology::hypercube(3), {Collective::all_to_all, 8});
    CHECK(use(cube) == "100.0 % of 24 directed links in 4 steps");
}

TEST_CASE("words: networks are compared by their names, and a cube is known as a torus", "[view]")
{
    const auto exchange = [](std::string_view network) {
        return *recording_of(Topology::parse(std::string(network)), {Collective::all_to_all, 8});
    };
    const Recording cube = exchange("hypercube:4");
    CHECK(view::comparison_sentence(cube, exchange("torus:4x4")) ==
          "The same task on two networks: both take 8 steps. Every link is in use in every step. No wonder: a torus of "
          "4x4 is a 4-cube.");
    CHECK_THAT(view::comparison_sentence(exchange("hypercube:3"), exchange("ring:5")),
               Catch::StartsWith("The same task on two networks: a 3-cube takes 4 steps, a ring of 5 3 steps"));
    CHECK(view::stage_name(cube.topology) == "4-cube");
    CHECK(view::stage_name(Topology::parse("petersen")) == "Petersen graph");
    CHECK(view::stage_name(Topology::parse("ghc:3x4")) == "ghc:3x4");
}

TEST_CASE("words: phases lie within the run, in steps or in ticks", "[view]")
{
    for (const bool timed : {false, true})
        for (const Collective collective : {Collective::broadcast, Collective::all_to_all, Collective::all_reduce}) {
            Problem problem{collective, 16, 4};
            if (timed)
                problem.link = {.kind = LinkKind::link_bound, .tau = {1, 1}, .beta = {9, 2}};
            const auto recording = recording_of(Topology::hypercube(3), problem);
            if (!recording)
                continue;
            const Film film(*recording);
            CAPTURE(timed, name(collective));
            const std::uint64_t end = timed ? recording->end : recording->steps;
            for (const view::NamedStretch& one : view::stretches(film)) {
                CHECK(one.first <= one.last);
                CHECK(one.last <= end);
                CHECK(!one.name.empty());
            }
            if (!timed)
                continue;
            const auto sentences = view::timed_sentences(film);
            REQUIRE(!sentences.empty());
            CHECK(sentences.front().at == 0);
            CHECK(sentences.back().at == recording->end);
            CHECK(std::ranges::is_sorted(sentences, {}, &view::TimedSentence::at));
        }
}

TEST_CASE("words: phases that overlap share the links by dimension", "[view]")
{
    const auto shared = [](PortModel ports, const char* algorithm) {
        const Film film(*recording_of(Topology::hypercube(3), {Collective::all_to_all, 16, 1}, ports, algorithm));
        std::vector<std::vector<unsigned>> dimensions;
        for (const view::NamedStretch& one : view::stretches(film))
            dimensions.push_back(one.dimensions);
        return dimensions;
    };
    CHECK(shared(PortModel::all, "optimal") == std::vector<std::vector<unsigned>>{{0, 1}, {2}, {0, 1}});
    CHECK(shared(PortModel::one, "dimension-exchange") ==
          std::vector<std::vector<unsigned>>(3));  // one after the other
}

TEST_CASE("holdings: in the end every node has what it needs, as a verified run says", "[view]")
{
    for (const char* const network : {"hypercube:3", "torus:3x3", "path:4"})
        for (const Collective collective : all_collectives) {
            const Topology topology = Topology::parse(network);
            const auto recording = recording_of(topology, small_problem(collective, topology));
            if (!recording)
                continue;
            CAPTURE(network, name(collective));
            const Film film(*recording);
            view::Holdings holdings(film);
            CHECK(holdings.arrived() == 0);
            while (holdings.played() < recording->steps)
                holdings.play();
            CHECK(holdings.arrived() == holdings.needed());
            for (NodeId node = 0; node < topology.nodes(); ++node)
                for (std::uint64_t message = 0; message < film.messages.count(); ++message) {
                    if (!film.messages.needs(node, message))
                        continue;
                    CHECK(holdings.has(node, message, 0));
                    if (film.messages.kind() == view::MessageKind::sums)
                        CHECK(holdings.sum(node, message, 0).contains(film.messages.terms(node)));
                }
        }
}

TEST_CASE("holdings: what is sent in copies is counted once", "[view]")
{
    for (const auto& [algorithm, target] :
         {std::pair{"one-path", NodeId{15}}, {"spreading", 15}, {"waves", 15}, {"waves", 7}, {"waves-relabelled", 3}}) {
        Problem problem{.collective = Collective::send, .bytes = 96, .peer = target};
        problem.link = link_bound(1, 50);
        CAPTURE(algorithm, target);
        const Recording recording = recorded("hypercube:4", problem, algorithm);
        const Film film(recording);
        view::Holdings holdings(film);
        for (std::uint64_t before = 0; holdings.played() < recording.steps; before = holdings.arrived()) {
            holdings.play();
            CHECK(holdings.arrived() >= before);
        }
        CHECK(holdings.arrived() == holdings.needed());
        for (std::uint32_t part = 0; part < film.parts_of(0); ++part) {
            CHECK(holdings.has(target, 0, part));
            CHECK(std::ranges::count(holdings.nodes_with(0, part), target) == 1);
        }
    }
}

TEST_CASE("words: a time that is no whole number is told to a tenth, rounded down", "[view]")
{
    CHECK(view::tenths_of_ns({33410, 1}) == "33 410 ns");
    CHECK(view::tenths_of_ns({300759, 500}) == "601.5 ns");
    CHECK(view::tenths_of_ns({75736, 125}) == "605.8 ns");
    CHECK(view::tenths_of_ns({601, 100}) == "6 ns");
    CHECK(view::tenths_of_ns({1, 3}) == "0.3 ns");
}

TEST_CASE("words: sentences on a free program leave out the sizes that only a collective has", "[view]")
{
    const Topology cube = Topology::hypercube(2);
    const Transmission sent[]{{.step = 1, .from = 0, .to = 1, .port = 0, .bytes = 8, .pieces = {}}};
    const Film film(program_recording(cube, PortModel::all, {}, 1, sent));
    CHECK(view::title_of(film.recording) == "A program on a 2-cube");
    CHECK(view::subtitle_of(film.recording) == "4 nodes, all ports.");
    CHECK(view::name_of(film.recording) == "a program");
    CHECK(view::label_of(film.recording) == "a program: all ports, 1 step");
    CHECK(view::before_sentence(film) == "Before step 1. Every node has data of its own. Nothing has been sent.");

    const Transmission later[]{
        {.step = 1, .from = 0, .to = 1, .port = 0, .bytes = 8, .start = 2, .end = 13, .pieces = {}}};
    const LinkModel link{.kind = LinkKind::link_bound, .tau = {1, 2}, .beta = {3, 2}};
    CHECK(view::label_of(program_recording(cube, PortModel::all, link, 1, later)) == "a program: all ports, 6.5 ns");
}

TEST_CASE("words: a deadlock, a broken rule and a missing message are said for somebody who sees where", "[view]")
{
    const Topology cube = Topology::hypercube(3);
    Recording recording = recording_of(cube, small_problem(Collective::all_gather, cube)).value();
    const auto said = [&](Ending ending) {
        recording.ending = std::move(ending);
        return view::event_sentence(Film(recording));
    };
    using What = Ending::What;
    std::vector<RuleViolation::Waits> all;
    for (NodeId node = 0; node < 8; ++node)
        all.push_back({node, 0});
    CHECK(said({.what = What::deadlock, .waiting = all}) ==
          "All 8 nodes wait for their neighbours over port 0: nobody can go on.");
    all.resize(2);
    all[1].port = RuleViolation::no_port;
    CHECK(said({.what = What::deadlock, .waiting = all}) == "2 nodes wait for neighbours: nobody can go on.");
    all.resize(1);
    CHECK(said({.what = What::deadlock, .waiting = all}) ==
          "Node 0 waits for its neighbour over port 0: nobody can go on.");
    CHECK(said({.what = What::rule, .detail = "a second packet on one link", .node = 3, .port = 1}) ==
          "Node 3 at port 1: a second packet on one link.");
    CHECK(said({.what = What::threw, .node = 3}).empty());
    CHECK(said({.what = What::wrong_bytes, .node = 0, .origin = 2}).empty());  // it has arrived, with other bytes
    recording.steps = 0;
    recording.flights.clear();
    CHECK(said({.what = What::wrong_bytes, .node = 0, .origin = 2}) == "Node 2's message never arrived at node 0.");
}
