// What one block does, and why: of every entry of the catalogue, and compared with the trace.

#include "inspect/explain/case.hpp"
#include "inspect/view/document/captions.hpp"
#include "inspect/view/words/one_block.hpp"
#include "inspect/view/words/states.hpp"
#include "tests/inspect/view/recordings.hpp"
#include "tests/support/catalogue_cases.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/links.hpp"
#include "tests/support/sizes.hpp"

#include <dcube/dcube.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <string>
#include <vector>

using namespace dcube;
using namespace test_support;
using view::Film;
using view::OneBlock;

namespace {

Film film_of_run(const Entry& entry, const Topology& topology, const Problem& problem)
{
    Machine machine(topology, {.ports = entry.ports, .link = problem.link, .threads = 1});
    return Film(record(machine, entry, problem));
}

// The flight of a row.
const Flight& flight_of(const Film& film, std::size_t row)
{
    const auto after = std::ranges::upper_bound(film.first_row, row);
    return film.recording.flights[static_cast<std::size_t>(after - film.first_row.begin()) - 1];
}

// Every hop starts where the block is, and the last one ends where it belongs.
void check_route(const Film& film, const OneBlock& one)
{
    REQUIRE(one.ends.origin);
    std::set<NodeId> holders{*one.ends.origin};
    Step step = 0;
    std::set<NodeId> arriving;
    for (const std::size_t row : one.rows) {
        const Flight& flight = flight_of(film, row);
        CAPTURE(flight.step, flight.from, flight.to);
        CHECK(flight.step >= step);
        if (flight.step > step && !film.timed()) {
            holders.insert(arriving.begin(), arriving.end());
            arriving.clear();
        }
        step = flight.step;
        if (!film.timed())
            CHECK(holders.contains(flight.from));
        arriving.insert(flight.to);
    }
    holders.insert(arriving.begin(), arriving.end());
    if (one.ends.target)
        CHECK(holders.contains(*one.ends.target));
    else if (film.messages.kind() == view::MessageKind::copies)
        CHECK(holders.size() == film.recording.topology.members());
}

std::string sentence_at(const OneBlock& one, std::uint64_t at)
{
    std::string last;
    for (const OneBlock::Sentence& sentence : one.sentences)
        if (sentence.at <= at)
            last = sentence.text;
    return last;
}

// Each step in which it moves says from where to where, or over how many links.
void check_sentences(const Film& film, const OneBlock& one)
{
    CHECK(one.sentences.front().at == 0);
    CHECK(one.sentences.back().text == view::last_sentence(film));
    for (std::size_t i = 1; i < one.sentences.size(); ++i) {
        CAPTURE(one.sentences[i].text);
        CHECK(one.sentences[i].at > one.sentences[i - 1].at);
        CHECK(one.sentences[i].text != one.sentences[i - 1].text);
        CHECK(one.sentences[i].text.ends_with('.'));
    }
    if (film.timed())
        return;
    for (Step step = 1; step <= film.recording.steps; ++step) {
        std::vector<Flight> hops;
        for (const std::size_t row : one.rows)
            if (flight_of(film, row).step == step)
                hops.push_back(flight_of(film, row));
        const std::string text = sentence_at(one, step);
        CAPTURE(step, text, hops.size());
        if (hops.empty())
            CHECK(text.find(" goes ") == std::string::npos);
        else if (hops.size() == 1)
            CHECK_THAT(text, Catch::Contains(fmt::format(" goes from node {} to node {}", hops[0].from, hops[0].to)));
        else if (hops.size() > 3)
            CHECK_THAT(text, Catch::Contains(fmt::format(" goes over {} links", hops.size())));
        else
            CHECK_THAT(text, Catch::Contains(fmt::format(" goes from node {} to node", hops[0].from)));
    }
}

void check_one_block(const Film& film)
{
    const std::optional<OneBlock> one = view::one_block(film);
    REQUIRE(one.has_value() == (film.recording.transmissions > 0 && film.has_rows()));
    if (!one)
        return;
    CAPTURE(one->name);
    check_route(film, *one);
    check_sentences(film, *one);
}

// Idea, and formula with a value; where none is known before a run, what the formula says in words.
void check_why(const Film& film)
{
    const view::Json why = view::why_json(film);
    if (film.recording.transmissions == 0) {
        CHECK(why.is_null());
        return;
    }
    REQUIRE(why.is_object());
    CHECK(why.at("title").get<std::string>().starts_with("Why "));
    const view::Json& parts = why.at("parts");
    REQUIRE(parts.size() >= 3);
    CHECK(parts.front().get<std::string>() == film.recording.algorithm->idea);
    const std::string words = fmt::format("ns: {}.", film.recording.algorithm->formula.words);
    CHECK(std::ranges::any_of(parts, [&](const view::Json& part) {
        return part.is_array() ? !part.empty() && !part.front().get<std::string>().empty() : part == words;
    }));
}

}  // namespace

TEST_CASE("captions: every entry of the catalogue has all three registers", "[view]")
{
    for (const Entry& entry : catalogue()) {
        const explain::Case one = explain::example_case(entry, explain::Size::small);
        CAPTURE(name(entry.collective), entry.name, one.topology.name());
        const Film film = film_of_run(entry, one.topology, one.problem);
        check_one_block(film);
        check_why(film);
        if (film.recording.transmissions > 0) {
            CHECK_FALSE(view::sentences_json(film).empty());
            CHECK_FALSE(view::phases_json(film).empty());
        }
    }
}

TEST_CASE("captions: one block's sentences are its hops, over the whole range of small cases", "[view][slow]")
{
    int cases = 0;
    for_each_unit_case(smaller(3U, 2U), [&](const test_support::Case& one) {
        INFO(words(one));
        check_one_block(film_of_run(one.algorithm, one.topology, one.problem));
        ++cases;
    });
    for_each_link_bound_case(1, smaller(3U, 2U, 2U), {1, 48}, [&](const test_support::Case& one) {
        INFO(words(one));
        check_one_block(film_of_run(one.algorithm, one.topology, one.problem));
        ++cases;
    });
    CHECK(cases > smaller(500, 60));
}

TEST_CASE("captions: the block that goes farthest is followed", "[view]")
{
    const Film film(*recording_of(Topology::hypercube(3), {Collective::all_to_all, 8}, PortModel::all, "optimal"));
    const std::optional<OneBlock> one = view::one_block(film);
    REQUIRE(one);
    CHECK(one->name == "node 0's block for node 7");
    CHECK(one->rows.size() == 3);
    CHECK_THAT(one->sentences.front().text, Catch::EndsWith("We follow node 0's block for node 7."));
    const Film reduced(*recording_of(Topology::hypercube(3), {Collective::reduce, 8}));
    CHECK(view::one_block(reduced)->name == "node 7's share");
}

TEST_CASE("captions: a message that comes home again is followed only where there is no other", "[view]")
{
    const Topology cube = Topology::hypercube(1);
    Problem problem{Collective::permute, 1};
    problem.link = link_bound(1, 10);
    const auto followed = [&](std::string_view permutation) {
        problem.permutation = permutation_by_name(permutation, cube);
        const Entry& entry = find_algorithm(cube, PortModel::all, problem, "two-exchanges");
        return view::one_block(film_of_run(entry, cube, problem))->name;
    };
    CHECK(followed("identity") == "node 1's message for node 1");
    CHECK(followed("inversion") == "node 0's message for node 1");
}

TEST_CASE("captions: a message without hops is not followed, and says so nowhere", "[view]")
{
    const Film film(*recording_of(Topology::hypercube(0), {Collective::all_to_all, 8}));
    CHECK_FALSE(view::one_block(film));
    CHECK(view::one_block_json(film).is_null());
    CHECK(view::why_json(film).is_null());
}
