#include "cli/commands/bench_ranks.hpp"

#include "cli/ranks.hpp"
#include "measure/team.hpp"

#include <algorithm>
#include <cstddef>
#include <cstring>
#include <span>

namespace dcube::cli {

namespace {

// All ranks measure for as long as rank 0's clock says.
double seconds_for_all()
{
    const double own = measure::steady_seconds();
    const std::vector<std::byte> told = process_world().broadcast(std::as_bytes(std::span(&own, 1)), 0);
    double seconds = 0;
    std::memcpy(&seconds, told.data(), sizeof seconds);
    return seconds;
}

}  // namespace

std::vector<std::uint64_t> of_first_rank(const std::function<std::vector<std::uint64_t>()>& work)
{
    World& world = process_world();
    std::vector<std::uint64_t> numbers;
    together(world, [&] {
        if (world.rank() == 0)
            numbers = work();
    });
    const std::vector<std::byte> told = world.broadcast(std::as_bytes(std::span(numbers)), 0);
    numbers.resize(told.size() / sizeof(std::uint64_t));
    std::ranges::copy(told, std::as_writable_bytes(std::span(numbers)).begin());
    return numbers;
}

// With several ranks stops are agreed on: by runs, and between slices.
measure::Surroundings surroundings(const Interrupt& interrupt, BenchProgress& progress)
{
    if (process_world().ranks() == 1)
        return {.now = measure::steady_seconds,
                .stop = interrupt.token(),
                .tell = [&](const measure::Stage& stage) { progress.show(stage); }};
    return {.now = seconds_for_all, .stop = {}, .tell = [&](const measure::Stage& stage) {
                together(process_world(), [&] {
                    interrupt.check();
                    progress.show(stage);
                });
            }};
}

}  // namespace dcube::cli
