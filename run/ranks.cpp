#include "run/ranks.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cstring>
#include <numeric>
#include <vector>

namespace dcube {

namespace {

std::vector<std::uint64_t> numbers_of_ranks(World& world, std::uint64_t own)
{
    std::vector<std::uint64_t> all;
    for (const std::vector<std::byte>& bytes : world.gather_everywhere(std::as_bytes(std::span(&own, 1)))) {
        std::uint64_t number = 0;
        std::memcpy(&number, bytes.data(), sizeof number);
        all.push_back(number);
    }
    return all;
}

std::string words_of(const LinkModel& link)
{
    return fmt::format("{} {} {} {}", name(link.kind), to_string(link.tau), to_string(link.beta), name(link.clock));
}

std::string words_of(const Tuning& tuning)
{
    return fmt::format("{} {} '{}' {}", tuning.groups, tuning.extended_groups, tuning.waves,
                       tuning.halvings ? fmt::format("{}", *tuning.halvings) : "-");
}

std::string words_of(const RunOptions& options)
{
    std::string failing;
    for (const Failing& one : options.failing)
        failing += to_string(one) + ' ';
    return fmt::format("{} {} {}", options.trace ? "traced" : "not traced", options.seed, failing);
}

}  // namespace

std::uint64_t sum_of_ranks(World& world, std::uint64_t own)
{
    const std::vector<std::uint64_t> all = numbers_of_ranks(world, own);
    return std::accumulate(all.begin(), all.end(), std::uint64_t{0});
}

std::uint64_t largest_of_ranks(World& world, std::uint64_t own)
{
    return std::ranges::max(numbers_of_ranks(world, own));
}

std::string words_of(const Problem& problem)
{
    const auto& operation = problem.own_operation;
    return fmt::format("{} {} {} {} {} {} {} {} {} {} {} {} | {} | {} | {} | {}", name(problem.collective),
                       problem.bytes, problem.packets, problem.root, operation_name(problem), element_size(problem),
                       name(problem.type), problem.peer, problem.rows, problem.columns, name(problem.layout),
                       name(problem.to), words_of(problem.link), words_of(problem.tuning),
                       operation ? operation->commutative : true, fmt::join(problem.permutation, " "));
}

void require_same_run(Machine& machine, const Problem& problem, const Algorithm& algorithm, const RunOptions& options)
{
    World& world = machine.world();
    if (world.ranks() == 1)
        return;
    require_same(world, "the problem", words_of(problem));
    require_same(world, "the algorithm", algorithm.name);
    require_same(world, "the run's trace, seed or failing links", words_of(options));
}

std::span<const std::byte> own_input(const Layout& whole, const Layout& own, std::span<const std::byte> input)
{
    if (own.input_bytes == 0)
        return {};
    if (input.size() != whole.input_bytes)
        throw InvalidArgument(
            fmt::format("the input of all nodes has {} bytes: {} are allowed", input.size(), whole.input_bytes));
    return input.subspan(own.first_input, own.input_bytes);
}

}  // namespace dcube
