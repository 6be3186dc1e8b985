#include "emu/workers.hpp"

#include "emu/relax.hpp"

#include <oneapi/tbb/info.h>
#include <oneapi/tbb/task_arena.h>
#include <oneapi/tbb/task_group.h>

#include <algorithm>
#include <atomic>
#include <exception>

namespace dcube::detail {

namespace {

class Borrowed final : public Workers {
public:
    // oneTBB says so on stderr when it is asked for more threads than the machine has cores.
    explicit Borrowed(unsigned threads)
        : most_(std::min(threads, static_cast<unsigned>(oneapi::tbb::info::default_concurrency()))),
          arena_(static_cast<int>(most_))
    {
    }

    ~Borrowed() noexcept override = default;  // oneTBB's group may throw if it was not waited for

    [[nodiscard]] unsigned most() const override { return most_; }

    void begin(unsigned count, const std::function<void()>& work) override
    {
        work_ = &work;
        lent_ = 0;
        departed_.store(0, std::memory_order_relaxed);
        handed_over_.store(false, std::memory_order_relaxed);
        try {
            arena_.execute([this, count] {
                for (; lent_ < count; ++lent_)
                    group_.run(Loan(this));
            });
        } catch (const std::exception&) {  // no memory for more: those that were lent will do, if any
        }
        handed_over_.store(true, std::memory_order_release);
    }

    void end() override
    {
        arena_.execute([this] { group_.wait(); });
        while (departed_.load(std::memory_order_acquire) != lent_)  // they all have, but this orders it
            relax();
    }

private:
    // The object that a lent thread is given. Debian's libtbb is not instrumented, so ThreadSanitizer does not see that
    // oneTBB hands a task over in order; an atomic pointer makes that order one of our own, at no cost.
    struct Loan {
        std::atomic<Borrowed*> from;

        explicit Loan(Borrowed* lender) : from(lender) {}
        Loan(const Loan& other) : from(nullptr)
        {
            from.store(other.from.load(std::memory_order_acquire), std::memory_order_release);
        }

        void operator()() const
        {
            Borrowed& lender = *from.load(std::memory_order_acquire);
            (*lender.work_)();
            while (!lender.handed_over_.load(
                std::memory_order_acquire))  // the rest of oneTBB's task was written before that
                relax();
            lender.departed_.fetch_add(1, std::memory_order_release);
        }
    };

    unsigned most_;
    oneapi::tbb::task_arena arena_;
    oneapi::tbb::task_group group_;
    const std::function<void()>* work_ = nullptr;
    unsigned lent_ = 0;
    std::atomic<bool> handed_over_{false};
    std::atomic<unsigned> departed_{0};
};

}  // namespace

std::shared_ptr<Workers> borrow_workers(unsigned threads)
{
    return std::make_shared<Borrowed>(threads);
}

}  // namespace dcube::detail
