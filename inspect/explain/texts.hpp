#pragma once
// The texts about each bound and word. (An algorithm's text is in its entry in the catalogue, a collective's in its
// traits.) Tests compare them with the bounds and the glossary, so that nothing lacks a text.

#include <dcube/catalogue.hpp>
#include <dcube/collective.hpp>

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace dcube::explain {

struct BoundText {
    std::string_view name;  ///< "L5", "root-links"
    std::string_view title;
    std::string_view argument;
    std::string_view formula;
    std::string_view network;  ///< of the example, and the task there
    Collective collective;
    PortModel ports = PortModel::all;
    std::size_t packets = 1;
    LinkKind link = LinkKind::unit;
};
std::span<const BoundText> bound_texts();

/// A word of its tables.
struct WordText {
    std::string word;  ///< "port model"; or several: "d, N"
    std::string meaning;
    std::string see{};  ///< dcube's own word, where this is a paper's
    std::string of{};   ///< the options that take it, where it is a value: "--pin"
};
/// dcube's words; values of options; rows and columns of reports and tables; the textbooks' words; the letters of
/// formulas; words that mean several things in the papers; the papers' names of what dcube calls otherwise, paper by
/// paper.
std::span<const WordText> word_texts();
std::span<const WordText> value_texts();
std::span<const WordText> label_texts();
std::span<const WordText> textbook_texts();
std::span<const WordText> letter_texts();
std::span<const WordText> ambiguous_texts();
const std::vector<WordText>& paper_word_texts();

/// "d, N" and "g; X; q" are several.
std::vector<std::string_view> words_in(std::string_view list);

}  // namespace dcube::explain
