// The numbers in docs/optimality.md, which other tests take theirs from, and those in docs/results.md are those of the
// program, and the bounds beside them hold.

#include "tests/docs/documents.hpp"
#include "tests/support/catch.hpp"

#include <dcube/dcube.hpp>

#include <nlohmann/json.hpp>

#include <cstdint>
#include <map>

using namespace dcube;
using namespace dcube::test;

namespace {

using Row = std::vector<std::string>;

std::string trimmed(const std::string& text)
{
    const std::size_t begin = text.find_first_not_of(' ');
    return begin == std::string::npos ? "" : text.substr(begin, text.find_last_not_of(' ') - begin + 1);
}

// The rows of the first table below a heading, without its own two lines.
std::vector<Row> table_below(const std::string& heading)
{
    std::vector<Row> rows;
    bool here = false;
    for (const DocumentLine& line : lines_with_fences("docs/optimality.md")) {
        if (line.text.starts_with("#"))
            here = line.text == heading;
        if (!here || !line.text.starts_with("|"))
            continue;
        rows.push_back(cells_of(line.text));
    }
    REQUIRE(rows.size() > 2);
    rows.erase(rows.begin(), rows.begin() + 2);
    return rows;
}

// The tables of docs/results.md whose first column is `column`, each with its heads as the first row.
std::vector<std::vector<Row>> tables_of_results(const std::string& column)
{
    std::vector<std::vector<Row>> tables;
    bool here = false;
    for (const DocumentLine& line : lines_with_fences("docs/results.md")) {
        if (!line.text.starts_with("|")) {
            here = false;
            continue;
        }
        const Row cells = cells_of(line.text);
        if (cells.front() == column) {
            here = true;
            tables.emplace_back();
        }
        if (here && !cells.front().starts_with("---"))
            tables.back().push_back(cells);
    }
    return tables;
}

nlohmann::json report_of(const std::string& words)
{
    const Outcome outcome = dcube_line("run " + words + " --format json");
    CAPTURE(words, outcome.err);
    REQUIRE(outcome.exit_code == 0);
    return nlohmann::json::parse(outcome.out);
}

std::uint64_t steps_of(const Topology& topology, PortModel ports, const Problem& problem)
{
    return find_algorithm(topology, ports, problem).cost(topology, problem).steps;
}

}  // namespace

TEST_CASE("optimality.md: the table of numbers is what the algorithms take", "[docs]")
{
    for (const Row& row : table_below("### the table of numbers")) {
        const auto d = static_cast<unsigned>(std::stoul(row.at(0)));
        CAPTURE(d);
        const Topology cube = Topology::hypercube(d);
        const auto number = [&](std::size_t cell) { return std::stoull(row.at(cell)); };
        std::size_t cell = 1;
        for (const Collective collective : {Collective::scatter, Collective::all_gather, Collective::all_to_all}) {
            const Problem problem{.collective = collective, .bytes = 1};
            const Cost cost = find_algorithm(cube, PortModel::all, problem).cost(cube, problem);
            CHECK(cost.steps == number(cell));
            CHECK(cost.transmissions == number(cell + 1));
            CHECK(steps_bound(cube, PortModel::all, problem).value == number(cell));
            cell += 2;
        }
        CHECK(steps_of(cube, PortModel::one, {.collective = Collective::all_gather, .bytes = 1}) == number(7));
        CHECK(steps_of(cube, PortModel::one, {.collective = Collective::all_to_all, .bytes = 1}) == number(8));
        const Problem sums{.collective = Collective::all_reduce, .bytes = 1, .packets = cube.nodes()};
        CHECK(steps_of(cube, PortModel::all, sums) == number(9));
        CHECK(steps_bound(cube, PortModel::all, sums).value == number(10));
    }
}

TEST_CASE("optimality.md: the case in numbers is what the machine takes", "[docs][slow]")
{
    for (const Row& row : table_below("### one case in numbers")) {
        const std::string what = row.at(2).substr(1, row.at(2).size() - 2);
        CAPTURE(what);
        const Outcome outcome = dcube_line("run " + what + " --dim 4 --tau 1 --beta 10 --format json");
        REQUIRE(outcome.exit_code == 0);
        const nlohmann::json report = nlohmann::json::parse(outcome.out);
        CHECK(report["virtual_time_ns"] == std::stoull(row.at(3)));
        CHECK(report["time_lower_bound_ns"] == std::stoull(row.at(4)));
    }
}

TEST_CASE("optimality.md: the bounds of three networks are what the program says", "[docs]")
{
    const std::vector<std::string> networks{"torus:6x6", "mesh:3x5", "ring:5*path:4*complete:3"};
    const std::vector<Row> rows = table_below("### three networks in numbers");
    for (std::size_t i = 0; i < networks.size(); ++i) {
        const Topology topology = Topology::parse(networks[i]);
        std::size_t compared = 0;
        for (const Row& row : rows) {
            const std::string cell = row.at(i + 1).substr(row.at(i + 1).rfind('=') + 1);
            CAPTURE(networks[i], row.at(0));
            if (row.at(0) == "AS")
                CHECK(trimmed(cell) == to_string(average_status(topology)));
            for (const PortModel ports : {PortModel::one, PortModel::all})
                for (const auto& bound : exchange_bounds(topology, ports))
                    if (bound.name == row.at(0)) {
                        CHECK(std::stoull(cell) == bound.steps);
                        ++compared;
                    }
        }
        CHECK(compared == 6);  // L1, L2, L5, L6, and L7 under both port models
    }
}

TEST_CASE("results.md: each command takes the steps, packets and time beside it", "[docs][slow]")
{
    const std::map<std::string, std::string> keys{{"steps", "steps"},
                                                  {"bound", "steps_lower_bound"},
                                                  {"transmissions", "transmissions"},
                                                  {"time", "predicted_time_ns"},
                                                  {"time bound", "time_lower_bound_ns"}};
    std::size_t compared = 0;
    for (const std::vector<Row>& table : tables_of_results("`./dcube run`"))
        for (std::size_t row = 1; row < table.size(); ++row) {
            const std::string& words = table[row].front();
            const nlohmann::json report = report_of(words.substr(1, words.size() - 2) + " --dry-run");
            CAPTURE(words);
            for (std::size_t cell = 1; cell < table[row].size(); ++cell, ++compared)
                CHECK(report[keys.at(table.front().at(cell))] == std::stoull(table[row][cell]));
        }
    CHECK(compared > 100);
}

TEST_CASE("results.md: the blocks that each algorithm keeps in transit on a cube are what the program says",
          "[docs][slow]")
{
    const std::vector<std::vector<Row>> tables = tables_of_results("d");
    REQUIRE(tables.size() == 1);
    for (std::size_t row = 1; row < tables.front().size(); ++row) {
        std::vector<std::uint64_t> shown;
        for (const std::string& cell : tables.front()[row])
            shown.push_back(std::stoull(cell));
        std::vector<std::uint64_t> found{shown.front()};
        for (const std::string algorithm : {"optimal", "staircase", "edge-colouring"}) {
            const nlohmann::json report = report_of("all-to-all --dim " + std::to_string(shown.front()) +
                                                    " --bytes 1 --repeat 1 --algorithm " + algorithm);
            if (found.size() == 1)
                found.push_back(report["steps"]);
            found.push_back(report["in_transit"]);
            found.push_back(report["largest_in_transit_bytes"]);
            if (algorithm == "edge-colouring")
                found.push_back(report["in_transit_lower_bound"]);
        }
        CHECK(found == shown);
    }
}
