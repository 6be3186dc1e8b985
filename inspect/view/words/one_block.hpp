#pragma once
// What one block does in a film: the sentences of lessons. Those on all nodes are in sentences.hpp.

#include "inspect/view/film/film.hpp"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace dcube::view {

/// The story of one block, message or share.
struct OneBlock {
    struct Sentence {
        std::uint64_t at = 0;  ///< the step, or on links that take time the tick, from which on it is shown
        std::string text;
    };
    std::string name;                 ///< "node 0's block for node 7"
    MessageEnds ends{};               ///< a share's origin is the node whose share it is
    std::vector<std::size_t> rows;    ///< the film's rows that carry it, ascending
    std::vector<Sentence> sentences;  ///< the first at 0; the last after the last step, or when all has arrived
};

/// Follows what goes farthest of what the root sends or gets or, where every node sends some, of the first node's. None
/// where nothing is sent, or only counts were kept.
std::optional<OneBlock> one_block(const Film& film);

}  // namespace dcube::view
