// Workers without oneTBB: threads of our own, which wait for the next run until the machine is gone.

#include "emu/workers.hpp"

#include <algorithm>
#include <condition_variable>
#include <cstdint>
#include <exception>
#include <mutex>
#include <thread>
#include <vector>

namespace dcube::detail {

namespace {

// A run has places for as many threads as it asked for. A thread that takes one is inside until the work returns; `end`
// withdraws the places that are left, and waits for those inside. The mutex orders the work before what follows.
class OwnThreads final : public Workers {
public:
    explicit OwnThreads(unsigned threads) : most_(std::clamp(std::thread::hardware_concurrency(), 1U, threads)) {}

    ~OwnThreads() noexcept override
    {
        {
            const std::lock_guard lock(mutex_);
            over_ = true;
        }
        called_.notify_all();
        for (std::thread& thread : threads_)
            thread.join();
    }

    [[nodiscard]] unsigned most() const override { return most_; }

    void begin(unsigned count, const std::function<void()>& work) override
    {
        try {
            while (threads_.size() < count)
                threads_.emplace_back([this] { serve(); });
        } catch (const std::exception&) {  // no memory or no thread for more: those that are there will do, if any
        }
        {
            const std::lock_guard lock(mutex_);
            work_ = &work;
            places_ = count;
            ++run_;
        }
        called_.notify_all();
    }

    void end() override
    {
        std::unique_lock lock(mutex_);
        places_ = 0;
        left_.wait(lock, [this] { return inside_ == 0; });
    }

private:
    void serve()
    {
        std::unique_lock lock(mutex_);
        for (std::uint64_t last = 0;;) {  // a thread comes once to each run
            called_.wait(lock, [&] { return over_ || (places_ > 0 && run_ != last); });
            if (over_)
                return;
            last = run_;
            --places_;
            ++inside_;
            lock.unlock();
            (*work_)();
            lock.lock();
            if (--inside_ == 0)
                left_.notify_all();
        }
    }

    unsigned most_;
    std::mutex mutex_;
    std::condition_variable called_;
    std::condition_variable left_;
    const std::function<void()>* work_ = nullptr;
    std::uint64_t run_ = 0;
    unsigned places_ = 0;
    unsigned inside_ = 0;
    bool over_ = false;
    std::vector<std::thread> threads_;
};

}  // namespace

std::shared_ptr<Workers> borrow_workers(unsigned threads)
{
    return std::make_shared<OwnThreads>(threads);
}

}  // namespace dcube::detail
