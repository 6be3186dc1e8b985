// The phases of every entry of the catalogue, whatever they are. Their claims have tests of their own.

#include "collectives/example.hpp"
#include "tests/support/catalogue_cases.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/link_bound.hpp"
#include "tests/support/phased_run.hpp"
#include "tests/support/sizes.hpp"

#include <dcube/dcube.hpp>

#include <algorithm>
#include <cctype>
#include <optional>
#include <set>
#include <sstream>
#include <string>
#include <string_view>

using namespace dcube;
using namespace test_support;

namespace {

constexpr std::size_t most_in_a_name = 44;
constexpr std::size_t most_phases = 80;  // on a time line

// Words that only the algorithm's author knows: they are for its idea and its formula, which stand elsewhere.
bool is_authors_word(const std::string& word)
{
    static const std::set<std::string> authors{"mask", "masks", "offset",   "offsets", "class", "classes", "colour",
                                               "mod",  "xor",   "unrolled", "bit",     "bits",  "modulo"};
    const bool is_letter =
        word.size() == 1 && std::isalpha(static_cast<unsigned char>(word[0])) && word != "a" && word != "A";
    const bool is_binary = word.size() > 1 && word[0] == '0' && word.find_first_not_of("01") == std::string::npos;
    return is_letter || is_binary || authors.contains(word);
}

// The first such word; empty if there is none.
std::string authors_word_in(const std::string& text)
{
    std::istringstream words(text);
    for (std::string word; words >> word;) {
        std::erase_if(word, [](char c) { return std::string_view("(),.:;").find(c) != std::string_view::npos; });
        if (is_authors_word(word))
            return word;
    }
    return {};
}

// Why this is no sentence that can be shown as it is; empty if it is one.
std::string fault_of_sentence(const std::string& text)
{
    if (text.empty() || text.back() != '.')
        return "does not end with a full stop";
    if (text.find_first_of("\n\r\t{}") != std::string::npos)
        return "has more than one line, or a place that was not filled in";
    if (text.find("  ") != std::string::npos || text.find(" .") != std::string::npos ||
        text.find(" ,") != std::string::npos)
        return "has a word that is missing";
    if (text.find(". ") != std::string::npos)
        return "is more than one sentence";
    if (!std::isupper(static_cast<unsigned char>(text.front())))
        return "does not begin with a capital";
    if (const std::string word = authors_word_in(text); !word.empty())
        return "has a word that no page explains: " + word;
    return text.size() > 240 ? "is too long" : "";
}

// "packet 2: across dimension 3" and "halving: dimension 3" name one.
std::optional<unsigned> dimension_named_in(std::string_view name)
{
    if (const std::size_t at = name.find("across "); at != std::string_view::npos)
        name.remove_prefix(at + std::string_view("across ").size());
    return number_after(name, "dimension ");
}

void check_texts(const std::vector<AlgorithmPhase>& phases, std::uint64_t steps)
{
    std::set<std::string> names;
    Step before = 0;
    for (const AlgorithmPhase& phase : phases) {
        CAPTURE(phase.name, phase.sentence, phase.first, phase.last, steps);
        CHECK(phase.first >= std::max<Step>(before, 1));
        CHECK(phase.first <= phase.last);
        CHECK(phase.last <= steps);
        CHECK_FALSE(phase.name.empty());
        CHECK(phase.name.size() <= most_in_a_name);
        CHECK(phase.name.find_first_of("\n{}") == std::string::npos);
        CHECK(names.insert(phase.name).second);
        CHECK(phase.dimension == dimension_named_in(phase.name));
        CHECK(fault_of_sentence(phase.sentence) == "");
        before = phase.first;
    }
    CHECK(phases.size() <= most_phases);
}

// Steps in which something is sent, and that no phase has.
std::set<Step> steps_without_phase(const PhasedRun& run)
{
    std::set<Step> left;
    for (const PhasedSend& sent : run.sent)
        left.insert(sent.step);
    for (const AlgorithmPhase& phase : run.phases)
        std::erase_if(left, [&phase](Step step) { return step >= phase.first && step <= phase.last; });
    return left;
}

void check(const Case& one)
{
    INFO(words(one));
    const PhasedRun run = phased_run(one);
    check_texts(run.phases, one.algorithm.cost(one.topology, one.problem).steps);
    CHECK(steps_without_phase(run) == std::set<Step>());
    if (run.sent.empty())
        CHECK(run.phases.empty());
}

}  // namespace

TEST_CASE("a sentence with a formula's letter, an address in bits or an author's word is found", "[phases]")
{
    CHECK(authors_word_in("Node 0 sends a block, (the one for 7): every other node does the same.").empty());
    CHECK(authors_word_in("A node passes 100 packets on, part 1 over dimension 0.").empty());
    CHECK(authors_word_in("Pair j crosses dimension k.") == "j");
    CHECK(authors_word_in("The one of the two that has 0101.") == "0101");
    CHECK(authors_word_in("All packets of one offset.") == "offset");
}

TEST_CASE("every unit-model algorithm tells phases that hold all steps in which something is sent", "[phases][slow]")
{
    int cases = 0;
    for_each_unit_case(smaller(4U, 3U, 3U), 5, [&](const Case& one) {
        check(one);
        ++cases;
    });
    CHECK(cases > smaller(600, 80, 80));
}

TEST_CASE("every link-bound algorithm tells phases that hold all steps in which something is sent", "[phases][slow]")
{
    int cases = 0;
    for_each_link_bound_case(1, smaller(4U, 3U, 3U), {1, 48}, 5, [&](const Case& one) {
        check(one);
        ++cases;
    });
    CHECK(cases > smaller(600, 80, 80));
}

// Entries that would have to search for a schedule first are left out.
TEST_CASE("phases of large networks and long messages fit on a time line", "[phases][long]")
{
    const std::set<std::string_view> searching{"mixed-routes", "class-matching", "farthest-first"};
    constexpr std::uint64_t most_work = 100'000;
    int cases = 0;
    test_support::Sample sample(5, 5);
    for (const Entry& algorithm : catalogue())
        for (const char* const text : {"hypercube:7", "torus:8x9", "mesh:5x6", "ring:7*path:3*complete:4",
                                       "mesh:2x2x2x2", "path:60", "torus:10x10", "complete:5*ring:4*path:3*ring:6"})
            for (const std::size_t packets : {1U, 3U, 40U, 1000U}) {
                if ((is_matrix(algorithm.collective) && packets > 1) || !sample.takes_next())
                    continue;
                const Topology topology = Topology::parse(text);
                Problem problem = example_problem(algorithm.collective, topology);
                if (!is_matrix(algorithm.collective))
                    problem.packets = packets;
                if (algorithm.link == LinkKind::link_bound)
                    problem.link = link_bound(1, 50);
                const bool searches =
                    searching.contains(algorithm.name) || algorithm.planning_work(topology, problem) > most_work;
                if (searches || !obstacle_of(algorithm, topology, algorithm.ports, problem).empty())
                    continue;
                CAPTURE(name(algorithm.collective), algorithm.name, text, packets);
                const std::vector<AlgorithmPhase> phases = algorithm.phases(topology, problem);
                check_texts(phases, phases.empty() ? 0 : std::ranges::max(phases, {}, &AlgorithmPhase::last).last);
                CHECK_FALSE(phases.empty());
                ++cases;
            }
    CHECK(cases > smaller(200, 60, 60));
}
