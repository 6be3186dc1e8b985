// Filling and checking: right outputs pass, and whatever is wrong in one is named to the byte.

#include "tests/judge/small_traces.hpp"
#include "tests/support/catch.hpp"

#include <dcube/check.hpp>
#include <dcube/matrix.hpp>
#include <dcube/permutation.hpp>

#include <cmath>
#include <cstring>
#include <limits>
#include <set>

using namespace dcube;
using small_traces::contains;
using small_traces::error_of;
using Bytes = std::vector<std::byte>;

namespace {

Bytes filled(const Problem& problem, const Topology& topology, std::uint64_t seed)
{
    const Layout layout(problem, topology);
    Bytes input(layout.input_bytes);
    for (NodeId node = 0; node < topology.nodes(); ++node)
        fill_input(problem, topology, seed, node,
                   node_data(layout, input, input, node).input.empty()
                       ? std::span<std::byte>()
                       : std::span(input).subspan(layout.input(node).offset, layout.input(node).bytes));
    return input;
}

/// What the collective demands, straight from the table in layout.hpp.
Bytes demanded(const Problem& problem, const Topology& topology, const Bytes& input)
{
    const std::size_t n = topology.nodes();
    const Layout layout(problem, topology);
    const std::size_t message = layout.message;
    Bytes output;
    const auto append = [&](std::size_t number) {
        const auto from = input.begin() + static_cast<std::ptrdiff_t>(number * message);
        output.insert(output.end(), from, from + static_cast<std::ptrdiff_t>(message));
    };
    const auto append_sum = [&](std::size_t first, std::size_t stride) {
        append(first);
        std::byte* const into = output.data() + output.size() - message;
        for (std::size_t i = 1; i < n; ++i)
            combiner(problem.operation, problem.type)(into, into, input.data() + (first + i * stride) * message,
                                                      message);
    };
    const auto append_elements = [&](NodeId node) {  // which matrix_test.cpp looks into
        const MatrixMove move(problem, topology);
        const std::size_t size = size_of(problem.type);
        for (std::size_t i = 0; i < message / size; ++i) {
            const MatrixShape::Place source = move.source({node, i});
            const auto from = input.begin() + static_cast<std::ptrdiff_t>(source.node * message + source.index * size);
            output.insert(output.end(), from, from + static_cast<std::ptrdiff_t>(size));
        }
    };
    for (std::size_t node = 0; node < n; ++node) {
        switch (problem.collective) {
        case Collective::send:
            if (node == problem.peer)
                append(0);
            break;
        case Collective::exchange:
            if (node == problem.root || node == problem.peer)
                append(node == std::min(problem.root, problem.peer) ? 1 : 0);
            break;
        case Collective::permute: {
            const auto& targets = problem.permutation;
            append(static_cast<std::size_t>(std::find(targets.begin(), targets.end(), node) - targets.begin()));
            break;
        }
        case Collective::matrix_transpose:
        case Collective::matrix_quarter_turn:
        case Collective::matrix_half_turn:
        case Collective::matrix_relayout: append_elements(static_cast<NodeId>(node)); break;
        case Collective::broadcast: append(0); break;
        case Collective::scatter: append(node); break;
        case Collective::reduce_scatter: append_sum(node, n); break;
        case Collective::all_reduce: append_sum(0, 1); break;
        case Collective::reduce:
            if (node == problem.root)
                append_sum(0, 1);
            break;
        case Collective::gather:
            if (node != problem.root)
                break;
            [[fallthrough]];
        case Collective::all_gather:
            for (std::size_t origin = 0; origin < n; ++origin)
                append(origin);
            break;
        case Collective::all_to_all:
            for (std::size_t origin = 0; origin < n; ++origin)
                append(origin * n + node);
            break;
        }
    }
    return output;
}

std::uint64_t check_all(const Checker& checker, const Problem& problem, const Topology& topology, const Bytes& output)
{
    const Layout layout(problem, topology);
    std::uint64_t checked = 0;
    for (NodeId node = 0; node < topology.nodes(); ++node)
        checked +=
            checker.check(node, std::span(output).subspan(layout.output(node).offset, layout.output(node).bytes));
    return checked;
}

template <class Work>
void for_all_problems(const Work& work)
{
    for (const Collective collective : all_collectives)
        for (const unsigned d : {0U, 1U, 3U})
            for (const ElementType type :
                 {ElementType::uint8, ElementType::int32, ElementType::float32, ElementType::float64})
                for (const std::size_t elements : {1U, 3U, 16U, 600U}) {
                    if (d == 0 && small_traces::needs_two(collective))
                        continue;
                    Problem problem = small_traces::example(collective, d, elements);
                    problem.bytes = elements * size_of(type);
                    problem.packets = 2;
                    problem.type = type;
                    if (has_root(collective))
                        problem.root = (1U << d) / 2;
                    if (collective == Collective::permute)
                        problem.permutation = permutation_by_name("random", Topology::hypercube(d));
                    CAPTURE(name(collective), d, name(type), problem.bytes);
                    work(problem, Topology::hypercube(d));
                }
}

template <class T>
Bytes bytes_of(const std::vector<T>& values)
{
    Bytes bytes(values.size() * sizeof(T));
    std::memcpy(bytes.data(), values.data(), bytes.size());
    return bytes;
}

/// Whether `found` passes as the all-reduce of `given`, one element a node.
template <class T>
bool passes(Operation operation, const std::vector<T>& given, T found)
{
    const Topology topology = Topology::hypercube(given.size() == 4 ? 2 : 1);
    const Problem problem{.collective = Collective::all_reduce,
                          .bytes = sizeof(T),
                          .operation = operation,
                          .type = sizeof(T) == 4 ? ElementType::float32 : ElementType::float64};
    const Bytes input = bytes_of(given);
    const Checker checker(problem, topology, 0, input);
    return error_of([&] { checker.check(0, bytes_of(std::vector<T>{found})); }).empty();
}

}  // namespace

TEST_CASE("check: what the collective demands passes, for seeded and for given data", "[judge]")
{
    for_all_problems([](const Problem& problem, const Topology& topology) {
        const Bytes input = filled(problem, topology, 42);
        const Bytes output = demanded(problem, topology, input);
        const std::uint64_t n = topology.nodes();
        std::uint64_t messages = output.size() / Layout(problem, topology).message;  // one a node in matrices
        if (problem.collective == Collective::reduce || problem.collective == Collective::all_reduce)
            messages *= problem.packets;
        CHECK(check_all(Checker(problem, topology, 42), problem, topology, output) == messages);
        CHECK(check_all(Checker(problem, topology, 7, input), problem, topology, output) == messages);
        if (n > 1 || !output.empty())
            CHECK_THROWS_AS(check_all(Checker(problem, topology, 43), problem, topology, output), VerificationError);
    });
}

TEST_CASE("check: any byte that is changed is named", "[judge][negative]")
{
    for (const Collective collective : all_collectives) {
        Problem problem = small_traces::example(collective, 2, 11);
        const Topology topology = Topology::hypercube(2);
        const Layout layout(problem, topology);
        const Bytes input = filled(problem, topology, 1);
        const Checker seeded(problem, topology, 1);
        const Checker given(problem, topology, 0, input);
        Bytes output = demanded(problem, topology, input);
        for (std::size_t i = 0; i < output.size(); ++i) {
            output[i] ^= std::byte{0x10};
            NodeId node = 0;
            while (i - layout.output(node).offset >= layout.output(node).bytes)
                ++node;
            const std::string start =
                "node " + std::to_string(node) + ": byte " + std::to_string(i % layout.message) + " of ";
            for (const Checker* const checker : {&seeded, &given}) {
                const std::string error = error_of([&] { check_all(*checker, problem, topology, output); });
                CAPTURE(name(collective), i, error);
                CHECK(error.starts_with(start));
                CHECK(contains(error, "found 0x"));
            }
            output[i] ^= std::byte{0x10};
        }
    }
}

TEST_CASE("check: the message says who, where, and what was expected", "[judge][negative]")
{
    const Problem problem{.collective = Collective::all_to_all, .bytes = 2};
    const Topology topology = Topology::hypercube(1);
    const Bytes input = bytes_of(std::vector<std::uint8_t>{1, 2, 3, 4, 5, 6, 7, 8});
    CHECK(error_of([&] {
              Checker(problem, topology, 0, input).check(1, bytes_of(std::vector<std::uint8_t>{3, 4, 7, 9}));
          }) == "node 1: byte 1 of the message from node 1 is wrong: expected 0x08, found 0x09");
}

TEST_CASE("check: swapped, shifted and missing messages are found", "[judge][negative]")
{
    const Problem problem{.collective = Collective::all_to_all, .bytes = 8, .packets = 2};
    const Topology topology = Topology::hypercube(3);
    const Checker checker(problem, topology, 5);
    const Bytes output = demanded(problem, topology, filled(problem, topology, 5));
    const auto wrong = [&](const Bytes& changed) {
        CHECK_THROWS_AS(check_all(checker, problem, topology, changed), VerificationError);
    };
    for (std::size_t i = 0; i + 1 < output.size() / 8; ++i) {
        Bytes swapped = output;
        std::swap_ranges(swapped.begin() + static_cast<std::ptrdiff_t>(i * 8),
                         swapped.begin() + static_cast<std::ptrdiff_t>(i * 8 + 8),
                         swapped.begin() + static_cast<std::ptrdiff_t>(i * 8 + 8));
        wrong(swapped);
        Bytes missing = output;
        std::fill_n(missing.begin() + static_cast<std::ptrdiff_t>(i * 8), 8, std::byte{0});
        wrong(missing);
    }
    Bytes shifted = output;
    std::rotate(shifted.begin(), shifted.begin() + 1, shifted.end());
    wrong(shifted);
}

TEST_CASE("check: words differ by seed, origin, target and offset", "[judge]")
{
    const Problem problem{.collective = Collective::all_to_all, .bytes = 32};
    std::set<std::uint64_t> words;
    std::size_t count = 0;
    for (std::uint64_t seed = 0; seed < 4; ++seed) {
        const Bytes input = filled(problem, Topology::hypercube(5), seed);
        for (std::size_t i = 0; i < input.size(); i += 8, ++count) {
            std::uint64_t word = 0;
            std::memcpy(&word, input.data() + i, 8);
            words.insert(word);
        }
    }
    CHECK(words.size() == count);
}

TEST_CASE("check: seeded floats are small integers whose sums are exact in any order", "[judge]")
{
    const Problem problem{.collective = Collective::all_reduce, .bytes = 4000, .type = ElementType::float32};
    const Topology topology = Topology::hypercube(10);
    const Bytes input = filled(problem, topology, 3);
    std::set<float> values;
    std::vector<double> sum(1000);
    std::vector<float> backwards(1000);
    for (std::size_t i = 0; i < input.size() / 4; ++i) {
        float x = 0;
        std::memcpy(&x, input.data() + i * 4, 4);
        values.insert(x);
        sum[i % 1000] += static_cast<double>(x);
        std::memcpy(&x, input.data() + input.size() - 4 - i * 4, 4);
        backwards[999 - i % 1000] += x;
    }
    CHECK(*values.begin() == -64);
    CHECK(*values.rbegin() == 63);
    CHECK(values.size() == 128);
    for (std::size_t i = 0; i < 1000; ++i)
        CHECK(static_cast<double>(backwards[i]) == sum[i]);
    CHECK(Checker(problem, topology, 3).check(5, bytes_of(backwards)) == 1);
}

TEST_CASE("check: sums of given floats may differ by rounding and no more", "[judge][negative]")
{
    CHECK(passes<float>(Operation::sum, {1e8F, 1, 1, -1e8F}, 0));
    CHECK(passes<float>(Operation::sum, {1e8F, 1, 1, -1e8F}, 2));
    CHECK_FALSE(passes<float>(Operation::sum, {1, 1, 1, 1}, 4.00001F));
    CHECK_FALSE(passes<float>(Operation::sum, {1, 1, 1, 1}, 3));
    CHECK(passes<double>(Operation::sum, {0.1, 0.2, 0.3, 0.4}, 0.1 + (0.2 + (0.3 + 0.4))));
    CHECK_FALSE(passes<double>(Operation::sum, {0.1, 0.2, 0.3, 0.4}, 1.00000000001));
    CHECK_FALSE(passes<double>(Operation::sum, {0.1, 0.2}, std::nan("")));

    const double nan = std::nan("");
    const double most = std::numeric_limits<double>::max();
    CHECK(passes<double>(Operation::sum, {nan, 1}, nan));
    CHECK_FALSE(passes<double>(Operation::sum, {nan, 1}, 1));
    CHECK(passes<double>(Operation::sum, {most, most, -most, -most}, 0));
    CHECK(passes<double>(Operation::sum, {most, most, -most, -most}, std::numeric_limits<double>::infinity()));
    CHECK(passes<float>(Operation::sum, {3e38F, 3e38F, -3e38F, -3e38F}, 0));
    CHECK(passes<double>(Operation::min, {0.0, -0.0}, 0.0));
    CHECK(passes<double>(Operation::min, {nan, 1}, 1));
    CHECK(passes<double>(Operation::max, {2, 1}, 2));
    CHECK_FALSE(passes<double>(Operation::max, {2, 1}, 1));
    CHECK_FALSE(passes<float>(Operation::min, {2, 1}, 0.99999F));
}

TEST_CASE("check: wrong sizes and problems are refused", "[judge][negative]")
{
    const Problem problem{.collective = Collective::all_gather, .bytes = 4};
    const Topology topology = Topology::hypercube(1);
    Bytes bytes(5);
    CHECK(error_of([&] { fill_input(problem, topology, 1, 0, bytes); }) ==
          "the input of node 0 has 5 bytes: 4 are allowed");
    CHECK(error_of([&] { Checker(problem, topology, 1).check(1, bytes); }) ==
          "the output of node 1 has 5 bytes: 8 are allowed");
    CHECK(error_of([&] { Checker(problem, topology, 1, bytes).check(1, bytes); }) ==
          "the input of all nodes has 5 bytes: 8 are allowed");
    CHECK_THROWS_AS(Checker({.bytes = 0}, topology, 1), InvalidArgument);
}

TEST_CASE("check: elements of a matrix that lie wrong are named with their places", "[judge][negative]")
{
    Problem problem{.collective = Collective::matrix_transpose, .type = ElementType::int16};
    problem.rows = 2;
    problem.columns = 2;
    const Topology topology = Topology::hypercube(1);
    const Bytes input = bytes_of(std::vector<std::uint16_t>{1, 2, 3, 4});
    const Checker checker(problem, topology, 0, input);
    CHECK(checker.check(0, bytes_of(std::vector<std::uint16_t>{1, 3})) == 1);
    CHECK(error_of([&] {
              checker.check(0, bytes_of(std::vector<std::uint16_t>{1, 2}));
          }) ==
          "node 0: byte 2 of its elements (in row 0, column 1, which comes from node 1) is wrong: expected 0x03, found "
          "0x02");
}

TEST_CASE("check: what a node sends to itself, or to another than the permutation says, is found", "[judge][negative]")
{
    Problem problem{.collective = Collective::permute, .bytes = 8};
    problem.permutation = {1, 2, 0, 3};
    const Topology topology = Topology::hypercube(2);
    const Bytes input = filled(problem, topology, 9);
    const Checker checker(problem, topology, 9);
    const Checker given(problem, topology, 0, input);
    const std::size_t origins[] = {2, 0, 1, 3};
    for (NodeId node = 0; node < 4; ++node) {
        for (NodeId origin = 0; origin < 4; ++origin) {
            const auto message = std::span(input).subspan(origin * std::size_t{8}, 8);
            for (const Checker* const one : {&checker, &given}) {
                const std::string error = error_of([&] { one->check(node, message); });
                CHECK(error.empty() == (origin == origins[node]));
                CHECK((error.empty() || contains(error, "the message from node " + std::to_string(origins[node]))));
            }
        }
    }
}
