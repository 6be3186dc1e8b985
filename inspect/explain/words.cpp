// The words, read from the tables of docs/glossary.md, which stands in the library.

#include "base/names.hpp"
#include "inspect/explain/texts.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace dcube::explain {

extern const std::string_view glossary_text;  // docs/glossary.md

namespace {

using Cells = std::vector<std::string>;

// "| \|x\| | number of 1 bits of x |"
Cells cells_of(std::string_view line)
{
    Cells cells(1);
    for (std::size_t i = 1; i + 1 < line.size(); ++i) {
        if (line[i] == '\\' && line[i + 1] == '|')
            cells.back() += line[++i];
        else if (line[i] == '|')
            cells.emplace_back();
        else
            cells.back() += line[i];
    }
    for (std::string& cell : cells)
        cell = trimmed(cell);
    return cells;
}

// The rows of the table below a heading, without the table's own two lines.
std::vector<Cells> rows_below(std::string_view heading)
{
    std::vector<Cells> rows;
    bool within = false;
    for (const std::string& line : split(glossary_text, "\n")) {
        if (line.starts_with("## "))
            within = line.substr(3) == heading;
        if (within && line.starts_with("|"))
            rows.push_back(cells_of(line));
    }
    rows.erase(rows.begin(), rows.begin() + 2);
    return rows;
}

// The word under which dcube's word is explained, which may be another one.
std::string explained_by(const std::string& word)
{
    if (word == "port k")
        return "port";
    return word == "all ports" || word == "one port" ? "port model" : word;
}

std::vector<WordText> words_below(std::string_view heading)
{
    std::vector<WordText> words;
    for (Cells& row : rows_below(heading))
        words.push_back({std::move(row[0]), std::move(row[1])});
    return words;
}

}  // namespace

std::span<const WordText> word_texts()
{
    static const std::vector<WordText> words = words_below("dcube's words");
    return words;
}

std::span<const WordText> value_texts()
{
    static const std::vector<WordText> values = [] {
        std::vector<WordText> all;
        for (Cells& row : rows_below("Values of options"))
            all.push_back({std::move(row[0]), std::move(row[2]), {}, std::move(row[1])});
        return all;
    }();
    return values;
}

std::span<const WordText> label_texts()
{
    static const std::vector<WordText> labels = words_below("Rows and columns");
    return labels;
}

std::span<const WordText> textbook_texts()
{
    static const std::vector<WordText> words = words_below("The textbooks' words");
    return words;
}

std::span<const WordText> letter_texts()
{
    static const std::vector<WordText> letters = words_below("Letters");
    return letters;
}

std::span<const WordText> ambiguous_texts()
{
    static const std::vector<WordText> words = words_below("Words with several meanings in the papers");
    return words;
}

const std::vector<WordText>& paper_word_texts()
{
    static const std::vector<WordText> words = [] {
        constexpr std::string_view papers[] = {"Bertsekas et al.", "Stout & Wagar", "Dimakopoulos & Dimopoulos"};
        std::vector<WordText> all;
        for (const Cells& row : rows_below("The papers' words")) {
            const std::string& word = row[0];
            for (std::size_t paper = 0; paper < std::size(papers); ++paper)
                for (const std::string_view name : words_in(row[paper + 1]))
                    all.push_back({std::string(name),
                                   fmt::format("{}'s name of what dcube calls {}", papers[paper], word),
                                   explained_by(word)});
        }
        return all;
    }();
    return words;
}

std::vector<std::string_view> words_in(std::string_view list)
{
    std::vector<std::string_view> words;
    while (!list.empty()) {
        const std::size_t end = std::min(list.find_first_of(",;"), list.size());
        words.push_back(list.substr(0, end));
        list.remove_prefix(std::min(list.size(), end + 2));
    }
    return words;
}

}  // namespace dcube::explain
