// The data of verified runs: made from a seed, and checked in the end against what the collective demands.

#include "judge/result_check.hpp"
#include "base/half_floats.hpp"
#include "base/sizes.hpp"
#include "collectives/averages.hpp"
#include "collectives/example.hpp"
#include "collectives/seeded_data.hpp"
#include "collectives/terms.hpp"

#include <dcube/error.hpp>
#include <dcube/matrix.hpp>
#include <dcube/problem.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>
#include <optional>

namespace dcube {

namespace {

// Sums and products of floats that a user gave: the order is free, so the result is known up to rounding only.

template <class T>
T element_of(std::span<const std::byte> bytes, std::size_t i)
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
    if (type == ElementType::float16)
        return {detail::Float16::rounding, detail::Float16::largest};
    if (type == ElementType::bfloat16)
        return {detail::Bfloat16::rounding, detail::Bfloat16::largest};
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

/// No product of some of the factors is larger than `farthest`, or smaller than its reciprocal.
bool product_is_right(double expected, double farthest, double found, double nodes, Precision type)
{
    if (std::isnan(farthest))
        return std::isnan(found);
    if (farthest > type.largest / 8)
        return true;
    return std::abs(found - expected) <= 2 * nodes * type.rounding * std::abs(expected);
}

/// Element i of floats that lie anywhere in memory.
double element(const Problem& problem, std::span<const std::byte> bytes, std::size_t i)
{
    if (problem.type == ElementType::float16)
        return static_cast<double>(detail::Float16::value(element_of<std::uint16_t>(bytes, i)));
    if (problem.type == ElementType::bfloat16)
        return static_cast<double>(detail::Bfloat16::value(element_of<std::uint16_t>(bytes, i)));
    return problem.type == ElementType::float32 ? static_cast<double>(element_of<float>(bytes, i))
                                                : element_of<double>(bytes, i);
}

/// The first element that no order of N additions (multiplications) can explain; their number if there is none. Where a
/// sum can overflow in one order and not in another, anything is right.
std::size_t first_wrong_element(const Problem& problem, const Topology& topology, std::span<const double> value,
                                std::span<const double> magnitude, std::span<const std::byte> output)
{
    const Precision type = precision(problem.type);
    const auto is_right = problem.operation == Operation::prod ? product_is_right : sum_is_right;
    for (std::size_t i = 0; i < value.size(); ++i)
        if (!is_right(value[i], magnitude[i], element(problem, output, i), topology.nodes(), type))
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

/// The key of the message that ends at `target`.
std::uint64_t key_of_message(const Problem& problem, std::uint64_t seed, NodeId origin, NodeId target)
{
    return pattern::message_key(seed, origin, pattern::target_of(problem, target));
}

/// Every node that gets a sum gets the same.
bool has_one_sum(Collective collective)
{
    return is_reduction(collective) && !is_scan(collective) && traits(collective).before.share == Share::message;
}

[[noreturn]] void report_wrong(NodeId node, std::optional<NodeId> origin, const std::string& message)
{
    VerificationError error(message);
    error.node = node;
    error.origin = origin;
    throw error;
}

[[noreturn]] void report_difference(NodeId node, std::optional<NodeId> origin, const std::string& message,
                                    std::size_t offset, std::byte expected, std::byte found)
{
    report_wrong(node, origin,
                 fmt::format("node {}: byte {} of {} is wrong: expected 0x{:02x}, found 0x{:02x}", node, offset,
                             message, static_cast<unsigned>(expected), static_cast<unsigned>(found)));
}

/// Word `i` of `node`'s message, as fill_input makes it.
std::uint64_t seeded_word(std::uint64_t seed, NodeId node, std::size_t i)
{
    return pattern::Raw::word(pattern::message_key(seed, node, 0) + i * pattern::per_word);
}

/// Finds and reports the first byte in which two stretches, known to differ, do so.
[[noreturn]] void report_first_difference(NodeId node, std::optional<NodeId> origin, const std::string& message,
                                          std::span<const std::byte> expected, std::span<const std::byte> found)
{
    const auto at = std::mismatch(expected.begin(), expected.end(), found.begin()).first - expected.begin();
    const auto i = static_cast<std::size_t>(at);
    report_difference(node, origin, message, i, expected[i], found[i]);
}

[[noreturn]] void report_message(NodeId node, NodeId origin, std::span<const std::byte> expected,
                                 std::span<const std::byte> found)
{
    report_first_difference(node, origin, fmt::format("the message from node {}", origin), expected, found);
}

}  // namespace

Checker::Checker(const Problem& problem, const Topology& topology, std::uint64_t seed, std::span<const std::byte> input)
    : problem_((validate(problem, topology), problem)), topology_(topology), layout_(problem, topology), seed_(seed),
      input_(input)
{
    if (!input.empty() && input.size() != layout_.input_bytes)
        throw InvalidArgument(
            fmt::format("the input of all nodes has {} bytes: {} are allowed", input.size(), layout_.input_bytes));
    split_ = groups_of(problem, topology);
    if (split_) {
        split_up();
        return;
    }
    if (has_one_sum(problem.collective))
        sum_ = expectation(problem.root);
    if (is_scan(problem.collective))
        keep_prefixes();
    if (has_permutation(problem.collective)) {
        origins_.resize(topology.nodes());
        for (NodeId node = 0; node < topology.nodes(); ++node)
            origins_[problem.permutation[node]] = node;
    }
}

void Checker::split_up()
{
    for (NodeId number = 0; number < split_->count(); ++number) {
        std::span<const std::byte> own;
        if (!input_.empty()) {
            inputs_.push_back(std::make_shared<const std::vector<std::byte>>(input_of_group(number)));
            own = *inputs_.back();
        }
        of_groups_.emplace_back(in_group(problem_), split_->network(), seed_of_group(seed_, number), own);
    }
}

/// What the nodes of a group hold, as the layout of its own problem has it.
std::vector<std::byte> Checker::input_of_group(NodeId number) const
{
    const Layout layout(in_group(problem_), split_->network());
    std::vector<std::byte> own(layout.input_bytes);
    for (NodeId rank = 0; rank < split_->size(); ++rank) {
        const auto [offset, bytes] = layout_.input(split_->node(number, rank));
        std::ranges::copy(input_.subspan(offset, bytes),
                          own.begin() + static_cast<std::ptrdiff_t>(layout.input(rank).offset));
    }
    return own;
}

std::uint64_t Checker::check_in_group(NodeId node, std::span<const std::byte> output) const
{
    try {
        return of_groups_[split_->number(node)].check(split_->rank(node), output);
    } catch (const VerificationError& error) {
        VerificationError named(fmt::format("node {}, by the ranks of its group: {}", node, error.what()));
        named.node = node;
        if (error.origin)
            named.origin = split_->node(split_->number(node), *error.origin);
        throw named;
    }
}

std::uint64_t Checker::check(NodeId node, std::span<const std::byte> output) const
{
    if (split_)
        return check_in_group(node, output);
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
        return check_moved(node, output);
    }
    if (is_scan(problem_.collective)) {
        const auto terms = static_cast<NodeId>(terms_of(problem_.collective, topology_, node).size());
        if (terms == 0)
            return 0;
        check_combined(node, prefix(terms), output);
        return problem_.packets;
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
    // Data made from a seed are combined exactly, but by floats of few digits.
    const bool is_exact = input_.empty() && size_of(problem_.type) > 2;
    if (!is_float(problem_.type) || is_exact)
        return Comparison::bytes;
    using enum Operation;
    const Operation by = problem_.operation;
    return by == sum || by == avg || by == prod ? Comparison::rounding : Comparison::bytes;
}

/// All nodes' contributions to what `target` must hold.
Checker::Expectation Checker::expectation(NodeId target) const
{
    Expectation sum;
    add_up(sum, target, 0, topology_.members());
    if (!is_average(problem_))
        return sum;
    detail::divide(sum.exact, problem_.type, topology_.members());
    for (std::vector<double>* const part : {&sum.value, &sum.magnitude})
        for (double& x : *part)
            x /= topology_.members();
    return sum;
}

/// The sum of the first `terms` members.
Checker::Expectation Checker::prefix(NodeId terms) const
{
    const NodeId kept = terms / stride_;
    Expectation sum = prefixes_[kept];
    add_up(sum, 0, kept * stride_, terms);
    return sum;
}

void Checker::keep_prefixes()
{
    const NodeId members = topology_.members();
    while (std::uint64_t{stride_} * stride_ < members)
        ++stride_;
    prefixes_.emplace_back();
    for (NodeId terms = stride_; terms <= members; terms += stride_) {
        prefixes_.push_back(prefixes_.back());
        add_up(prefixes_.back(), 0, terms - stride_, terms);
    }
}

/// Adds what the members of these numbers contribute to what `target` must hold, in their order and a tile at a time.
void Checker::add_up(Expectation& sum, NodeId target, NodeId first, NodeId end) const
{
    if (comparison() == Comparison::rounding)
        return add_floats(sum, target, first, end);
    const std::size_t message = bytes_of_sum(target);
    const bool begins = sum.exact.empty();
    sum.exact.resize(message);
    const Combine combine = combiner(problem_);
    const auto add = [&](const auto& words) {
        const std::size_t tile = tile_of(problem_, message);
        std::vector<std::byte> made(tile);
        for (std::size_t offset = 0; offset < message; offset += tile) {
            const std::size_t bytes = std::min(tile, message - offset);
            std::byte* const into = sum.exact.data() + offset;
            for (NodeId number = first; number < end; ++number) {
                const NodeId origin = topology_.member(number);
                const std::byte* given = made.data();
                if (input_.empty())
                    pattern::write(words,
                                   key_of_message(problem_, seed_, origin, target) + offset / 8 * pattern::per_word,
                                   made.data(), bytes);
                else
                    given = given_message(origin, target).data() + offset;
                if (begins && number == first)
                    std::memcpy(into, given, bytes);
                else
                    combine(into, into, given, bytes);
            }
        }
    };
    if (first < end)
        pattern::with_words(problem_, topology_, add);
}

/// The same in double, with the sums of magnitudes, or how far the products of some of them can be from 1 (not a number
/// if one of them is not).
void Checker::add_floats(Expectation& sum, NodeId target, NodeId first, NodeId end) const
{
    const std::size_t message = bytes_of_sum(target);
    std::vector<std::byte> made(input_.empty() ? message : 0);
    const double none = problem_.operation == Operation::prod ? 1 : 0;
    sum.value.resize(message / size_of(problem_.type), none);
    sum.magnitude.resize(sum.value.size(), none);
    for (NodeId number = first; number < end; ++number) {
        const NodeId origin = topology_.member(number);
        std::span<const std::byte> given = made;
        if (input_.empty())
            pattern::with_words(problem_, topology_, [&](const auto& words) {
                pattern::write(words, key_of_message(problem_, seed_, origin, target), made.data(), made.size());
            });
        else
            given = given_message(origin, target).first(message);
        for (std::size_t i = 0; i < sum.value.size(); ++i) {
            const double x = element(problem_, given, i);
            if (problem_.operation == Operation::prod) {
                sum.value[i] *= x;
                sum.magnitude[i] *= x == 0 ? 1 : std::max(std::abs(x), 1 / std::abs(x));
            } else {
                sum.magnitude[i] += std::abs(x);
                sum.value[i] += x;
            }
        }
    }
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

std::size_t Checker::bytes_of_sum(NodeId target) const
{
    return problem_.counts.empty() ? layout_.message : layout_.output(target).bytes;
}

std::span<const std::byte> Checker::given_message(NodeId origin, NodeId target) const
{
    const Layout::Part message = layout_.from_input(origin, target);
    return input_.subspan(layout_.input(origin).offset + message.offset, message.bytes);
}

/// Missing nodes' messages are not looked at.
std::uint64_t Checker::check_moved(NodeId node, std::span<const std::byte> output) const
{
    const NodeId first = first_origin(node);
    const bool many = traits(problem_.collective).after.share == Share::message_per_node;
    std::uint64_t messages = 0;
    for (NodeId origin = first; origin < (many ? topology_.nodes() : first + 1); ++origin) {
        if (!topology_.is_member(origin))
            continue;
        ++messages;
        const Layout::Part place = layout_.into_output(node, origin);
        const std::span<const std::byte> found = output.subspan(place.offset, place.bytes);
        const std::uint64_t key = key_of_message(problem_, seed_, origin, node);
        if (input_.empty() ? pattern::matches(pattern::Raw{}, key, found.data(), found.size())
                           : std::ranges::equal(given_message(origin, node), found)) [[likely]]
            continue;
        std::vector<std::byte> expected(found.size());
        if (input_.empty())
            pattern::write(pattern::Raw{}, key, expected.data(), expected.size());
        else
            std::ranges::copy(given_message(origin, node), expected.begin());
        report_message(node, origin, expected, found);
    }
    return messages;
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
            node, source.node,
            fmt::format("its elements (in row {}, column {}, which comes from node {})", row, column, source.node),
            i * size + at, expected[at], found[at]);
    }
}

void Checker::check_combined(NodeId node, const Expectation& expected, std::span<const std::byte> output) const
{
    const std::string what =
        fmt::format("the {} of {}", operation_name(problem_),
                    is_scan(problem_.collective)
                        ? fmt::format("the messages of {}", to_string(terms_of(problem_.collective, topology_, node)))
                        : "all nodes' messages");
    if (comparison() != Comparison::rounding) {
        if (comparison() == Comparison::own &&
            problem_.own_operation->same(expected.exact.data(), output.data(), output.size()))
            return;
        if (std::memcmp(expected.exact.data(), output.data(), output.size()) != 0)
            report_first_difference(node, std::nullopt, what, expected.exact, output);
        return;
    }
    const std::size_t wrong = first_wrong_element(problem_, topology_, expected.value, expected.magnitude, output);
    if (wrong == expected.value.size())
        return;
    report_wrong(node, std::nullopt,
                 fmt::format("node {}: byte {} of {} is wrong: expected {} within rounding, found {}", node,
                             wrong * size_of(problem_.type), what, expected.value[wrong],
                             element(problem_, output, wrong)));
}

}  // namespace dcube
