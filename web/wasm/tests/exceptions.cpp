// The rules of C++ for exceptions, as a program that prints what happens. Compiled natively and for WebAssembly it
// prints the same.

#include <array>
#include <coroutine>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <functional>
#include <memory>
#include <new>
#include <optional>
#include <stdexcept>
#include <string>
#include <system_error>
#include <typeinfo>
#include <variant>
#include <vector>

namespace {

void say(const char* what)
{
    std::printf("  %s\n", what);
}
void say(const std::string& what)
{
    say(what.c_str());
}
void say(const char* what, long long number)
{
    std::printf("  %s %lld\n", what, number);
}

// Says when it ends, and what is uncaught then.
struct Witness {
    std::string name;
    explicit Witness(std::string n) : name(std::move(n)) {}
    Witness(const Witness&) = delete;
    ~Witness() { say("end of " + name + ", uncaught:", std::uncaught_exceptions()); }
    static void say(const std::string& what, int n) { ::say(what.c_str(), n); }
};

int alive = 0;
long long* volatile array_made;  // volatile, so that no compiler removes the allocation

struct Counted {
    int value;
    explicit Counted(int v) : value(v) { ++alive; }
    Counted(const Counted& other) : value(other.value) { ++alive; }
    virtual ~Counted() { --alive; }
    virtual const char* kind() const { return "Counted"; }
};
struct Left : virtual Counted {
    explicit Left(int v) : Counted(v) {}
    long long left = 11;
};
struct Right : virtual Counted {
    explicit Right(int v) : Counted(v) {}
    long long right = 22;
};
struct Both : Left, Right {
    explicit Both(int v) : Counted(v), Left(v), Right(v) {}
    const char* kind() const override { return "Both"; }
};
class Hidden : Counted {
public:
    explicit Hidden(int v) : Counted(v) {}
};
struct TwiceA : Counted {
    using Counted::Counted;
};
struct TwiceB : Counted {
    using Counted::Counted;
};
struct Ambiguous : TwiceA, TwiceB {
    Ambiguous() : TwiceA(1), TwiceB(2) {}
};
struct alignas(16) Large {
    std::array<char, 5000> bytes{};
    explicit Large(char c) { bytes.fill(c); }
};

// One task that another may await, as node programs do.
struct Task {
    struct promise_type {
        std::exception_ptr failure;
        std::coroutine_handle<> outer;
        Task get_return_object() { return {std::coroutine_handle<promise_type>::from_promise(*this)}; }
        std::suspend_always initial_suspend() noexcept { return {}; }
        std::suspend_always final_suspend() noexcept { return {}; }
        void return_void() {}
        void unhandled_exception() { failure = std::current_exception(); }
    };
    std::coroutine_handle<promise_type> handle;
};

// Runs a task to its end, step by step; throws what it threw.
void run(Task task)
{
    int steps = 0;
    while (!task.handle.done()) {
        task.handle.resume();
        ++steps;
    }
    const std::exception_ptr failure = task.handle.promise().failure;
    task.handle.destroy();
    say("steps:", steps);
    if (failure)
        std::rethrow_exception(failure);
}

Task thrower(int steps)
{
    const Witness witness("a coroutine's local");
    for (int i = 0; i < steps; ++i)
        co_await std::suspend_always{};
    throw std::runtime_error("after " + std::to_string(steps) + " steps");
}

// Catches within, goes on, and throws something else.
Task catcher()
{
    for (int i = 0; i < 3; ++i) {
        bool caught = false;
        try {
            const Witness witness("local " + std::to_string(i));
            co_await std::suspend_always{};
            if (i == 1)
                throw i;
        } catch (int n) {
            say("caught in the coroutine:", n);
            caught = true;
        }
        if (caught)
            co_await std::suspend_always{};
    }
    throw Both(7);
}

void test_kinds()
{
    const auto caught_as = [](const auto& thrower) {
        try {
            const Witness witness("the thrower's local");
            thrower();
        } catch (const Left& e) {
            say("a Left, left:", e.left);
            say(e.kind());
        } catch (const Counted& e) {
            say("a Counted:", e.value);
        } catch (const std::logic_error& e) {
            say("a logic error: " + std::string(e.what()));
        } catch (const std::exception& e) {
            say("an exception: " + std::string(e.what()));
        } catch (int n) {
            say("an int:", n);
        } catch (unsigned char c) {
            say("an unsigned char:", c);
        } catch (long long n) {
            say("a long long:", n);
        } catch (double d) {
            std::printf("  a double: %.17g\n", d);
        } catch (std::nullptr_t) {
            say("nullptr");
        } catch (int (*f)(int)) {
            say("a function:", f(20));
        } catch (const char* text) {
            say("a text: " + std::string(text));
        } catch (const Left* e) {
            say("a pointer to Left:", e ? e->left : -1);
        } catch (const void* p) {
            say(p ? "a pointer" : "a null pointer");
        } catch (int Both::*) {
            say("a pointer to a member");
        } catch (const Large& large) {
            say("a large one:", large.bytes[4999]);
        } catch (...) {
            say("something else");
        }
        say("alive:", alive);
    };
    caught_as([] { throw 5; });
    caught_as([] { throw 5LL; });
    caught_as([] { throw static_cast<unsigned char>(200); });
    caught_as([] { throw 0.1; });
    caught_as([] { throw "words"; });
    caught_as([] { throw Both(3); });
    caught_as([] { throw Left(4); });
    caught_as([] { throw Right(5); });
    caught_as([] { throw Hidden(6); });
    caught_as([] { throw Ambiguous(); });
    caught_as([] { throw std::out_of_range("out of range"); });
    caught_as([] { throw std::system_error(std::make_error_code(std::errc::io_error)).code(); });
    caught_as([] { throw std::bad_alloc(); });
    caught_as([] {
        static Both both(9);
        throw static_cast<const Both*>(&both);
    });
    caught_as([] { throw static_cast<Both*>(nullptr); });
    caught_as([] { throw static_cast<Right*>(nullptr); });
    caught_as([] { throw static_cast<int (*)(int)>([](int n) { return n + 1; }); });
    caught_as([] { throw nullptr; });
    caught_as([] { throw Large('x'); });
    caught_as([] { throw std::string("a string"); });
}

void test_by_value()
{
    try {
        throw Both(1);
    } catch (Both copy) {
        copy.value = 2;
        say("copies alive:", alive);
        try {
            throw;
        } catch (const Both& original) {
            say("the original:", original.value);
        }
    }
    try {
        throw Both(1);
    } catch (Counted sliced) {
        say(sliced.kind());
    }
    try {
        try {
            throw Both(1);
        } catch (Counted& e) {
            e.value = 3;
            throw;
        }
    } catch (Right& e) {
        say("changed and thrown on:", e.value);
        say("right:", e.right);
    }
    say("alive:", alive);
}

void test_nested()
{
    try {
        try {
            throw std::runtime_error("first");
        } catch (const std::exception& first) {
            say(first.what());
            try {
                throw Counted(2);
            } catch (const Counted& second) {
                say("second:", second.value);
                try {
                    throw;
                } catch (...) {
                    say("the second again, uncaught:", std::uncaught_exceptions());
                }
                say("alive:", alive);
            }
            say("alive:", alive);
            say(first.what());
            throw;
        }
    } catch (const std::runtime_error& again) {
        say(again.what());
    }
    // A handler that throws something else, and a loop of rethrows.
    try {
        try {
            throw Counted(1);
        } catch (...) {
            throw Counted(2);
        }
    } catch (const Counted& e) {
        say("the other:", e.value);
        say("alive:", alive);
    }
    int rounds = 0;
    const std::function<void(int)> deeper = [&](int n) {
        const Counted local(n);
        try {
            if (n == 0)
                throw std::length_error("deep");
            deeper(n - 1);
        } catch (const std::logic_error&) {
            ++rounds;
            throw;
        }
    };
    try {
        deeper(100);
    } catch (const std::exception& e) {
        say(e.what());
        say("rounds:", rounds);
        say("alive:", alive);
    }
    try {
        try {
            throw std::runtime_error("inner");
        } catch (...) {
            std::throw_with_nested(std::logic_error("outer"));
        }
    } catch (const std::exception& e) {
        say(e.what());
        try {
            std::rethrow_if_nested(e);
        } catch (const std::exception& inner) {
            say(inner.what());
        }
    }
}

void test_kept()
{
    std::exception_ptr kept;
    say(std::current_exception() ? "there is a current exception" : "there is no current exception");
    try {
        throw Both(8);
    } catch (...) {
        kept = std::current_exception();
        say("alive in the handler:", alive);
    }
    say("alive, kept:", alive);
    for (int i = 0; i < 3; ++i) {
        try {
            std::rethrow_exception(kept);
        } catch (Left& e) {
            ++e.value;
            say("one object:", e.value);
            try {
                std::rethrow_exception(kept);
            } catch (Right& same) {
                say("at once:", same.value);
                say("the same exception:", std::current_exception() == kept);
                const std::exception_ptr copy = kept;
                try {
                    throw;
                } catch (const Counted& thrice) {
                    say(thrice.kind());
                }
            }
            try {
                throw;
            } catch (const Counted& again) {
                say("and again:", again.value);
            }
        }
        say("uncaught:", std::uncaught_exceptions());
    }
    // The last owner ends within a handler.
    try {
        std::rethrow_exception(std::move(kept));
    } catch (const Both&) {
        kept = nullptr;
        say("alive in the last handler:", alive);
    }
    say("alive:", alive);

    std::exception_ptr made = std::make_exception_ptr(Both(12));
    say("alive, made:", alive);
    try {
        std::rethrow_exception(made);
    } catch (const Counted& e) {
        say("made:", e.value);
    }
    made = nullptr;
    say("alive:", alive);

    std::vector<std::exception_ptr> many;
    for (int i = 0; i < 1000; ++i) {
        try {
            throw Counted(i);
        } catch (...) {
            many.push_back(std::current_exception());
        }
    }
    say("alive, many:", alive);
    long long sum = 0;
    for (const std::exception_ptr& one : many) {
        try {
            std::rethrow_exception(one);
        } catch (const Counted& e) {
            sum += e.value;
        }
    }
    say("sum:", sum);
    many.clear();
    say("alive:", alive);
}

void test_coroutines()
{
    for (const int steps : {0, 1, 5}) {
        try {
            run(thrower(steps));
        } catch (const std::exception& e) {
            say(e.what());
        }
    }
    try {
        run(catcher());
    } catch (const Counted& e) {
        say("the coroutine's last:", e.value);
    }
    say("alive:", alive);
    // Destroyed while suspended, as the nodes of a failed run are.
    Task task = thrower(3);
    task.handle.resume();
    try {
        throw Counted(1);
    } catch (...) {
        task.handle.destroy();
    }
}

struct Cleaner {
    bool throws;
    ~Cleaner() noexcept(false)
    {
        say("the destructor, uncaught:", std::uncaught_exceptions());
        try {
            const Counted local(1);
            throw std::runtime_error("within the destructor");
        } catch (const std::exception& e) {
            say(e.what());
            say("still uncaught:", std::uncaught_exceptions());
        }
        if (throws)
            throw std::runtime_error("out of the destructor");
    }
};

void test_destruction()
{
    try {
        const Cleaner cleaner{false};
        throw std::logic_error("the first");
    } catch (const std::exception& e) {
        say(e.what());
    }
    try {
        const Cleaner cleaner{true};
        say("no exception yet");
    } catch (const std::exception& e) {
        say(e.what());
    }
    // Members and bases that exist are destroyed when a constructor throws.
    struct Member {
        Witness witness;
        explicit Member(const char* name, bool fails) : witness(name)
        {
            if (fails)
                throw std::runtime_error(std::string("the constructor of ") + name);
        }
    };
    struct Whole {
        Member a{"a", false}, b{"b", true}, c{"c", false};
    };
    try {
        const auto whole = std::make_unique<Whole>();
    } catch (const std::exception& e) {
        say(e.what());
    }
    struct Element {
        int id;
        Element()
        {
            static int made = 0;
            id = made++;
            if (id == 3)
                throw std::runtime_error("the fourth element");
        }
        ~Element() { say("an element ends:", id); }
    };
    try {
        const std::unique_ptr<Element[]> array(new Element[5]);
    } catch (const std::exception& e) {
        say(e.what());
    }
}

struct FunctionTry {
    Counted member;
    explicit FunctionTry(bool fails)
    try : member(4) {
        if (fails)
            throw std::runtime_error("in the body");
    } catch (const std::exception& e) {
        say("the constructor's handler: " + std::string(e.what()));
        say("alive:", alive);
    }
};

int answer(int n)
try {
    if (n < 0)
        throw n;
    return n;
} catch (int wrong) {
    return -wrong;
}

void test_function_try()
{
    try {
        const FunctionTry one(true);
    } catch (const std::exception& e) {
        say("thrown on: " + std::string(e.what()));
    }
    const FunctionTry two(false);
    say("answers:", answer(-5) * 10 + answer(3));
}

void test_library()
{
    const auto caught = [](const char* what, const auto& action) {
        try {
            action();
            std::printf("  %s: nothing\n", what);
        } catch (const std::bad_alloc& e) {
            std::printf("  %s: bad_alloc\n", what);
        } catch (const std::length_error&) {
            std::printf("  %s: length_error\n", what);
        } catch (const std::out_of_range&) {
            std::printf("  %s: out_of_range\n", what);
        } catch (const std::bad_cast&) {
            std::printf("  %s: bad_cast\n", what);
        } catch (const std::bad_typeid&) {
            std::printf("  %s: bad_typeid\n", what);
        } catch (const std::bad_function_call&) {
            std::printf("  %s: bad_function_call\n", what);
        } catch (const std::bad_variant_access&) {
            std::printf("  %s: bad_variant_access\n", what);
        } catch (const std::bad_optional_access&) {
            std::printf("  %s: bad_optional_access\n", what);
        }
    };
    caught("vector::at", [] { (void)std::vector<int>(3).at(3); });
    caught("a vector too long", [] { std::vector<long>().reserve(static_cast<std::size_t>(-1)); });
    caught("dynamic_cast", [] {
        const Left left(1);
        (void)dynamic_cast<const Both&>(static_cast<const Counted&>(left));
    });
    caught("an empty function", [] { std::function<void()>()(); });
    caught("a variant", [] { (void)std::get<int>(std::variant<int, double>(0.5)); });
    caught("an optional", [] { (void)std::optional<int>().value(); });
    caught("an array too long", [] {
        volatile std::size_t n = static_cast<std::size_t>(-1) / 2;
        long long* const made = new long long[n];
        array_made = made;
        delete[] made;
    });
    caught("too much memory", [] {
        volatile std::size_t n = static_cast<std::size_t>(-1) / 2 - 4096;
        ::operator delete(::operator new(n));
    });
    caught("too much aligned memory", [] {
        volatile std::size_t n = static_cast<std::size_t>(-1) / 2 - 4096;
        ::operator delete(::operator new(n, std::align_val_t(64)), std::align_val_t(64));
    });
    volatile std::size_t n = static_cast<std::size_t>(-1) / 2 - 4096;
    say(::operator new(n, std::nothrow) ? "there is much memory" : "no memory, no exception");
}

void no_exceptions() noexcept
{
    const Witness witness("what is in a noexcept function");
    throw 1;
}

}  // namespace

int main()
{
    const auto part = [](const char* name, void (*test)()) {
        std::printf("%s\n", name);
        test();
        say("left alive:", alive);
        say("left uncaught:", std::uncaught_exceptions());
        say(std::current_exception() ? "left handled" : "nothing left handled");
    };
    part("kinds", test_kinds);
    part("by value", test_by_value);
    part("nested", test_nested);
    part("kept", test_kept);
    part("coroutines", test_coroutines);
    part("destruction", test_destruction);
    part("function try", test_function_try);
    part("the library", test_library);
    std::printf("noexcept\n");
    std::set_terminate([] {
        say("terminated");
        std::fflush(stdout);
        std::_Exit(0);
    });
    no_exceptions();
}
