#include "collectives/coordinates.hpp"

#include <dcube/graph.hpp>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <utility>

namespace dcube::detail {

namespace {

// Two nodes are a ring as well as a path.
bool is_product_of(const Topology& topology, Graph::Kind kind)
{
    for (unsigned i = 0; i < topology.dimension(); ++i)
        if (topology.factor(i).nodes() != 2 && topology.factor(i).kind() != kind)
            return false;
    return true;
}

// "6x6"
std::string sizes_text(const Topology& topology)
{
    std::string text;
    for (unsigned i = 0; i < topology.dimension(); ++i)
        text += fmt::format("{}{}", i == 0 ? "" : "x", topology.factor(i).nodes());
    return text;
}

}  // namespace

std::string product_words(const Topology& topology)
{
    if (topology.is_hypercube()) {
        const unsigned d = topology.dimension();
        return fmt::format("{} {}-cube", d == 8 || d == 11 || d == 18 ? "an" : "a", d);
    }
    const bool one_factor = topology.dimension() == 1;
    if (is_product_of(topology, Graph::Kind::ring))
        return fmt::format("a {} of {}", one_factor ? "ring" : "torus", sizes_text(topology));
    if (is_product_of(topology, Graph::Kind::path))
        return fmt::format("a {} of {}", one_factor ? "path" : "mesh", sizes_text(topology));
    if (one_factor && topology.factor(0) == Graph::petersen())
        return "the Petersen graph";
    return topology.name();
}

std::string coordinate_words(unsigned factor)
{
    return fmt::format("coordinate {}", factor + 1);
}

std::string coordinate_words(std::vector<unsigned> factors)
{
    if (factors.size() == 1)
        return coordinate_words(factors.front());
    std::ranges::sort(factors);
    for (unsigned& factor : factors)
        ++factor;
    if (factors.back() - factors.front() + 1 == factors.size())
        return fmt::format("coordinates {} to {}", factors.front(), factors.back());
    return fmt::format("coordinates {}", fmt::join(factors, ", "));
}

std::string factor_words(const Topology& topology, unsigned factor)
{
    return fmt::format("{}, {}", coordinate_words(factor), product_words(Topology::product({topology.factor(factor)})));
}

}  // namespace dcube::detail
