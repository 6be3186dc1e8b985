#include "collectives/graphs/edge_colouring.hpp"

#include "base/planning.hpp"

#include <algorithm>
#include <bit>
#include <cstddef>
#include <utility>

namespace dcube::detail {

namespace {

using Colour = std::uint32_t;
using EdgeIndex = std::uint32_t;

constexpr EdgeIndex no_edge = ~EdgeIndex{0};
constexpr Colour no_colour = ~Colour{0};

// One side's edges by colour.
class ColouredEnds {
public:
    ColouredEnds(std::uint32_t ends, Colour colours) : colours_(colours), edges_(std::size_t{ends} * colours, no_edge)
    {
    }

    [[nodiscard]] EdgeIndex at(std::uint32_t end, Colour colour) const { return edges_[place(end, colour)]; }
    void set(std::uint32_t end, Colour colour, EdgeIndex edge) { edges_[place(end, colour)] = edge; }
    void clear(std::uint32_t end, Colour colour) { edges_[place(end, colour)] = no_edge; }

private:
    [[nodiscard]] std::size_t place(std::uint32_t end, Colour colour) const
    {
        return std::size_t{end} * colours_ + colour;
    }

    Colour colours_;
    std::vector<EdgeIndex> edges_;
};

// The colours that are free at each end, as bits.
class FreeColours {
public:
    FreeColours(std::uint32_t ends, Colour colours)
        : colours_(colours), words_((colours + 63) / 64), bits_(std::size_t{ends} * words_, ~std::uint64_t{0}),
          first_word_(ends)
    {
    }

    // The first one from `from` on.
    Colour next(std::uint32_t end, Colour from)
    {
        const std::uint64_t* const bits = &bits_[std::size_t{end} * words_];
        std::uint32_t& first = first_word_[end];
        while (first < words_ && bits[first] == 0)
            ++first;
        for (std::uint32_t word = std::max(from / 64, first); word < words_; ++word) {
            const std::uint64_t here = word == from / 64 ? bits[word] & ~std::uint64_t{0} << from % 64 : bits[word];
            const Colour colour = word * 64 + static_cast<Colour>(std::countr_zero(here));
            if (here != 0)
                return colour < colours_ ? colour : no_colour;
        }
        return no_colour;
    }
    void take(std::uint32_t end, Colour colour) { word_of(end, colour) &= ~(std::uint64_t{1} << colour % 64); }
    void give_back(std::uint32_t end, Colour colour)
    {
        word_of(end, colour) |= std::uint64_t{1} << colour % 64;
        first_word_[end] = std::min(first_word_[end], colour / 64);
    }

private:
    std::uint64_t& word_of(std::uint32_t end, Colour colour) { return bits_[std::size_t{end} * words_ + colour / 64]; }

    Colour colours_;
    std::uint32_t words_;
    std::vector<std::uint64_t> bits_;
    std::vector<std::uint32_t> first_word_;  // by end: no word before it has a free colour
};

class Colouring {
public:
    Colouring(std::span<const ColouredEdge> edges, std::uint32_t lefts, std::uint32_t rights, Colour colours)
        : edges_(edges), colour_(edges.size(), no_colour), left_(lefts, colours), right_(rights, colours),
          free_(rights, colours)
    {
    }

    std::vector<Colour> colour_all()
    {
        constexpr EdgeIndex edges_between_signs = 256;
        for (EdgeIndex edge = 0; edge < edges_.size(); ++edge) {
            if (edge % edges_between_signs == 0)
                planning("edge colouring", static_cast<double>(edge) / static_cast<double>(edges_.size()));
            const auto [left, right] = edges_[edge];
            Colour colour = common_free_colour(left, right);
            if (colour == no_colour) {
                colour = free_on_left(left);
                exchange_along_path(right, colour, free_.next(right, 0));
            }
            set(edge, colour);
        }
        return std::move(colour_);
    }

private:
    Colour common_free_colour(std::uint32_t left, std::uint32_t right)
    {
        Colour colour = free_.next(right, 0);
        while (colour != no_colour && left_.at(left, colour) != no_edge)
            colour = free_.next(right, colour + 1);
        return colour;
    }

    [[nodiscard]] Colour free_on_left(std::uint32_t left) const
    {
        Colour colour = 0;
        while (left_.at(left, colour) != no_edge)
            ++colour;
        return colour;
    }

    // Makes colour `a` free at the right end, where `b` is free: exchanges the two on the path of edges a, b, a, ..
    // that begins there. It does not come to a left end at which `a` is free.
    void exchange_along_path(std::uint32_t right, Colour a, Colour b)
    {
        path_.clear();
        for (EdgeIndex edge = right_.at(right, a); edge != no_edge; edge = right_.at(edges_[edge].right, a)) {
            path_.push_back(edge);
            edge = left_.at(edges_[edge].left, b);
            if (edge == no_edge)
                break;
            path_.push_back(edge);
        }
        // Cleared first: where two edges of the path meet, setting one's new colour would overwrite the other's old
        // one.
        for (const EdgeIndex edge : path_)
            clear(edge);
        for (std::size_t i = 0; i < path_.size(); ++i)
            set(path_[i], i % 2 == 0 ? b : a);
    }

    void set(EdgeIndex edge, Colour colour)
    {
        const auto [left, right] = edges_[edge];
        colour_[edge] = colour;
        left_.set(left, colour, edge);
        right_.set(right, colour, edge);
        free_.take(right, colour);
    }

    void clear(EdgeIndex edge)
    {
        const auto [left, right] = edges_[edge];
        const Colour colour = std::exchange(colour_[edge], no_colour);
        left_.clear(left, colour);
        right_.clear(right, colour);
        free_.give_back(right, colour);
    }

    std::span<const ColouredEdge> edges_;
    std::vector<Colour> colour_;
    ColouredEnds left_;
    ColouredEnds right_;
    FreeColours free_;  // at right ends
    std::vector<EdgeIndex> path_;
};

}  // namespace

std::uint32_t largest_degree(std::span<const ColouredEdge> edges)
{
    std::vector<std::uint32_t> left;
    std::vector<std::uint32_t> right;
    std::uint32_t most = 0;
    const auto count = [&](std::vector<std::uint32_t>& degrees, std::uint32_t node) {
        if (node >= degrees.size())
            degrees.resize(node + std::size_t{1});
        most = std::max(most, ++degrees[node]);
    };
    for (const ColouredEdge& edge : edges) {
        count(left, edge.left);
        count(right, edge.right);
    }
    return most;
}

std::vector<std::uint32_t> colour_edges(std::span<const ColouredEdge> edges, std::uint32_t colours)
{
    std::uint32_t lefts = 0;
    std::uint32_t rights = 0;
    for (const ColouredEdge& edge : edges) {
        lefts = std::max(lefts, edge.left + 1);
        rights = std::max(rights, edge.right + 1);
    }
    return Colouring(edges, lefts, rights, colours).colour_all();
}

}  // namespace dcube::detail
