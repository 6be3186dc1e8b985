// The module, from outside: the functions that a page calls (exports) and those that it provides (imports), around a
// lab. Texts go in and out through one buffer. No exception of C++ crosses JavaScript.
//
//   set_words(bytes)              makes room in the buffer and returns its address; 0: there is none
//   words_at(), words_size()      the buffer's content
//   ask()                         the buffer has a request; 0: done, 1: there is an error. After it the buffer is empty
//   result()                      the buffer has a result's name, and then shows that result; 0: there is none
//   allocate(bytes), release(at)  memory for the page's own use; 0: there is none
//   planning(at, size, done, all) called while a plan is searched for
//   step(number, expected)        called after each step of a run; `expected` is 0 if the number of steps is not known

#include "web/lab/lab.hpp"
#include "web/wasm/programs.hpp"

#include <cstddef>
#include <cstdlib>
#include <exception>
#include <new>
#include <string>
#include <string_view>

namespace {

extern "C" {
__attribute__((import_module("dcube"), import_name("planning"))) void tell_planning(const char* at, std::size_t size,
                                                                                    double done, double all);
__attribute__((import_module("dcube"), import_name("step"))) void tell_step(double number, double expected);
}

dcube::lab::Surroundings surroundings()
{
    return {.planning = [](std::string_view what, double done) { tell_planning(what.data(), what.size(), done, 1); },
            .step = [](dcube::Step step,
                       std::uint64_t expected) { tell_step(static_cast<double>(step), static_cast<double>(expected)); },
            .interpreter = &dcube::wasm::programs()};
}

dcube::lab::Lab& lab()
{
    static dcube::lab::Lab the_lab(surroundings());
    return the_lab;
}

std::string buffer;
std::string_view words;

// The memory that is kept to report that memory is exhausted.
constexpr std::size_t reserve_size = 256 << 10;
void* reserve = nullptr;

void make_reserve()
{
    if (!reserve)
        reserve = std::malloc(reserve_size);
    std::set_new_handler([] {
        std::free(reserve);
        reserve = nullptr;
        throw std::bad_alloc();
    });
}

constexpr std::string_view no_memory = R"({"kind":"memory","message":"there is not enough memory","rule":null,)"
                                       R"("step":null,"node":null,"port":null,"key":null,"exit":2})";
bool out_of_memory = false;  // so much that the lab could not report it

}  // namespace

#define EXPORT(name) extern "C" __attribute__((export_name(#name))) auto name

EXPORT(set_words)(std::size_t bytes) noexcept->char*
{
    words = {};
    try {
        buffer.resize(bytes);
    } catch (const std::exception&) {
        return nullptr;
    }
    words = buffer;
    return buffer.data();
}

EXPORT(words_at)() noexcept->const char*
{
    return words.data();
}

EXPORT(words_size)() noexcept->std::size_t
{
    return words.size();
}

EXPORT(ask)() noexcept->int
{
    bool done = false;
    make_reserve();
    try {
        done = lab().ask(words);
        out_of_memory = !done && !lab().result("error");
    } catch (...) {
        out_of_memory = true;
    }
    buffer = {};
    words = {};
    return done ? 0 : 1;
}

EXPORT(result)() noexcept->int
{
    if (out_of_memory) {
        const bool there = words == "error";
        words = there ? no_memory : std::string_view{};
        return there ? 1 : 0;
    }
    const std::string* const found = lab().result(words);
    words = found ? std::string_view(*found) : std::string_view{};
    return found ? 1 : 0;
}

EXPORT(allocate)(std::size_t bytes) noexcept->void*
{
    return std::malloc(bytes);
}

EXPORT(release)(void* place) noexcept->void
{
    std::free(place);
}
