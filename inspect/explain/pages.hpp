#pragma once
// The pages of dcube explain, about an algorithm, a collective, a bound or a word, before they are laid out as text or
// markdown.

#include "inspect/explain/case.hpp"
#include "inspect/explain/proof.hpp"
#include "inspect/explain/texts.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace dcube::explain {

struct Block {
    enum class Kind : std::uint8_t {
        paragraph,  ///< one text, to be wrapped
        lines,      ///< as they are: formulas and commands
        rows,       ///< a label and what belongs to it
        proof,      ///< words left, number right
    };
    Kind kind = Kind::paragraph;
    std::vector<std::string> lines{};
    std::vector<ProofLine> rows{};
};

inline Block paragraph(std::string text)
{
    return {.lines = {std::move(text)}};
}
inline Block lines_block(std::vector<std::string> lines)
{
    return {.kind = Block::Kind::lines, .lines = std::move(lines)};
}
inline Block rows_block(std::vector<ProofLine> rows)
{
    return {.kind = Block::Kind::rows, .rows = std::move(rows)};
}
inline Block proof_block(const Proof& proof)
{
    return {.kind = Block::Kind::proof, .rows = proof.lines};
}

struct Section {
    std::string heading;
    std::vector<Block> blocks;
};

struct Page {
    std::string title;
    std::vector<Section> sections;
};

/// The numbers are for `one`; the steps shown are those of a small case of its own, which this function runs.
Page algorithm_page(const Entry& algorithm, const Case& one);

/// Only the idea and the formula. The algorithm is the catalogue's.
Page reasons_page(const Entry& algorithm, const Case& one);

/// The algorithm's page without the small case and what to try: shown after a run.
Page run_page(const Entry& algorithm, const Case& one);

Page collective_page(const Case& one);

/// The page shows the bound's own example, or the case if one is given. Throws InvalidArgument if another bound binds
/// there.
Page bound_page(const BoundText& bound, const std::optional<Case>& given);

Page word_page(const WordText& word);
/// The word's meaning in a line, without a full stop.
std::string meaning_of(const WordText& word);

/// The bound's proof in its own example; none: another bound binds there.
std::optional<Proof> example_proof(const BoundText& bound);

/// The proof of the least steps or, on links that take time, of the least time.
Proof proof_of(const Case& one);

}  // namespace dcube::explain
