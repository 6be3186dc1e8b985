// The documents' claims about dcube's speed are those that `./dcube figures` measures, claim by claim, with the same
// commands and targets. Where docs/measurements/figures.json is kept, its values are those of the documents.

#include "bench/figures/claims.hpp"
#include "tests/docs/documents.hpp"
#include "tests/support/catch.hpp"

#include <nlohmann/json.hpp>

#include <map>
#include <optional>
#include <set>

using namespace dcube::test;
using figures::Claim;

namespace {

constexpr const char* performance = "docs/performance.md";

// A row of a table whose columns begin with what, measured, target.
struct ClaimRow {
    std::size_t line;
    std::string what;
    std::string measured;
    std::string target;
    std::string note;
    std::string command;  // the row's own, or the last one that is named before the table
};

std::vector<ClaimRow> claim_rows()
{
    static const std::regex command_pattern(R"(`(\./dcube [^`]+)`)");
    std::vector<ClaimRow> rows;
    std::string command;
    bool in_table = false;
    const std::vector<DocumentLine> lines = lines_with_fences(performance);
    for (std::size_t i = 0; i < lines.size(); ++i) {
        const std::string& line = lines[i].text;
        if (!line.starts_with("|")) {
            in_table = false;
            std::smatch match;
            if (std::regex_search(line, match, command_pattern))
                command = match[1];
        } else if (line.starts_with("| what | measured | target |")) {
            in_table = true;
        } else if (in_table && !line.starts_with("| ---")) {
            std::vector<std::string> cells = cells_of(line);
            cells.resize(5);
            const std::string own = cells[4].empty() ? command : cells[4].substr(1, cells[4].size() - 2);
            rows.push_back({i, cells[0], cells[1], cells[2], cells[3], own});
        }
    }
    REQUIRE(rows.size() > 5);
    return rows;
}

const Claim* claim_of(const std::string& what)
{
    for (const Claim& claim : figures::claims())
        if (claim.what == what)
            return &claim;
    return nullptr;
}

// The values in docs/measurements/figures.json for each claim, by its first words in the documents.
std::map<std::string, std::string> kept_values()
{
    std::map<std::string, std::string> values;
    const std::string file = source_path("docs/measurements/figures.json");
    if (!std::filesystem::exists(file))
        return values;
    const nlohmann::json document = nlohmann::json::parse(read_text(file));
    for (const nlohmann::json& figure : document.at("figures"))
        if (!figure.at("text").is_null())
            values[figure.at("what").get<std::string>()] = figure.at("text").get<std::string>();
    return values;
}

// The README in one line, so that a claim may be broken where lines end.
std::string words_of_readme()
{
    std::string text = read_text(source_path("README.md"));
    return std::regex_replace(text, std::regex(R"(\s+)"), " ");
}

void write_values(const std::vector<ClaimRow>& rows, const std::map<std::string, std::string>& values)
{
    std::vector<std::string> lines = lines_of(read_text(source_path(performance)));
    for (const ClaimRow& row : rows)
        if (const auto value = values.find(row.what); value != values.end()) {
            const std::optional<double> number = std::stod(value->second) / claim_of(row.what)->unit.scale;
            const bool missed = !figures::is_met(*claim_of(row.what), *number).value_or(true);
            std::string note = row.note == "**missed**" || missed ? (missed ? "**missed**" : "") : row.note;
            std::string line = "| " + row.what + " | " + value->second;
            for (const std::string& cell : {row.target, note})
                line += cell.empty() ? " |" : " | " + cell;
            const bool has_command = lines[row.line].ends_with("` |");
            lines[row.line] = line + (has_command ? " | `" + row.command + "` |" : " |");
        }
    std::ofstream file(source_path(performance));
    for (const std::string& line : lines)
        file << line << '\n';
}

}  // namespace

TEST_CASE("performance.md: each claim is one that ./dcube figures measures, with its command and target", "[docs]")
{
    for (const ClaimRow& row : claim_rows()) {
        CAPTURE(row.what);
        const Claim* const claim = claim_of(row.what);
        REQUIRE(claim != nullptr);
        CHECK(row.command == claim->command);
        CHECK(row.target == figures::target_text(*claim));
        CHECK(row.measured.ends_with(std::string(" ") + std::string(claim->unit.shown)));
        const double value = std::stod(row.measured) / claim->unit.scale;
        const bool missed = !figures::is_met(*claim, value).value_or(true);
        CHECK((row.note.find("**missed**") != std::string::npos) == missed);
    }
}

TEST_CASE("performance.md: each claim that ./dcube figures measures stands there once", "[docs]")
{
    std::multiset<std::string> found;
    for (const ClaimRow& row : claim_rows())
        found.insert(row.what);
    for (const Claim& claim : figures::claims()) {
        CAPTURE(claim.what);
        CHECK(found.count(std::string(claim.what)) == 1);
    }
}

TEST_CASE("README: its statements on speed are the claims that ./dcube figures measures", "[docs]")
{
    const std::string readme = words_of_readme();
    std::size_t claimed = 0;
    for (const Claim& claim : figures::claims()) {
        CAPTURE(claim.in_readme);
        claimed += claim.in_readme.empty() ? 0 : 1;
        CHECK(readme.find(claim.in_readme) != std::string::npos);
    }
    CHECK(claimed == 7);

    // Every point of the list is one of the claims.
    const std::size_t begin = readme.find("## How fast");
    std::string list = readme.substr(begin, readme.find("## Papers") - begin);
    for (std::size_t at = list.find(" - "); at != std::string::npos;) {
        const std::size_t next = list.find(" - ", at + 1);
        const std::string point = list.substr(at, next - at);
        CAPTURE(point);
        bool is_claimed = false;
        for (const Claim& claim : figures::claims())
            is_claimed = is_claimed || (!claim.in_readme.empty() && point.find(claim.in_readme) != std::string::npos);
        CHECK(is_claimed);
        at = next;
    }
}

TEST_CASE("performance.md: the values are those of the kept measurements", "[docs]")
{
    const std::map<std::string, std::string> values = kept_values();
    const std::vector<ClaimRow> rows = claim_rows();
    CHECK(rows.size() > 20);
    if (updating_documents()) {
        write_values(rows, values);
        return;
    }
    for (const ClaimRow& row : rows)
        if (const auto value = values.find(row.what); value != values.end()) {
            CAPTURE(row.what);
            CHECK(row.measured == value->second);
        }
}
