// The program dcube_gbench: Google Benchmark with its options, and --small. Exit 1 if a benchmark fails: by itself
// Google Benchmark prints its error among the results, and exits with 0.

#include "bench/benchmarks.hpp"
#include "inspect/measure/host.hpp"
#include "inspect/measure/host_document.hpp"
#include "inspect/measure/moment.hpp"

#include <dcube/machine.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <exception>
#include <optional>
#include <string>
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

// What results must agree in to be compared: the build, the machine, and how far apart its processors are just now.
void add_context()
{
    const auto program = dcube::measure::program_document();
    for (const auto& [key, value] : program.items())
        benchmark::AddCustomContext("dcube_" + key, value.get<std::string>());
    benchmark::AddCustomContext("fingerprint", dcube::measure::fingerprint_of_host());
    benchmark::AddCustomContext("usable_threads", std::to_string(dcube::available_threads()));
    benchmark::AddCustomContext("pin", std::string(name(dcube::Pinning::none)));
    const std::optional<double> seconds = dcube::measure::MomentWatch()().handover_seconds;
    benchmark::AddCustomContext("handover_ns", seconds ? fmt::format("{:.3g}", *seconds * 1e9) : "unknown");
}

}  // namespace

const std::vector<unsigned>& bench::worker_counts()
{
    static const std::vector<unsigned> counts = [] {
        const unsigned all = std::max(2U, dcube::available_threads());
        std::vector<unsigned> numbers;
        for (unsigned workers = 1; workers < all; workers *= 2)
            numbers.push_back(workers);
        numbers.push_back(all);
        return numbers;
    }();
    return counts;
}

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
    auto* const added =
        benchmark::RegisterBenchmark(name.c_str(), guarded)->MeasureProcessCPUTime()->UseRealTime()->Unit(unit);
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

    add_context();
    bench::add_clock(scale);
    bench::add_engine(scale);
    bench::add_catalogue(scale);
    bench::add_link_bound(scale);
    bench::add_planning(scale);
    bench::add_products(scale);
    bench::add_peers(scale);
    return benchmark::RunSpecifiedBenchmarks() == 0 || failures > 0 ? 1 : 0;
}
