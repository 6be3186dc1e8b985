#include "algorithms/edge_colouring.hpp"

#include <algorithm>
#include <bit>
#include <cstddef>

namespace dcube::detail {

namespace {

using Colour = std::uint32_t;
using EdgeIndex = std::uint32_t;

constexpr EdgeIndex no_edge = ~EdgeIndex{0};
constexpr Colour no_colour = ~Colour{0};

// Left ends have few edges: a short list each. Right ends may have as many as there are colours: a table each, and the
// set of free colours as bits.
class Colouring {
public:
    Colouring(std::span<const ColouredEdge> edges, Colour colours)
        : edges_(edges), colours_(colours), words_((colours + 63) / 64), colour_(edges.size(), no_colour)
    {
        std::uint32_t lefts = 0;
        std::uint32_t rights = 0;
        for (const ColouredEdge& edge : edges) {
            lefts = std::max(lefts, edge.left + 1);
            rights = std::max(rights, edge.right + 1);
        }
        left_.resize(lefts);
        right_.assign(std::size_t{rights} * colours, no_edge);
        free_.assign(std::size_t{rights} * words_, ~std::uint64_t{0});
        first_free_word_.resize(rights);
    }

    std::vector<Colour> colour_all()
    {
        for (EdgeIndex edge = 0; edge < edges_.size(); ++edge) {
            const auto [left, right] = edges_[edge];
            Colour colour = common_free_colour(left, right);
            if (colour == no_colour) {
                colour = free_on_left(left);
                exchange_along_path(right, colour, next_free(right, 0));
            }
            set(edge, colour);
        }
        return std::move(colour_);
    }

private:
    [[nodiscard]] EdgeIndex at_left(std::uint32_t left, Colour colour) const
    {
        for (const EdgeIndex edge : left_[left])
            if (colour_[edge] == colour)
                return edge;
        return no_edge;
    }
    [[nodiscard]] EdgeIndex& at_right(std::uint32_t right, Colour colour)
    {
        return right_[std::size_t{right} * colours_ + colour];
    }

    // The first colour from `from` on that is free at the right end.
    [[nodiscard]] Colour next_free(std::uint32_t right, Colour from)
    {
        std::uint32_t word = std::max(from / 64, first_free_word_[right]);
        for (; word < words_; ++word) {
            std::uint64_t bits = free_[std::size_t{right} * words_ + word];
            if (word == from / 64)
                bits &= ~std::uint64_t{0} << from % 64;
            const Colour colour = word * 64 + static_cast<Colour>(std::countr_zero(bits));
            if (bits != 0)
                return colour < colours_ ? colour : no_colour;
        }
        return no_colour;
    }

    Colour common_free_colour(std::uint32_t left, std::uint32_t right)
    {
        while (first_free_word_[right] < words_ && free_[std::size_t{right} * words_ + first_free_word_[right]] == 0)
            ++first_free_word_[right];
        Colour colour = next_free(right, 0);
        while (colour != no_colour && at_left(left, colour) != no_edge)
            colour = next_free(right, colour + 1);
        return colour;
    }

    [[nodiscard]] Colour free_on_left(std::uint32_t left) const
    {
        Colour colour = 0;
        while (at_left(left, colour) != no_edge)
            ++colour;
        return colour;
    }

    // Makes colour `a` free at the right end, where `b` is free: exchanges the two on the path of edges a, b, a, ..
    // that begins there. It does not come to a left end at which `a` is free.
    void exchange_along_path(std::uint32_t right, Colour a, Colour b)
    {
        path_.clear();
        for (EdgeIndex edge = at_right(right, a); edge != no_edge; edge = at_right(edges_[edge].right, a)) {
            path_.push_back(edge);
            edge = at_left(edges_[edge].left, b);
            if (edge == no_edge)
                break;
            path_.push_back(edge);
        }
        // Where two edges of the path meet, setting one's new colour would overwrite the other's old one.
        for (const EdgeIndex edge : path_)
            clear(edge);
        for (std::size_t i = 0; i < path_.size(); ++i)
            set(path_[i], i % 2 == 0 ? b : a);
    }

    void set(EdgeIndex edge, Colour colour)
    {
        const auto [left, right] = edges_[edge];
        colour_[edge] = colour;
        left_[left].push_back(edge);
        at_right(right, colour) = edge;
        free_[std::size_t{right} * words_ + colour / 64] &= ~(std::uint64_t{1} << colour % 64);
    }

    void clear(EdgeIndex edge)
    {
        const auto [left, right] = edges_[edge];
        const Colour colour = colour_[edge];
        colour_[edge] = no_colour;
        std::erase(left_[left], edge);
        at_right(right, colour) = no_edge;
        free_[std::size_t{right} * words_ + colour / 64] |= std::uint64_t{1} << colour % 64;
        first_free_word_[right] = std::min(first_free_word_[right], colour / 64);
    }

    std::span<const ColouredEdge> edges_;
    Colour colours_;
    std::uint32_t words_;
    std::vector<Colour> colour_;                  // of every edge
    std::vector<std::vector<EdgeIndex>> left_;    // the coloured edges of every left end
    std::vector<EdgeIndex> right_;                // by right end and colour
    std::vector<std::uint64_t> free_;             // by right end: a bit a colour
    std::vector<std::uint32_t> first_free_word_;  // of every right end: none before it has a free colour
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
    return Colouring(edges, colours).colour_all();
}

}  // namespace dcube::detail
