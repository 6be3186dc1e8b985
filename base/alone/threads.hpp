#pragma once
// base/threads.hpp where a program has one thread: no other thread can hold a lock, or be waited for.

#include <stdexcept>

namespace dcube::detail::alone {

class Mutex {
public:
    void lock() {}
    void unlock() {}
};

class Lock {
public:
    explicit Lock(Mutex&) {}
    void lock() {}
    void unlock() {}
};

class Condition {
public:
    // Throws std::logic_error: it would wait for ever.
    [[noreturn]] void wait(Lock&) { throw std::logic_error("the only thread waits for another one"); }
    void notify_all() {}
};

inline void yield() {}

inline unsigned hardware_threads()
{
    return 1;
}

}  // namespace dcube::detail::alone
