// Schedules that are Python's lists: judged, run on real bytes, written as traces.

#include "python/src/schedules.hpp"

#include "run/report.hpp"
#include "run/trace_lines.hpp"

#include <dcube/collective.hpp>
#include <dcube/contributors.hpp>
#include <dcube/error.hpp>
#include <dcube/link.hpp>

#include <fmt/format.h>

#include <limits>
#include <memory>
#include <optional>
#include <sstream>
#include <string_view>
#include <utility>

namespace dcube::python {

namespace {

// Why an entry cannot be understood.
struct Unclear {
    std::string why;
};

constexpr std::uint64_t word = std::numeric_limits<std::uint32_t>::max();
constexpr std::uint64_t count = std::numeric_limits<std::int64_t>::max();

// The value as Python shows it, cut if it is long.
std::string shortened(py::handle value)
{
    constexpr std::size_t most = 60;
    const std::string text = py::repr(value);
    return text.size() <= most ? text : text.substr(0, most) + "..";
}

// A whole number of Python or NumPy.
std::uint64_t number(py::handle value, std::string_view what, std::uint64_t largest)
{
    py::object index;
    if (PyLong_CheckExact(value.ptr()) == 0) {
        index =
            py::reinterpret_steal<py::object>(PyIndex_Check(value.ptr()) != 0 ? PyNumber_Index(value.ptr()) : nullptr);
        if (!index)
            PyErr_Clear();
    }
    PyObject* const whole = index ? index.ptr() : value.ptr();
    if (PyLong_Check(whole) != 0) {
        const unsigned long long found = PyLong_AsUnsignedLongLong(whole);
        if (PyErr_Occurred() == nullptr && found <= largest)
            return found;
        PyErr_Clear();
    }
    throw Unclear{fmt::format("{} is {}: a whole number from 0 to {} is allowed", what, shortened(value), largest)};
}

std::uint32_t small(py::handle value, std::string_view what)
{
    return static_cast<std::uint32_t>(number(value, what, word));
}

std::optional<NodeId> node_or_none(py::handle value, std::string_view what)
{
    return value.is_none() ? std::nullopt : std::optional(small(value, what));
}

// The items of a tuple or list. They are held, because any number may have Python code that changes lists.
class Items {
public:
    explicit Items(py::handle sequence)
        : tuple_(PyTuple_Check(sequence.ptr()) != 0 ? py::reinterpret_borrow<py::object>(sequence)
                                                    : py::reinterpret_steal<py::object>(PyList_AsTuple(sequence.ptr())))
    {
        if (!tuple_)
            throw py::error_already_set();
    }

    [[nodiscard]] std::size_t size() const { return static_cast<std::size_t>(PyTuple_GET_SIZE(tuple_.ptr())); }
    py::handle operator[](std::size_t at) const { return PyTuple_GET_ITEM(tuple_.ptr(), static_cast<Py_ssize_t>(at)); }
    [[nodiscard]] PyObject** begin() const { return PySequence_Fast_ITEMS(tuple_.ptr()); }
    [[nodiscard]] PyObject** end() const { return begin() + size(); }

private:
    py::object tuple_;
};

bool is_sequence(py::handle value)
{
    return PyTuple_Check(value.ptr()) != 0 || PyList_Check(value.ptr()) != 0;
}

// [0, 3, [5, 7]]: nodes, and ranges of them.
std::shared_ptr<const Contributors> contributors(py::handle value)
{
    if (value.is_none())
        return nullptr;
    if (!is_sequence(value))
        throw Unclear{
            fmt::format("\"sum_of\" is {}: a list of nodes and of ranges such as [5, 7] is allowed", shortened(value))};
    std::vector<Contributors::Range> ranges;
    const Items all(value);
    for (PyObject* const one : all) {
        if (!is_sequence(one)) {
            const NodeId node = small(one, "a node of \"sum_of\"");
            ranges.push_back({node, node});
            continue;
        }
        const Items ends(one);
        if (ends.size() != 2)
            throw Unclear{fmt::format("\"sum_of\" has {}: a range such as [5, 7] is allowed", shortened(one))};
        ranges.push_back({small(ends[0], "a node of \"sum_of\""), small(ends[1], "a node of \"sum_of\"")});
    }
    try {
        return std::make_shared<const Contributors>(std::move(ranges));
    } catch (const InvalidArgument& error) {
        throw Unclear{error.what()};
    }
}

// The value of a key of a dict; borrowed, null where it is missing.
py::handle at(py::handle dict, const char* key)
{
    return PyDict_GetItemString(dict.ptr(), key);
}

// A copy of a dict, which Python code cannot change.
py::object copy_of(py::handle dict)
{
    const auto copy = py::reinterpret_steal<py::object>(PyDict_Copy(dict.ptr()));
    if (!copy)
        throw py::error_already_set();
    return copy;
}

// Which end of a message a number names, where one does.
enum class Named : std::uint8_t { origin, target, block, neither };

Named named_by_number(Collective collective)
{
    const CollectiveTraits& of = traits(collective);
    if (collective == Collective::all_reduce || is_scan(collective))
        return Named::block;
    if (of.origin == Who::all && of.target == Who::all)
        return Named::neither;
    return of.target == Who::all || of.origin == Who::nobody ? Named::target : Named::origin;
}

// Reads entries.
class EntryReader {
public:
    EntryReader(const Problem& problem, std::vector<Piece>& pieces)
        : problem_(problem), named_(named_by_number(problem.collective)), pieces_(pieces),
          ticks_per_ns_(problem.link.bound() ? problem.link.ticks_per_ns() : 1)
    {
    }

    // The entry without its pieces, which are appended; if it has none, they follow from the data of its nodes.
    struct Entry {
        Transmission one;
        bool has_pieces = true;
    };
    Entry read(py::handle entry)
    {
        if (PyDict_Check(entry.ptr()) != 0)
            return line(entry);
        if (!is_sequence(entry))
            not_an_entry(entry);
        const Items parts(entry);
        if (parts.size() != 3 && parts.size() != 4)
            not_an_entry(entry);
        Transmission one;
        one.step = small(parts[0], "the step");
        one.from = small(parts[1], "the sender");
        one.to = small(parts[2], "the receiver");
        one.port = port_left_out;
        one.bytes = size_left_out;
        add_blocks(parts.size() == 4 ? parts[3] : py::handle(Py_None));
        return {one};
    }

private:
    [[noreturn]] static void not_an_entry(py::handle entry)
    {
        throw Unclear{fmt::format("{} is no entry of a schedule: (step, from, to) or (step, from, to, blocks) is "
                                  "expected",
                                  shortened(entry))};
    }

    // A line of a trace.
    Entry line(py::handle given)
    {
        const py::object entry = copy_of(given);
        Transmission one;
        one.step = small(required(entry, "step"), "\"step\"");
        one.from = small(required(entry, "from"), "\"from\"");
        one.to = small(required(entry, "to"), "\"to\"");
        const py::handle port = at(entry, "port");
        one.port = port ? small(port, "\"port\"") : port_left_out;
        const py::handle bytes = at(entry, "bytes");
        one.bytes = bytes ? number(bytes, "\"bytes\"", count) : size_left_out;
        one.start = ticks(at(entry, "start_ns"), "\"start_ns\"");
        one.end = ticks(at(entry, "end_ns"), "\"end_ns\"");
        const py::handle lost = at(entry, "lost");
        one.lost = lost && PyObject_IsTrue(lost.ptr()) == 1;
        const py::handle pieces = at(entry, "pieces");
        if (!pieces)
            return {one, false};
        if (!is_sequence(pieces))
            throw Unclear{fmt::format("\"pieces\" is {}: a list is allowed", shortened(pieces))};
        const Items all(pieces);
        for (PyObject* const piece : all)
            add_piece(piece);
        return {one};
    }

    static py::handle required(py::handle entry, const char* key)
    {
        const py::handle value = at(entry, key);
        if (!value)
            throw Unclear{fmt::format("\"{}\" is missing", key)};
        return value;
    }

    // Times of a dict: numbers, fractions, or texts such as "5/2".
    [[nodiscard]] Time ticks(py::handle value, std::string_view what) const
    {
        if (!value || value.is_none())
            return 0;
        Rational ns;
        try {
            ns = parse_rational(what, PyFloat_Check(value.ptr()) ? rational_text(value) : std::string(py::str(value)));
        } catch (const InvalidArgument& error) {
            throw Unclear{error.what()};
        }
        if (ticks_per_ns_ % static_cast<std::uint64_t>(ns.denominator) != 0) {
            if (!problem_.link.bound())
                return 0;  // the unit model has no times
            throw Unclear{fmt::format("{} is {}: a whole number of ticks of 1/{} ns is allowed", what, to_string(ns),
                                      ticks_per_ns_)};
        }
        const std::uint64_t scale = ticks_per_ns_ / static_cast<std::uint64_t>(ns.denominator);
        if (static_cast<std::uint64_t>(ns.numerator) > count / scale)
            throw Unclear{fmt::format("{} is {}: in ticks of 1/{} ns that does not fit in 63 bits", what, to_string(ns),
                                      ticks_per_ns_)};
        return static_cast<Time>(ns.numerator) * scale;
    }

    // A tuple is one block, a list is several.
    void add_blocks(py::handle blocks)
    {
        if (PyList_Check(blocks.ptr()) == 0)
            return add_piece(blocks);
        const Items all(blocks);
        for (PyObject* const one : all)
            add_piece(one);
    }

    void add_piece(py::handle block)
    {
        Piece piece;
        piece.length = size_left_out;
        if (PyDict_Check(block.ptr()) != 0)
            fill_named(piece, block);
        else if (is_sequence(block))
            fill(piece, block);
        else if (block.is_none())
            require_whole();
        else
            fill_numbered(piece, block);
        pieces_.push_back(std::move(piece));
    }

    // None stands for the whole message if there is one, or for the sum.
    void require_whole() const
    {
        const Collective all = problem_.collective;
        const char* const named =
            all == Collective::all_to_all                                     ? "(origin, target) does"
            : all == Collective::scatter || all == Collective::reduce_scatter ? "the number of its target does"
            : all == Collective::gather || all == Collective::all_gather || all == Collective::permute
                ? "the number of its origin does"
                : nullptr;
        if (named)
            throw Unclear{fmt::format("None does not name a block of {}: {}", name(all), named)};
    }

    void fill_numbered(Piece& piece, py::handle block) const
    {
        if (PyIndex_Check(block.ptr()) == 0)
            throw Unclear{fmt::format("{} names no block: None, a number, (origin, target), (origin, target, offset, "
                                      "length), a dict, or a list of these is allowed",
                                      shortened(block))};
        switch (named_) {
        case Named::origin: piece.origin = small(block, "the origin of a block"); return;
        case Named::target: piece.target = small(block, "the target of a block"); return;
        case Named::block:
            piece.offset = number(block, "the number of a block", problem_.packets - 1) * problem_.bytes;
            piece.length = problem_.bytes;
            return;
        case Named::neither: break;
        }
        throw Unclear{fmt::format("{} does not name a block of {}: (origin, target) does", shortened(block),
                                  name(problem_.collective))};
    }

    static void fill(Piece& piece, py::handle block)
    {
        const Items parts(block);
        if (parts.size() != 2 && parts.size() != 4)
            throw Unclear{fmt::format("{} names no block: (origin, target) or (origin, target, offset, length) is "
                                      "allowed, and a list of blocks",
                                      shortened(block))};
        piece.origin = node_or_none(parts[0], "the origin of a block");
        piece.target = node_or_none(parts[1], "the target of a block");
        if (parts.size() == 2)
            return;
        piece.offset = number(parts[2], "the offset of a block", count);
        piece.length = number(parts[3], "the length of a block", count);
    }

    static void fill_named(Piece& piece, py::handle given)
    {
        const py::object block = copy_of(given);
        PyObject* key = nullptr;
        PyObject* value = nullptr;
        for (Py_ssize_t at = 0; PyDict_Next(block.ptr(), &at, &key, &value) != 0;) {
            const std::string called = PyUnicode_Check(key) != 0 ? std::string(py::str(key)) : shortened(key);
            if (called == "origin")
                piece.origin = node_or_none(value, "\"origin\"");
            else if (called == "target")
                piece.target = node_or_none(value, "\"target\"");
            else if (called == "offset")
                piece.offset = number(value, "\"offset\"", count);
            else if (called == "length")
                piece.length = number(value, "\"length\"", count);
            else if (called == "sum_of")
                piece.sum_of = contributors(value);
            else
                throw Unclear{fmt::format("a block has no \"{}\": origin, target, offset, length and sum_of are "
                                          "allowed",
                                          called.substr(0, 40))};
        }
    }

    const Problem& problem_;
    Named named_;
    std::vector<Piece>& pieces_;
    std::uint64_t ticks_per_ns_;
};

[[noreturn]] void raise_wrong(const std::string& message, std::optional<std::size_t> index, const py::list& entries)
{
    const py::handle type = error_class("TraceError");
    const py::object error = index ? type(message, *index + 1, *index, entries[*index]) : type(message);
    PyErr_SetObject(type.ptr(), error.ptr());
    throw py::error_already_set();
}

TraceQuestion trace_question(const Question& asked, bool redundant = false)
{
    return {asked.topology, asked.ports, asked.problem, asked.failing, redundant};
}

// The judge's word on the entries; Ctrl-C is looked for now and then.
Verdict judged(const Entries& entries, const TraceQuestion& asked, JudgeOptions how = {})
{
    try {
        return without_gil([&](RunOptions& options) {
            how.accepted = [&options, accepted = std::move(how.accepted), left = 0U](const Transmission& one) mutable {
                constexpr unsigned look_every = 1024;
                if (left++ % look_every == 0) {
                    options.on_step(one.step);
                    if (options.stop.stop_requested())
                        throw Interrupted();
                }
                if (accepted)
                    accepted(one);
            };
            return judge_list(entries.list(), asked, how);
        });
    } catch (const TraceError& error) {
        entries.raise(error);
    }
}

py::object or_none(const std::optional<Rational>& value)
{
    return value ? fraction(*value) : py::none();
}

py::dict judge(const py::list& list, std::string_view collective, bool redundant, const py::dict& given)
{
    const Asked asked = asked_of(collective, given);
    const Entries entries(list, asked.question.problem);
    const Verdict verdict = judged(entries, trace_question(asked.question, redundant));
    const bool timed = asked.question.problem.link.bound();
    py::dict values;
    values["steps"] = verdict.steps;
    values["transmissions"] = verdict.transmissions;
    values["bytes"] = verdict.bytes;
    values["lost"] = verdict.lost;
    values["virtual_time_ns"] = or_none(verdict.virtual_time_ns);
    values["steps_lower_bound"] = timed ? py::object(py::none()) : py::object(py::int_(verdict.steps_lower_bound));
    values["transmissions_lower_bound"] =
        timed ? py::object(py::none()) : py::object(py::int_(verdict.transmissions_lower_bound));
    values["time_lower_bound_ns"] = or_none(verdict.time_lower_bound_ns);
    values["optimal"] = timed ? verdict.virtual_time_ns && verdict.virtual_time_ns == verdict.time_lower_bound_ns
                              : verdict.steps == verdict.steps_lower_bound;
    return values;
}

py::object replay(const py::list& list, std::string_view collective, const std::string& name, const py::dict& given)
{
    const Asked asked = asked_of(collective, given);
    const Entries entries(list, asked.question.problem);
    const auto schedule = algorithm_of(entries, asked.question, name);
    const Report report = without_gil([&](RunOptions& options) {
        options.failing = asked.question.failing;
        Machine machine(asked.question.topology, asked.machine);
        VerifiedRunOptions how;
        how.seed = asked.question.seed;
        how.repeat = asked.repeat;
        return run_verified(machine, schedule->algorithm, asked.question.problem, how, options);
    });
    py::dict question = question_with(py::str(collective.data(), collective.size()), given);
    question["schedule"] = list.attr("copy")();
    question["name"] = name;
    return report_object(report, question);
}

// The text of the trace, complete, as the program writes it.
std::string trace_text(const py::list& list, std::string_view collective, const py::dict& given)
{
    const Asked asked = asked_of(collective, given);
    const Entries entries(list, asked.question.problem);
    std::ostringstream trace;
    JudgeOptions how;
    how.accepted = write_trace(trace, trace_question(asked.question));
    judged(entries, trace_question(asked.question), std::move(how));
    return std::move(trace).str();
}

// The trace of a run.
std::string traced(py::handle what, const py::dict& given)
{
    const Asked asked = asked_of(what, given);
    std::ostringstream trace;
    run_asked(asked, [&](Machine& machine, const Entry& algorithm, RunOptions& options) {
        TraceQuestion question = trace_question(asked.question, algorithm.redundant);
        options.trace = write_trace(trace, question);
        VerifiedRunOptions how;
        how.seed = asked.question.seed;
        run_verified(machine, algorithm, asked.question.problem, how, options);
    });
    return std::move(trace).str();
}

}  // namespace

Entries::Entries(py::list entries, const Problem& problem) : entries_(std::move(entries))
{
    const std::size_t size = entries_.size();
    list_.reserve(size);
    pieces_.reserve(size);
    std::vector<std::size_t> first;
    first.reserve(size + 1);
    std::vector<bool> has_pieces;
    EntryReader reader(problem, pieces_);
    for (std::size_t i = 0; i < entries_.size(); ++i) {
        first.push_back(pieces_.size());
        try {
            const py::object given = entries_[i];
            const EntryReader::Entry entry = reader.read(given);
            list_.push_back(entry.one);
            has_pieces.push_back(entry.has_pieces);
        } catch (const Unclear& unclear) {
            raise_wrong(fmt::format("transmission {}: {}", i, unclear.why), i, entries_);
        }
    }
    first.push_back(pieces_.size());
    for (std::size_t i = 0; i < list_.size(); ++i)
        if (has_pieces[i])
            list_[i].pieces = std::span(pieces_).subspan(first[i], first[i + 1] - first[i]);
}

void Entries::raise(const TraceError& error) const
{
    raise_wrong(error.what(), error.line == 0 ? std::nullopt : std::optional<std::size_t>(error.line - 1), entries_);
}

std::unique_ptr<const ScheduleAlgorithm> algorithm_of(const Entries& entries, const Question& question,
                                                      std::string name)
{
    if (!question.problem.within.empty())
        throw InvalidArgument("within", "", "is not for replay: schedules of groups can be judged");
    PieceSchedule schedule;
    JudgeOptions how;
    how.schedule = true;
    how.accepted = collected_in(schedule);
    const Verdict verdict = judged(entries, trace_question(question), std::move(how));
    auto made = std::make_unique<ScheduleAlgorithm>();
    made->name = std::move(name);
    made->algorithm = own_entry(dcube::algorithm_of(
        {.collective = question.problem.collective,
         .name = made->name,
         .ports = question.ports,
         .cost = [cost = Cost{verdict.steps, verdict.transmissions}](const Topology&, const Problem&) { return cost; }},
        std::move(schedule)));
    return made;
}

void bind_schedules(py::module_& module)
{
    module.def("judge", &judge, py::arg("schedule"), py::arg("collective"), py::arg("redundant"), py::arg("question"));
    module.def("replay", &replay, py::arg("schedule"), py::arg("collective"), py::arg("name"), py::arg("question"));
    module.def("traced", &traced, py::arg("what"), py::arg("question"));
    module.def("trace_text", &trace_text, py::arg("schedule"), py::arg("collective"), py::arg("question"));
}

}  // namespace dcube::python
