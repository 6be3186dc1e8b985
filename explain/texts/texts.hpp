#pragma once
// The texts: what is said of each algorithm, collective, bound and word. Tests hold them against the catalogue, the
// bounds and the glossary: nothing lacks a text, and no text is of nothing.

#include <dcube/catalogue.hpp>
#include <dcube/collective.hpp>

#include <algorithm>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

namespace dcube::explain {

/// Of one entry of the catalogue, or of several that share their idea.
struct AlgorithmText {
    std::vector<Collective> collectives;
    std::string_view name;
    LinkKind link = LinkKind::unit;
    std::string_view idea;
    std::string_view steps{};          ///< formulas of the unit model, where there are closed ones
    std::string_view transmissions{};  ///< the same
    std::string_view time{};           ///< formula of link-bound ones, exact for sizes that divide
    std::string_view said{};           ///< the formula in words, where none can be worked out
};
std::vector<AlgorithmText> unit_cube_texts();
std::vector<AlgorithmText> link_bound_texts();
std::vector<AlgorithmText> send_texts();
std::vector<AlgorithmText> matrix_texts();
std::vector<AlgorithmText> network_texts();

/// All of these. Throws std::logic_error if the entry has none.
const std::vector<AlgorithmText>& algorithm_texts();
const AlgorithmText& text_of(const Algorithm& algorithm);

/// What its paper says of an entry, and where it differs.
struct PaperText {
    std::vector<Collective> collectives;
    std::string_view name;
    LinkKind link;
    std::string_view says;
};
std::vector<PaperText> papers_of_link_bound();
std::vector<PaperText> papers_of_sends_and_matrices();

/// Those of all entries.
const std::vector<PaperText>& paper_texts();
/// Throws std::logic_error if the entry has none.
const PaperText& paper_text_of(const Algorithm& algorithm);

/// The text of these that is the entry's. Throws std::logic_error if there is none.
template <class Text>
const Text& matching(const std::vector<Text>& texts, const Algorithm& algorithm)
{
    for (const Text& text : texts)
        if (text.name == algorithm.name && text.link == algorithm.link &&
            std::ranges::find(text.collectives, algorithm.collective) != text.collectives.end())
            return text;
    throw std::logic_error("no text of " + std::string(algorithm.name));
}

struct CollectiveText {
    Collective collective;
    std::string_view idea;
    std::string_view beware;  ///< what is often believed, and is not so
};
std::span<const CollectiveText> collective_texts();
const CollectiveText& text_of(Collective collective);

struct BoundText {
    std::string_view name;  ///< "L5", "root-links"
    std::string_view title;
    std::string_view argument;
    std::string_view formula;
    std::string_view network;  ///< of the example, with what is done there
    Collective collective;
    PortModel ports = PortModel::all;
    std::size_t packets = 1;
    LinkKind link = LinkKind::unit;
};
std::span<const BoundText> bound_texts();

/// docs/glossary.md's, which a test compares with this.
struct WordText {
    std::string word;  ///< "port model"; or several: "d, N"
    std::string meaning;
    std::string see{};  ///< dcube's own word, where this is a paper's
};
/// dcube's words; the letters of formulas; words that mean several things in the papers.
std::span<const WordText> word_texts();
std::span<const WordText> letter_texts();
std::span<const WordText> ambiguous_texts();

/// What the papers call what dcube calls `word`; empty where they have no word, or the same.
struct PapersWords {
    std::string_view word;
    std::string_view bertsekas;
    std::string_view stout;
    std::string_view dimakopoulos;
    std::string_view see{};  ///< what explains it, if that is another word
};
std::span<const PapersWords> papers_words();
/// The same as words: of each paper's own.
const std::vector<WordText>& paper_word_texts();

/// "d, N" and "g; X; q" are several.
std::vector<std::string_view> words_in(std::string_view list);

}  // namespace dcube::explain
