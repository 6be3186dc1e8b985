#pragma once
// Locks and waits between threads: the standard's; or empty ones where a program has one thread, as in WebAssembly.
// std::lock_guard (of a Mutex) and std::call_once are there in both cases.

#include <mutex>

#ifdef __STDCPP_THREADS__

#include <algorithm>
#include <condition_variable>
#include <thread>
#include <utility>

namespace dcube::detail {

using Mutex = std::mutex;
using Lock = std::unique_lock<std::mutex>;
using Condition = std::condition_variable;

// A thread that whoever destroys it waits for: std::jthread without a token, which libc++ has from version 20 on.
class JoiningThread {
public:
    template <class Work>
    explicit JoiningThread(Work work) : thread_(std::move(work))
    {
    }
    JoiningThread(JoiningThread&&) noexcept = default;
    JoiningThread& operator=(JoiningThread&&) = delete;
    ~JoiningThread()
    {
        if (thread_.joinable())
            thread_.join();
    }

private:
    std::thread thread_;
};

inline void yield()
{
    std::this_thread::yield();
}

// The number of threads that the hardware can run side by side, at least one.
inline unsigned hardware_threads()
{
    return std::max(1U, std::thread::hardware_concurrency());
}

}  // namespace dcube::detail

#else

#include "base/alone/threads.hpp"

namespace dcube::detail {

using alone::Condition;
using alone::hardware_threads;
using alone::Lock;
using alone::Mutex;
using alone::yield;

}  // namespace dcube::detail

#endif
