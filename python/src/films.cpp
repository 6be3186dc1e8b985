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

// A question's run, which may have failed, and Python's own algorithm, if it is one's.
struct AskedRun {
    Attempt run{};
    std::unique_ptr<const Entry> algorithm{};
};

void run_recorded(const Asked& asked, bool drawn, AskedRun& made)
{
    const Question& question = asked.question;
    run_asked(asked, [&](Machine& machine, const Entry& entry, const RunOptions& options) {
        if (drawn)
            require_drawable(entry, question.topology, question.problem);
        warn_of_size(entry, machine, asked.machine, question.problem);
        if (!asked.own) {
            made.run.recording = record(machine, entry, question.problem, seeded(asked), options);
            return;
        }
        made.run = attempt(machine, entry, question.problem, seeded(asked), options);
        made.algorithm = told(entry);
        if (made.run.error)
            std::rethrow_exception(made.run.error);
    });
}

MadeFilm film_of_run(const Asked& asked, AskedRun of)
{
    auto made = std::make_unique<FilmObject>();
    Recording& recording = of.run.recording;
    if (asked.own) {
        made->algorithm = std::move(of.algorithm);
        made->held = py::reinterpret_borrow<py::object>(asked.own);
        recording.algorithm = made->algorithm.get();  // it still points to the entry of the run
    }
    return filmed(std::move(made), std::move(recording));
}

// Of what a node has raised the machine knows that it was an exception.
void say_what_was_raised(Ending& ending, py::handle error)
{
    if (ending.what == Ending::What::threw && ending.node)
        ending.message = ProgramError(ending.step, *ending.node, described(error)).what();
}

// A run of Python's own algorithm that fails puts its film into `failed`, and raises.
MadeFilm film_of_question(py::handle what, const py::dict& given, bool drawn, py::list failed)
{
    const Asked asked = asked_of(what, given);
    view::require_showable(asked.question.topology);
    AskedRun made;
    std::optional<Ending>& ending = made.run.recording.ending;
    const auto keep_failed = [&] { failed.append(py::cast(film_of_run(asked, std::move(made)))); };
    try {
        run_recorded(asked, drawn, made);
    } catch (const py::error_already_set& error) {
        beside_an_error([&] {
            if (!ending || is_of_signal(error))
                return;
            say_what_was_raised(*ending, error.value());
            keep_failed();
        });
        throw;
    } catch (...) {
        if (ending)
            beside_an_error(keep_failed);
        throw;
    }
    return film_of_run(asked, std::move(made));
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

// The film of a program that achieves no collective.
MadeFilm film_of_sent(const ProgramTrace& trace, const Topology& topology, PortModel ports, Step steps,
                      const std::string& program, std::optional<Ending> ending)
{
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
    Recording recording = program_recording(topology, ports, trace.link, steps, sent, std::move(ending));
    auto made = std::make_unique<FilmObject>();
    made->program = program;
    auto algorithm = std::make_unique<Entry>();
    algorithm->name = made->program;
    recording.algorithm = algorithm.get();
    made->algorithm = std::move(algorithm);
    return filmed(std::move(made), std::move(recording));
}

MadeFilm film_of_program(const ProgramTrace& trace, py::handle network, const std::string& ports, Step steps,
                         const std::string& program)
{
    return film_of_sent(trace, topology_in(network), parse_ports(ports), steps, program, std::nullopt);
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

void attach_film(const py::error_already_set& error, Ending ending, const ProgramTrace& sent, const Machine& machine,
                 const std::string& program)
{
    beside_an_error([&] {
        if (is_of_signal(error))
            return;
        say_what_was_raised(ending, error.value());
        const py::object film =
            py::cast(film_of_sent(sent, machine.topology(), machine.ports(), 0, program, std::move(ending)));
        py::module_::import("dcube.views").attr("attach_film")(error.value(), film, "machine.run(program, trace=True)");
    });
}

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
