#include "python/src/slots.hpp"

#include <pybind11/numpy.h>

#include <array>
#include <bit>
#include <cstring>
#include <functional>
#include <string>

namespace dcube::python {

namespace {

using py::detail::array_descriptor_proxy;
using py::detail::array_proxy;
using py::detail::npy_api;

// Never freed: they outlive the interpreter's end.
const npy_api* numpy = nullptr;
PyTypeObject* generic = nullptr;
PyTypeObject* masked_array = nullptr;

constexpr int c_contiguous = npy_api::NPY_ARRAY_C_CONTIGUOUS_;
constexpr int ensure_copy = 0x20;
constexpr unsigned has_objects = 0x01;

// A type's members stand at other places in NumPy 2: pybind11's functions know both.
py::dtype type_of(PyObject* array)
{
    return py::reinterpret_borrow<py::dtype>(array_proxy(array)->descr);
}

std::size_t size_of_array(PyObject* array)
{
    const auto* const proxy = array_proxy(array);
    auto bytes = static_cast<std::size_t>(type_of(array).itemsize());
    for (int i = 0; i < proxy->nd; ++i)
        bytes *= static_cast<std::size_t>(proxy->dimensions[i]);
    return bytes;
}

const char* type_name(PyObject* object)
{
    return Py_TYPE(object)->tp_name;
}

std::string dtype_name(PyObject* descriptor)
{
    return py::str(py::handle(descriptor));
}

bool require_no_mask(PyObject* array, const char* role)
{
    if (!is_masked(array)) [[likely]]
        return true;
    PyErr_Format(PyExc_TypeError, "%s is a masked array, whose mask would be lost: fill it first, filled(0)", role);
    return false;
}

bool require_no_objects(PyObject* array)
{
    if ((static_cast<unsigned>(type_of(array).flags()) & has_objects) == 0)
        return true;
    PyErr_SetString(PyExc_TypeError, "an array of Python objects cannot be sent: arrays of numbers can");
    return false;
}

PyObject* new_array(PyObject* like, void* data)
{
    const auto* const proxy = array_proxy(like);
    const int flags = data ? npy_api::NPY_ARRAY_WRITEABLE_ : 0;  // of new memory, 0 is C's order
    Py_INCREF(proxy->descr);                                     // which the call takes
    return numpy->PyArray_NewFromDescr_(numpy->PyArray_Type_, proxy->descr, proxy->nd, proxy->dimensions, nullptr, data,
                                        flags, nullptr);
}

// C-contiguous, and an array as NumPy makes them: of no class of its own.
PyObject* copied(PyObject* array)
{
    if (is_contiguous(array))
        return copy_of(array);
    return numpy->PyArray_FromAny_(array, nullptr, 0, 0, c_contiguous | ensure_copy | npy_api::NPY_ARRAY_ENSUREARRAY_,
                                   nullptr);
}

// An array of its own over the same memory, so that a later change of the lent one's shape or type is none of the
// packet's.
PyObject* view_of(PyObject* array)
{
    PyObject* const view = new_array(array, array_proxy(array)->data);
    if (!view)
        return nullptr;
    Py_INCREF(array);  // which the call takes
    if (numpy->PyArray_SetBaseObject_(view, array) == 0)
        return view;
    Py_DECREF(view);
    return nullptr;
}

std::optional<Content> of_array(PyObject* array, bool copy)
{
    if (!require_no_mask(array, "what is sent") || !require_no_objects(array))
        return {};
    if (!copy && !is_contiguous(array)) {
        PyErr_SetString(PyExc_ValueError, "only a C-contiguous array can be lent (copy=False)");
        return {};
    }
    PyObject* const own = copy ? copied(array) : view_of(array);
    if (!own)
        return {};
    return Content{.kind = Content::Kind::array, .lent = !copy, .object = own};
}

std::optional<Content> of_scalar(PyObject* scalar)
{
    PyObject* const own = numpy->PyArray_FromAny_(scalar, nullptr, 0, 0, c_contiguous | ensure_copy, nullptr);
    if (!own)
        return {};
    if (!require_no_objects(own)) {
        Py_DECREF(own);
        return {};
    }
    return Content{.kind = Content::Kind::scalar, .object = own};
}

std::optional<Content> of_int(PyObject* number)
{
    int overflow = 0;
    const long long value = PyLong_AsLongLongAndOverflow(number, &overflow);
    if (overflow == 0)
        return Content{.kind = Content::Kind::integer, .word = std::bit_cast<std::uint64_t>(value)};
    if (overflow > 0) {
        const unsigned long long large = PyLong_AsUnsignedLongLong(number);
        if (!PyErr_Occurred())
            return Content{.kind = Content::Kind::unsigned_integer, .word = large};
        PyErr_Clear();
    }
    PyErr_SetString(PyExc_OverflowError, "an int that is sent has 64 bits: -2**63 to 2**64-1");
    return {};
}

// NumPy's number of the type that a number of Python's has as an array.
int numpy_type(Content::Kind kind)
{
    switch (kind) {
    case Content::Kind::boolean: return npy_api::NPY_BOOL_;
    case Content::Kind::integer: return npy_api::NPY_INT64_;
    case Content::Kind::unsigned_integer: return npy_api::NPY_UINT64_;
    case Content::Kind::real: return npy_api::NPY_DOUBLE_;
    case Content::Kind::bytes:
    case Content::Kind::scalar:
    case Content::Kind::array: break;
    }
    return npy_api::NPY_UBYTE_;
}

py::object descriptor_of(const Content& content)
{
    if (content.kind == Content::Kind::array || content.kind == Content::Kind::scalar)
        return py::reinterpret_borrow<py::object>(array_proxy(content.object)->descr);
    return py::reinterpret_steal<py::object>(numpy->PyArray_DescrFromType_(numpy_type(content.kind)));
}

bool is_bytes(PyObject* descriptor)
{
    return array_descriptor_proxy(descriptor)->type_num == npy_api::NPY_UBYTE_;
}

bool fits(PyObject* sent, PyObject* room)
{
    return sent == room || is_bytes(sent) || is_bytes(room) || numpy->PyArray_EquivTypes_(sent, room);
}

bool require_plain_array(PyObject* array, const char* role)
{
    if (!is_array(array)) {
        PyErr_Format(PyExc_TypeError, "%s is an array, not %s", role, type_name(array));
        return false;
    }
    if (!require_no_mask(array, role) || !require_no_objects(array))
        return false;
    if (is_contiguous(array))
        return true;
    PyErr_Format(PyExc_ValueError, "%s is not C-contiguous: its elements must lie one after the other", role);
    return false;
}

}  // namespace

void import_numpy()
{
    numpy = &npy_api::get();
    const py::module_ module = py::module_::import("numpy");
    generic = reinterpret_cast<PyTypeObject*>(py::object(module.attr("generic")).release().ptr());
    masked_array = reinterpret_cast<PyTypeObject*>(py::object(module.attr("ma").attr("MaskedArray")).release().ptr());
}

bool is_masked(PyObject* object)
{
    return Py_TYPE(object) != numpy->PyArray_Type_ && PyObject_TypeCheck(object, masked_array) != 0;
}

std::vector<PyObject*> references_to(PyObject* array)
{
    std::vector<PyObject*> references;
    for (PyObject* one = array; one && is_array(one); one = array_proxy(one)->base)
        if (PyObject* const reference = PyWeakref_NewRef(one, nullptr))
            references.push_back(reference);
    PyErr_Clear();  // of a class that has none
    return references;
}

bool is_array(PyObject* object)
{
    return PyObject_TypeCheck(object, numpy->PyArray_Type_) != 0;
}

bool is_contiguous(PyObject* array)
{
    return (array_proxy(array)->flags & c_contiguous) != 0;
}

bool is_there(PyObject* view)
{
    PyObject* const owner = array_proxy(view)->base;
    if (!owner || !is_array(owner) || (array_proxy(owner)->flags & npy_api::NPY_ARRAY_OWNDATA_) == 0)
        return true;
    const std::byte* const shown = elements(view).data();
    const std::byte* const owned = elements(owner).data();
    const std::less_equal<const std::byte*> not_after;
    return not_after(owned, shown) && not_after(shown + size_of_array(view), owned + size_of_array(owner));
}

std::span<const std::byte> Slot::bytes() const
{
    switch (content.kind) {
    case Content::Kind::boolean: return {reinterpret_cast<const std::byte*>(&content.word), 1};
    case Content::Kind::integer:
    case Content::Kind::unsigned_integer:
    case Content::Kind::real: return {reinterpret_cast<const std::byte*>(&content.word), sizeof content.word};
    case Content::Kind::bytes:
        return {reinterpret_cast<const std::byte*>(PyBytes_AS_STRING(content.object)),
                static_cast<std::size_t>(PyBytes_GET_SIZE(content.object))};
    case Content::Kind::scalar:
    case Content::Kind::array: break;
    }
    return elements(content.object);
}

void free_ring(Slot* last)
{
    if (!last)
        return;
    for (Slot* slot = last->next; slot != last; slot = slot->next)
        slot->taken = 0;
    last->taken = 0;
}

void Slots::clear()
{
    for (Slot& slot : slots_)
        Py_CLEAR(slot.content.object);
    slots_.clear();
}

Slot& Slots::another_after(Slot* last)
{
    Slot& made = slots_.emplace_back();
    made.next = last ? last->next : &made;
    if (last)
        last->next = &made;
    return made;
}

std::optional<std::span<const std::byte>> readable(PyObject* array, const char* role)
{
    if (!require_plain_array(array, role))
        return {};
    return elements(array);
}

std::optional<std::span<std::byte>> writable(PyObject* array, const char* role)
{
    if (!require_plain_array(array, role))
        return {};
    if ((array_proxy(array)->flags & npy_api::NPY_ARRAY_WRITEABLE_) == 0) {
        PyErr_Format(PyExc_ValueError, "%s is read-only", role);
        return {};
    }
    return elements(array);
}

std::optional<Content> content_of(PyObject* what, bool copy)
{
    if (PyFloat_CheckExact(what))
        return Content{.kind = Content::Kind::real, .word = std::bit_cast<std::uint64_t>(PyFloat_AS_DOUBLE(what))};
    if (PyLong_CheckExact(what))
        return of_int(what);
    if (is_array(what))
        return of_array(what, copy);
    if (PyBool_Check(what))
        return Content{.kind = Content::Kind::boolean, .word = what == Py_True ? 1U : 0U};
    if (PyBytes_CheckExact(what))
        return Content{.kind = Content::Kind::bytes, .object = Py_NewRef(what)};
    if (PyObject_TypeCheck(what, generic))  // numpy.float64 is a float as well
        return of_scalar(what);
    if (PyLong_Check(what))
        return of_int(what);
    if (PyFloat_Check(what))
        return Content{.kind = Content::Kind::real, .word = std::bit_cast<std::uint64_t>(PyFloat_AS_DOUBLE(what))};
    PyErr_Format(PyExc_TypeError, "%s cannot be sent: arrays, numbers and bytes can", type_name(what));
    return {};
}

PyObject* empty_like(PyObject* array)
{
    return new_array(array, nullptr);
}

PyObject* copy_of(PyObject* array)
{
    PyObject* const copy = empty_like(array);
    if (copy)
        std::memcpy(array_proxy(copy)->data, array_proxy(array)->data, size_of_array(array));
    return copy;
}

std::span<std::byte> elements(PyObject* array)
{
    return {reinterpret_cast<std::byte*>(array_proxy(array)->data), size_of_array(array)};
}

PyObject* number_of(const Content& content, const std::byte* data)
{
    std::uint64_t word = 0;
    switch (content.kind) {
    case Content::Kind::boolean: return PyBool_FromLong(static_cast<long>(*data));
    case Content::Kind::integer:
        std::memcpy(&word, data, sizeof word);
        return PyLong_FromLongLong(std::bit_cast<std::int64_t>(word));
    case Content::Kind::unsigned_integer:
        std::memcpy(&word, data, sizeof word);
        return PyLong_FromUnsignedLongLong(word);
    case Content::Kind::real:
        std::memcpy(&word, data, sizeof word);
        return PyFloat_FromDouble(std::bit_cast<double>(word));
    case Content::Kind::bytes:  // they never change, so one object does for both nodes
    case Content::Kind::scalar:
    case Content::Kind::array: break;
    }
    return Py_NewRef(content.object);
}

PyObject* scalar_of(PyObject* array)
{
    static PyObject* const nothing = PyTuple_New(0);
    return PyObject_GetItem(array, nothing);
}

bool fits_type(const Content& content, PyObject* array)
{
    const py::object sent = descriptor_of(content);
    PyObject* const room = array_proxy(array)->descr;
    if (fits(sent.ptr(), room))
        return true;
    PyErr_Format(PyExc_TypeError, "elements of type %s have arrived, and the array is of type %s",
                 dtype_name(sent.ptr()).c_str(), dtype_name(room).c_str());
    return false;
}

bool same_type(PyObject* into, PyObject* from)
{
    PyObject* const room = array_proxy(into)->descr;
    PyObject* const given = array_proxy(from)->descr;
    if (fits(given, room))
        return true;
    PyErr_Format(PyExc_TypeError, "elements of type %s cannot be copied to an array of type %s",
                 dtype_name(given).c_str(), dtype_name(room).c_str());
    return false;
}

std::optional<ElementType> element_type_of(PyObject* array)
{
    const py::dtype type = type_of(array);
    const bool native = type.byteorder() == '=' || type.byteorder() == '|';
    constexpr std::array<py::ssize_t, 4> sizes{1, 2, 4, 8};
    constexpr std::array integers{ElementType::int8, ElementType::int16, ElementType::int32, ElementType::int64};
    constexpr std::array unsigned_integers{ElementType::uint8, ElementType::uint16, ElementType::uint32,
                                           ElementType::uint64};
    for (std::size_t i = 0; native && i < sizes.size(); ++i) {
        if (type.itemsize() != sizes[i])
            continue;
        if (type.kind() == 'i')
            return integers[i];
        if (type.kind() == 'u')
            return unsigned_integers[i];
        constexpr std::array floats{ElementType::float16, ElementType::float32, ElementType::float64};
        if (type.kind() == 'f' && i > 0)
            return floats[i - 1];
    }
    PyErr_Format(PyExc_TypeError,
                 "elements of type %s cannot be combined: int8, int16, int32, int64, uint8, uint16, uint32, uint64, "
                 "float32, float64 and float16 can",
                 dtype_name(array_proxy(array)->descr).c_str());
    return {};
}

}  // namespace dcube::python
