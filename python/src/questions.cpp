// Keyword arguments as questions.

#include "python/src/bind.hpp"
#include "python/src/slots.hpp"

#include "base/names.hpp"
#include "base/numbers.hpp"
#include "run/given.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <iterator>
#include <limits>
#include <optional>
#include <vector>

namespace dcube::python {

namespace {

// What is read of the arguments before the question is put together.
struct Reading {
    Texts texts{};
    std::optional<Topology> dim{};
    std::optional<Topology> topology{};
    MachineOptions machine{};
    std::size_t repeat = 1;
    py::handle own{};
};

[[noreturn]] void refuse_type(std::string_view name, py::handle value, std::string_view allowed)
{
    const bool several = PyList_Check(value.ptr()) || PyTuple_Check(value.ptr()) || PyRange_Check(value.ptr());
    throw py::type_error(fmt::format("{} is {}, not {}{}", name, allowed, Py_TYPE(value.ptr())->tp_name,
                                     several ? " (sweep and bench take several)" : ""));
}

// Of a program that is no Algorithm yet, too.
[[noreturn]] void refuse_algorithm(std::string_view name, py::handle value)
{
    if (PyFunction_Check(value.ptr()))
        throw py::type_error(fmt::format(
            "{} is a str or an Algorithm, not a function: @dcube.algorithm(..) makes one of a program", name));
    refuse_type(name, value, "a str or an Algorithm");
}

bool is_bool(py::handle value)
{
    return PyBool_Check(value.ptr()) || std::string_view(Py_TYPE(value.ptr())->tp_name) == "numpy.bool_";
}

std::string text(py::handle value)
{
    return utf8(py::str(value));
}

std::string name_text(std::string_view name, py::handle value)
{
    if (!PyUnicode_Check(value.ptr()))
        refuse_type(name, value, "a str");
    return text(value);
}

// A text counts as a number: "4KiB".
std::string whole_text(std::string_view name, py::handle value)
{
    if (PyUnicode_Check(value.ptr()))
        return text(value);
    if (is_bool(value) || !PyIndex_Check(value.ptr()))
        refuse_type(name, value, "an int");
    const py::object number = py::reinterpret_steal<py::object>(PyNumber_Index(value.ptr()));
    if (!number)
        throw py::error_already_set();
    return text(number);
}

std::string flag_text(std::string_view name, py::handle value)
{
    if (!is_bool(value))
        refuse_type(name, value, "a bool");
    return PyObject_IsTrue(value.ptr()) == 1 ? "true" : "false";
}

std::string exact_text(std::string_view name, py::handle value)
{
    if (PyUnicode_Check(value.ptr()) || (!is_bool(value) && PyIndex_Check(value.ptr())))
        return whole_text(name, value);
    if (is_bool(value) || PyComplex_Check(value.ptr()) || PyNumber_Check(value.ptr()) == 0)
        refuse_type(name, value, "an int, a Fraction, a float or a str such as '5/2'");
    return rational_text(value);
}

std::string preset_text(std::string_view name, py::handle value)
{
    if (!PyUnicode_Check(value.ptr()))
        refuse_type(name, value, "a str such as 'ncube3' here");
    return text(value);
}

[[noreturn]] void refuse_element_type(std::string_view given)
{
    throw InvalidArgument("type: " + unknown_name(given, "an element type", element_types,
                                                  fmt::format("{}", fmt::join(element_types, ", "))));
}

bool is_element_type(const std::string& name)
{
    try {
        (void)parse_element_type(name);
        return true;
    } catch (const InvalidArgument&) {
        return false;
    }
}

// Names of types of 64 bits in NumPy, and of 32 in C, whose names reports have.
struct Ambiguous {
    std::string_view name;
    std::string_view types;
};
constexpr Ambiguous ambiguous_types[] = {
    {"float", "float32 or float64"}, {"int", "int32 or int64"}, {"uint", "uint32 or uint64"}};

void refuse_ambiguous_type(std::string_view given)
{
    for (const auto& [name, types] : ambiguous_types)
        if (same_name(given, name))
            throw InvalidArgument(
                fmt::format("type: '{}' has 64 bits in NumPy and 32 in C, as in reports: expected {}", given, types));
}

// Whatever NumPy takes for a type, and the names of reports.
std::string type_text(std::string_view name, py::handle value)
{
    const bool named = PyUnicode_Check(value.ptr());
    if (named)
        refuse_ambiguous_type(text(value));
    if (named && is_element_type(text(value)))
        return text(value);
    if (PyList_Check(value.ptr()) || PyTuple_Check(value.ptr()))
        refuse_type(name, value, "a str such as 'float32', or a type of NumPy");
    py::object type;
    try {
        type = py::module_::import("numpy").attr("dtype")(value);
    } catch (const py::error_already_set&) {
        if (named)
            refuse_element_type(text(value));
        throw;
    }
    if (!type.attr("isnative").cast<bool>())
        throw InvalidArgument(fmt::format("type: {} has another byte order than this machine", text(type.attr("str"))));
    std::string found = text(type.attr("name"));
    if (!is_element_type(found))
        refuse_element_type(found);
    return found;
}

std::vector<std::string> words_of(std::string_view name, py::handle value, std::string_view allowed)
{
    if (!py::isinstance<py::sequence>(value) && !py::hasattr(value, "__array__"))
        refuse_type(name, value, allowed);
    std::vector<std::string> words;
    for (const py::handle one : value) {
        if (!PyUnicode_Check(one.ptr()))
            throw py::type_error(fmt::format("{} is {}, not of {}", name, allowed, Py_TYPE(one.ptr())->tp_name));
        words.push_back(text(one));
    }
    return words;
}

std::string permutation_text(std::string_view name, py::handle value)
{
    if (PyUnicode_Check(value.ptr()))
        return text(value);
    std::vector<std::string> words;
    if (!py::isinstance<py::sequence>(value) && !py::hasattr(value, "__array__"))
        refuse_type(name, value, "a str or a list of nodes");
    if (is_masked(value.ptr()))
        throw py::type_error(fmt::format("{} is a masked array, whose mask would be lost", name));
    for (const py::handle one : value) {
        words.push_back(whole_text("a node of permutation", one));
        if (words.back().starts_with('-'))  // which a name may begin with
            throw InvalidArgument(fmt::format("{}: {} is no node: nodes are 0, 1, 2, ..", name, words.back()));
    }
    return fmt::format("{}", fmt::join(words, " "));
}

std::string failing_text(std::string_view name, py::handle value)
{
    if (PyUnicode_Check(value.ptr()))
        return text(value);
    return fmt::format("{}", fmt::join(words_of(name, value, "a list of texts such as '5-7@2'"), ","));
}

std::uint64_t number_of(std::string_view name, py::handle value, NumberRange allowed)
{
    return parse_number(name, whole_text(name, value), allowed);
}

// dim comes first in a Machine's arguments, where a network's name looks right.
void require_dimension(py::handle value)
{
    const bool network =
        PyUnicode_Check(value.ptr()) ? text(value).find(':') != std::string::npos : py::isinstance<Topology>(value);
    if (network)
        throw py::type_error("dim is an int, of a hypercube: other networks are given as topology='ring:5'");
}

// An argument is a key of questions, or is read for itself.
struct Argument {
    std::string_view name;
    std::string_view key{};
    std::string (*text)(std::string_view name, py::handle value) = nullptr;
    void (*read)(Reading& reading, py::handle value) = nullptr;
};

using R = Reading&;
using Value = py::handle;

constexpr Argument arguments[] = {
    {.name = "dim",
     .read =
         [](R reading, Value value) {
             require_dimension(value);
             const std::uint64_t dim = number_of("dim", value, {0, Topology::max_dimension});
             reading.dim = Topology::hypercube(static_cast<unsigned>(dim));
         }},
    {.name = "topology", .read = [](R reading, Value value) { reading.topology = topology_in(value); }},
    {.name = "bytes", .key = "bytes", .text = whole_text},
    {.name = "packets", .key = "packets", .text = whole_text},
    {.name = "root", .key = "root", .text = whole_text},
    {.name = "peer", .key = "peer", .text = whole_text},
    {.name = "op", .key = "operation", .text = name_text},
    {.name = "type", .key = "type", .text = type_text},
    {.name = "permutation", .key = "permutation", .text = permutation_text},
    {.name = "rows", .key = "rows", .text = whole_text},
    {.name = "columns", .key = "columns", .text = whole_text},
    {.name = "layout", .key = "layout", .text = name_text},
    {.name = "to", .key = "to_layout", .text = name_text},
    {.name = "in_place", .key = "in_place", .text = flag_text},
    {.name = "ports", .key = "ports", .text = name_text},
    {.name = "tau", .key = "tau_ns_per_byte", .text = exact_text},
    {.name = "beta", .key = "beta_ns", .text = exact_text},
    {.name = "machine", .key = "machine", .text = preset_text},
    {.name = "clock", .key = "clock", .text = name_text},
    {.name = "groups", .key = "groups", .text = whole_text},
    {.name = "detour_groups", .key = "detour_groups", .text = whole_text},
    {.name = "waves", .key = "waves", .text = name_text},
    {.name = "halvings", .key = "halvings", .text = whole_text},
    {.name = "algorithm",
     .read =
         [](R reading, Value value) {
             if (is_algorithm(value))
                 reading.own = value;
             else if (PyUnicode_Check(value.ptr()))
                 reading.texts.emplace_back(find_key("algorithm"), text(value));
             else
                 refuse_algorithm("algorithm", value);
         }},
    {.name = "seed", .key = "seed", .text = whole_text},
    {.name = "failing", .key = "failing", .text = failing_text},
    {.name = "repeat",
     .read =
         [](R reading, Value value) {
             reading.repeat = number_of("repeat", value, {1, std::numeric_limits<std::uint32_t>::max()});
         }},
    {.name = "threads",
     .read =
         [](R reading, Value value) {
             reading.machine.threads = static_cast<unsigned>(number_of("threads", value, {1, 1024}));
         }},
    {.name = "pin",
     .read =
         [](R reading, Value value) {
             reading.machine.pinning = naming("pin", [&] { return parse_pinning(name_text("pin", value)); });
         }},
    {.name = "capacity",
     .read =
         [](R reading, Value value) {
             reading.machine.channel_capacity = number_of("capacity", value, {1, 65'536});
         }},
    {.name = "channel",
     .read =
         [](R reading, Value value) {
             reading.machine.channel = naming("channel", [&] { return parse_channel(name_text("channel", value)); });
         }},
    {.name = "memory_limit",
     .read =
         [](R reading, Value value) {
             reading.machine.memory_limit = parse_size("memory_limit", whole_text("memory_limit", value), 1);
         }},
    {.name = "watch",
     .read = [](R reading, Value value) { reading.machine.watch_lent_bytes = flag_text("watch", value) == "true"; }},
};

const Argument& argument_of(std::string_view name)
{
    const auto* const found = std::ranges::find(arguments, name, &Argument::name);
    if (found != std::end(arguments))
        return *found;
    std::vector<std::string_view> known;
    for (const Argument& one : arguments)
        known.push_back(one.name);
    throw py::type_error(unknown_name(name, "an argument", known, fmt::format("{}", fmt::join(known, ", "))));
}

void read(Reading& reading, std::string_view name, py::handle value)
{
    const Argument& argument = argument_of(name);
    if (value.is_none())
        return;
    if (argument.read)
        return argument.read(reading, value);
    std::string written = argument.text(name, value);
    if (written.empty() && argument.key == "failing")  // an empty list
        return;
    reading.texts.emplace_back(find_key(argument.key), std::move(written));
}

Topology network_of(const Reading& reading)
{
    if (reading.dim && reading.topology)
        throw InvalidArgument("dim and topology cannot be used together: each is a network");
    if (!reading.dim && !reading.topology)
        refuse_no_network();
    return reading.dim ? *reading.dim : *reading.topology;
}

}  // namespace

namespace {

// A permutation is read as a text; of a list it should not be said in which line.
std::string without_lines(std::string message)
{
    for (const std::string_view words : {"line 1: ", ", first in line 1"})
        if (const std::size_t found = message.find(words); found != std::string::npos)
            message.erase(found, words.size());
    return message;
}

Question question_read(const Reading& reading, const py::dict& given)
{
    const Topology network = network_of(reading);
    try {
        return own_question_of(reading.texts, network);
    } catch (const InvalidArgument& error) {
        if (!given.contains("permutation") || PyUnicode_Check(py::object(given["permutation"]).ptr()))
            throw;
        throw InvalidArgument(without_lines(error.what()));
    }
}

}  // namespace

std::string rational_text(py::handle number)
{
    if (py::hasattr(number, "denominator"))
        return fmt::format("{}/{}", text(number.attr("numerator")), text(number.attr("denominator")));
    return text(py::module_::import("dcube.questions").attr("exact_text")(number));
}

void use_one_thread(Asked& asked)
{
    if (!asked.threads_given)
        asked.machine.threads = 1;
}

Asked asked_of(std::string_view collective, const py::dict& given)
{
    Reading reading;
    if (!collective.empty())
        reading.texts.emplace_back(find_key("collective"), collective);
    // Held, because Python code that reads a value may change what is given.
    const auto all = py::reinterpret_steal<py::dict>(PyDict_Copy(given.ptr()));
    for (const auto& [name, value] : all)
        read(reading, utf8(name), value);
    Asked asked{question_read(reading, all), std::move(reading.machine), reading.repeat, false, reading.own};
    asked.machine.ports = asked.question.ports;
    asked.machine.link = asked.question.problem.link;
    asked.threads_given = asked.machine.threads != 0;
    if (asked.own)
        use_one_thread(asked);
    return asked;
}

Asked asked_of(py::handle what, const py::dict& given)
{
    if (!is_algorithm(what)) {
        if (!PyUnicode_Check(what.ptr()))
            refuse_algorithm("collective", what);
        const std::string collective = utf8(what);
        if (collective.empty())
            refuse_no_collective();
        return asked_of(collective, given);
    }
    if (given.contains("algorithm") && !given["algorithm"].is_none())
        throw InvalidArgument("an Algorithm is run already: the argument algorithm cannot name another one");
    Asked asked = asked_of(name(collective_of(what)), given);
    asked.own = what;
    use_one_thread(asked);
    return asked;
}

py::dict question_with(py::handle what, const py::dict& given)
{
    py::dict question;
    question["collective"] = what;
    for (const auto& [name, value] : given)
        if (!value.is_none())
            question[name] = value;
    return question;
}

}  // namespace dcube::python
