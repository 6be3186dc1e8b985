// Films: what was run, as a page that plays it and as figures.

#include "python/src/bind.hpp"
#include "python/src/programs.hpp"
#include "python/src/schedules.hpp"

#include "base/numbers.hpp"
#include "inspect/view/document/document.hpp"
#include "inspect/view/film/film.hpp"
#include "inspect/view/html/page.hpp"
#include "inspect/view/svg/frame.hpp"
#include "inspect/view/words/titles.hpp"
#include "run/recording.hpp"
#include "run/working_memory.hpp"

#include <dcube/error.hpp>
#include <dcube/link.hpp>
#include <dcube/trace.hpp>

#include <fmt/format.h>
#include <pybind11/stl.h>

#include <exception>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace dcube::python {

namespace {

/// _core.Film: a recording, and what it points to.
struct FilmObject {
    std::unique_ptr<const Entry> algorithm{};             ///< Python's own, without its program
    std::unique_ptr<const ScheduleAlgorithm> schedule{};  ///< or one made of a schedule
    py::object held{};                                    ///< has the texts of `algorithm`
    std::string program{};                                ///< or its name, of a program's run
    std::unique_ptr<const view::Film> film{};
};

using MadeFilm = std::unique_ptr<FilmObject>;

VerifiedRunOptions seeded(const Asked& asked)
{
    VerifiedRunOptions how;
    how.seed = asked.question.seed;
    return how;
}

// The algorithm's description, without the functions that would run it.
std::unique_ptr<const Entry> told(const Entry& entry)
{
    auto copy = std::make_unique<Entry>();
    copy->collective = entry.collective;
    copy->name = entry.name;
    copy->paper = entry.paper;
    copy->origin = entry.origin;
    copy->ports = entry.ports;
    copy->networks = entry.networks;
    return copy;
}

MadeFilm filmed(MadeFilm made, Recording recording)
{
    const WithoutGil released;
    made->film = std::make_unique<const view::Film>(std::move(recording));
    return made;
}

// A page shows only the counts of a large run. For a very large one this is a warning before it begins.
void warn_of_size(const Algorithm& algorithm, const Machine& machine, const MachineOptions& options,
                  const Problem& problem)
{
    constexpr std::uint64_t many = 10'000'000;
    const Topology& topology = machine.topology();
    const std::uint64_t transmissions = algorithm.cost ? algorithm.cost(topology, problem).transmissions : 0;
    if (transmissions <= many)
        return;
    const std::string text =
        fmt::format("the run to be shown has {} transmissions, which takes a while, and needs {}; of more than {} a "
                    "page shows only the counts",
                    grouped(transmissions), memory_text(memory_of_a_rank(algorithm, topology, options, problem)),
                    grouped(RecordingLimits().flights));
    const WithGil held;
    if (PyErr_WarnEx(PyExc_RuntimeWarning, text.c_str(), 1) != 0)
        throw py::error_already_set();
}

// A page shows the counts of a run that is too large, a figure cannot.
void require_drawable(const Algorithm& algorithm, const Topology& topology, const Problem& problem)
{
    if (expected_detail(algorithm, topology, problem) != Detail::flights)
        throw InvalidArgument(fmt::format("{} transmissions are too many for a figure: at most {} can be drawn",
                                          grouped(algorithm.cost(topology, problem).transmissions),
                                          grouped(RecordingLimits().flights)));
}

// The film of Python's own algorithm; `recording` still points to the entry of its run.
MadeFilm film_of_own(std::unique_ptr<const Entry> algorithm, py::object held, Recording recording)
{
    auto made = std::make_unique<FilmObject>();
    made->algorithm = std::move(algorithm);
    made->held = std::move(held);
    recording.algorithm = made->algorithm.get();
    return filmed(std::move(made), std::move(recording));
}

// A run of Python's own algorithm that fails puts its film into `failed`, and raises.
MadeFilm film_of_question(py::handle what, const py::dict& given, bool drawn, py::list failed)
{
    const Asked asked = asked_of(what, given);
    view::require_showable(asked.question.topology);
    const Problem& problem = asked.question.problem;
    Attempt run;
    std::unique_ptr<const Entry> algorithm;
    const auto work = [&](Machine& machine, const Entry& entry, const RunOptions& options) {
        if (drawn)
            require_drawable(entry, asked.question.topology, problem);
        warn_of_size(entry, machine, asked.machine, problem);
        if (!asked.own) {
            run.recording = record(machine, entry, problem, seeded(asked), options);
            return;
        }
        run = attempt(machine, entry, problem, seeded(asked), options);
        algorithm = told(entry);
        if (run.error)
            std::rethrow_exception(run.error);
    };
    const auto film = [&] {
        auto held = py::reinterpret_borrow<py::object>(asked.own);
        return film_of_own(std::move(algorithm), std::move(held), std::move(run.recording));
    };
    try {
        run_asked(asked, work);
    } catch (...) {
        if (run.error && algorithm)
            failed.append(py::cast(film()));
        throw;
    }
    return asked.own ? film() : filmed(std::make_unique<FilmObject>(), std::move(run.recording));
}

MadeFilm film_of_schedule(const py::list& schedule, std::string_view collective, const std::string& name,
                          const py::dict& given)
{
    const Asked asked = asked_of(collective, given);
    view::require_showable(asked.question.topology);
    auto made = std::make_unique<FilmObject>();
    made->schedule = algorithm_of(Entries(schedule, asked.question.problem), asked.question, name);
    Recording recording = without_gil([&](const RunOptions& options) {
        Machine machine(asked.question.topology, asked.machine);
        return record(machine, made->schedule->algorithm, asked.question.problem, seeded(asked), options);
    });
    return filmed(std::move(made), std::move(recording));
}

MadeFilm film_of_program(const ProgramTrace& trace, py::handle network, const std::string& ports, Step steps,
                         const std::string& program)
{
    const Topology topology = topology_in(network);
    view::require_showable(topology);
    std::vector<Transmission> sent;
    sent.reserve(trace.rows.size());
    for (const ProgramTrace::Row& row : trace.rows)
        sent.push_back({.step = row.step,
                        .from = row.from,
                        .to = row.to,
                        .port = row.port,
                        .bytes = row.bytes,
                        .start = row.start,
                        .end = row.end,
                        .pieces = {},
                        .phase = trace.phases[row.phase],
                        .lost = row.lost});
    Recording recording = program_recording(topology, parse_ports(ports), trace.link, steps, sent);
    auto made = std::make_unique<FilmObject>();
    made->program = program;
    auto algorithm = std::make_unique<Entry>();
    algorithm->name = made->program;
    recording.algorithm = algorithm.get();
    made->algorithm = std::move(algorithm);
    return filmed(std::move(made), std::move(recording));
}

// Requires two films of the same collective and the same kind of links.
void require_comparable(const view::Film& one, const view::Film& other)
{
    const Recording& a = one.recording;
    const Recording& b = other.recording;
    if (a.free || b.free)
        throw InvalidArgument("a program achieves no collective: there is nothing to compare it with");
    if (a.problem.collective != b.problem.collective)
        throw InvalidArgument(fmt::format("{} and {} cannot be shown side by side: one collective can",
                                          name(a.problem.collective), name(b.problem.collective)));
    if (a.problem.link.bound() != b.problem.link.bound())
        throw InvalidArgument("links of the unit model and links that take time cannot be shown side by side");
}

std::string page(const FilmObject& first, const FilmObject* second, const std::string& command)
{
    if (second != nullptr)
        require_comparable(*first.film, *second->film);
    const WithoutGil released;
    if (second == nullptr)
        return view::film_page({first.film.get(), 1}, command);
    const view::Film both[]{*first.film, *second->film};
    return view::film_page(both, command);
}

// Python's moments: whole numbers are steps, texts are times.
std::string figure(const FilmObject& film, const std::vector<Step>& steps, const std::vector<std::string>& times,
                   double width_mm, std::optional<std::string> layout, std::optional<NodeId> origin, bool legend)
{
    const WithoutGil released;
    view::FigureRequest request;
    request.width_mm = width_mm;
    request.layout = std::move(layout);
    request.origin = origin;
    request.legend = legend ? view::Legend::drawn : view::Legend::left_out;
    for (const Step step : steps)
        request.moments.push_back({.step = step});
    for (const std::string& time : times)
        request.moments.push_back({.tick = view::tick_at(*film.film, parse_rational("at", time))});
    return view::figure(*film.film, request).svg;
}

}  // namespace

void bind_films(py::module_& module)
{
    py::class_<FilmObject>(module, "Film")
        .def_property_readonly("steps", [](const FilmObject& self) { return self.film->recording.steps; })
        .def_property_readonly("title", [](const FilmObject& self) { return view::title_of(self.film->recording); })
        .def("page", &page, py::arg("versus"), py::arg("command"))
        .def("figure", &figure, py::arg("steps"), py::arg("times"), py::arg("width_mm"), py::arg("layout"),
             py::arg("origin"), py::arg("legend"));
    module.def(
        "collective_of", [](py::handle algorithm) { return std::string(name(collective_of(algorithm))); },
        py::arg("algorithm"));
    module.def("film_of_question", &film_of_question, py::arg("what"), py::arg("question"), py::arg("drawn"),
               py::arg("failed"));
    module.def("film_of_schedule", &film_of_schedule, py::arg("schedule"), py::arg("collective"), py::arg("name"),
               py::arg("question"));
    module.def("film_of_program", &film_of_program, py::arg("trace"), py::arg("topology"), py::arg("ports"),
               py::arg("steps"), py::arg("program"));
}

}  // namespace dcube::python
