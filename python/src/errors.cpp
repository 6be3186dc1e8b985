// Errors of C++ as Python's: the classes of dcube/errors.py.

#include "python/src/bind.hpp"

#include "base/names.hpp"

#include <dcube/error.hpp>
#include <dcube/judge.hpp>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <pybind11/stl.h>

#include <algorithm>
#include <exception>
#include <map>
#include <string>
#include <vector>

namespace dcube::python {

namespace {

template <class... Arguments>
void raise(const char* name, const Arguments&... arguments)
{
    const py::handle type = error_class(name);
    const py::object error = type(arguments...);
    PyErr_SetObject(type.ptr(), error.ptr());
}

py::object port_of(const RuleViolation& error)
{
    return error.port == RuleViolation::no_port ? py::object(py::none()) : py::object(py::int_(error.port));
}

py::object unless_empty(const std::string& text)
{
    return text.empty() ? py::object(py::none()) : py::object(py::str(text));
}

void translate(std::exception_ptr thrown)
{
    if (!thrown)
        return;
    try {
        std::rethrow_exception(thrown);
    } catch (const RuleViolation& error) {
        raise("RuleViolation", error.what(), name(error.rule), error.step, error.node, port_of(error));
    } catch (const ProgramError& error) {
        raise("ProgramError", error.what(), error.step, error.node);
    } catch (const TraceError& error) {
        raise("TraceError", error.what(), error.line);
    } catch (const VerificationError& error) {
        raise("VerificationError", error.what());
    } catch (const InvalidArgument& error) {
        raise("InvalidArgument", error.sentence(argument_of), unless_empty(argument_of(error.about)),
              unless_empty(error.given), named(error.why, argument_of));
    } catch (const Interrupted&) {
        PyErr_SetNone(PyExc_KeyboardInterrupt);
    } catch (const Error& error) {
        raise("Error", error.what());
    }
}

// The code that a signal's handler runs first; null where it is none of Python's.
PyObject* code_of(py::handle handler)
{
    py::object function = py::reinterpret_borrow<py::object>(handler);
    if (PyFunction_Check(handler.ptr()) == 0 && PyMethod_Check(handler.ptr()) == 0)
        function = py::getattr(py::type::of(handler), "__call__", py::none());
    if (PyMethod_Check(function.ptr()) != 0)
        function = py::reinterpret_borrow<py::object>(PyMethod_GET_FUNCTION(function.ptr()));
    return PyFunction_Check(function.ptr()) != 0 ? PyFunction_GET_CODE(function.ptr()) : nullptr;
}

// Called by Python on its main thread.
int raise_now(void* error)
{
    const auto raised = py::reinterpret_steal<py::object>(static_cast<PyObject*>(error));
    PyErr_SetObject(py::type::of(raised).ptr(), raised.ptr());
    return -1;
}

}  // namespace

bool is_of_signal(py::handle error)
{
    if (PyObject_IsInstance(error.ptr(), PyExc_Exception) == 0)
        return true;
    const py::module_ signals = py::module_::import("_signal");
    std::vector<PyObject*> codes;
    for (const py::handle number : signals.attr("valid_signals")())
        codes.push_back(code_of(signals.attr("getsignal")(number)));
    auto trace = py::reinterpret_steal<py::object>(PyException_GetTraceback(error.ptr()));
    while (trace && !trace.is_none()) {
        const auto code = py::reinterpret_steal<py::object>(
            reinterpret_cast<PyObject*>(PyFrame_GetCode(reinterpret_cast<PyTracebackObject*>(trace.ptr())->tb_frame)));
        if (std::ranges::find(codes, code.ptr()) != codes.end())
            return true;
        trace = trace.attr("tb_next");
    }
    return false;
}

bool is_of_signal(const py::error_already_set& error)
{
    if (error.trace())
        PyException_SetTraceback(error.value().ptr(), error.trace().ptr());
    return is_of_signal(error.value());
}

void raise_later(py::object error)
{
    PyObject* const raised = error.release().ptr();
    if (Py_AddPendingCall(raise_now, raised) != 0)  // too many wait already
        Py_DECREF(raised);
}

void add_note(py::handle error, const std::string& note)
{
    try {
        const py::str text(note);
        if (py::getattr(error, "__notes__", py::tuple()).contains(text))
            return;
        error.attr("add_note")(text);
        const py::module_ system = py::module_::import("sys");
        if (system.attr("modules").contains("IPython") && py::hasattr(error, "__dict__"))
            error.attr("_render_traceback_") = py::module_::import("dcube.errors").attr("rendered_with_notes");
    } catch (const py::error_already_set&) {  // the error itself matters more
    }
}

std::string described(py::handle error)
{
    return utf8(py::module_::import("dcube.errors").attr("described")(error));
}

void beside_an_error(const std::function<void()>& work)
{
    try {
        work();
    } catch (const py::error_already_set& other) {
        if (is_of_signal(other))
            raise_later(other.value());
    } catch (const std::exception&) {  // the error itself matters more
    }
}

std::string utf8(py::handle text)
{
    Py_ssize_t bytes = 0;
    const char* const characters = PyUnicode_AsUTF8AndSize(text.ptr(), &bytes);
    if (!characters)
        throw py::error_already_set();
    return {characters, static_cast<std::size_t>(bytes)};
}

py::handle error_class(const char* name)
{
    // Kept for ever: what is destroyed at exit comes after the interpreter.
    static auto* const classes = new std::map<std::string, PyObject*, std::less<>>;
    PyObject*& found = (*classes)[name];
    if (!found)
        found = py::object(py::module_::import("dcube.errors").attr(name)).release().ptr();
    return found;
}

namespace {

// "'packet' is not an argument: did you mean packets? Expected one of ..."
std::string unknown(const std::string& text, const std::string& what, const std::vector<std::string>& known)
{
    const std::vector<std::string_view> names(known.begin(), known.end());
    return unknown_name(text, what, names, fmt::format("{}", fmt::join(names, ", ")));
}

}  // namespace

void bind_errors(py::module_& module)
{
    py::register_exception_translator(translate);
    module.def("is_of_signal", py::overload_cast<py::handle>(&is_of_signal), py::arg("error"));
    module.def("unknown_name", &unknown, py::arg("text"), py::arg("what"), py::arg("known"));
}

}  // namespace dcube::python
