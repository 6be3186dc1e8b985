// The words of --topology.

#include <dcube/error.hpp>
#include <dcube/faults.hpp>
#include <dcube/topology.hpp>

#include "base/files.hpp"
#include "base/names.hpp"
#include "base/numbers.hpp"
#include "emu/fabrics.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <functional>
#include <optional>

namespace dcube {

namespace {

constexpr std::uint64_t largest_file = std::uint64_t{64} << 20;

// One word of a product: "torus:8x8" is the family "torus" with the sizes "8x8".
struct Word {
    std::string_view text;
    std::string_view family;
    std::string_view sizes;
};

[[noreturn]] void refuse(const Word& word, std::string_view like)
{
    throw InvalidArgument(fmt::format("{} is not a topology: expected e.g. {}", quoted(word.text), like));
}

std::vector<unsigned> numbers(const Word& word, char separator, std::string_view like)
{
    std::vector<unsigned> values;
    for (std::string_view rest = word.sizes;;) {
        const std::size_t end = rest.find(separator);
        const std::optional<unsigned> value = parsed_number<std::uint32_t>(rest.substr(0, end));
        if (!value)
            refuse(word, like);
        values.push_back(*value);
        if (end == std::string_view::npos)
            return values;
        rest.remove_prefix(end + 1);
    }
}

unsigned one_number(const Word& word, std::string_view like)
{
    const std::optional<unsigned> value = parsed_number<std::uint32_t>(word.sizes);
    if (!value)
        refuse(word, like);
    return *value;
}

using Factors = std::vector<Graph>;

void require_few(std::string_view text, std::size_t factors)
{
    if (factors > Topology::max_dimension)
        throw InvalidArgument(
            fmt::format("{} has {} factors: at most {} are allowed", quoted(text), factors, Topology::max_dimension));
}

struct Family {
    std::string_view name;
    std::string_view example;
    std::function<void(const Word&, std::string_view example, Factors&)> add;
};

// "8x8x8": a factor a size.
Family sized(std::string_view name, std::string_view example, Graph (*make)(NodeId))
{
    return {name, example, [make](const Word& word, std::string_view like, Factors& factors) {
                const std::vector<unsigned> sizes = numbers(word, 'x', like);
                require_few(word.text, factors.size() + sizes.size());  // before they take memory
                for (const unsigned size : sizes)
                    factors.push_back(prefixed(word.text, [&] { return make(size); }));
            }};
}

Family single(std::string_view name, std::string_view example, Graph (*make)(unsigned))
{
    return {name, example, [make](const Word& word, std::string_view like, Factors& factors) {
                factors.push_back(make(one_number(word, like)));
            }};
}

void add_hypercube(const Word& word, std::string_view like, Factors& factors)
{
    const unsigned dimension = one_number(word, like);
    prefixed(word.text, [&] { return Topology::hypercube(dimension); });  // refuses what is too large
    factors.insert(factors.end(), dimension, Graph::complete(2));
}

void add_kary(const Word& word, std::string_view like, Factors& factors)
{
    const std::vector<unsigned> sizes = numbers(word, '^', like);
    if (sizes.size() != 2)
        refuse(word, like);
    if (sizes[1] < 1 || sizes[1] > Topology::max_dimension)
        throw InvalidArgument(fmt::format("{}: {} dimensions are not possible: expected 1 to {}", word.text, sizes[1],
                                          Topology::max_dimension));
    factors.insert(factors.end(), sizes[1], prefixed(word.text, [&] { return Graph::ring(sizes[0]); }));
}

void add_circulant(const Word& word, std::string_view like, Factors& factors)
{
    const std::vector<unsigned> sizes = numbers(word, ',', like);
    if (sizes.size() < 2)
        refuse(word, like);
    factors.push_back(Graph::circulant(sizes[0], std::span(sizes).subspan(1)));
}

void add_petersen(const Word& word, std::string_view like, Factors& factors)
{
    if (word.text != word.family)
        refuse(word, like);
    factors.push_back(Graph::petersen());
}

void add_dgx_1(const Word& word, std::string_view like, Factors& factors)
{
    if (word.text != word.family)
        refuse(word, like);
    factors.push_back(dgx_1());
}

void add_dragonfly(const Word& word, std::string_view like, Factors& factors)
{
    const std::vector<unsigned> sizes = numbers(word, ',', like);
    if (sizes.size() != 3)
        refuse(word, like);
    factors.push_back(dragonfly(sizes[0], sizes[1], sizes[2]));
}

void add_file(const Word& word, std::string_view like, Factors& factors)
{
    if (word.sizes.empty())
        refuse(word, like);
    const std::string path(word.sizes);
    const std::string edges = prefixed(word.text, [&] { return detail::text_of_file(path, largest_file); });
    factors.push_back(Graph::from_text(std::string(word.text), edges));
}

const std::vector<Family>& families()
{
    static const std::vector<Family> all = {
        {"hypercube", "hypercube:10", add_hypercube},
        sized("torus", "torus:8x8x8", Graph::ring),
        sized("mesh", "mesh:4x6", Graph::path),
        sized("ghc", "ghc:3x4x5", Graph::complete),
        {"kary", "kary:4^3", add_kary},
        single("ring", "ring:5", Graph::ring),
        single("path", "path:4", Graph::path),
        single("complete", "complete:3", Graph::complete),
        single("star", "star:4", Graph::star),
        single("pancake", "pancake:4", Graph::pancake),
        single("ccc", "ccc:3", Graph::cube_connected_cycles),
        {"circulant", "circulant:13,1,5", add_circulant},
        {"petersen", "petersen", add_petersen},
        {"dgx-1", "dgx-1", add_dgx_1},
        single("dgx-a100", "dgx-a100:2", dgx_a100),
        single("fat-tree", "fat-tree:4", fat_tree),
        {"dragonfly", "dragonfly:2,4,2", add_dragonfly},
        {"graph", "graph:FILE", add_file},
    };
    return all;
}

std::string all_examples()
{
    return fmt::format("{}, and products as ring:5*path:4", fmt::join(network_examples(), ", "));
}

void add_word(std::string_view text, std::string_view whole, Factors& factors)
{
    const std::size_t colon = text.find(':');
    const bool has_sizes = colon != std::string_view::npos;
    const Word word{text, text.substr(0, colon), has_sizes ? text.substr(colon + 1) : std::string_view()};
    for (const Family& family : families())
        if (family.name == word.family)
            return family.add(word, family.example, factors);
    throw InvalidArgument(fmt::format("{} is not a topology: there are {}", quoted(whole), all_examples()));
}

}  // namespace

std::vector<std::string_view> network_examples()
{
    std::vector<std::string_view> all;
    for (const Family& family : families())
        all.push_back(family.example);
    return all;
}

Topology Topology::parse(std::string_view text)
{
    constexpr std::string_view without = " without ";
    if (const std::size_t at = text.rfind(without); at != std::string_view::npos) {
        const Faults faults = parse_faults(text.substr(at + without.size()));
        if (faults.empty())
            throw InvalidArgument(fmt::format(
                "{} is not a list of missing parts: expected links such as 0-1, or nodes such as 5", quoted(text)));
        return parse(text.substr(0, at)).without(faults);
    }
    constexpr std::string_view with = " with ";
    if (const std::size_t at = text.rfind(with); at != std::string_view::npos)
        return parse(text.substr(0, at)).with(parse_fabric(text.substr(at + with.size())));
    Factors factors;
    for (std::string_view rest = text;;) {
        const std::size_t end = std::min(rest.find('*'), rest.size());
        add_word(rest.substr(0, end), text, factors);
        require_few(text, factors.size());
        if (end == rest.size())
            break;
        rest.remove_prefix(end + 1);
    }
    return product(std::move(factors), std::string(text));
}

}  // namespace dcube
