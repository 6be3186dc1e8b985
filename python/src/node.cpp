#include "python/src/node.hpp"

#include "base/names.hpp"
#include "collectives/problem_fields.hpp"

#include <dcube/collective.hpp>
#include <dcube/elements.hpp>
#include <dcube/error.hpp>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <pybind11/numpy.h>
#include <structmember.h>

#include <algorithm>
#include <array>
#include <limits>
#include <stdexcept>
#include <utility>
#include <variant>
#include <vector>

namespace dcube::python {

namespace {

// Never freed: they outlive the interpreter's end.
PyTypeObject* node_type = nullptr;
PyTypeObject* pause_type = nullptr;

// NodeProgram::pending for a collective.
constexpr const char* a_collective = "a collective";

NodeObject* object_of(PyObject* self)
{
    return reinterpret_cast<NodeObject*>(self);
}

// The program of the node, which must be running now: null with a RuntimeError set if it is not.
NodeProgram* running(PyObject* self)
{
    const NodeObject& me = *object_of(self);
    NodeProgram* const own = me.program;
    if (own && own->thread == PyThread_get_thread_ident()) [[likely]]
        return own;
    if (own)
        PyErr_Format(PyExc_RuntimeError, "node %u is used by another program than its own", me.id);
    else
        PyErr_Format(PyExc_RuntimeError, "the run of node %u has ended", me.id);
    return nullptr;
}

// Does a call's work for the node's own program; what C++ throws becomes the Python error.
template <class Call>
PyObject* in_program(PyObject* self, const Call& call)
{
    NodeProgram* const own = running(self);
    if (!own)
        return nullptr;
    try {
        return unless_exiting([&] { return call(*own); });
    } catch (...) {
        NodeCalls::note(*own, std::current_exception());
        return nullptr;
    }
}

PyObject* none()
{
    return Py_NewRef(Py_None);
}

// Arguments of a call: by position, then by name. `names` lists all of them.
template <std::size_t most>
class Arguments {
public:
    using Names = std::array<const char*, most>;

    // False with a TypeError set.
    bool read(const char* function, const Names& names, std::size_t least, std::size_t most_by_position,
              PyObject* const* given, Py_ssize_t count, PyObject* keywords)
    {
        const auto positions = static_cast<std::size_t>(count);
        if (positions > most_by_position)
            return complain("%s() takes at most %zu arguments by position, and is given %zu", function,
                            most_by_position, positions);
        for (std::size_t i = 0; i < positions; ++i)
            values_[i] = given[i];
        const Py_ssize_t named = keywords ? PyTuple_GET_SIZE(keywords) : 0;
        for (Py_ssize_t i = 0; i < named; ++i)
            if (!set(function, names, PyTuple_GET_ITEM(keywords, i), given[count + i]))
                return false;
        for (std::size_t i = 0; i < least; ++i)
            if (!values_[i])
                return complain("%s() lacks the argument '%s'", function, names[i]);
        return true;
    }

    // Null where it is not given.
    PyObject* operator[](std::size_t i) const { return values_[i]; }

private:
    template <class... Parts>
    static bool complain(const char* format, Parts... parts)
    {
        PyErr_Format(PyExc_TypeError, format, parts...);
        return false;
    }

    bool set(const char* function, const Names& names, PyObject* name, PyObject* value)
    {
        for (std::size_t i = 0; i < most; ++i)
            if (PyUnicode_CompareWithASCIIString(name, names[i]) == 0) {
                if (values_[i])
                    return complain("%s() is given the argument '%s' twice", function, names[i]);
                values_[i] = value;
                return true;
            }
        const std::string why = unknown_name(utf8(name), fmt::format("an argument of {}()", function),
                                             std::vector<std::string_view>(names.begin(), names.end()),
                                             fmt::format("{}", fmt::join(names, ", ")));
        return complain("%s", why.c_str());
    }

    std::array<PyObject*, most> values_{};
};

// A whole number of any integer type; too large a one as the largest. False with a TypeError set that names its role.
bool read_whole(PyObject* number, const char* role, Py_ssize_t& value)
{
    if (!PyIndex_Check(number)) {
        PyErr_Format(PyExc_TypeError, "%s is an int, not %s", role, Py_TYPE(number)->tp_name);
        return false;
    }
    value = PyNumber_AsSsize_t(number, nullptr);
    return value != -1 || !PyErr_Occurred();
}

// A port, of any integer type. False with an error set; a port that the node lacks is found by the machine.
bool read_port(const NodeProgram& own, PyObject* number, Port& port)
{
    if (number == Py_None) [[unlikely]] {
        PyErr_SetString(PyExc_TypeError, "a port is an int, not None: port_between(a, b) gives None for nodes that no "
                                         "link joins");
        return false;
    }
    Py_ssize_t value = 0;
    if (!PyLong_CheckExact(number)) {
        if (!read_whole(number, "a port", value))
            return false;
    } else if (value = PyLong_AsSsize_t(number); value == -1 && PyErr_Occurred()) {
        return false;
    }
    if (value < 0) {
        PyErr_Format(PyExc_IndexError, "node %u has no port %zd: ports are counted from 0", own.me->id, value);
        return false;
    }
    port = static_cast<Port>(std::min(value, static_cast<Py_ssize_t>(RuleViolation::no_port - 1)));
    return true;
}

bool read_text(PyObject* object, const char* role, std::string_view& text)
{
    if (!PyUnicode_Check(object)) {
        PyErr_Format(PyExc_TypeError, "%s is a str, not %s", role, Py_TYPE(object)->tp_name);
        return false;
    }
    Py_ssize_t bytes = 0;
    const char* const characters = PyUnicode_AsUTF8AndSize(object, &bytes);
    if (!characters)
        return false;
    text = {characters, static_cast<std::size_t>(bytes)};
    return true;
}

bool read_flag(PyObject* object, bool& flag)
{
    const int truth = object ? PyObject_IsTrue(object) : 1;
    flag = truth == 1;
    return truth >= 0;
}

// The call has to be yielded next. Null with an error set if another one had to be.
PyObject* paused(NodeProgram& own, const char* call, Next next)
{
    own.pending = call;
    own.next = next;
    return Py_NewRef(own.pause);
}

bool nothing_pending(NodeProgram& own)
{
    if (!own.pending) [[likely]]
        return true;
    set_not_yielded(own);
    return false;
}

bool send(NodeProgram& own, Port port, PyObject* what, bool copy)
{
    if (port >= own.last.size()) {
        own.node->send(port, std::span<const std::byte>());
        return true;  // which it does not come to: there is no such port
    }
    // Python may run while the content is made, and while what was in the slot is given back, and not between.
    std::optional<Content> content = content_of(what, copy);
    if (!content)
        return false;
    if (own.observed && content->object)
        NodeCalls::hold(own, content->object);
    if (own.observed && content->kind == Content::Kind::array && copy && is_contiguous(what))
        own.node->copy(elements(content->object), elements(what));  // the labels go along
    Slot& slot = NodeCalls::slots(own).one_after(own.last[port], own.node->step());
    PyObject* const before = std::exchange(slot.content, *content).object;
    try {
        own.node->send(port, slot.bytes(), reinterpret_cast<std::uintptr_t>(&slot));
    } catch (...) {
        Py_XDECREF(before);
        throw;
    }
    slot.taken = own.node->alive(port) ? Slot::under_way : own.node->step();
    own.last[port] = &slot;
    Py_XDECREF(before);
    return true;
}

// A packet that is received into an array whose bytes a trace follows.
PyObject* receive_into(NodeProgram& own, Port port, PyObject* array)
{
    if (own.observed)
        NodeCalls::hold(own, array);
    own.node->receive(port, elements(array));
    return array;
}

Slot* slot_of(const BorrowedPacket& packet)
{
    if (packet.header == 0)
        throw std::logic_error("a packet has arrived that no Python program has sent");
    return reinterpret_cast<Slot*>(static_cast<std::uintptr_t>(packet.header));
}

// Memory that was lent must still be there, whatever its owner did (ndarray.resize without refcheck).
bool require_there(const Slot& slot)
{
    if (!slot.content.lent || is_there(slot.content.object))
        return true;
    PyErr_SetString(PyExc_RuntimeError, "the array that was lent has other memory now: its owner has resized it");
    return false;
}

// The packet that waits there, if its elements fit the array's type.
Slot* peek(NodeProgram& own, Port port, PyObject* array)
{
    Slot* const slot = slot_of(own.node->peek(port));
    return require_there(*slot) && fits_type(slot->content, array) ? slot : nullptr;
}

PyObject* receive_out(NodeProgram& own, Port port, PyObject* out)
{
    if (!writable(out, "out"))
        return nullptr;
    Slot* const slot = peek(own, port, out);
    if (!slot)
        return nullptr;
    receive_into(own, port, out);
    slot->taken = own.node->step();
    return Py_NewRef(out);
}

PyObject* receive_observed(NodeProgram& own, Port port)
{
    Slot* const slot = slot_of(own.node->peek(port));
    const Content::Kind kind = slot->content.kind;
    if (!require_there(*slot))
        return nullptr;
    if (kind != Content::Kind::array && kind != Content::Kind::scalar) {
        const BorrowedPacket packet = own.node->receive(port);
        slot->taken = own.node->step();
        return number_of(slot->content, packet.data());
    }
    const py::object array = py::reinterpret_steal<py::object>(empty_like(slot->content.object));
    if (!array)
        return nullptr;
    receive_into(own, port, array.ptr());
    slot->taken = own.node->step();
    return kind == Content::Kind::scalar ? scalar_of(array.ptr()) : Py_NewRef(array.ptr());
}

}  // namespace

PyObject* receive(NodeProgram& own, Port port, PyObject* out)
{
    if (out && out != Py_None)
        return receive_out(own, port, out);
    if (own.observed)
        return receive_observed(own, port);
    const BorrowedPacket packet = own.node->receive(port);
    Slot& slot = *slot_of(packet);
    slot.taken = own.node->step();
    Content& content = slot.content;
    switch (content.kind) {
    case Content::Kind::boolean:
    case Content::Kind::integer:
    case Content::Kind::unsigned_integer:
    case Content::Kind::real:
    case Content::Kind::bytes: return number_of(content, packet.data());
    case Content::Kind::scalar: return scalar_of(content.object);
    case Content::Kind::array: break;
    }
    if (!content.lent)
        return std::exchange(content.object, nullptr);  // the copy was made for this receiver
    return require_there(slot) ? copy_of(content.object) : nullptr;
}

namespace {

PyObject* node_send(PyObject* self, PyObject* const* given, Py_ssize_t count, PyObject* keywords)
{
    return in_program(self, [&](NodeProgram& own) -> PyObject* {
        Arguments<3> arguments;
        Port port = 0;
        bool copy = true;
        if (!arguments.read("send", {"port", "what", "copy"}, 2, 2, given, count, keywords) ||
            !read_port(own, arguments[0], port) || !read_flag(arguments[2], copy) ||
            !send(own, port, arguments[1], copy))
            return nullptr;
        return none();
    });
}

PyObject* node_receive(PyObject* self, PyObject* const* given, Py_ssize_t count, PyObject* keywords)
{
    return in_program(self, [&](NodeProgram& own) -> PyObject* {
        Arguments<2> arguments;
        Port port = 0;
        if (!arguments.read("receive", {"port", "out"}, 1, 2, given, count, keywords) ||
            !read_port(own, arguments[0], port))
            return nullptr;
        return receive(own, port, arguments[1]);
    });
}

PyObject* node_combine(PyObject* self, PyObject* const* given, Py_ssize_t count, PyObject* keywords)
{
    return in_program(self, [&](NodeProgram& own) -> PyObject* {
        Arguments<3> arguments;
        Port port = 0;
        if (!arguments.read("combine", {"port", "into", "operation"}, 2, 3, given, count, keywords) ||
            !read_port(own, arguments[0], port))
            return nullptr;
        std::string_view operation = arguments[2] ? "" : NodeCalls::operation(own);
        if (arguments[2] && !read_text(arguments[2], "operation", operation))
            return nullptr;
        const auto into = writable(arguments[1], "into");
        const auto type = into ? element_type_of(arguments[1]) : std::nullopt;
        if (!type)
            return nullptr;
        const Combine combine = combiner(parse_operation(operation), *type);
        Slot* const slot = peek(own, port, arguments[1]);
        if (!slot)
            return nullptr;
        if (own.observed)
            NodeCalls::hold(own, arguments[1]);
        own.node->receive(port, *into, *into, combine);
        slot->taken = own.node->step();
        return Py_NewRef(arguments[1]);
    });
}

PyObject* node_copy(PyObject* self, PyObject* const* given, Py_ssize_t count, PyObject* keywords)
{
    return in_program(self, [&](NodeProgram& own) -> PyObject* {
        Arguments<2> arguments;
        if (!arguments.read("copy", {"into", "from_"}, 2, 2, given, count, keywords))
            return nullptr;
        const auto into = writable(arguments[0], "into");
        const auto from = into ? readable(arguments[1], "from_") : std::nullopt;
        if (!from || !same_type(arguments[0], arguments[1]))
            return nullptr;
        if (own.observed)
            NodeCalls::hold(own, arguments[0]);
        own.node->copy(*into, *from);
        return none();
    });
}

// arrived, alive, has_room
template <bool (Node::*question)(Port) const>
PyObject* node_asks(PyObject* self, PyObject* number)
{
    return in_program(self, [&](NodeProgram& own) -> PyObject* {
        Port port = 0;
        return read_port(own, number, port) ? PyBool_FromLong((own.node->*question)(port)) : nullptr;
    });
}

PyObject* node_phase(PyObject* self, PyObject* name)
{
    return in_program(self, [&](NodeProgram& own) -> PyObject* {
        std::string_view text;
        if (!read_text(name, "a phase's name", text))
            return nullptr;
        own.node->phase(text);
        return none();
    });
}

PyObject* node_count(PyObject* self, PyObject* const* given, Py_ssize_t count, PyObject* keywords)
{
    return in_program(self, [&](NodeProgram& own) -> PyObject* {
        Arguments<2> arguments;
        std::string_view text;
        if (!arguments.read("count", {"name", "number"}, 1, 2, given, count, keywords) ||
            !read_text(arguments[0], "a counter's name", text))
            return nullptr;
        unsigned long long number = 1;
        if (arguments[1]) {
            if (Py_ssize_t whole = 0; !read_whole(arguments[1], "number", whole))
                return nullptr;
            const py::object index = py::reinterpret_steal<py::object>(PyNumber_Index(arguments[1]));
            number = index ? PyLong_AsUnsignedLongLong(index.ptr()) : 0;
            if (PyErr_Occurred())
                return nullptr;
        }
        own.node->count(text, number);
        return none();
    });
}

PyObject* node_random(PyObject* self, PyObject* /*nothing*/)
{
    return in_program(self, [&](NodeProgram& own) -> PyObject* {
        if (!own.random) {
            const py::object make = py::module_::import("numpy.random").attr("default_rng");
            py::object made = make(py::make_tuple(NodeCalls::seed(own), own.me->id));
            own.random = made.release().ptr();
        }
        return Py_NewRef(own.random);
    });
}

PyObject* node_neighbour(PyObject* self, PyObject* number)
{
    return in_program(self, [&](NodeProgram& own) -> PyObject* {
        Port port = 0;
        if (!read_port(own, number, port))
            return nullptr;
        if (port >= own.me->ports) {
            PyErr_Format(PyExc_IndexError, "node %u has no port %u: it has %u", own.me->id, port, own.me->ports);
            return nullptr;
        }
        return PyLong_FromUnsignedLong(own.node->topology().neighbour(own.me->id, port));
    });
}

PyObject* node_port_to(PyObject* self, PyObject* const* given, Py_ssize_t count, PyObject* keywords)
{
    return in_program(self, [&](NodeProgram& own) -> PyObject* {
        Arguments<2> arguments;
        if (!arguments.read("port_to", {"dimension", "direction"}, 2, 2, given, count, keywords))
            return nullptr;
        Py_ssize_t dimension = 0;
        Py_ssize_t direction = 0;
        if (!read_whole(arguments[0], "dimension", dimension) || !read_whole(arguments[1], "direction", direction))
            return nullptr;
        if (dimension < 0) {
            PyErr_Format(PyExc_IndexError, "there is no dimension %zd: they are counted from 0", dimension);
            return nullptr;
        }
        constexpr Py_ssize_t far = 1 << 20;  // invalid dimensions and directions remain invalid
        return PyLong_FromUnsignedLong(own.node->port_to(static_cast<unsigned>(std::min(dimension, far)),
                                                         static_cast<int>(std::clamp(direction, -far, far))));
    });
}

PyObject* node_exchange(PyObject* self, PyObject* const* given, Py_ssize_t count, PyObject* keywords)
{
    return in_program(self, [&](NodeProgram& own) -> PyObject* {
        Arguments<4> arguments;
        Port port = 0;
        bool copy = true;
        if (!nothing_pending(own) ||
            !arguments.read("exchange", {"port", "what", "out", "copy"}, 2, 3, given, count, keywords) ||
            !read_port(own, arguments[0], port) || !read_flag(arguments[3], copy))
            return nullptr;
        PyObject* const out = arguments[2] && arguments[2] != Py_None ? arguments[2] : nullptr;
        if ((out && !writable(out, "out")) || !send(own, port, arguments[1], copy))
            return nullptr;
        own.port = port;
        own.exchanging = true;
        own.out = Py_XNewRef(out);  // there was none: the last one was given back when it was filled
        return paused(own, "exchange", Next::step);
    });
}

PyObject* node_until(PyObject* self, PyObject* number)
{
    return in_program(self, [&](NodeProgram& own) -> PyObject* {
        Py_ssize_t step = 0;
        if (!nothing_pending(own) || !read_whole(number, "the step to wait for", step))
            return nullptr;
        own.until = static_cast<Step>(std::clamp(step, Py_ssize_t{0}, Py_ssize_t{std::numeric_limits<Step>::max()}));
        return paused(own, "until", Next::until);
    });
}

PyObject* node_arrival(PyObject* self, PyObject* number)
{
    return in_program(self, [&](NodeProgram& own) -> PyObject* {
        if (!nothing_pending(own) || !read_port(own, number, own.port))
            return nullptr;
        static_cast<void>(own.node->arrived(own.port));  // a port that there is not is complained of here
        return paused(own, "arrival", Next::arrival);
    });
}

PyObject* node_room(PyObject* self, PyObject* number)
{
    return in_program(self, [&](NodeProgram& own) -> PyObject* {
        if (!nothing_pending(own) || !read_port(own, number, own.port))
            return nullptr;
        static_cast<void>(own.node->has_room(own.port));
        return paused(own, "room", Next::room);
    });
}

// The ports that any_arrival waits at: those listed, or all.
bool read_ports(NodeProgram& own, PyObject* list)
{
    std::vector<Port> ports;
    if (!list || list == Py_None) {
        for (Port port = 0; port < own.me->ports; ++port)
            ports.push_back(port);
    } else {
        for (const py::handle one : py::reinterpret_borrow<py::object>(list)) {
            Port port = 0;
            if (!read_port(own, one.ptr(), port))
                return false;
            ports.push_back(port);
        }
    }
    for (const Port port : ports)
        static_cast<void>(own.node->arrived(port));
    static_cast<void>(own.node->any_arrival(ports));  // complains of an empty list
    own.ports = std::move(ports);
    return true;
}

PyObject* node_any_arrival(PyObject* self, PyObject* const* given, Py_ssize_t count, PyObject* keywords)
{
    return in_program(self, [&](NodeProgram& own) -> PyObject* {
        Arguments<1> arguments;
        if (!nothing_pending(own) || !arguments.read("any_arrival", {"ports"}, 0, 1, given, count, keywords) ||
            !read_ports(own, arguments[0]))
            return nullptr;
        return paused(own, "any_arrival", Next::any_arrival);
    });
}

PyObject* node_step(PyObject* self, void* /*nothing*/)
{
    return in_program(self, [](NodeProgram& own) { return PyLong_FromUnsignedLong(own.node->step()); });
}

PyObject* object_of_field(const FieldValue& value)
{
    struct Made {
        py::object operator()(std::monostate) const { return py::none(); }
        py::object operator()(std::uint64_t number) const { return py::int_(number); }
        py::object operator()(const std::string& name) const { return py::str(name); }
        py::object operator()(const std::vector<NodeId>& nodes) const
        {
            return py::array_t<NodeId>(static_cast<py::ssize_t>(nodes.size()), nodes.data());
        }
    };
    return std::visit(Made{}, value).release().ptr();
}

// A parameter of the algorithm's problem, by the key of its field.
PyObject* node_asked(PyObject* self, void* key)
{
    return in_program(self, [key](NodeProgram& own) -> PyObject* {
        const ProblemField& field = problem_field(static_cast<const char*>(key));
        const Problem* const problem = NodeCalls::read_field(own, field.key);
        if (problem && field.applies(*problem))
            return object_of_field(field.get(*problem));
        const std::string why = problem
                                    ? fmt::format("{} has no {}: {}", name(problem->collective), field.key,
                                                  named(field.owners, argument_of))
                                    : fmt::format("there is no {}: only algorithms are asked a question", field.key);
        PyErr_SetString(PyExc_AttributeError, why.c_str());
        return nullptr;
    });
}

PyObject* node_topology(PyObject* self, void* /*nothing*/)
{
    return Py_NewRef(object_of(self)->topology);
}

PyObject* node_repr(PyObject* self)
{
    const NodeObject& me = *object_of(self);
    return PyUnicode_FromFormat("<dcube.Node %u of %u>", me.id, me.nodes);
}

void node_free(PyObject* self)
{
    NodeObject& me = *object_of(self);
    PyTypeObject* const type = Py_TYPE(self);
    if (me.weak_references)
        PyObject_ClearWeakRefs(self);
    Py_CLEAR(me.topology);
    type->tp_free(self);
    Py_DECREF(type);
}

void pause_free(PyObject* self)
{
    PyTypeObject* const type = Py_TYPE(self);
    type->tp_free(self);
    Py_DECREF(type);
}

PyObject* pause_repr(PyObject* /*self*/)
{
    return PyUnicode_FromString("<what a node waits for: to be yielded at once>");
}

template <class Function>
PyCFunction as_method(Function function)
{
    return reinterpret_cast<PyCFunction>(reinterpret_cast<void (*)()>(function));
}

constexpr int by_name = METH_FASTCALL | METH_KEYWORDS;

PyMethodDef node_methods[] = {
    {"neighbour", node_neighbour, METH_O, "neighbour(port) -> int\n\nThe node at the other end of the port's link."},
    {"port_to", as_method(node_port_to), by_name,
     "port_to(dimension, direction) -> int\n\nThe port one up (+1) or down (-1) in a dimension of a torus, mesh or "
     "hypercube."},
    {"send", as_method(node_send), by_name,
     "send(port, what, *, copy=True)\n\nSends an array, a number or bytes; it can be received in the next step. An "
     "array "
     "is copied,\nor with copy=False lent: then it must stay unchanged until the end of the step in which it is "
     "received."},
    {"receive", as_method(node_receive), by_name,
     "receive(port, out=None)\n\nThe oldest packet that waits at the port, as it was sent: a new array, or `out` "
     "filled."},
    {"combine", as_method(node_combine), by_name,
     "combine(port, into, operation=\"sum\")\n\nReceives an array and combines it into `into`: sum, min, max, "
     "bit-xor, prod, ... "
     "Returns `into`.\nIn an algorithm for a reduction, `operation` is the question's if it is not given."},
    {"copy", as_method(node_copy), by_name, "copy(into, from_)\n\nCopies an array, so that a trace knows of it."},
    {"arrived", node_asks<&Node::arrived>, METH_O, "arrived(port) -> bool\n\nWhether a packet waits at the port."},
    {"alive", node_asks<&Node::alive>, METH_O,
     "alive(port) -> bool\n\nWhether a packet sent over the port in this step arrives: its link has not failed."},
    {"has_room", node_asks<&Node::has_room>, METH_O,
     "has_room(port) -> bool\n\nWhether the port's channel takes a packet now. Only on machines whose links take "
     "time."},
    {"phase", node_phase, METH_O, "phase(name)\n\nNames what the node does from now on, for counts and traces."},
    {"count", as_method(node_count), by_name,
     "count(name, number=1)\n\nAdds to a counter that is summed over all nodes."},
    {"random", node_random, METH_NOARGS,
     "random() -> numpy.random.Generator\n\nRandom numbers of the run's seed and this node: always the same generator. "
     "They are not those of\nC++'s Node::random."},
    {"exchange", as_method(node_exchange), by_name,
     "theirs = yield exchange(port, what, out=None, *, copy=True)\n\nSends, ends the step, and receives: for two "
     "neighbours that do the same."},
    {"until", node_until, METH_O, "yield until(step)\n\nDoes nothing until that step."},
    {"arrival", node_arrival, METH_O, "yield arrival(port)\n\nWaits until a packet is at the port."},
    {"any_arrival", as_method(node_any_arrival), by_name,
     "port = yield any_arrival(ports=None)\n\nWaits until a packet is at one of the ports (default: all), and says at "
     "which: the first in their order."},
    {"room", node_room, METH_O,
     "yield room(port)\n\nWaits until the port's channel takes a packet. Only on machines whose links take time."},
    {nullptr, nullptr, 0, nullptr}};

// Those of a problem are for algorithms: programs run by Machine.run have none. The type of elements is that of arrays.
PyGetSetDef* node_properties()
{
    // Kept for ever, because the type refers to them. Keys and texts of fields are literals, which end with a zero.
    static auto* const properties =
        new std::vector<PyGetSetDef>{{"step", node_step, nullptr, "The step that is running: 1, 2, 3, ...", nullptr},
                                     {"topology", node_topology, nullptr, "The network, a dcube.Topology.", nullptr}};
    for (const ProblemField& field : problem_fields())
        if (field.group == FieldGroup::problem && field.key != "type")
            properties->push_back(
                {field.key.data(), node_asked, nullptr, field.about.data(), const_cast<char*>(field.key.data())});
    properties->push_back({});
    return properties->data();
}

PyMemberDef node_members[] = {
    {"id", T_UINT, offsetof(NodeObject, id), READONLY, "The node's number, from 0."},
    {"nodes", T_UINT, offsetof(NodeObject, nodes), READONLY, "How many nodes the network has."},
    {"ports", T_UINT, offsetof(NodeObject, ports), READONLY, "How many ports the node has: 0 .. ports-1."},
    {"__weaklistoffset__", T_PYSSIZET, offsetof(NodeObject, weak_references), READONLY, nullptr},
    {nullptr, 0, 0, 0, nullptr}};

PyType_Slot node_slots[] = {{Py_tp_doc, const_cast<char*>("A node, as its program sees it. Made by Machine.run only.")},
                            {Py_tp_methods, node_methods},
                            {Py_tp_getset, node_properties()},
                            {Py_tp_members, node_members},
                            {Py_tp_repr, reinterpret_cast<void*>(node_repr)},
                            {Py_tp_dealloc, reinterpret_cast<void*>(node_free)},
                            {0, nullptr}};
PyType_Spec node_spec = {"dcube.Node", sizeof(NodeObject), 0,
                         Py_TPFLAGS_DEFAULT | Py_TPFLAGS_DISALLOW_INSTANTIATION | Py_TPFLAGS_IMMUTABLETYPE, node_slots};

PyType_Slot pause_slots[] = {{Py_tp_doc, const_cast<char*>("What a node waits for: to be yielded at once.")},
                             {Py_tp_repr, reinterpret_cast<void*>(pause_repr)},
                             {Py_tp_dealloc, reinterpret_cast<void*>(pause_free)},
                             {0, nullptr}};
PyType_Spec pause_spec = {"dcube.Pause", sizeof(PyObject), 0,
                          Py_TPFLAGS_DEFAULT | Py_TPFLAGS_DISALLOW_INSTANTIATION | Py_TPFLAGS_IMMUTABLETYPE,
                          pause_slots};

PyTypeObject* add_type(const py::module_& module, PyType_Spec& spec, const char* name)
{
    auto type = py::reinterpret_steal<py::object>(PyType_FromSpec(&spec));
    if (!type)
        throw py::error_already_set();
    module.attr(name) = type;
    return reinterpret_cast<PyTypeObject*>(type.release().ptr());
}

}  // namespace

namespace {

// Elements that are combined must be what they are combined as.
bool has_type(const Problem& problem, PyObject* array)
{
    if (!is_reduction(problem.collective))
        return true;
    const auto type = element_type_of(array);
    if (!type || *type == problem.type)
        return type.has_value();
    const std::string expected(name(problem.type));
    const std::string given(name(*type));
    PyErr_Format(PyExc_TypeError, "the collective was prepared for elements of type %s, and is given an array of %s",
                 expected.c_str(), given.c_str());
    return false;
}

}  // namespace

PyObject* start_collective(PyObject* prepared, const Prepared& collective, PyObject* node, PyObject* input,
                           PyObject* output)
{
    if (Py_TYPE(node) != node_type) {
        PyErr_Format(PyExc_TypeError, "a collective begins with the node, me, and not with %s", Py_TYPE(node)->tp_name);
        return nullptr;
    }
    return in_program(node, [&](NodeProgram& own) -> PyObject* {
        if (!nothing_pending(own))
            return nullptr;
        std::span<const std::byte> input_bytes;
        std::span<std::byte> output_bytes;
        if (input != Py_None) {
            const auto bytes = readable(input, "the input");
            if (!bytes || !has_type(collective.problem(), input))
                return nullptr;
            input_bytes = *bytes;
        }
        if (output != Py_None) {
            const auto bytes = writable(output, "the output");
            if (!bytes || !has_type(collective.problem(), output))
                return nullptr;
            output_bytes = *bytes;
        }
        if (own.observed) {
            NodeCalls::hold(own, input);
            NodeCalls::hold(own, output);
        }
        // Destroying the replaced objects may run Python code, so all members are set before.
        const auto prepared_before =
            py::reinterpret_steal<py::object>(std::exchange(own.prepared, Py_NewRef(prepared)));
        const auto input_before = py::reinterpret_steal<py::object>(std::exchange(own.input, Py_NewRef(input)));
        const auto output_before = py::reinterpret_steal<py::object>(std::exchange(own.output, Py_NewRef(output)));
        own.collective = &collective;
        for (PyObject* const array : {input, output})
            for (PyObject* const reference : references_to(array))
                own.references.push_back(reference);
        own.input_bytes = input_bytes;
        own.output_bytes = output_bytes;
        return paused(own, a_collective, Next::collective);
    });
}

NodeObject* new_node(NodeProgram& own, const Topology& network, PyObject* topology)
{
    auto* const me = PyObject_New(NodeObject, node_type);
    if (!me)
        return nullptr;
    me->program = &own;
    me->id = own.node->id();
    me->nodes = network.nodes();
    me->ports = own.node->ports();
    me->topology = Py_NewRef(topology);
    me->weak_references = nullptr;
    return me;
}

PyObject* new_pause()
{
    return PyObject_New(PyObject, pause_type);
}

std::string not_yielded(NodeProgram& own)
{
    const std::string_view call = std::exchange(own.pending, nullptr);
    const bool collective = call == a_collective;
    const std::string called = collective ? std::string(call) : fmt::format("me.{}", call);
    const bool gives = collective || call == "exchange" || call == "any_arrival";
    const std::string right = fmt::format("{}yield {}(..)", gives ? "theirs = " : "", collective ? "total" : called);
    own.exchanging = false;
    Py_CLEAR(own.out);
    return fmt::format("node {} has called {} and not yielded it: each such call is yielded at once, as in `{}`",
                       own.me->id, called, right);
}

void set_not_yielded(NodeProgram& own)
{
    PyErr_SetString(PyExc_RuntimeError, not_yielded(own).c_str());
}

void set_error(const std::exception_ptr& error)
{
    try {
        std::rethrow_exception(error);
    } catch (py::error_already_set& python) {
        python.restore();
    } catch (...) {
        auto& own = py::detail::get_local_internals().registered_exception_translators;
        if (!py::detail::apply_exception_translators(own))
            py::detail::apply_exception_translators(py::detail::get_internals().registered_exception_translators);
    }
}

void bind_node(py::module_& module)
{
    import_numpy();
    node_type = add_type(module, node_spec, "Node");
    pause_type = add_type(module, pause_spec, "Pause");
}

}  // namespace dcube::python
