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
    GivenValues values{};
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

// Also for a function that is not an Algorithm yet.
[[noreturn]] void refuse_algorithm(std::string_view name, py::handle value)
{
    if (PyFunction_Check(value.ptr()))
        throw py::type_error(fmt::format(
            "{} is a str or an Algorithm, not a function: @dcube.algorithm(..) makes one of a program", name));
    refuse_type(name, value, "a str or an Algorithm");
}

bool is_bool(py::handle value)
{
    const std::string_view type = Py_TYPE(value.ptr())->tp_name;
    return PyBool_Check(value.ptr()) || type == "numpy.bool_" || type == "numpy.bool";  // NumPy 1 and 2
}

std::string text(py::handle value)
{
    return utf8(py::str(value));
}

// "a str such as 'ncube3'", by the first of the values that the key's form shows.
std::string such_as(std::string_view kind, const Key& key)
{
    const std::string_view first = key.form.substr(0, key.form.find(','));
    if (first.empty())
        return std::string(kind);
    const std::string_view quote = first.starts_with('\'') ? "" : "'";
    return fmt::format("{} such as {}{}{}", kind, quote, first, quote);
}

std::string text_of(std::string_view name, py::handle value, std::string_view allowed = "a str")
{
    if (!PyUnicode_Check(value.ptr()))
        refuse_type(name, value, allowed);
    return text(value);
}

py::object index_of(std::string_view name, py::handle value)
{
    if (is_bool(value) || !PyIndex_Check(value.ptr()))
        refuse_type(name, value, "an int");
    py::object number = py::reinterpret_steal<py::object>(PyNumber_Index(value.ptr()));
    if (!number)
        throw py::error_already_set();
    return number;
}

// None for a negative one, and one of more than 64 bits.
std::optional<std::uint64_t> number_in(py::handle index)
{
    const std::uint64_t number = PyLong_AsUnsignedLongLong(index.ptr());
    if (PyErr_Occurred() == nullptr)
        return number;
    PyErr_Clear();
    return std::nullopt;
}

// A text counts as a number: "4KiB". A number beyond 64 bits stays a text, so that the range check refuses it and says
// what is allowed.
GivenValue whole(std::string_view name, py::handle value)
{
    if (PyUnicode_Check(value.ptr()))
        return text(value);
    const py::object index = index_of(name, value);
    if (const auto number = number_in(index))
        return *number;
    return text(index);
}

bool flag(std::string_view name, py::handle value)
{
    if (!is_bool(value))
        refuse_type(name, value, "a bool");
    return PyObject_IsTrue(value.ptr()) == 1;
}

GivenValue exact(std::string_view name, py::handle value)
{
    if (PyUnicode_Check(value.ptr()) || (!is_bool(value) && PyIndex_Check(value.ptr())))
        return whole(name, value);
    if (is_bool(value) || PyComplex_Check(value.ptr()) || PyNumber_Check(value.ptr()) == 0)
        refuse_type(name, value, "an int, a Fraction, a float or a str such as '5/2'");
    return rational_text(value);
}

// Of a list, a tuple, an array.
void require_list(std::string_view name, py::handle value, std::string_view allowed)
{
    if (!py::isinstance<py::sequence>(value) && !py::hasattr(value, "__array__"))
        refuse_type(name, value, allowed);
    if (is_masked(value.ptr()))
        throw py::type_error(fmt::format("{} is a masked array, whose mask would be lost", name));
}

GivenValue nodes(std::string_view name, py::handle value)
{
    if (PyUnicode_Check(value.ptr()))
        return text(value);
    require_list(name, value, "a str or a list of nodes");
    std::vector<std::uint64_t> all;
    for (const py::handle one : value) {
        const py::object index = index_of(fmt::format("a node of {}", name), one);
        const auto number = number_in(index);
        if (!number)
            throw InvalidArgument(name, fmt::format("{} is no node: nodes are 0, 1, 2, ..", text(index)));
        all.push_back(*number);
    }
    return all;
}

// Of a list, or of rows of them.
void append_numbers(std::string_view name, py::handle list, std::vector<std::uint64_t>& all)
{
    for (const py::handle one : list) {
        if (!PyIndex_Check(one.ptr()) || py::hasattr(one, "__len__")) {
            require_list(fmt::format("a row of {}", name), one, "a list of ints");
            append_numbers(name, one, all);
            continue;
        }
        const py::object index = index_of(fmt::format("a number of {}", name), one);
        const auto number = number_in(index);
        if (!number)
            throw InvalidArgument(name, fmt::format("{} is no number of packets: expected 0, 1, 2, ..", text(index)));
        all.push_back(*number);
    }
}

GivenValue numbers(std::string_view name, py::handle value)
{
    if (PyUnicode_Check(value.ptr()))
        return text(value);
    require_list(name, value, "a str or a list of ints");
    std::vector<std::uint64_t> all;
    append_numbers(name, value, all);
    return all;
}

GivenValue texts(const Key& key, py::handle value)
{
    if (PyUnicode_Check(value.ptr()))
        return text(value);
    const std::string allowed = such_as("a list of texts", key);
    require_list(key.name, value, allowed);
    std::vector<std::string> all;
    for (const py::handle one : value) {
        if (!PyUnicode_Check(one.ptr()))
            throw py::type_error(fmt::format("{} is {}, not of {}", key.name, allowed, Py_TYPE(one.ptr())->tp_name));
        all.push_back(text(one));
    }
    return all;
}

GivenValue value_of(const Key& key, py::handle value)
{
    switch (key.kind) {
    case Key::Kind::text: return text_of(key.name, value, such_as("a str", key));
    case Key::Kind::nodes: return nodes(key.name, value);
    case Key::Kind::numbers: return numbers(key.name, value);
    case Key::Kind::texts: return texts(key, value);
    case Key::Kind::number: return whole(key.name, value);
    case Key::Kind::exact: return exact(key.name, value);
    case Key::Kind::flag: return flag(key.name, value);
    }
    return {};
}

[[noreturn]] void refuse_element_type(std::string_view given)
{
    throw InvalidArgument("type", unknown_name(given, "an element type", element_types,
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
            throw InvalidArgument("type", fmt::format("'{}'", given),
                                  fmt::format("has 64 bits in NumPy and 32 in C, as in reports: expected {}", types));
}

// Whatever NumPy takes for a type, and the names of reports.
std::string type_text(py::handle value)
{
    const bool named = PyUnicode_Check(value.ptr());
    if (named)
        refuse_ambiguous_type(text(value));
    if (named && is_element_type(text(value)))
        return text(value);
    if (PyList_Check(value.ptr()) || PyTuple_Check(value.ptr()))
        refuse_type("type", value, "a str such as 'float32', or a type of NumPy");
    py::object type;
    try {
        type = py::module_::import("numpy").attr("dtype")(value);
    } catch (const py::error_already_set&) {
        if (named)
            refuse_element_type(text(value));
        throw;
    }
    if (!type.attr("isnative").cast<bool>())
        throw InvalidArgument("type", text(type.attr("str")), "has another byte order than this machine");
    std::string found = text(type.attr("name"));
    if (!is_element_type(found))
        refuse_element_type(found);
    return found;
}

std::uint64_t number_of(std::string_view name, py::handle value, NumberRange allowed)
{
    const GivenValue given = whole(name, value);
    const auto* const number = std::get_if<std::uint64_t>(&given);
    return number != nullptr ? in_range(name, *number, allowed) : parse_number(name, to_text(given), allowed);
}

// dim comes first in a Machine's arguments, where a network's name looks right.
void require_dimension(py::handle value)
{
    const bool network =
        PyUnicode_Check(value.ptr()) ? text(value).find(':') != std::string::npos : py::isinstance<Topology>(value);
    if (network)
        throw py::type_error("dim is an int, of a hypercube: other networks are given as topology='ring:5'");
}

// An argument that is no key of questions, or is one for which Python has objects of its own.
struct OwnArgument {
    std::string_view name;
    void (*read)(Reading& reading, py::handle value);
    enum class Of : std::uint8_t { machine, run } of = Of::machine;  ///< a run takes those of its machine, too
};

using R = Reading&;
using Value = py::handle;

constexpr OwnArgument own_arguments[] = {
    {"dim",
     [](R reading, Value value) {
         require_dimension(value);
         const std::uint64_t dim = number_of("dim", value, {0, Topology::max_dimension});
         reading.dim = Topology::hypercube(static_cast<unsigned>(dim));
     }},
    {"topology",
     [](R reading, Value value) { reading.topology = about("topology", [&] { return topology_in(value); }); }},
    {"type", [](R reading, Value value) { reading.values.emplace_back(find_key("type"), type_text(value)); },
     OwnArgument::Of::run},
    {"algorithm",
     [](R reading, Value value) {
         if (is_algorithm(value))
             reading.own = value;
         else if (PyUnicode_Check(value.ptr()))
             reading.values.emplace_back(find_key("algorithm"), text(value));
         else
             refuse_algorithm("algorithm", value);
     },
     OwnArgument::Of::run},
    {"repeat",
     [](R reading, Value value) {
         reading.repeat = number_of("repeat", value, {1, std::numeric_limits<std::uint32_t>::max()});
     },
     OwnArgument::Of::run},
    {"threads",
     [](R reading, Value value) {
         reading.machine.threads = static_cast<unsigned>(number_of("threads", value, {1, 1024}));
     }},
    {"pin",
     [](R reading, Value value) {
         reading.machine.pinning = about("pin", [&] { return parse_pinning(text_of("pin", value)); });
     }},
    {"capacity",
     [](R reading, Value value) {
         reading.machine.channel_capacity = number_of("capacity", value, {1, 65'536});
     }},
    {"channel",
     [](R reading, Value value) {
         reading.machine.channel = about("channel", [&] { return parse_channel(text_of("channel", value)); });
     }},
    {"memory_limit",
     [](R reading, Value value) {
         reading.machine.memory_limit = parse_size("memory_limit", to_text(whole("memory_limit", value)), 1);
     }},
    {"watch", [](R reading, Value value) { reading.machine.watch_lent_bytes = flag("watch", value); }},
};

const OwnArgument* find_own(std::string_view name)
{
    const auto* const found = std::ranges::find(own_arguments, name, &OwnArgument::name);
    return found == std::end(own_arguments) ? nullptr : found;
}

// Null for the collective, which is the first argument of functions.
const Key* key_of_argument(std::string_view name)
{
    const auto found = std::ranges::find(question_keys(), name, &Key::name);
    return found == question_keys().end() || name == "collective" ? nullptr : &*found;
}

[[noreturn]] void refuse_argument(std::string_view name)
{
    std::vector<std::string_view> known;
    for (const OwnArgument& own : own_arguments)
        known.push_back(own.name);
    for (const Key& key : question_keys())
        if (key.name != "collective" && find_own(key.name) == nullptr)
            known.push_back(key.name);
    throw py::type_error(unknown_name(name, "an argument", known, fmt::format("{}", fmt::join(known, ", "))));
}

void read(Reading& reading, std::string_view name, py::handle value)
{
    const OwnArgument* const own = find_own(name);
    const Key* const key = key_of_argument(name);
    if (own == nullptr && key == nullptr)
        refuse_argument(name);
    if (value.is_none())
        return;
    if (own != nullptr)
        return own->read(reading, value);
    GivenValue given = value_of(*key, value);
    if (key->kind != Key::Kind::texts || !to_text(given).empty())
        reading.values.emplace_back(key, std::move(given));
}

Topology network_of(const Reading& reading)
{
    if (reading.dim && reading.topology)
        throw InvalidArgument("dim", "",
                              fmt::format("cannot be used together with {}: each is a network", mention("topology")));
    if (!reading.dim && !reading.topology)
        refuse_no_network();
    return reading.dim ? *reading.dim : *reading.topology;
}

}  // namespace

py::tuple keys_of_questions()
{
    py::list keys;
    for (const Key& key : question_keys())
        keys.append(py::make_tuple(key.key, key.name, name(key.kind)));
    return keys;
}

std::vector<std::string_view> machine_arguments()
{
    std::vector<std::string_view> names;
    for (const OwnArgument& own : own_arguments)
        if (own.of == OwnArgument::Of::machine)
            names.push_back(own.name);
    for (const Key& key : question_keys())
        if ((key.group == Key::Group::network || key.group == Key::Group::links || key.key == "faults") &&
            find_own(key.name) == nullptr)
            names.push_back(key.name);
    return names;
}

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
        reading.values.emplace_back(find_key("collective"), std::string(collective));
    // Held, because Python code that reads a value may change what is given.
    const auto all = py::reinterpret_steal<py::dict>(PyDict_Copy(given.ptr()));
    for (const auto& [name, value] : all)
        read(reading, utf8(name), value);
    Asked asked{own_question_of(reading.values, network_of(reading)), std::move(reading.machine), reading.repeat, false,
                reading.own};
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
        throw InvalidArgument("algorithm", "an Algorithm was given already, and this names another one");
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
