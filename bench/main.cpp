// The program dcube_gbench: Google Benchmark with its options, and --small. Exit 1 if a benchmark fails: by itself
// Google Benchmark prints its error among the results, and exits with 0.

#include "bench/benchmarks.hpp"

#include <cstddef>
#include <exception>
#include <string_view>
#include <utility>
#include <vector>

namespace {

std::size_t failures = 0;

// Takes --small out of the arguments.
bench::Scale take_scale(std::vector<char*>& arguments)
{
    const auto is_small = [](const char* word) { return std::string_view(word) == "--small"; };
    return std::erase_if(arguments, is_small) > 0 ? bench::Scale::small : bench::Scale::full;
}

}  // namespace

void bench::add(Scale scale, const std::string& name, std::function<void(benchmark::State&)> work,
                benchmark::TimeUnit unit)
{
    const auto guarded = [work = std::move(work)](benchmark::State& state) {
        try {
            work(state);
        } catch (const std::exception& error) {
            ++failures;
            state.SkipWithError(error.what());
        }
    };
    auto* const added = benchmark::RegisterBenchmark(name.c_str(), guarded)->UseRealTime()->Unit(unit);
    if (scale == Scale::small)
        added->Iterations(1);
}

int main(int argc, char** argv)
{
    std::vector<char*> arguments(argv, argv + argc);
    const bench::Scale scale = take_scale(arguments);
    auto count = static_cast<int>(arguments.size());
    benchmark::Initialize(&count, arguments.data());
    if (benchmark::ReportUnrecognizedArguments(count, arguments.data()))
        return 2;

    bench::add_engine(scale);
    bench::add_catalogue(scale);
    bench::add_link_bound(scale);
    bench::add_planning(scale);
    bench::add_products(scale);
    bench::add_peers(scale);
    return benchmark::RunSpecifiedBenchmarks() == 0 || failures > 0 ? 1 : 0;
}
