// The data of verified runs: made from a seed, and checked in the end against what the collective demands.

#include "judge/result_check.hpp"
#include "base/sizes.hpp"
#include "collectives/seeded_data.hpp"

#include <dcube/error.hpp>
#include <dcube/matrix.hpp>
#include <dcube/problem.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>

namespace dcube {

namespace {

// Sums of floats that a user gave: the order of additions is free, so the result is known up to rounding only.

/// The sum of N contributions, worked out in double, and the sum of their magnitudes (not a number if one of them is
/// not).
struct FloatSum {
    FloatSum(const Problem& problem, std::size_t bytes);

    void add(std::span<const std::byte> contribution);

    std::vector<double> value;
    std::vector<double> magnitude;

private:
    Problem problem_;
};

template <class T>
double element_as(std::span<const std::byte> bytes, std::size_t i)
{
    T x;
    std::memcpy(&x, bytes.data() + i * sizeof x, sizeof x);
    return x;
}

/// Half a unit in the last place, and the largest finite value.
struct Precision {
    double rounding;
    double largest;
};

Precision precision(ElementType type)
{
    if (type == ElementType::float32)
        return {std::numeric_limits<float>::epsilon() / 2, std::numeric_limits<float>::max()};
    return {std::numeric_limits<double>::epsilon() / 2, std::numeric_limits<double>::max()};
}

bool sum_is_right(double expected, double magnitude, double found, double nodes, Precision type)
{
    if (std::isnan(magnitude))
        return std::isnan(found);
    if (magnitude > type.largest)
        return true;
    return std::abs(found - expected) <= 2 * nodes * type.rounding * magnitude;  // N - 1 roundings, theirs and ours
}

FloatSum::FloatSum(const Problem& problem, std::size_t bytes)
    : value(bytes / size_of(problem.type)), magnitude(value.size()), problem_(problem)
{
}

/// Element i of floats or doubles that lie anywhere in memory.
double element(const Problem& problem, std::span<const std::byte> bytes, std::size_t i)
{
    return problem.type == ElementType::float32 ? element_as<float>(bytes, i) : element_as<double>(bytes, i);
}

void FloatSum::add(std::span<const std::byte> contribution)
{
    for (std::size_t i = 0; i < value.size(); ++i) {
        const double x = element(problem_, contribution, i);
        magnitude[i] += std::abs(x);
        value[i] += x;
    }
}

/// The first element that no order of N additions can explain; their number if there is none. Where a sum can overflow
/// in one order and not in another, anything is right.
std::size_t first_wrong_element(const Problem& problem, const Topology& topology, std::span<const double> value,
                                std::span<const double> magnitude, std::span<const std::byte> output)
{
    const Precision type = precision(problem.type);
    for (std::size_t i = 0; i < value.size(); ++i)
        if (!sum_is_right(value[i], magnitude[i], element(problem, output, i), topology.nodes(), type))
            return i;
    return value.size();
}

// Long messages are made and combined a tile at a time, so that all contributions meet in the cache.
constexpr std::size_t tile_bytes = 4096;

/// Whole words, as data are made, and whole elements, as they are combined.
std::size_t tile_of(const Problem& problem, std::size_t message)
{
    const std::size_t least = 8 * element_size(problem);
    return std::min(message, std::max(least, tile_bytes / least * least));
}

/// The messages of all origins (or to all targets), one after the other: where each begins, in keys or in bytes.
struct Row {
    std::uint64_t first;
    std::uint64_t stride;

    [[nodiscard]] std::uint64_t operator[](std::uint64_t i) const { return first + i * stride; }
};

/// Keys by origin of the messages that end at `target`.
Row keys_by_origin(const Problem& problem, std::uint64_t seed, NodeId target)
{
    return {pattern::message_key(seed, 0, pattern::target_of(problem, target)), pattern::per_origin};
}

/// The places of the messages that end at `target` in all nodes' input, by origin.
Row places_by_origin(const Problem& problem, const Topology& topology, std::size_t message, NodeId target)
{
    const Holding& before = traits(problem.collective).before;
    if (before.nodes == Who::all && before.share == Share::message_per_node)
        return {target * message, topology.nodes() * message};
    return {0, message};
}

/// Every node that gets a sum gets the same.
bool has_one_sum(Collective collective)
{
    return is_reduction(collective) && traits(collective).before.share == Share::message;
}

[[noreturn]] void report_difference(NodeId node, const std::string& message, std::size_t offset, std::byte expected,
                                    std::byte found)
{
    throw VerificationError(fmt::format("node {}: byte {} of {} is wrong: expected 0x{:02x}, found 0x{:02x}", node,
                                        offset, message, static_cast<unsigned>(expected),
                                        static_cast<unsigned>(found)));
}

/// Word `i` of `node`'s message, as fill_input makes it.
std::uint64_t seeded_word(std::uint64_t seed, NodeId node, std::size_t i)
{
    return pattern::Raw::word(pattern::message_key(seed, node, 0) + i * pattern::per_word);
}

/// Finds and reports the first byte in which two stretches, known to differ, do so.
[[noreturn]] void report_first_difference(NodeId node, const std::string& message, std::span<const std::byte> expected,
                                          std::span<const std::byte> found)
{
    const auto at = std::mismatch(expected.begin(), expected.end(), found.begin()).first - expected.begin();
    const auto i = static_cast<std::size_t>(at);
    report_difference(node, message, i, expected[i], found[i]);
}

// Missing nodes contribute nothing.
template <class Words>
void check_keys(const Words& words, const Topology& topology, Row keys, NodeId node, NodeId first_origin,
                std::size_t message, std::span<const std::byte> output)
{
    const std::uint64_t count = output.size() / message;
    for (std::uint64_t i = 0; i < count; ++i) {
        const std::span<const std::byte> found = output.subspan(as_size(i * message), message);
        const auto origin = static_cast<NodeId>(first_origin + i);
        if (!topology.is_member(origin) || pattern::matches(words, keys[origin], found.data(), message)) [[likely]]
            continue;
        std::vector<std::byte> expected(message);
        pattern::write(words, keys[origin], expected.data(), message);
        report_first_difference(node, fmt::format("the message from node {}", origin), expected, found);
    }
}

}  // namespace

Checker::Checker(const Problem& problem, const Topology& topology, std::uint64_t seed, std::span<const std::byte> input)
    : problem_((validate(problem, topology), problem)), topology_(topology), layout_(problem, topology), seed_(seed),
      input_(input)
{
    if (!input.empty() && input.size() != layout_.input_bytes)
        throw InvalidArgument(
            fmt::format("the input of all nodes has {} bytes: {} are allowed", input.size(), layout_.input_bytes));
    if (has_one_sum(problem.collective))
        sum_ = expectation(problem.root);
    if (has_permutation(problem.collective)) {
        origins_.resize(topology.nodes());
        for (NodeId node = 0; node < topology.nodes(); ++node)
            origins_[problem.permutation[node]] = node;
    }
}

std::uint64_t Checker::check(NodeId node, std::span<const std::byte> output) const
{
    if (const std::size_t bytes = layout_.output(node).bytes; output.size() != bytes)
        throw InvalidArgument(
            fmt::format("the output of node {} has {} bytes: {} are allowed", node, output.size(), bytes));
    if (output.empty())
        return 0;
    if (is_matrix(problem_.collective)) {
        check_matrix(node, output);
        return 1;
    }
    if (!is_reduction(problem_.collective)) {
        check_moved(node, output);
        const std::uint64_t messages = output.size() / layout_.message;
        return messages == topology_.nodes() ? topology_.members() : messages;
    }
    if (traits(problem_.collective).target == Who::all) {
        check_combined(node, expectation(node), output);
        return 1;
    }
    check_combined(node, sum_, output);
    return problem_.packets;
}

Comparison Checker::comparison() const
{
    if (!is_reduction(problem_.collective))
        return Comparison::bytes;
    if (const auto& own = problem_.own_operation)
        return own->same != nullptr ? Comparison::own : Comparison::bytes;
    const bool floats = problem_.type == ElementType::float32 || problem_.type == ElementType::float64;
    // Data made from a seed add up exactly.
    return floats && problem_.operation == Operation::sum && !input_.empty() ? Comparison::rounding : Comparison::bytes;
}

/// Sums up all nodes' contributions to what `target` must hold, a tile at a time.
Checker::Expectation Checker::expectation(NodeId target) const
{
    const std::size_t message = layout_.message;
    const Row places = places_by_origin(problem_, topology_, message, target);
    Expectation expected;
    if (comparison() == Comparison::rounding) {
        FloatSum sum(problem_, message);
        for (NodeId number = 0; number < topology_.members(); ++number)
            sum.add(input_.subspan(as_size(places[topology_.member(number)]), message));
        expected.value = std::move(sum.value);
        expected.magnitude = std::move(sum.magnitude);
        return expected;
    }

    expected.exact.resize(message);
    const Combine combine = combiner(problem_);
    const Row keys = keys_by_origin(problem_, seed_, target);
    const auto sum_up = [&](const auto& words) {
        const std::size_t tile = tile_of(problem_, message);
        std::vector<std::byte> made(tile);
        for (std::size_t offset = 0; offset < message; offset += tile) {
            const std::size_t bytes = std::min(tile, message - offset);
            std::byte* const into = expected.exact.data() + offset;
            for (NodeId number = 0; number < topology_.members(); ++number) {
                const NodeId origin = topology_.member(number);
                const std::byte* given = made.data();
                if (input_.empty())
                    pattern::write(words, keys[origin] + offset / 8 * pattern::per_word, made.data(), bytes);
                else
                    given = input_.data() + places[origin] + offset;
                if (number == 0)
                    std::memcpy(into, given, bytes);
                else
                    combine(into, into, given, bytes);
            }
        }
    };
    pattern::with_words(problem_, topology_, sum_up);
    return expected;
}

/// The origin of the first message in `node`'s output; it is the only one unless all nodes' follow.
NodeId Checker::first_origin(NodeId node) const
{
    if (has_permutation(problem_.collective))
        return origins_[node];
    switch (traits(problem_.collective).origin) {
    case Who::root: return problem_.root;
    case Who::peer: return problem_.peer;
    case Who::ends: return node == problem_.root ? problem_.peer : problem_.root;
    case Who::nobody:
    case Who::partner:
    case Who::all: return 0;
    }
    return 0;
}

void Checker::check_moved(NodeId node, std::span<const std::byte> output) const
{
    const NodeId first = first_origin(node);
    if (input_.empty()) {
        check_keys(pattern::Raw{}, topology_, keys_by_origin(problem_, seed_, node), node, first, layout_.message,
                   output);
        return;
    }

    const std::size_t message = layout_.message;
    Row places = places_by_origin(problem_, topology_, message, node);
    const bool many = traits(problem_.collective).before.share == Share::message_per_node;
    if (output.size() == message)  // from one origin, whose input may stand anywhere
        places = {layout_.input(first).offset + (many ? node * message : 0), 0};
    for (std::uint64_t i = 0; i < output.size() / message; ++i) {
        if (!topology_.is_member(static_cast<NodeId>(first + i)))
            continue;
        const auto expected = input_.subspan(as_size(places[first + i]), message);
        const auto found = output.subspan(as_size(i * message), message);
        if (std::memcmp(expected.data(), found.data(), message) != 0)
            report_first_difference(node, fmt::format("the message from node {}", first + i), expected, found);
    }
}

/// Element by element: each is looked up where it was.
void Checker::check_matrix(NodeId node, std::span<const std::byte> output) const
{
    const MatrixMove move(problem_, topology_);
    const std::size_t size = size_of(problem_.type);
    for (std::size_t i = 0; i < output.size() / size; ++i) {
        const MatrixShape::Place source = move.source({node, i});
        const std::size_t offset = source.index * size;
        const std::uint64_t word = seeded_word(seed_, source.node, offset / 8);
        const std::byte* expected = reinterpret_cast<const std::byte*>(&word) + offset % 8;
        if (!input_.empty())
            expected = input_.data() + layout_.input(source.node).offset + offset;
        const std::byte* const found = output.data() + i * size;
        if (std::equal(expected, expected + size, found)) [[likely]]
            continue;
        const auto at = static_cast<std::size_t>(std::mismatch(expected, expected + size, found).first - expected);
        const auto [row, column] = move.after().element({node, i});
        report_difference(
            node,
            fmt::format("its elements (in row {}, column {}, which comes from node {})", row, column, source.node),
            i * size + at, expected[at], found[at]);
    }
}

void Checker::check_combined(NodeId node, const Expectation& expected, std::span<const std::byte> output) const
{
    const std::string what = fmt::format("the {} of all nodes' messages", operation_name(problem_));
    if (comparison() != Comparison::rounding) {
        if (comparison() == Comparison::own &&
            problem_.own_operation->same(expected.exact.data(), output.data(), output.size()))
            return;
        if (std::memcmp(expected.exact.data(), output.data(), output.size()) != 0)
            report_first_difference(node, what, expected.exact, output);
        return;
    }
    const std::size_t wrong = first_wrong_element(problem_, topology_, expected.value, expected.magnitude, output);
    if (wrong == expected.value.size())
        return;
    throw VerificationError(fmt::format("node {}: byte {} of {} is wrong: expected {} within rounding, found {}", node,
                                        wrong * size_of(problem_.type), what, expected.value[wrong],
                                        element(problem_, output, wrong)));
}

}  // namespace dcube
