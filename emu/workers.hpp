#pragma once
// Workers: who lends a clock its threads. oneTBB does, or in a build without it emu/own/; tests bring their own.

#include <functional>
#include <memory>

namespace dcube::detail {

class Workers {
public:
    Workers() = default;
    Workers(const Workers&) = delete;
    Workers& operator=(const Workers&) = delete;
    virtual ~Workers() = default;

    // Threads that may work side by side, the caller's own among them.
    [[nodiscard]] virtual unsigned most() const = 0;
    // True if they are to come for every step, also for those that are not worth their while.
    [[nodiscard]] virtual bool always() const { return false; }

    // Has `work`, which lives until end(), called on up to `count` threads besides the caller's, once on each. Does not
    // wait for them: they may come late, or not at all. Must not throw.
    virtual void begin(unsigned count, const std::function<void()>& work) = 0;
    // Returns when those that came have returned, and orders what they did before what follows.
    virtual void end() = 0;
};

// Borrows at most `threads`, and no more than there are cores: oneTBB has no others. In a build without threads, only
// the caller's.
std::shared_ptr<Workers> borrow_workers(unsigned threads);

}  // namespace dcube::detail
