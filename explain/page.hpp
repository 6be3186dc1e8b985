#pragma once
// Page: an explanation, before it is laid out as text or markdown.

#include "explain/proof.hpp"

#include <cstdint>
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

}  // namespace dcube::explain
