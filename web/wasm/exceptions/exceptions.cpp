// C++ exceptions in WebAssembly. Debian's libc++abi for wasm32 is built without them: it matches types (can_catch), and
// this file adds the rest.
//
// The compiler throws with WebAssembly's own instruction, and the engine unwinds: it enters the landing pads of every
// function on its way and restores the stack pointer there. A landing pad asks _Unwind_CallPersonality which of its
// handlers takes the exception; 0 means none, and the pad throws it on. So there is one phase only: destructors run
// before it is known whether there is a handler. With one thread, nothing here is atomic.
//
// The names and their meaning are those of the Itanium C++ ABI (exception handling, level II). Operator new and the
// casts are replaced here, too: the standard library's end the program where they should throw.

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <exception>
#include <iterator>
#include <new>
#include <typeinfo>

namespace __cxxabiv1 {

// libc++abi's own declaration: a thrown object's type asks its handlers' types. `object` is changed to the handler's
// argument: a base of the object, or a pointer's value.
class __shim_type_info : public std::type_info {
public:
    ~__shim_type_info() override;
    virtual void noop1() const;
    virtual void noop2() const;
    virtual bool can_catch(const __shim_type_info* thrown, void*& object) const = 0;
};

}  // namespace __cxxabiv1

namespace {

using Type = __cxxabiv1::__shim_type_info;
using Destructor = void* (*)(void*);  // in WebAssembly a destructor returns its object

// The header before a thrown object. A copy of an exception_ptr that is thrown again is a header of its own, without an
// object, that refers to the first: one exception can be on several ways at once.
struct alignas(std::max_align_t) Header {
    Header* first;           // the header before the object: this one, or that of the first throw
    std::size_t references;  // of the first: the number of headers on their way or being handled, and of exception_ptrs
    const Type* type;        // of the first
    Destructor destroy;      // of the first; null if there is nothing to destroy
    Header* outer;           // among those being handled: the one whose handler was entered before
    int handlers;            // how many handlers have it; negative after `throw;`, until the last of them ends
    void* caught;            // the argument of the handler found last

    void* object() { return first + 1; }
    static Header* of(void* object) { return static_cast<Header*>(object) - 1; }
};

Header* handled = nullptr;  // the innermost
unsigned uncaught = 0;

// Places for a few small exceptions such as std::bad_alloc when memory is exhausted.
constexpr std::size_t spare_size = 256;
alignas(std::max_align_t) std::byte spare[8][spare_size];
bool spare_used[std::size(spare)];

void* room(std::size_t bytes)
{
    if (void* place = std::malloc(bytes))
        return place;
    for (std::size_t i = 0; i < std::size(spare) && bytes <= spare_size; ++i) {
        if (!spare_used[i]) {
            spare_used[i] = true;
            return spare[i];
        }
    }
    std::terminate();
}

void give_back(void* place)
{
    for (std::size_t i = 0; i < std::size(spare); ++i) {
        if (place == spare[i]) {
            spare_used[i] = false;
            return;
        }
    }
    std::free(place);
}

void release(Header* first)
{
    if (--first->references > 0)
        return;
    if (first->destroy)
        first->destroy(first->object());
    give_back(first);
}

// Ends this header's part in its exception.
void drop(Header* header)
{
    Header* first = header->first;
    if (header != first)
        give_back(header);
    release(first);
}

[[noreturn]] void begin_throw(Header* header)
{
    ++uncaught;
    __builtin_wasm_throw(0, header);
}

// The compiler's table of a function's landing pads (DWARF's numbers, LEB128).
class Table {
public:
    explicit Table(const std::uint8_t* at) : at_(at) {}

    const std::uint8_t* at() const { return at_; }
    std::uint8_t byte() { return *at_++; }

    std::uint32_t number()
    {
        std::uint32_t value = 0;
        for (unsigned shift = 0;; shift += 7) {
            const std::uint8_t next = byte();
            value |= static_cast<std::uint32_t>(next & 0x7f) << shift;
            if (!(next & 0x80))
                return value;
        }
    }

    std::int32_t signed_number()
    {
        std::uint32_t value = 0;
        unsigned shift = 0;
        std::uint8_t next = 0;
        do {
            next = byte();
            value |= static_cast<std::uint32_t>(next & 0x7f) << shift;
            shift += 7;
        } while (next & 0x80);
        if ((next & 0x40) && shift < 32)
            value |= ~std::uint32_t{0} << shift;
        return static_cast<std::int32_t>(value);
    }

private:
    const std::uint8_t* at_;
};

constexpr std::uint8_t omitted = 0xff;   // DW_EH_PE_omit
constexpr std::uint8_t absolute = 0x00;  // DW_EH_PE_absptr

// The number of the handler, in the table of landing pad `pad`, that takes this exception; 0 if none does.
std::int32_t handler(const std::uint8_t* tables, std::size_t pad, Header* header)
{
    Table table(tables);
    if (table.byte() != omitted)
        std::terminate();  // landing pads are numbers here, never addresses
    const std::uint8_t* types = nullptr;
    if (const std::uint8_t encoding = table.byte(); encoding != omitted) {
        if (encoding != absolute)
            std::terminate();  // position-independent code
        const std::uint32_t offset = table.number();
        types = table.at() + offset;
    }
    table.byte();  // the encoding of landing pads
    const std::uint32_t size = table.number();
    const std::uint8_t* actions = table.at() + size;
    std::uint32_t action = 0;
    for (std::size_t i = 0; table.at() < actions; ++i) {
        table.number();
        action = table.number();
        if (i == pad)
            break;
        action = 0;
    }
    if (action == 0)
        return 0;  // destructors only

    const std::uint8_t* next = actions + action - 1;
    while (true) {
        Table record(next);
        const std::int32_t number = record.signed_number();
        if (number < 0)
            std::terminate();  // exception specifications are no longer C++
        if (number > 0) {
            const Type* type = nullptr;
            std::memcpy(&type, types - static_cast<std::size_t>(number) * sizeof type, sizeof type);
            void* object = header->object();
            if (!type || type->can_catch(header->first->type, object)) {  // none: catch (...)
                header->caught = object;
                return number;
            }
        }
        const std::uint8_t* here = record.at();
        const std::int32_t offset = record.signed_number();
        if (offset == 0)
            return 0;
        next = here + offset;
    }
}

}  // namespace

// The compiler's side.
extern "C" {

struct LandingPad {
    std::size_t number;          // set by the landing pad, with
    const std::uint8_t* tables;  // the tables of its function
    std::int32_t selected;       // the answer
};
LandingPad __wasm_lpad_context;

int _Unwind_CallPersonality(void* thrown)
{
    LandingPad& pad = __wasm_lpad_context;
    pad.selected = handler(pad.tables, pad.number, static_cast<Header*>(thrown));
    return 0;
}

// Named by every function that has landing pads. It is never called.
void __gxx_personality_wasm0()
{
    std::terminate();
}

void* __cxa_allocate_exception(std::size_t bytes) noexcept
{
    if (bytes > PTRDIFF_MAX)
        std::terminate();
    return new (room(sizeof(Header) + bytes)) Header{} + 1;
}

void __cxa_free_exception(void* object) noexcept
{
    give_back(Header::of(object));
}

__cxxabiv1::__cxa_exception* __cxa_init_primary_exception(void* object, std::type_info* type,
                                                          Destructor destroy) noexcept
{
    Header* header = Header::of(object);
    header->first = header;
    header->type = static_cast<const Type*>(type);
    header->destroy = destroy;
    return reinterpret_cast<__cxxabiv1::__cxa_exception*>(header);
}

[[noreturn]] void __cxa_throw(void* object, std::type_info* type, Destructor destroy)
{
    __cxa_init_primary_exception(object, type, destroy);
    Header* header = Header::of(object);
    header->references = 1;
    begin_throw(header);
}

void* __cxa_get_exception_ptr(void* thrown) noexcept
{
    return static_cast<Header*>(thrown)->caught;
}

void* __cxa_begin_catch(void* thrown) noexcept
{
    auto* header = static_cast<Header*>(thrown);
    header->handlers = (header->handlers < 0 ? -header->handlers : header->handlers) + 1;
    if (header != handled) {  // it is, if the handler threw it again within itself
        header->outer = handled;
        handled = header;
    }
    --uncaught;
    return header->caught;
}

void __cxa_end_catch()
{
    Header* header = handled;
    if (header->handlers < 0) {  // thrown again: not this handler's to drop
        if (++header->handlers == 0)
            handled = header->outer;
        return;
    }
    if (--header->handlers == 0) {
        handled = header->outer;
        drop(header);
    }
}

[[noreturn]] void __cxa_rethrow()
{
    if (!handled)
        std::terminate();
    handled->handlers = -handled->handlers;
    begin_throw(handled);
}

std::type_info* __cxa_current_exception_type()
{
    return handled ? const_cast<Type*>(handled->first->type) : nullptr;
}

// std::exception_ptr points to the object, and counts.
void __cxa_increment_exception_refcount(void* object) noexcept
{
    if (object)
        ++Header::of(object)->references;
}

void __cxa_decrement_exception_refcount(void* object) noexcept
{
    if (object)
        release(Header::of(object));
}

void* __cxa_current_primary_exception() noexcept
{
    if (!handled)
        return nullptr;
    void* object = handled->object();
    __cxa_increment_exception_refcount(object);
    return object;
}

void __cxa_rethrow_primary_exception(void* object)
{
    if (!object)
        return;
    auto* header = new (room(sizeof(Header))) Header{};
    header->first = Header::of(object);
    __cxa_increment_exception_refcount(object);
    begin_throw(header);
}

bool __cxa_uncaught_exception() noexcept
{
    return uncaught > 0;
}
unsigned __cxa_uncaught_exceptions() noexcept
{
    return uncaught;
}

[[noreturn]] void __cxa_bad_cast()
{
    throw std::bad_cast();
}
[[noreturn]] void __cxa_bad_typeid()
{
    throw std::bad_typeid();
}
[[noreturn]] void __cxa_throw_bad_array_new_length()
{
    throw std::bad_array_new_length();
}

// Debian's compiler-rt is compiled with a stack protector, which wasi-libc does not have.
std::uintptr_t __stack_chk_guard = 0x5bd1e995;
[[noreturn]] void __stack_chk_fail()
{
    std::abort();
}

}  // extern "C"

// The library's operator new ends the program where there is no memory.
template <class Attempt>
static void* made(const Attempt& attempt)
{
    while (true) {
        if (void* place = attempt())
            return place;
        if (const std::new_handler handler = std::get_new_handler())
            handler();
        else
            throw std::bad_alloc();
    }
}

void* operator new(std::size_t bytes)
{
    return made([&] { return std::malloc(bytes ? bytes : 1); });
}
void* operator new[](std::size_t bytes)
{
    return ::operator new(bytes);
}
void* operator new(std::size_t bytes, std::align_val_t alignment)
{
    const std::size_t a = std::max(static_cast<std::size_t>(alignment), sizeof(void*));
    const std::size_t rounded = (bytes ? bytes + a - 1 : a) / a * a;
    return made([&] { return rounded < bytes ? nullptr : std::aligned_alloc(a, rounded); });
}
void* operator new[](std::size_t bytes, std::align_val_t alignment)
{
    return ::operator new(bytes, alignment);
}
void* operator new(std::size_t bytes, const std::nothrow_t&) noexcept
{
    return std::malloc(bytes ? bytes : 1);
}
void* operator new[](std::size_t bytes, const std::nothrow_t&) noexcept
{
    return std::malloc(bytes ? bytes : 1);
}
void operator delete(void* place) noexcept
{
    std::free(place);
}
void operator delete[](void* place) noexcept
{
    std::free(place);
}
void operator delete(void* place, std::size_t) noexcept
{
    std::free(place);
}
void operator delete[](void* place, std::size_t) noexcept
{
    std::free(place);
}
void operator delete(void* place, std::align_val_t) noexcept
{
    std::free(place);
}
void operator delete[](void* place, std::align_val_t) noexcept
{
    std::free(place);
}
void operator delete(void* place, std::size_t, std::align_val_t) noexcept
{
    std::free(place);
}
void operator delete[](void* place, std::size_t, std::align_val_t) noexcept
{
    std::free(place);
}
