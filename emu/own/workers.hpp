#pragma once
// Workers without oneTBB: threads of the machine's own.

#include "base/threads.hpp"
#include "emu/workers.hpp"

#include <exception>
#include <vector>

namespace dcube::detail {

// A thread is started when a loan first needs it, sleeps between loans, and ends with this object. All members that
// threads share are guarded by the mutex, so what a thread did in a loan comes before what follows end().
class OwnWorkers final : public Workers {
public:
    // `most`: with the caller's own.
    explicit OwnWorkers(unsigned most) : most_(most) {}
    ~OwnWorkers() override
    {
        {
            const std::lock_guard lock(mutex_);
            over_ = true;
        }
        called_.notify_all();
    }

    [[nodiscard]] unsigned most() const override { return most_; }

    void begin(unsigned count, const std::function<void()>& work) override
    {
        {
            const std::lock_guard lock(mutex_);
            work_ = &work;
            awaited_ = count;
        }
        try {
            while (threads_.size() < count)
                threads_.emplace_back([this] { live(); });
        } catch (const std::exception&) {  // the system has no more: those that are there will do, if any
        }
        called_.notify_all();
    }

    // Who has not come yet need not come any more.
    void end() override
    {
        Lock lock(mutex_);
        awaited_ = 0;
        returned_.wait(lock, [&] { return working_ == 0; });
    }

private:
    void live()
    {
        Lock lock(mutex_);
        for (;;) {
            called_.wait(lock, [&] { return over_ || awaited_ > 0; });
            if (over_)
                return;
            --awaited_;
            ++working_;
            lock.unlock();
            (*work_)();
            lock.lock();
            if (--working_ == 0)
                returned_.notify_one();
        }
    }

    unsigned most_;
    Mutex mutex_{};
    Condition called_{};
    Condition returned_{};
    const std::function<void()>* work_ = nullptr;  // written while no thread works
    unsigned awaited_ = 0;                         // threads that may still come for this loan
    unsigned working_ = 0;
    bool over_ = false;
    std::vector<JoiningThread> threads_{};  // the last member: they use the others
};

}  // namespace dcube::detail
