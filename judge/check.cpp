// The data of verified runs: made from a seed, and checked in the end against what the collective demands.

#include "judge/float_sum.hpp"
#include "judge/pattern.hpp"

#include <dcube/collective.hpp>
#include <dcube/error.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cstring>

namespace dcube {

namespace {

// Long messages are made and combined a tile at a time, so that all contributions meet in the cache.
constexpr std::size_t tile_bytes = 4096;

/// The messages of all origins (or to all targets), one after the other: where each begins, in keys or in bytes.
struct Row {
    std::uint64_t first;
    std::uint64_t stride;

    [[nodiscard]] std::uint64_t operator[](std::uint64_t i) const { return first + i * stride; }
};

/// The target that a message is made for: all nodes' contributions to one sum, or copies of one message, have none.
NodeId pattern_target(const Problem& problem, NodeId target)
{
    switch (problem.collective) {
    case Collective::scatter:
    case Collective::reduce_scatter:
    case Collective::all_to_all: return target;
    default: return 0;
    }
}

/// Keys by origin of the messages that end at `target`.
Row keys_by_origin(const Problem& problem, std::uint64_t seed, NodeId target)
{
    return {pattern::message_key(seed, 0, pattern_target(problem, target)), pattern::per_origin};
}

/// Where the messages that end at `target` lie in all nodes' input, by origin.
Row places_by_origin(const Problem& problem, const Topology& topology, std::size_t message, NodeId target)
{
    if (problem.collective == Collective::all_to_all || problem.collective == Collective::reduce_scatter)
        return {target * message, topology.nodes() * message};
    return {0, message};
}

void require_size(std::string_view what, NodeId node, std::size_t given, std::size_t allowed)
{
    if (given != allowed)
        throw InvalidArgument(
            fmt::format("the {} of node {} has {} bytes: {} are allowed", what, node, given, allowed));
}

[[noreturn]] void report_difference(NodeId node, const std::string& message, std::size_t offset, std::byte expected,
                                    std::byte found)
{
    throw VerificationError(fmt::format("node {}: byte {} of {} is wrong: expected 0x{:02x}, found 0x{:02x}", node,
                                        offset, message, static_cast<unsigned>(expected),
                                        static_cast<unsigned>(found)));
}

/// Finds and reports the first byte in which two stretches, known to differ, do so.
[[noreturn]] void report_first_difference(NodeId node, const std::string& message, std::span<const std::byte> expected,
                                          std::span<const std::byte> found)
{
    const auto at = std::mismatch(expected.begin(), expected.end(), found.begin()).first - expected.begin();
    const auto i = static_cast<std::size_t>(at);
    report_difference(node, message, i, expected[i], found[i]);
}

template <class Words>
void check_keys(const Words& words, Row keys, NodeId node, std::uint64_t first_origin, std::size_t message,
                std::span<const std::byte> output)
{
    const std::uint64_t count = output.size() / message;
    for (std::uint64_t i = 0; i < count; ++i) {
        const std::span<const std::byte> found = output.subspan(i * message, message);
        const std::uint64_t origin = first_origin + i;
        if (pattern::matches(words, keys[origin], found.data(), message)) [[likely]]
            continue;
        std::vector<std::byte> expected(message);
        pattern::write(words, keys[origin], expected.data(), message);
        report_first_difference(node, fmt::format("the message from node {}", origin), expected, found);
    }
}

}  // namespace

void fill_input(const Problem& problem, const Topology& topology, std::uint64_t seed, NodeId node,
                std::span<std::byte> input)
{
    const Layout layout(problem, topology);
    require_size("input", node, input.size(), layout.input(node).bytes);
    const Row keys = {pattern::message_key(seed, node, 0), pattern::per_target};
    const std::size_t count = input.size() / layout.message;
    pattern::with_words(problem, topology, [&](const auto& words) {
        for (std::size_t i = 0; i < count; ++i)
            pattern::write(words, keys[i], input.data() + i * layout.message, layout.message);
    });
}

Checker::Checker(const Problem& problem, const Topology& topology, std::uint64_t seed, std::span<const std::byte> input)
    : problem_((validate(problem, topology), problem)), topology_(topology), layout_(problem, topology), seed_(seed),
      input_(input)
{
    if (!input.empty() && input.size() != layout_.input_bytes)
        throw InvalidArgument(
            fmt::format("the input of all nodes has {} bytes: {} are allowed", input.size(), layout_.input_bytes));
    if (problem.collective == Collective::reduce || problem.collective == Collective::all_reduce)
        sum_ = expectation(problem.root);
}

std::uint64_t Checker::check(NodeId node, std::span<const std::byte> output) const
{
    require_size("output", node, output.size(), layout_.output(node).bytes);
    if (output.empty())
        return 0;
    if (!is_reduction(problem_.collective)) {
        check_moved(node, output);
        return output.size() / layout_.message;
    }
    if (problem_.collective == Collective::reduce_scatter) {
        check_combined(node, expectation(node), output);
        return 1;
    }
    check_combined(node, sum_, output);
    return problem_.packets;
}

bool Checker::rounds() const
{
    const bool floats = problem_.type == ElementType::float32 || problem_.type == ElementType::float64;
    return floats && !input_.empty();
}

/// Sums up all nodes' contributions to what `target` must hold, a tile at a time.
Checker::Expectation Checker::expectation(NodeId target) const
{
    const std::size_t message = layout_.message;
    const Row places = places_by_origin(problem_, topology_, message, target);
    Expectation expected;
    if (rounds()) {
        FloatSum sum(problem_, message);
        for (NodeId origin = 0; origin < topology_.nodes(); ++origin)
            sum.add(input_.subspan(places[origin], message));
        expected.value = std::move(sum.value);
        expected.magnitude = std::move(sum.magnitude);
        return expected;
    }

    expected.exact.resize(message);
    const Combine combine = combiner(problem_.operation, problem_.type);
    const Row keys = keys_by_origin(problem_, seed_, target);
    const auto sum_up = [&](const auto& words) {
        std::byte made[tile_bytes];
        for (std::size_t offset = 0; offset < message; offset += tile_bytes) {
            const std::size_t bytes = std::min(tile_bytes, message - offset);
            std::byte* const into = expected.exact.data() + offset;
            for (NodeId origin = 0; origin < topology_.nodes(); ++origin) {
                const std::byte* given = made;
                if (input_.empty())
                    pattern::write(words, keys[origin] + offset / 8 * pattern::per_word, made, bytes);
                else
                    given = input_.data() + places[origin] + offset;
                if (origin == 0)
                    std::memcpy(into, given, bytes);
                else
                    combine(into, into, given, bytes);
            }
        }
    };
    pattern::with_words(problem_, topology_, sum_up);
    return expected;
}

void Checker::check_moved(NodeId node, std::span<const std::byte> output) const
{
    const bool from_root = problem_.collective == Collective::broadcast || problem_.collective == Collective::scatter;
    const NodeId first_origin = from_root ? problem_.root : 0;
    if (input_.empty()) {
        check_keys(pattern::Raw{}, keys_by_origin(problem_, seed_, node), node, first_origin, layout_.message, output);
        return;
    }

    const std::size_t message = layout_.message;
    Row places = places_by_origin(problem_, topology_, message, node);
    if (from_root)  // only the root has an input
        places = {problem_.collective == Collective::scatter ? node * message : 0, 0};
    for (std::uint64_t i = 0; i < output.size() / message; ++i) {
        const auto expected = input_.subspan(places[first_origin + i], message);
        const auto found = output.subspan(i * message, message);
        if (std::memcmp(expected.data(), found.data(), message) != 0)
            report_first_difference(node, fmt::format("the message from node {}", first_origin + i), expected, found);
    }
}

void Checker::check_combined(NodeId node, const Expectation& expected, std::span<const std::byte> output) const
{
    const std::string what = fmt::format("the {} of all nodes' messages", name(problem_.operation));
    if (!rounds()) {
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
