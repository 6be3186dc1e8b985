#include "python/src/programs.hpp"

#include "base/exact.hpp"
#include "base/names.hpp"
#include "python/src/node.hpp"

#include <dcube/trace.hpp>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <pybind11/stl.h>

#include <algorithm>
#include <iterator>
#include <map>
#include <span>
#include <tuple>
#include <utility>

namespace dcube::python {

namespace {

// on_step or a signal's handler has raised an exception, which Programs has kept.
struct Stopped : std::exception {
    [[nodiscard]] const char* what() const noexcept override { return "an exception in Python, after a step"; }
};

py::object steal(PyObject* object)
{
    return py::reinterpret_steal<py::object>(object);
}

py::object borrow(PyObject* object)
{
    return py::reinterpret_borrow<py::object>(object);
}

// The Python error that is set, which is set no longer: an exception with its traceback.
PyObject* take_error()
{
    PyObject* type = nullptr;
    PyObject* value = nullptr;
    PyObject* traceback = nullptr;
    PyErr_Fetch(&type, &value, &traceback);
    PyErr_NormalizeException(&type, &value, &traceback);
    if (traceback)
        PyException_SetTraceback(value, traceback);
    Py_XDECREF(type);
    Py_XDECREF(traceback);
    return value;
}

[[noreturn]] void throw_error(PyObject* error)
{
    PyErr_SetObject(reinterpret_cast<PyObject*>(Py_TYPE(error)), error);
    throw py::error_already_set();
}

// The value returned by a generator that has ended; null if another error is set than StopIteration.
PyObject* returned_value()
{
    if (!PyErr_Occurred())
        return Py_NewRef(Py_None);
    if (!PyErr_ExceptionMatches(PyExc_StopIteration))
        return nullptr;
    const py::object stop = steal(take_error());
    return PyObject_GetAttrString(stop.ptr(), "value");
}

// Raises the Python error that is set in the generator, where it is suspended.
PySendResult throw_in(PyObject* generator, PyObject*& yielded)
{
    const py::object error = steal(take_error());
    yielded = PyObject_CallMethod(generator, "throw", "O", error.ptr());
    if (yielded)
        return PYGEN_NEXT;
    yielded = returned_value();
    return yielded ? PYGEN_RETURN : PYGEN_ERROR;
}

// "ring, line 12": where a generator is suspended, or the sub-program that it waits for.
std::string place_of(PyObject* generator)
{
    py::object innermost = borrow(generator);
    for (py::object next = innermost.attr("gi_yieldfrom"); PyGen_Check(next.ptr());
         next = innermost.attr("gi_yieldfrom"))
        innermost = next;
    const py::object frame = innermost.attr("gi_frame");
    if (frame.is_none())
        return {};
    return fmt::format("{}, line {}", utf8(py::str(innermost.attr("gi_code").attr("co_name"))),
                       frame.attr("f_lineno").cast<int>());
}

// "node 4", "nodes 0, 1, 2 and 5 more"
std::string nodes_text(const std::vector<NodeId>& nodes)
{
    constexpr std::size_t most = 3;
    const bool all = nodes.size() <= most + 1;
    const auto shown = std::span(nodes).first(all ? nodes.size() : most);
    const std::string list = fmt::format("{}", fmt::join(shown, ", "));
    return all ? fmt::format("{} {}", nodes.size() == 1 ? "node" : "nodes", list)
               : fmt::format("nodes {} and {} more", list, nodes.size() - most);
}

void give_back(std::vector<PyObject*>& references)
{
    for (PyObject* const reference : std::exchange(references, {}))
        Py_DECREF(reference);
}

bool same_violation(const RuleViolation& a, const RuleViolation& b)
{
    return std::tie(a.rule, a.step, a.node, a.port) == std::tie(b.rule, b.step, b.node, b.port);
}

}  // namespace

Programs::Programs(py::object program, const Topology& network, py::object topology, std::uint64_t seed, Gil gil)
    : program_(std::move(program)), topology_(std::move(topology)), seed_(seed), gil_(gil), network_(network),
      nodes_(network.nodes())
{
    if (PyGen_Check(program_.ptr()))
        throw py::type_error("a node program is the generator function itself: run(program), not run(program(..))");
    if (PyCallable_Check(program_.ptr()) == 0)
        throw py::type_error(
            fmt::format("a node program is a generator function, not {}", Py_TYPE(program_.ptr())->tp_name));
}

Programs::~Programs()
{
    const WithGil held;
    const py::error_scope error;  // that may be under way
    close();
    for (const auto& node : nodes_)
        if (node) {
            for (PyObject* const one :
                 {node->generator, reinterpret_cast<PyObject*>(node->me), node->result, node->error, node->random,
                  node->pause, node->out, node->prepared, node->input, node->output})
                Py_XDECREF(one);
            give_back(node->references);
        }
    for (const Violation& violation : violations_)
        Py_DECREF(violation.error);
    for (PyObject* const object : held_)
        Py_DECREF(object);
    Py_XDECREF(stopped_);
    slots_.clear();
    for (py::object* const object : {&program_, &topology_, &arguments_, &on_step_})
        *object = {};
}

// First all nodes are cut off, so that what a generator's `finally` still sends is refused.
void Programs::close()
{
    for (const auto& node : nodes_)
        if (node && node->me)
            node->me->program = nullptr;
    for (const auto& node : nodes_)
        if (node && node->generator)
            close(node->generator);
}

// Its `finally` blocks run.
void Programs::close(PyObject* generator)
{
    const py::object closed = steal(unless_exiting([&] { return PyObject_CallMethod(generator, "close", nullptr); }));
    if (closed)
        return;
    const py::object error = steal(take_error());
    if (is_of_signal(error))
        return raise_later(error);
    PyErr_SetObject(py::type::of(error).ptr(), error.ptr());
    PyErr_WriteUnraisable(generator);
}

void Programs::set_arguments(const py::object& arguments)
{
    if (arguments.is_none())
        return;
    if (!PySequence_Check(arguments.ptr()) && !PyMapping_Check(arguments.ptr()))
        throw py::type_error(fmt::format("arguments are a sequence or mapping with one for each node, not {}",
                                         Py_TYPE(arguments.ptr())->tp_name));
    const auto given = py::len(arguments);
    if (given != network_.nodes())
        throw InvalidArgument(fmt::format("arguments has {} {}, where the network has {} nodes: one for each is needed",
                                          given, given == 1 ? "item" : "items", network_.nodes()));
    arguments_ = arguments;
}

NodeProgram& Programs::of(NodeId node)
{
    auto& own = nodes_[node];
    if (!own)
        own = std::make_unique<NodeProgram>();
    return *own;
}

RunOptions Programs::run_options()
{
    RunOptions options;
    options.seed = seed_;
    options.on_step = [this](Step step) { after_step(step); };
    return options;
}

void Programs::after_step(Step step)
{
    const Held held(gil_);
    if (on_step_) {
        const py::object done = steal(unless_exiting([&] { return PyObject_CallFunction(on_step_.ptr(), "I", step); }));
        if (!done) {
            stopped_ = take_error();
            throw Stopped();
        }
    }
    if (PyErr_CheckSignals() != 0) {
        stopped_ = take_error();
        throw Stopped();
    }
}

void Programs::begin(Node& me, const py::tuple& arguments)
{
    NodeProgram& own = of(me.id());
    if (own.run == runs_) {  // the first node in another run
        ++runs_;
        for (PyObject* const object : std::exchange(held_, {}))
            Py_DECREF(object);
    }
    own.run = runs_;
    if (own.me)
        own.me->program = nullptr;
    if (own.generator) {
        const py::object before = steal(std::exchange(own.generator, nullptr));
        close(before.ptr());
    }
    const py::object node_before = steal(reinterpret_cast<PyObject*>(std::exchange(own.me, nullptr)));
    const py::object result_before = steal(std::exchange(own.result, nullptr));
    own.all = this;
    own.node = &me;
    own.observed = me.traced();
    own.pending = nullptr;
    give_back(own.references);
    own.exchanging = own.begun = false;
    own.last.resize(me.ports());
    for (Slot* const last : own.last)
        free_ring(last);
    if (!own.pause)
        own.pause = new_pause();
    own.me = new_node(own, network_, topology_.ptr());
    if (!own.pause || !own.me)
        throw py::error_already_set();

    const py::object given = py::make_tuple(borrow(reinterpret_cast<PyObject*>(own.me))) + arguments;
    own.thread = PyThread_get_thread_ident();
    const py::object made = steal(unless_exiting([&] { return PyObject_CallObject(program_.ptr(), given.ptr()); }));
    own.thread = 0;
    if (!made)
        throw py::error_already_set();
    if (!PyGen_Check(made.ptr()))
        throw py::type_error("a node program is a generator function: it has at least one yield, which ends the step");
    own.generator = py::object(made).release().ptr();
}

void Programs::throw_raised(const Node& me)
{
    NodeProgram& own = of(me.id());
    const py::object before = steal(std::exchange(own.error, take_error()));
    own.error_step = me.step();
    // Such as `total += me.exchange(..)`, where Python only says that a sum is not possible. Ctrl-C, which can come
    // anywhere, gets no note.
    if (own.pending && PyObject_IsInstance(own.error, PyExc_Exception) == 1)
        add_note(own.error, "dcube: " + not_yielded(own));
    if (!interrupted_ && is_of_signal(own.error))
        interrupted_ = me.id();
    failed_ = std::min(failed_.value_or(me.id()), me.id());
    throw PythonFailed(me.id());
}

// The value of the yield, after the node has waited; null with a Python error set, to be raised there.
PyObject* Programs::given(NodeProgram& own)
{
    if (own.exchanging) {
        own.exchanging = false;
        const py::object out = steal(std::exchange(own.out, nullptr));
        try {
            return receive(own, own.port, out.ptr());
        } catch (...) {
            note(std::current_exception());
            return nullptr;
        }
    }
    switch (own.next) {
    case Next::any_arrival: return PyLong_FromUnsignedLong(own.port);
    case Next::collective:
        give_back(own.references);
        if (own.failed) {
            note(std::exchange(own.failed, nullptr));
            return nullptr;
        }
        return Py_NewRef(own.output);
    case Next::ended:
    case Next::step:
    case Next::until:
    case Next::arrival:
    case Next::room: break;
    }
    return Py_NewRef(Py_None);
}

// Resumes the generator, which is raised what `value` says in place of a value if it is null.
PySendResult Programs::go_on(NodeProgram& own, PyObject* value, PyObject*& yielded)
{
    own.thread = PyThread_get_thread_ident();
    const PySendResult how = unless_exiting(
        [&] { return value ? PyIter_Send(own.generator, value, &yielded) : throw_in(own.generator, yielded); });
    own.thread = 0;
    return how;
}

// Accepts nothing, or the object that a call of the node has just returned. Otherwise sets a Python error for the
// program, and returns false.
bool Programs::settle(NodeProgram& own, PyObject* yielded)
{
    if (yielded == Py_None && !own.pending) {
        own.next = Next::step;
        return true;
    }
    if (yielded == own.pause && own.pending) {
        own.pending = nullptr;
        return true;
    }
    if (own.pending)
        set_not_yielded(own);
    else if (yielded == own.pause)
        PyErr_SetString(PyExc_RuntimeError, "a node's call is yielded once, and at once");
    else
        PyErr_Format(PyExc_TypeError,
                     "a node program yields nothing, or what a call of its node returns (me.exchange(..), "
                     "me.until(..)), and not %s",
                     Py_TYPE(yielded)->tp_name);
    return false;
}

void Programs::begin_itself(Node& me)
{
    if (!arguments_)
        return begin(me, py::tuple());
    begin(me, py::make_tuple(arguments_[py::int_(me.id())]));
}

// Runs one turn of a node, and returns the event that it waits for.
Next Programs::resume(Node& me, NodeProgram& own)
{
    const Held held(gil_);
    if (interrupted_ || (failed_ && *failed_ < me.id()))
        return Next::ended;
    PyObject* value = nullptr;
    if (!own.generator) {
        in_python(me, [&] { begin_itself(me); });
        value = Py_NewRef(Py_None);
    } else {
        value = own.begun ? given(own) : Py_NewRef(Py_None);
    }
    own.begun = true;
    for (;;) {
        PyObject* yielded = nullptr;
        const PySendResult how = go_on(own, value, yielded);
        Py_XDECREF(value);
        if (how == PYGEN_NEXT) {
            const bool settled = settle(own, yielded);
            Py_DECREF(yielded);
            if (settled) [[likely]]
                return own.next;
            value = nullptr;
            continue;
        }
        if (how == PYGEN_RETURN && own.pending) {
            Py_DECREF(yielded);
            set_not_yielded(own);
        } else if (how == PYGEN_RETURN) {
            own.result = yielded;
            return own.next = Next::ended;
        }
        throw_raised(me);
    }
}

Task drive(Node& me, Programs& all)
{
    NodeProgram& own = all.of(me.id());
    for (;;) {
        switch (all.resume(me, own)) {
        case Next::ended: co_return;
        case Next::step: co_await me.next_step(); break;
        case Next::until: co_await me.until(own.until); break;
        case Next::arrival: co_await me.arrival(own.port); break;
        case Next::room: co_await me.room(own.port); break;
        case Next::any_arrival: {
            auto any = me.any_arrival(own.ports);
            own.port = co_await any;
            break;
        }
        case Next::collective:
            try {
                Task task = (*own.collective)(me, own.input_bytes, own.output_bytes);
                co_await task;
            } catch (...) {
                own.failed = std::current_exception();
            }
            break;
        }
    }
}

// Errors of the machine become the Python error that is set; broken rules are kept, because the machine knows them only
// as C++ does.
void Programs::note(const std::exception_ptr& error)
{
    set_error(error);
    try {
        std::rethrow_exception(error);
    } catch (const RuleViolation& violation) {
        const bool known = std::ranges::any_of(
            violations_, [&](const Violation& other) { return same_violation(other.rule, violation); });
        PyObject* const raised = take_error();
        if (!known)
            violations_.push_back({violation, Py_NewRef(raised)});
        PyErr_SetObject(reinterpret_cast<PyObject*>(Py_TYPE(raised)), raised);
        Py_DECREF(raised);
    } catch (...) {  // nothing else is kept
    }
}

// A node that raised an exception: it comes out as it is.
void Programs::raise_of(NodeId node)
{
    NodeProgram& own = of(node);
    add_note(own.error, fmt::format("dcube: at node {}, in step {}", node, own.error_step));
    throw_error(own.error);
}

// The places of the waiting nodes, or of the one that broke the rule.
std::vector<std::string> Programs::suspended(const RuleViolation& violation) const
{
    std::map<std::string, std::vector<NodeId>> places;
    for (NodeId node = 0; node < nodes_.size(); ++node) {
        if (!nodes_[node] || !nodes_[node]->generator || (violation.rule != Rule::deadlock && node != violation.node))
            continue;
        if (std::string place = place_of(nodes_[node]->generator); !place.empty())
            places[std::move(place)].push_back(node);
    }
    std::vector<std::string> notes;
    for (const auto& [place, nodes] : places)
        notes.push_back(fmt::format("dcube: suspended in {}: {}", place, nodes_text(nodes)));
    return notes;
}

void Programs::raise_violation(const RuleViolation& violation)
{
    for (const Violation& known : violations_)
        if (same_violation(known.rule, violation))
            throw_error(known.error);
    set_error(std::make_exception_ptr(violation));
    const py::object error = steal(take_error());
    if (!violations_.empty())  // a packet that was lost, and what came of it
        PyException_SetCause(error.ptr(), Py_NewRef(violations_.front().error));
    for (const std::string& note : suspended(violation))
        add_note(error.ptr(), note);
    throw_error(error.ptr());
}

void Programs::raise(const std::exception_ptr& failure)
{
    if (interrupted_)
        raise_of(*interrupted_);
    try {
        std::rethrow_exception(failure);
    } catch (const PythonFailed& failed) {
        raise_of(failed.node);
    } catch (const ProgramError& failed) {
        if (!of(failed.node).error)
            throw;
        raise_of(failed.node);
    } catch (const Stopped&) {
        throw_error(stopped_);
    } catch (const RuleViolation& violation) {
        raise_violation(violation);
    }
}

py::list Programs::results() const
{
    py::list all;
    for (const auto& own : nodes_)
        all.append(own && own->result ? borrow(own->result) : py::object(py::none()));
    return all;
}

namespace {

void require_machine_arguments(const py::dict& given)
{
    const std::vector<std::string_view> known = machine_arguments();
    for (const auto& [key, value] : given) {
        const std::string name = utf8(key);
        if (std::ranges::find(known, name) == known.end())
            throw py::type_error(
                unknown_name(name, "an argument of Machine", known, fmt::format("{}", fmt::join(known, ", "))));
    }
}

// Uses one thread unless the arguments say otherwise: programs in Python take turns.
std::unique_ptr<MachineObject> make_machine(const py::object& dim, const py::kwargs& others)
{
    py::dict given(others);
    if (!dim.is_none())
        given["dim"] = dim;
    require_machine_arguments(given);
    Asked asked = asked_of("", given);
    if (asked.machine.threads == 0)
        asked.machine.threads = 1;
    return std::make_unique<MachineObject>(
        MachineObject{Machine(asked.question.topology, asked.machine), py::cast(asked.question.topology)});
}

// The seed of a run, and what fails.
Question question_of_run(const MachineObject& self, const py::object& seed, const py::object& failing)
{
    py::dict given;
    given["topology"] = self.topology;
    given["seed"] = seed;
    given["failing"] = failing;
    return asked_of("", given).question;
}

bool is_true(const char* name, const py::object& flag)
{
    if (PyBool_Check(flag.ptr()) == 0)
        throw py::type_error(fmt::format("{} is a bool, not {}", name, Py_TYPE(flag.ptr())->tp_name));
    return flag.ptr() == Py_True;
}

void add_row(ProgramTrace& trace, const Transmission& one)
{
    auto& phases = trace.phases;
    auto phase = std::ranges::find(phases, one.phase);
    if (phase == phases.end())
        phase = phases.insert(phase, std::string(one.phase));
    trace.rows.push_back({one.step, one.from, one.to, one.port, one.bytes,
                          static_cast<std::uint32_t>(phase - phases.begin()), one.start, one.end, one.lost});
}

py::list rows_of(const ProgramTrace& trace)
{
    std::vector<py::object> phases;
    for (const std::string& phase : trace.phases)
        phases.push_back(phase.empty() ? py::object(py::none()) : py::object(py::str(phase)));
    py::list rows;
    for (const ProgramTrace::Row& row : trace.rows)
        rows.append(py::make_tuple(row.step, row.from, row.to, row.port, row.bytes, phases[row.phase]));
    return rows;
}

// A trace as it is pickled.
using KeptRow = std::tuple<Step, NodeId, NodeId, Port, std::uint64_t, std::uint32_t, Time, Time, bool>;
using KeptLink = std::tuple<bool, std::string, std::string, std::string, std::string>;

py::tuple kept_of(const ProgramTrace& trace)
{
    std::vector<KeptRow> rows;
    for (const auto& [step, from, to, port, bytes, phase, start, end, lost] : trace.rows)
        rows.emplace_back(step, from, to, port, bytes, phase, start, end, lost);
    const LinkModel& link = trace.link;
    const KeptLink kept(link.bound(), to_string(link.tau), to_string(link.beta), name(link.clock), name(link.duplex));
    return py::make_tuple(rows, trace.phases, kept);
}

ProgramTrace trace_of(const py::tuple& kept)
{
    ProgramTrace trace;
    for (const auto& [step, from, to, port, bytes, phase, start, end, lost] : kept[0].cast<std::vector<KeptRow>>())
        trace.rows.push_back({step, from, to, port, bytes, phase, start, end, lost});
    trace.phases = kept[1].cast<std::vector<std::string>>();
    if (const auto [bound, tau, beta, clock, duplex] = kept[2].cast<KeptLink>(); bound) {
        trace.link = {LinkKind::link_bound, parse_rational("tau_ns_per_byte", tau), parse_rational("beta_ns", beta),
                      parse_clock(clock)};
        if (duplex != name(Duplex::per_link))
            trace.link.duplex = parse_duplex(duplex);
    }
    return trace;
}

py::dict counts_dict(const Counts& counts, const LinkModel& link)
{
    py::list phases;
    for (const Phase& phase : counts.phases) {
        py::dict one;
        one["name"] = phase.name;
        one["first_step"] = phase.first;
        one["last_step"] = phase.last;
        phases.append(one);
    }
    py::dict counters;
    for (const Counter& counter : counts.counters)
        counters[py::str(counter.name)] = counter.value;
    py::dict all;
    all["steps"] = counts.steps;
    all["transmissions"] = counts.transmissions;
    all["bytes"] = counts.bytes;
    all["virtual_time_ns"] =
        link.bound() ? fraction(detail::to_rational(detail::Exact(counts.virtual_time) / link.ticks_per_ns()))
                     : py::object(py::none());
    all["lost"] = counts.lost;
    all["in_transit_bytes"] = counts.storage_bytes;
    all["phases"] = phases;
    all["counters"] = counters;
    all["wall_seconds"] = counts.wall_seconds;
    return all;
}

// The program's name for pages: its function's name.
std::string program_name(const py::object& program)
{
    const py::object name = py::getattr(program, "__name__", py::str("a program"));
    std::string text = utf8(py::str(name));
    return text.empty() || text == "<lambda>" ? "a program" : text;
}

// What is left of a run of programs, whether it has succeeded or failed.
struct ProgramsRun {
    Counts counts{};
    py::list results{};
    ProgramTrace sent{};             ///< of a run with a trace
    std::optional<Ending> ending{};  ///< of one that has failed
};

void run_programs(Programs& all, Machine& machine, const std::vector<Failing>& failing, bool traced, ProgramsRun& made)
{
    const Machine::Program drives = [&](Node& me) { return drive(me, all); };
    all.run([&](RunOptions& options) {
        options.failing = failing;
        if (traced)
            options.trace = [&](const Transmission& one) { add_row(made.sent, one); };
        try {
            made.counts = machine.run(drives, options);
        } catch (const Error& error) {
            made.ending = ending_of(error);
            throw;
        }
    });
    made.results = all.results();
}

py::object run_program(MachineObject& self, const py::object& program, const py::object& arguments,
                       const py::object& seed, const py::object& trace_wanted, const py::object& failing,
                       const py::object& on_step)
{
    Machine& machine = self.machine;
    const bool traced = is_true("trace", trace_wanted);
    const Question question = question_of_run(self, seed, failing);
    const std::string called = program_name(program);
    ProgramsRun made;
    made.sent.link = machine.link();
    try {
        Programs all(program, machine.topology(), self.topology, question.seed, gil_for(machine));
        all.set_arguments(arguments);
        all.set_on_step(on_step);
        run_programs(all, machine, question.failing, traced, made);
    } catch (const py::error_already_set& error) {
        if (traced && made.ending)
            attach_film(error, *made.ending, made.sent, machine, called);
        throw;
    }
    const py::object trace = traced ? py::cast(std::move(made.sent)) : py::none();
    return py::module_::import("dcube.programs")
        .attr("ProgramRun")(counts_dict(made.counts, machine.link()), made.results, self.topology,
                            name(machine.ports()), trace, called);
}

// A collective inside programs.
struct PreparedObject {
    Prepared prepared;
};

py::object text_of(const Rational& value)
{
    return py::str(to_string(value));
}

PreparedObject prepare(const py::object& self, const py::object& collective, const py::kwargs& others)
{
    MachineObject& own = self.cast<MachineObject&>();
    py::dict given(others);
    for (const std::string_view name : machine_arguments())
        if (given.contains(name))
            throw py::type_error(fmt::format("prepare has no argument '{}': that is the machine's", name));
    given["topology"] = own.topology;
    given["ports"] = name(own.machine.ports());
    if (const LinkModel& link = own.machine.link(); link.bound()) {
        given["tau"] = text_of(link.tau);
        given["beta"] = text_of(link.beta);
        given["clock"] = name(link.clock);
        if (link.one_port())
            given["duplex"] = name(link.duplex);
    }
    const Asked asked = asked_of(collective, given);
    if (asked.own)
        throw InvalidArgument("a program in Python cannot be prepared: call it with `yield from`");
    return without_gil([&](const RunOptions&) {
        return PreparedObject{Prepared(own.machine, asked.question.problem, asked.question.algorithm)};
    });
}

py::object call_prepared(const py::object& self, const py::object& node, const py::object& input,
                         const py::object& output)
{
    const auto& own = self.cast<const PreparedObject&>();
    PyObject* const pause = start_collective(self.ptr(), own.prepared, node.ptr(), input.ptr(), output.ptr());
    if (!pause)
        throw py::error_already_set();
    return steal(pause);
}

void bind_machine(py::module_& module)
{
    py::class_<MachineObject>(module, "Machine", R"(A machine on one network, on which programs and collectives run.

Parameters
----------
dim : int, optional
    Of a hypercube; or `topology`.
topology : str, Topology or networkx graph, optional
ports : {"all", "one"}
    How many ports a node may use in a step.
tau, beta : int, Fraction, float or str, optional
    Links that take time: ns per byte, ns per packet. Or `machine`, the name of a preset.
clock : {"data-driven", "lockstep"}
    When packets leave, of links that take time.
duplex : {"full", "half"}
    With one port, of links that take time: whether a node sends and receives at once, or one of both.
capacity : int
    Packets that may wait in a channel.
watch : bool
    Whether changes of bytes that are lent are found; slow.
threads : int
    1 if not given: programs in Python take turns. More are for prepared collectives of large blocks.
pin, channel, memory_limit
    As elsewhere.

Raises
------
InvalidArgument
    What is given does not go together, or does not fit in memory.
)")
        .def(py::init(&make_machine), py::arg("dim") = py::none())
        .def_readonly("topology", &MachineObject::topology, "Its network.")
        .def_property_readonly(
            "ports", [](const MachineObject& self) { return name(self.machine.ports()); }, "\"all\" or \"one\".")
        .def_property_readonly(
            "link",
            [](const MachineObject& self) -> py::object {
                const LinkModel& link = self.machine.link();
                if (!link.bound())
                    return py::none();
                py::dict all;
                all["tau"] = fraction(link.tau);
                all["beta"] = fraction(link.beta);
                all["clock"] = name(link.clock);
                if (link.one_port())
                    all["duplex"] = name(link.duplex);
                return all;
            },
            "A dict of tau, beta (ns), clock, and with one port duplex; None if links take a step.")
        .def_property_readonly(
            "threads", [](const MachineObject& self) { return self.machine.threads(); }, "That emulate it.")
        .def_property_readonly(
            "capacity", [](const MachineObject& self) { return self.machine.channel_capacity(); },
            "Packets that may wait in a channel.")
        .def_property_readonly(
            "watch", [](const MachineObject& self) { return self.machine.watches_lent_bytes(); },
            "Whether changes of bytes that are lent are found.")
        .def("__repr__",
             [](const MachineObject& self) {
                 const LinkModel& link = self.machine.link();
                 return fmt::format("<dcube.Machine: {}, ports {}{}>", self.machine.topology().name(),
                                    name(self.machine.ports()),
                                    link.bound() ? fmt::format(", tau {} ns per byte, beta {} ns per packet",
                                                               to_string(link.tau), to_string(link.beta))
                                                 : "");
             })
        .def("run", &run_program, py::arg("program"), py::arg("arguments") = py::none(), py::kw_only(),
             py::arg("seed") = 1, py::arg("trace") = false, py::arg("failing") = py::tuple(),
             py::arg("on_step") = py::none(), R"(Runs the program on every node.

Parameters
----------
program : callable
    A generator function ``program(me)``, or ``program(me, arguments[n])``; `me` is a `dcube.Node`.
arguments : sequence or mapping, optional
    One for each node, missing ones included.
seed : int
    Of the nodes' random numbers.
trace : bool
    Whether to keep the packets, for `ProgramRun.trace` and `dcube.view`, and for the film of a run that fails.
failing : list of str
    Links and nodes that fail: ``"5-7@2"`` from step 2 on, ``"5@2"``.
on_step : callable, optional
    Called after every step with its number; what it raises ends the run.

Returns
-------
ProgramRun

Raises
------
RuleViolation
    A program broke a rule.
Exception
    Whatever a program raises, with a note that says at which node and in which step. With `trace`, its attribute
    ``film`` is a page of what crossed the links up to there, opened where it went wrong (also a RuleViolation's); a
    notebook shows it above the traceback.
)")
        .def("prepare", &prepare, py::arg("collective"), py::keep_alive<0, 1>(),
             R"(A collective that programs await: ``out = yield total(me, x, out)``.

The keyword arguments are those of `dcube.run`, without the machine's.
)");
}

}  // namespace

void bind_programs(py::module_& module)
{
    bind_node(module);
    py::class_<PreparedObject>(module, "Prepared", "A collective that programs await. Made by Machine.prepare.")
        .def_property_readonly(
            "algorithm", [](const PreparedObject& self) { return self.prepared.algorithm(); }, "Its name.")
        .def_property_readonly(
            "collective", [](const PreparedObject& self) { return name(self.prepared.problem().collective); },
            "Its name.")
        .def_property_readonly(
            "steps", [](const PreparedObject& self) { return self.prepared.steps(); }, "That it takes.")
        .def("__repr__",
             [](const PreparedObject& self) {
                 return fmt::format("<dcube.Prepared: {} by {}, {} steps>", name(self.prepared.problem().collective),
                                    self.prepared.algorithm(), self.prepared.steps());
             })
        .def("__call__", &call_prepared, py::arg("me"), py::arg("x") = py::none(), py::arg("out") = py::none(),
             "To be yielded, by all nodes in the same step: gives `out`. Arrays are C-contiguous, of the sizes of the "
             "layout, and None where the node has none.");
    bind_machine(module);
    py::class_<ProgramTrace>(module, "ProgramTrace", "What is kept of a traced run.")
        .def_property_readonly("rows", &rows_of, "Tuples (step, from, to, port, bytes, phase).")
        .def(py::pickle(&kept_of, &trace_of));
}

}  // namespace dcube::python
