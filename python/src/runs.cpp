// Runs of collectives, and facts known without a run.

#include "python/src/bind.hpp"

#include "run/compare.hpp"
#include "run/given.hpp"
#include "run/report.hpp"
#include "run/report_fields.hpp"

#include <dcube/bounds.hpp>
#include <dcube/plan_cache.hpp>
#include <dcube/run.hpp>

#include <fmt/format.h>
#include <pybind11/stl.h>

#include <algorithm>
#include <cstddef>
#include <memory>
#include <optional>
#include <pthread.h>
#include <string>
#include <utility>
#include <vector>

namespace dcube::python {

namespace {

bool on_main_thread()
{
    const py::module_ threading = py::module_::import("threading");
    return threading.attr("main_thread")().attr("ident").cast<unsigned long>() == PyThread_get_thread_ident();
}

VerifiedRunOptions verified(const Asked& asked)
{
    VerifiedRunOptions how;
    how.seed = asked.question.seed;
    how.repeat = asked.repeat;
    return how;
}

Report run(const Asked& asked)
{
    std::optional<Report> report;
    run_asked(asked, [&](Machine& machine, const Entry& algorithm, const RunOptions& options) {
        report = run_verified(machine, algorithm, asked.question.problem, verified(asked), options);
    });
    if (asked.threads_given)
        report->threads_asked = asked.machine.threads;
    return std::move(*report);
}

py::object run_and_report(py::handle what, const py::dict& given)
{
    const Asked asked = asked_of(what, given);
    return report_object(run(asked), question_with(what, given));
}

// A run of a comparison, and what it is a run of: a name, or an Algorithm.
struct Contender {
    Report report;
    py::object algorithm;
};

struct LeftOut {
    std::string algorithm;
    std::string reason;  ///< with keys as mention() writes them
};

struct Comparison {
    std::vector<Contender> contenders{};
    std::vector<LeftOut> left_out{};

    void add(const std::string& name, const py::object& algorithm, Tried tried)
    {
        if (!tried.report) {
            left_out.push_back({name, std::move(tried.obstacle)});
            return;
        }
        tried.report->algorithm = name;
        contenders.push_back({std::move(*tried.report), algorithm});
    }
};

Tried try_asked(const Asked& asked, Machine& machine, const Candidate& candidate, RunOptions options)
{
    options.failing = asked.question.failing;
    Tried tried = try_out(machine, candidate, asked.question.problem, verified(asked), options);
    if (tried.report && asked.threads_given)
        tried.report->threads_asked = asked.machine.threads;
    return tried;
}

void add_of_catalogue(const Asked& asked, const std::vector<std::string>& names, Comparison& comparison)
{
    const Question& question = asked.question;
    std::vector<std::pair<std::string, Tried>> all = without_gil([&](const RunOptions& options) {
        std::vector<std::pair<std::string, Tried>> made;
        Machine machine(question.topology, asked.machine);
        for (const Candidate& candidate : candidates(question.topology, question.ports, question.problem, names))
            made.emplace_back(candidate.name, try_asked(asked, machine, candidate, options));
        return made;
    });
    for (auto& [name, tried] : all)
        comparison.add(name, py::str(name), std::move(tried));
}

void add_of_python(Asked asked, const py::object& own, Comparison& comparison)
{
    if (!is_algorithm(own))
        throw py::type_error(fmt::format("also is a list of Algorithms, not of {}", Py_TYPE(own.ptr())->tp_name));
    use_one_thread(asked);
    Machine machine(asked.question.topology, asked.machine);
    std::optional<std::pair<std::string, Tried>> made;
    with_algorithm(own, machine, asked.question.seed, [&](const Entry& algorithm, const RunOptions& options) {
        const Candidate candidate{std::string(algorithm.name), &algorithm, ""};
        made.emplace(candidate.name, try_asked(asked, machine, candidate, options));
    });
    comparison.add(made->first, own, std::move(made->second));
}

// The same; one that fails is left out. What a signal's handler has raised comes out.
void try_of_python(const Asked& asked, const py::object& own, Comparison& comparison)
{
    const auto left_out = [&](const std::string& why) {
        comparison.left_out.push_back({utf8(py::str(own.attr("name"))), why});
    };
    try {
        add_of_python(asked, own, comparison);
    } catch (const Interrupted&) {
        throw;
    } catch (const InvalidArgument& error) {
        left_out(error.sentence(mention));
    } catch (const Error& error) {
        left_out(error.what());
    } catch (const py::error_already_set& error) {
        if (is_of_signal(error))
            throw;
        left_out(utf8(py::module_::import("dcube.errors").attr("reason")(error.value())));
    }
}

// The algorithms that the argument `algorithm` names, one or several; none: all.
std::vector<std::string> names_in(const py::dict& given)
{
    if (!given.contains("algorithm") || given["algorithm"].is_none())
        return {};
    const py::object named = given["algorithm"];
    return PyUnicode_Check(named.ptr()) ? std::vector{utf8(named)} : named.cast<std::vector<std::string>>();
}

// The reports, the best first, and the names of those that were left out with the reasons. An Algorithm is compared
// with those for its collective.
py::tuple compare(const py::object& what, const py::dict& given, std::vector<py::object> also)
{
    py::object collective = what;
    if (is_algorithm(what)) {
        collective = py::str(std::string(name(collective_of(what))));
        also.insert(also.begin(), what);
    }
    py::dict question = py::reinterpret_steal<py::dict>(PyDict_Copy(given.ptr()));
    const std::vector<std::string> names = names_in(given);
    question.attr("pop")("algorithm", py::none());
    const Asked asked = asked_of(collective, question);
    Comparison comparison;
    add_of_catalogue(asked, names, comparison);
    for (const py::object& own : also)
        try_of_python(asked, own, comparison);
    if (comparison.contenders.empty() && names.empty())  // it says why
        find_algorithm(asked.question.topology, asked.question.ports, asked.question.problem);
    if (comparison.contenders.empty())
        throw InvalidArgument("algorithm",
                              fmt::format("no algorithm can do this: {}", comparison.left_out.front().reason));
    std::ranges::stable_sort(comparison.contenders, is_better, &Contender::report);

    py::list reports;
    for (const auto& [report, algorithm] : comparison.contenders) {
        py::dict one = question_with(collective, question);
        one["algorithm"] = algorithm;
        reports.append(report_object(report, one));
    }
    py::dict left_out;
    for (const auto& [algorithm, reason] : comparison.left_out) {
        std::string key = algorithm;
        for (int n = 2; left_out.contains(key); ++n)  // algorithms of one's own may have the same name
            key = fmt::format("{} ({})", algorithm, n);
        left_out[py::str(key)] = named(reason, argument_of);
    }
    return py::make_tuple(reports, left_out);
}

py::dict bounds(const py::object& collective, const py::dict& given)
{
    const Asked asked = asked_of(collective, given);
    const Question& question = asked.question;
    const Report report = without_gil(
        [&](const RunOptions&) { return blank_report(question.topology, question.ports, question.problem); });
    const bool unit = !report.link.bound();
    const auto if_unit = [&](const auto& value) { return unit ? py::cast(value) : py::object(py::none()); };
    py::dict all;
    all["steps"] = if_unit(report.steps_lower_bound);
    all["steps_reason"] = if_unit(report.steps_reason);
    all["transmissions"] = if_unit(report.transmissions_lower_bound);
    all["transmissions_reason"] = if_unit(report.transmissions_reason);
    all["time_ns"] = report.time_lower_bound_ns ? fraction(*report.time_lower_bound_ns) : py::none();
    all["time_reason"] = unit ? py::object(py::none()) : py::str(report.time_reason);
    return all;
}

py::list bounds_of_exchange(py::handle network, const std::string& ports)
{
    const Topology topology = topology_in(network);
    const PortModel model = parse_ports(ports);
    py::list all;
    for (const ExchangeBound& bound :
         without_gil([&](const RunOptions&) { return exchange_bounds(topology, model); })) {
        py::dict one;
        one["name"] = bound.name;
        one["value"] = fraction(bound.value);
        one["steps"] = bound.steps;
        one["reason"] = bound.reason;
        all.append(one);
    }
    return all;
}

// The forecast as JSON.
std::string forecast_of(const py::object& collective, const py::dict& given)
{
    const Asked asked = asked_of(collective, given);
    if (asked.own)
        throw InvalidArgument("an Algorithm of Python has no forecast: only a run shows what it takes");
    return without_gil([&](const RunOptions&) {
        const Question& question = asked.question;
        require_algorithm(question.topology, question.ports, question.problem, question.algorithm);
        const Forecast found = forecast(question.topology, asked.machine, question.problem, question.algorithm);
        return record_of(found).dump(2);
    });
}

py::list algorithms(const std::optional<std::string>& collective)
{
    const std::string_view only = collective ? name(parse_collective(*collective)) : "";
    py::list all;
    for (const Entry& algorithm : catalogue()) {
        if (!only.empty() && name(algorithm.collective) != only)
            continue;
        py::dict one;
        one["collective"] = name(algorithm.collective);
        one["name"] = algorithm.name;
        one["paper"] = algorithm.paper;
        one["origin"] = name(algorithm.origin);
        one["summary"] = algorithm.summary;
        one["ports"] = name(algorithm.ports);
        one["link_model"] = name(algorithm.link);
        one["networks"] = name(algorithm.networks);
        all.append(one);
    }
    return all;
}

// Called by Python on its main thread, when it has the GIL.
int warn_of(void* line)
{
    const std::unique_ptr<std::string> text(static_cast<std::string*>(line));
    return PyErr_WarnExplicit(PyExc_RuntimeWarning, text->c_str(), "dcube", 1, "dcube", nullptr);
}

// Plans are made on any thread, without the GIL.
void use_plan_cache(const std::string& folder)
{
    const auto warn = [](const std::string& line) {
        auto text = std::make_unique<std::string>(line);
        if (Py_AddPendingCall(warn_of, text.get()) == 0)
            static_cast<void>(text.release());
    };
    set_plan_cache({.directory = folder, .warn = warn});
}

// Keys and their units.
py::dict keys_of(RecordKind kind)
{
    py::dict keys;
    for (const ReportField& field : report_fields())
        if (field.stands_in(kind))
            keys[py::str(field.key.data(), field.key.size())] = field.unit;
    return keys;
}

}  // namespace

void run_asked(const Asked& asked, const std::function<void(Machine&, const Entry&, RunOptions&)>& work)
{
    const Question& question = asked.question;
    const auto run_by = [&](Machine& machine, const Entry& algorithm, RunOptions options) {
        options.failing = question.failing;
        work(machine, algorithm, options);
    };
    if (asked.own) {
        Machine machine(question.topology, asked.machine);
        with_algorithm(asked.own, machine, question.seed,
                       [&](const Entry& algorithm, const RunOptions& options) { run_by(machine, algorithm, options); });
        return;
    }
    without_gil([&](const RunOptions& options) {
        const Entry& algorithm =
            require_algorithm(question.topology, question.ports, question.problem, question.algorithm);
        Machine machine(question.topology, asked.machine);
        run_by(machine, algorithm, options);
    });
}

py::object report_object(const Report& report, const py::dict& question)
{
    // Never freed, because objects at exit are destroyed after the interpreter.
    static PyObject* const type = py::object(py::module_::import("dcube.reports").attr("Report")).release().ptr();
    return py::handle(type)(to_json(report), question);
}

void wait_for_ever()
{
    for (;;)
        std::this_thread::sleep_for(std::chrono::hours(1));
}

PyGILState_STATE WithGil::taken()
{
    if (Py_IsInitialized() == 0)
        wait_for_ever();
    return unless_exiting([] { return PyGILState_Ensure(); });
}

namespace {

thread_local unsigned nesting = 0;  // runs of programs on this thread, one in the other

// The end of the thread's stack; null if it is not known.
const std::byte* end_of_stack()
{
#ifdef __APPLE__
    const auto* const begin = static_cast<const std::byte*>(pthread_get_stackaddr_np(pthread_self()));
    return begin - pthread_get_stacksize_np(pthread_self());
#else
    void* end = nullptr;
    std::size_t bytes = 0;
    if (pthread_attr_t attributes; pthread_getattr_np(pthread_self(), &attributes) == 0) {
        if (pthread_attr_getstack(&attributes, &end, &bytes) != 0)
            end = nullptr;
        pthread_attr_destroy(&attributes);
    }
    return static_cast<const std::byte*>(end);
#endif
}

}  // namespace

Nested::Nested()
{
    require_stack();
    ++nesting;
}

Nested::~Nested()
{
    --nesting;
}

void require_stack()
{
    if (nesting == 0)
        return;
    constexpr std::ptrdiff_t least = 64 << 10;
    thread_local const std::byte* const end = end_of_stack();
    // A variable's address would not do: sanitizers move variables elsewhere.
    if (end == nullptr || static_cast<const std::byte*>(__builtin_frame_address(0)) - end >= least)
        return;
    PyErr_SetString(PyExc_RecursionError, "programs have run programs until the thread's stack was nearly full");
    throw py::error_already_set();
}

Watch::Watch()
{
    if (on_main_thread())
        main_ = std::this_thread::get_id();
}

void Watch::look()
{
    if (std::this_thread::get_id() != main_ || source_.stop_requested() || Clock::now() < next_)
        return;
    const WithGil held;
    if (PyErr_CheckSignals() != 0)  // the error stays where it is until the work has ended
        source_.request_stop();
    next_ = Clock::now() + pause;
}

void Watch::raise_if_interrupted() const
{
    if (source_.stop_requested() && PyErr_Occurred())
        throw py::error_already_set();
}

void bind_runs(py::module_& module)
{
    module.def("run", &run_and_report, py::arg("collective"), py::arg("question"));
    module.def("compare", &compare, py::arg("collective"), py::arg("question"), py::arg("also"));
    module.def("bounds", &bounds, py::arg("collective"), py::arg("question"));
    module.def("exchange_bounds", &bounds_of_exchange, py::arg("topology"), py::arg("ports"));
    module.def("forecast", &forecast_of, py::arg("collective"), py::arg("question"));
    module.def("algorithms", &algorithms, py::arg("collective"));
    module.def("set_plan_cache", &use_plan_cache, py::arg("folder"));
    module.def("forget_plan_cache", &forget_plan_cache);
    module.attr("report_keys") = keys_of(RecordKind::report);
    module.attr("trace_keys") = keys_of(RecordKind::trace);
}

}  // namespace dcube::python
