// Everything that can be explained has a text, and what formulas come to is what the program computes.

#include "algorithms/formulas.hpp"
#include "collectives/example.hpp"
#include "inspect/explain/arithmetic.hpp"
#include "inspect/explain/case.hpp"
#include "inspect/explain/costs.hpp"
#include "inspect/explain/lookup.hpp"
#include "inspect/explain/pages.hpp"
#include "inspect/explain/texts.hpp"
#include "tests/inspect/explain/arithmetic.hpp"
#include "tests/support/catch.hpp"

#include <dcube/error.hpp>

#include <fstream>
#include <map>
#include <regex>
#include <set>
#include <string>
#include <vector>

using namespace dcube;
using namespace dcube::explain;
using dcube::detail::Exact;
using dcube::detail::Formula;

namespace {

Exact last_number(const std::vector<std::string>& lines)
{
    return test::evaluated(lines.back()).value;
}

}  // namespace

TEST_CASE("texts: every entry of the catalogue says its idea and its formula", "[explain]")
{
    for (const Entry& algorithm : catalogue()) {
        CAPTURE(algorithm.name, name(algorithm.collective), name(algorithm.link));
        const CostFormula& formula = algorithm.formula;
        CHECK(algorithm.idea.size() > 20);
        CHECK((!formula.steps.empty() || !formula.time.empty() || !formula.words.empty()));
        CHECK(formula.time.empty() == (algorithm.link == LinkKind::unit || !formula.words.empty()));
        CHECK(formula.steps.empty() == formula.transmissions.empty());
    }
}

TEST_CASE("texts: every entry says what its paper says, and names errata that exist", "[explain]")
{
    std::ifstream file(DCUBE_SOURCE_DIR "/docs/errata.md");
    std::set<std::string> errata;
    for (std::string line; std::getline(file, line);)
        if (!line.empty() && std::isdigit(static_cast<unsigned char>(line.front())) != 0)
            errata.insert(line.substr(0, line.find('.')));
    std::size_t cited = 0;
    for (const Entry& algorithm : catalogue()) {
        CAPTURE(algorithm.name, name(algorithm.collective), name(algorithm.link));
        const std::string says(algorithm.paper_note);
        CHECK(says.size() > 10);
        CHECK(says.ends_with('.'));
        if (const std::size_t at = says.find("(errata, "); at != std::string::npos) {
            CHECK(errata.contains(says.substr(at + 9, says.find_first_of(") ", at + 9) - at - 9)));
            ++cited;
        }
    }
    CHECK(errata.size() == 16);
    CHECK(cited > 12);
}

TEST_CASE("texts: every collective and every bound that can bind has one", "[explain]")
{
    for (const Collective collective : all_collectives) {
        CHECK(traits(collective).idea.size() > 20);
        CHECK(traits(collective).beware.size() > 20);
    }
    std::set<std::string> named;
    for (const BoundText& bound : bound_texts())
        named.insert(std::string(bound.name));
    for (const char* const network : {"hypercube:3", "mesh:3x5", "torus:3x4", "path:5", "petersen"})
        for (const Collective collective : all_collectives)
            for (const PortModel ports : {PortModel::all, PortModel::one})
                for (const std::size_t packets : {1U, 3U, 50U}) {
                    const Topology topology = Topology::parse(network);
                    Problem problem = example_problem(collective, topology);
                    problem.packets = is_matrix(collective) ? 1 : packets;
                    CAPTURE(network, name(collective), packets);
                    CHECK(named.contains(steps_proof(topology, ports, problem).name));
                    problem.link = {.kind = LinkKind::link_bound, .tau = {1, 1}, .beta = {10, 1}};
                    CHECK(named.contains(time_proof(topology, problem).name));
                }
}

TEST_CASE("texts: each bound is the one that binds in its own example, or one of L1 to L7", "[explain]")
{
    for (const BoundText& bound : bound_texts()) {
        CAPTURE(bound.name);
        const Page page = bound_page(bound, std::nullopt);
        REQUIRE(page.sections.size() == 3);
        const Block& proof = page.sections[1].blocks[1];
        REQUIRE(proof.kind == Block::Kind::proof);
        for (const ProofLine& line : proof.rows) {
            CAPTURE(line.words, line.number);
            CHECK(test::evaluated(line.number).right);
        }
    }
}

TEST_CASE("formulas: those of the unit model give the program's steps and transmissions", "[explain]")
{
    std::size_t compared = 0;
    for (const Entry& algorithm : catalogue()) {
        const CostFormula& text = algorithm.formula;
        if (algorithm.link == LinkKind::link_bound || text.steps.empty())
            continue;
        for (unsigned d = 1; d <= 7; ++d)
            for (const std::size_t packets : {1U, 2U, 3U, 7U, 1U << d, 3U << d}) {
                const Topology topology = Topology::hypercube(d);
                Case one{topology, algorithm.ports, example_problem(algorithm.collective, topology)};
                one.problem.packets = packets;
                if (!obstacle_of(algorithm, topology, algorithm.ports, one.problem).empty())
                    continue;
                CAPTURE(algorithm.name, name(algorithm.collective), d, packets);
                const Cost cost = algorithm.cost(topology, one.problem);
                const detail::Letters letters = detail::letters_of(LinkKind::unit, topology, one.problem);
                CHECK(Formula(text.steps).value(letters) == Exact(cost.steps));
                CHECK(Formula(text.transmissions).value(letters) == Exact(cost.transmissions));
                const std::vector<WorkedOut> worked = worked_out(algorithm, one);
                REQUIRE(worked.size() == 2);
                CHECK(last_number(worked[0].lines) == Exact(cost.steps));
                CHECK(last_number(worked[1].lines) == Exact(cost.transmissions));
                CHECK(worked[0].remark.empty());
                ++compared;
            }
    }
    CHECK(compared > 500);
}

TEST_CASE("formulas: those of links that take time give the program's time for sizes that divide", "[explain]")
{
    std::map<std::string, std::size_t> compared;
    for (const Entry& algorithm : catalogue()) {
        const CostFormula& text = algorithm.formula;
        if (text.time.empty())
            continue;
        for (const unsigned d : {2U, 3U, 4U, 6U})
            for (const std::size_t groups : {std::size_t{0}, std::size_t{1}, std::size_t{2}}) {
                const Topology topology = Topology::hypercube(d);
                Case one = example_case(algorithm, topology, Size::usual);
                if (is_matrix(algorithm.collective))
                    one.problem.rows = one.problem.columns = std::size_t{12} << d;
                else
                    one.problem.bytes = std::size_t{27720} << d;
                if (algorithm.collective == Collective::matrix_relayout)  // an even exchange if 4^d divides the rows
                    one.problem.rows = std::size_t{3} << (2 * d);
                one.problem.tuning.groups = algorithm.tunable.groups ? groups : 0;
                try {
                    if (!obstacle_of(algorithm, topology, PortModel::all, one.problem).empty())
                        continue;
                } catch (const InvalidArgument&) {
                    continue;
                }
                CAPTURE(algorithm.name, name(algorithm.collective), d, groups);
                const auto time = algorithm.time(topology, one.problem);
                REQUIRE(time);
                const std::vector<WorkedOut> worked = worked_out(algorithm, one);
                REQUIRE(worked.size() == 1);
                CHECK(worked[0].result == text_of(detail::exact(*time)));
                if (algorithm.tunable.groups && groups == 0)  // the best g need not divide the message
                    continue;
                CHECK(worked[0].remark.empty());
                CHECK(last_number(worked[0].lines) == detail::exact(*time));
                ++compared[std::string(algorithm.name) + std::string(name(algorithm.collective))];
            }
    }
    CHECK(compared.size() > 25);
}

TEST_CASE("pages: every entry's page can be made, and its small case is what the formulas say", "[explain]")
{
    for (const Entry& algorithm : catalogue()) {
        CAPTURE(algorithm.name, name(algorithm.collective), name(algorithm.link));
        const Case one = example_case(algorithm, Size::small);
        REQUIRE(obstacle_of(algorithm, one.topology, one.ports, one.problem).empty());
        const Page page = algorithm_page(algorithm, one);
        CHECK(page.sections.size() == 6);
        for (const Section& section : page.sections)
            CHECK(!section.blocks.empty());
        for (const Block& block : page.sections[2].blocks)
            for (const std::string& line : block.lines)
                CHECK_FALSE(std::regex_search(line, std::regex("\\b1 (steps|transmissions)\\b")));
    }
}
