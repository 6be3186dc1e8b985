// The words of docs/glossary.md, and that they are found.

#include "inspect/explain/lookup.hpp"
#include "inspect/explain/texts.hpp"
#include "tests/support/catch.hpp"

#include <dcube/error.hpp>

#include <fmt/format.h>

#include <fstream>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <vector>

using namespace dcube;
using namespace dcube::explain;

namespace {

using Cells = std::vector<std::string>;

// The rows below a heading, without the table's own two lines.
std::vector<Cells> rows_below(const std::string& heading)
{
    std::ifstream file(DCUBE_SOURCE_DIR "/docs/glossary.md");
    std::vector<Cells> rows;
    bool within = false;
    for (std::string line; std::getline(file, line);) {
        if (line.starts_with("## "))
            within = line == heading;
        if (!within || !line.starts_with("|"))
            continue;
        Cells cells(1);
        for (std::size_t i = 1; i + 1 < line.size(); ++i) {
            if (line[i] == '|' && line[i - 1] != '\\')
                cells.emplace_back();
            else if (line[i] != '\\')
                cells.back() += line[i];
        }
        for (std::string& cell : cells) {
            cell.erase(0, cell.find_first_not_of(' '));
            cell.erase(cell.find_last_not_of(' ') + 1);
        }
        rows.push_back(cells);
    }
    REQUIRE(rows.size() > 2);
    rows.erase(rows.begin(), rows.begin() + 2);
    return rows;
}

std::map<std::string, std::string> written(const std::string& heading)
{
    std::map<std::string, std::string> words;
    for (const Cells& row : rows_below(heading))
        words[row.at(0)] = row.at(1);
    return words;
}

std::map<std::string, std::string> told(std::span<const WordText> texts)
{
    std::map<std::string, std::string> words;
    for (const WordText& word : texts)
        words[word.word] = word.meaning;
    return words;
}

}  // namespace

TEST_CASE("words: the words that are explained are the glossary's", "[explain]")
{
    CHECK(told(word_texts()) == written("## dcube's words"));
    CHECK(told(label_texts()) == written("## Rows and columns"));
    CHECK(told(textbook_texts()) == written("## The textbooks' words"));
    CHECK(told(letter_texts()) == written("## Letters"));
    CHECK(told(ambiguous_texts()) == written("## Words with several meanings in the papers"));
    constexpr std::string_view authors[] = {"", "Bertsekas et al.", "Stout & Wagar", "Dimakopoulos & Dimopoulos"};
    std::vector<std::string> papers;
    for (const Cells& row : rows_below("## The papers' words"))
        for (std::size_t paper = 1; paper <= 3; ++paper)
            for (const std::string_view word : words_in(row.at(paper)))
                papers.push_back(
                    fmt::format("{} = {}'s name of what dcube calls {}", word, authors[paper], row.front()));
    std::vector<std::string> explained;
    for (const WordText& word : paper_word_texts())
        explained.push_back(word.word + " = " + word.meaning);
    CHECK(papers == explained);
}

TEST_CASE("words: every word of the glossary is found, and leads to its explanation", "[explain]")
{
    for (const char* const heading :
         {"## dcube's words", "## Rows and columns", "## Values of options", "## The textbooks' words", "## Letters",
          "## Words with several meanings in the papers"})
        for (const auto& [words, meaning] : written(heading))
            for (const std::string_view word : words_in(words)) {
                CAPTURE(word);
                CHECK_NOTHROW(explain::find(word));
            }
    for (const Cells& row : rows_below("## The papers' words"))
        for (const std::string& cell : row)
            for (const std::string_view word : words_in(cell)) {
                CAPTURE(word);
                if (word != row.front())
                    CHECK_NOTHROW(explain::find(word));
            }
    for (const WordText& word : paper_word_texts()) {
        CAPTURE(word.word, word.see);
        CHECK_NOTHROW(explain::find(word.see));
    }
}

TEST_CASE("lookup: names, aliases, papers' names, bounds and words are found, others are refused", "[explain]")
{
    CHECK(explain::find("total exchange").collectives == std::vector{Collective::all_to_all});
    CHECK(explain::find("bcast").collectives == std::vector{Collective::broadcast});
    CHECK(explain::find("MPI_Sendrecv").collectives == std::vector{Collective::exchange});
    CHECK(explain::find("multinode broadcast").collectives == std::vector{Collective::all_gather});
    CHECK(explain::find("BROADCAST 4").algorithms.size() == 1);
    CHECK(explain::find("shortest-paths").algorithms.size() > 10);
    CHECK(explain::find("L5").bounds.size() == 1);
    CHECK(explain::find("port model").words.size() == 1);
    REQUIRE(explain::find("opposite corner").words.size() == 1);
    CHECK(explain::find("opposite corner").words.front()->meaning ==
          "Stout & Wagar's name of what dcube calls antipode");
    CHECK(explain::find("opposite corner").words.front()->see == "antipode");
    REQUIRE(explain::find("m").words.size() == 1);
    CHECK(explain::find("m").words.front()->word == "m");
    CHECK(explain::find("M").words.front()->word == "M");
    for (const char* const word : {"Gray code", "bisection-width", "arc connectivity", "dilation"}) {
        CAPTURE(word);
        CHECK(explain::find(word).words.size() == 1);
    }
    CHECK(explain::find("storage").words.front()->word == "buffers, storage");
    CHECK_THROWS_AS(explain::find("no such thing"), InvalidArgument);
    CHECK_THROWS_WITH(explain::find("balanced-tre"), Catch::Contains("did you mean balanced-tree?"));
}
