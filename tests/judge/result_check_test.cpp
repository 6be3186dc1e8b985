// Filling and checking: right outputs pass, and whatever is wrong in one is named to the byte.

#include "collectives/example.hpp"
#include "judge/result_check.hpp"
#include "tests/judge/demanded.hpp"
#include "tests/judge/small_traces.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/data.hpp"
#include "tests/support/error_of.hpp"

#include <dcube/error.hpp>
#include <dcube/layout.hpp>
#include <dcube/permutation.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

using namespace dcube;
using small_traces::demanded;
using test_support::Bytes;
using test_support::bytes_of;
using test_support::contains;
using test_support::error_of;
using test_support::filled;

namespace {

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
                    if ((d == 0 && small_traces::needs_two(collective)) || is_barrier(collective))
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

}  // namespace

TEST_CASE("check: right results pass, for seeded and for given data", "[judge]")
{
    for_all_problems([](const Problem& problem, const Topology& topology) {
        const Bytes input = filled(problem, topology, 42);
        const Bytes output = demanded(problem, topology, input);
        const std::uint64_t n = topology.nodes();
        std::uint64_t messages = output.size() / Layout(problem, topology).message;  // one per node in matrices
        if (problem.collective == Collective::exscan)
            --messages;
        if (problem.collective == Collective::reduce || problem.collective == Collective::all_reduce ||
            is_scan(problem.collective))
            messages *= problem.packets;
        CHECK(check_all(Checker(problem, topology, 42), problem, topology, output) == messages);
        CHECK(check_all(Checker(problem, topology, 7, input), problem, topology, output) == messages);
        if (messages > 0 && (n > 1 || !output.empty()))
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
            if (collective == Collective::exscan && node == 0) {
                output[i] ^= std::byte{0x10};
                continue;  // left alone
            }
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
    CHECK_THROWS_AS(Checker({.collective = Collective::broadcast, .root = 2}, topology, 1), InvalidArgument);
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

TEST_CASE("check: messages to the node itself, or to another node than the permutation says, are detected",
          "[judge][negative]")
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
