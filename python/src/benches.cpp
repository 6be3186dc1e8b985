// Measurements: benchmarks of collectives, two of them compared, and the limits of the host.

#include "base/memory.hpp"
#include "base/names.hpp"
#include "base/threads.hpp"
#include "inspect/measure/bench_run.hpp"
#include "inspect/measure/comparison.hpp"
#include "inspect/measure/host.hpp"
#include "inspect/measure/host_document.hpp"
#include "inspect/measure/kept_limits.hpp"
#include "inspect/measure/limits_document.hpp"
#include "inspect/measure/measured_limits.hpp"
#include "inspect/measure/team.hpp"
#include "python/src/bind.hpp"

#include <dcube/error.hpp>
#include <dcube/stop.hpp>

#include <fmt/format.h>
#include <pybind11/stl.h>

#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <exception>
#include <mutex>
#include <optional>
#include <string>
#include <tuple>
#include <type_traits>
#include <vector>

namespace dcube::python {

namespace {

// Returns work(token), made on a thread of its own. Meanwhile this thread waits without the GIL and looks for Ctrl-C,
// so that looking is no part of the measured time.
template <class Work>
auto on_thread_of_its_own(const Work& work)
{
    constexpr std::chrono::milliseconds pause{50};
    std::optional<std::invoke_result_t<Work, StopToken>> result;
    std::exception_ptr failure;
    std::mutex mutex;
    std::condition_variable ended;
    bool over = false;
    StopSource source;
    {
        const WithoutGil released;
        const detail::JoiningThread worker([&] {
            try {
                const detail::PlanningScope planning(source.get_token());
                result.emplace(work(source.get_token()));
            } catch (...) {
                failure = std::current_exception();
            }
            const std::scoped_lock lock(mutex);
            over = true;
            ended.notify_one();
        });
        std::unique_lock lock(mutex);
        while (!ended.wait_for(lock, pause, [&] { return over; })) {
            lock.unlock();
            {
                const WithGil held;
                if (!source.stop_requested() && PyErr_CheckSignals() != 0)  // the error stays where it is
                    source.request_stop();
            }
            lock.lock();
        }
    }
    if (PyErr_Occurred())
        throw py::error_already_set();
    if (failure)
        std::rethrow_exception(failure);
    return std::move(*result);
}

measure::Setup setup_of(const Asked& asked)
{
    if (asked.own)
        throw InvalidArgument("an algorithm made in Python is not measured: what runs would be Python; algorithms of "
                              "the catalogue are allowed");
    measure::Setup setup{asked.question.topology,  asked.question.problem, asked.machine,
                         asked.question.algorithm, asked.question.seed,    !asked.threads_given};
    if (setup.machine.threads == 0)
        setup.machine.threads = available_threads();
    return setup;
}

std::vector<measure::Setup> setups_of(py::handle collective, const py::list& questions)
{
    if (questions.empty())
        throw InvalidArgument("an argument that is swept has no values");
    std::vector<measure::Setup> setups;
    for (const py::handle question : questions)
        setups.push_back(setup_of(asked_of(collective, py::reinterpret_borrow<py::dict>(question))));
    measure::require_different(setups);
    return setups;
}

std::vector<std::uint64_t> memory_of_all(const std::vector<measure::Setup>& setups)
{
    std::vector<std::uint64_t> memory;
    for (const measure::Setup& setup : setups)
        try {
            memory.push_back(measure::memory_needed(setup));
        } catch (const InvalidArgument&) {  // which the cell's preparation will say again
            memory.push_back(0);
        }
    return memory;
}

// Numbers that are no effort are refused here as the program's options are.
template <class Number>
void require_between(const char* name, const std::optional<Number>& value, Number least, Number most)
{
    if (value && !(*value >= least && *value <= most))
        throw InvalidArgument(
            name, fmt::format("{}", *value),
            fmt::format("is too {}: {} to {} are allowed", *value < least ? "small" : "large", least, most));
}

measure::BenchEffort effort_of(const measure::GivenEffort& given)
{
    constexpr double shortest = 1e-6;
    constexpr double longest = 86'400;
    require_between("min_seconds", given.min_seconds, shortest, longest);
    require_between("max_seconds", given.max_seconds, shortest, longest);
    require_between<std::uint64_t>("samples", given.samples, 1, 1'000'000);
    require_between<std::uint64_t>("rounds", given.rounds, 1, 1000);
    require_between<std::uint64_t>("warm_up", given.warm_up, 0, 1000);
    measure::BenchEffort effort = measure::effort_of(given);
    if (effort.max_seconds < effort.min_seconds)
        throw InvalidArgument("max_seconds", fmt::format("{}", effort.max_seconds),
                              fmt::format("is less than min_seconds {}", effort.min_seconds));
    effort.keep_bytes = available_memory() / 4;
    return effort;
}

// The document's text.
std::string bench(py::handle collective, const py::list& questions, const std::string& command,
                  std::optional<double> min_seconds, std::optional<double> max_seconds,
                  std::optional<std::uint64_t> samples, std::optional<std::uint64_t> rounds,
                  std::optional<std::uint64_t> warm_up, std::optional<bool> check)
{
    const std::vector<measure::Setup> setups = setups_of(collective, questions);
    const measure::BenchHead head{
        command, effort_of({min_seconds, max_seconds, samples, rounds, warm_up, check, setups.front().seed})};
    const measure::Json document = on_thread_of_its_own([&](const StopToken& stop) {
        const std::vector<measure::Candidate> candidates = measure::candidates_of(setups, memory_of_all(setups), stop);
        return measure::bench_document(
            measure::measured_benchmark(setups, candidates, head, {.now = measure::steady_seconds, .stop = stop}));
    });
    return measure::bench_json(document);
}

std::string compare_benches(const std::string& before, const std::string& old_name, const std::string& now,
                            const std::string& new_name)
{
    return measure::comparison_document(measure::compare(measure::read_bench_document(before, old_name),
                                                         measure::read_bench_document(now, new_name)))
        .dump();
}

void check_bench(const std::string& text, const std::string& name)
{
    measure::read_bench_document(text, name);
}

std::string rivals(const std::string& text)
{
    return measure::rivals_document(measure::against_each_other(measure::read_bench_document(text, "it"))).dump();
}

// A document of limits, with its records.
std::tuple<std::string, std::string> with_records(const measure::Limits& limits, const measure::Host& host,
                                                  const std::string& command)
{
    return {limits_document(limits, host, command).dump(2) + "\n", limits_records(limits).dump()};
}

std::optional<std::tuple<std::string, std::string>> kept_limits(const std::string& command)
{
    const std::optional<measure::Limits> limits = measure::kept_limits();
    if (!limits)
        return std::nullopt;
    return with_records(*limits, measure::this_host({.watched = std::chrono::milliseconds(0)}), command);
}

// A measurement: its document and records; then where they are to be kept and what, or why they are not.
struct MeasuredLimits {
    std::tuple<std::string, std::string> measured;
    std::optional<std::string> path;
    std::string kept;
};

std::tuple<std::string, std::string, std::optional<std::string>, std::string>
measure_limits(const std::string& command, const std::vector<unsigned>& threads, bool quick, const std::string& pin)
{
    for (const unsigned number : threads)
        require_between<std::uint64_t>("threads", number, 1, available_threads());
    const Pinning pinning = about("pin", [&] { return parse_pinning(pin); });
    const MeasuredLimits all = on_thread_of_its_own([&](const StopToken& stop) {
        const measure::Host host = measure::this_host();
        measure::LimitsPlan plan = measure::usual_plan(host, threads, quick, pinning);
        plan.effort.look = [&stop] {
            if (stop.stop_requested())
                throw Interrupted();
        };
        const measure::Limits limits = measure::limits_of_host(plan, host);
        MeasuredLimits result{with_records(limits, host, command), {}, {}};
        const measure::Keeping keeping = measure::keeping(limits);
        result.kept = keeping.why_not;
        if (keeping.limits) {
            result.path = measure::kept_limits_path();
            result.kept = std::get<0>(with_records(*keeping.limits, host, command));
        }
        return result;
    });
    return {std::get<0>(all.measured), std::get<1>(all.measured), all.path, all.kept};
}

}  // namespace

void bind_benches(py::module_& module)
{
    module.def("bench", &bench, py::arg("collective"), py::arg("questions"), py::kw_only(), py::arg("command"),
               py::arg("min_seconds"), py::arg("max_seconds"), py::arg("samples"), py::arg("rounds"),
               py::arg("warm_up"), py::arg("check"));
    module.def("compare_benches", &compare_benches, py::arg("before"), py::arg("old_name"), py::arg("now"),
               py::arg("new_name"));
    module.def("check_bench", &check_bench, py::arg("text"), py::arg("name"));
    module.def("bench_rivals", &rivals, py::arg("document"));
    module.def("kept_limits", &kept_limits, py::arg("command"));
    module.def("measure_limits", &measure_limits, py::arg("command"), py::arg("threads"), py::arg("quick"),
               py::arg("pin"));
}

}  // namespace dcube::python
