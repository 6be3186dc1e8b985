#include "inspect/measure/team.hpp"

#include "base/cache_line.hpp"

#include <algorithm>
#include <chrono>
#include <exception>
#include <utility>

namespace dcube::measure {

// A thread's notes of a round; on a cache line of their own, so that writing them disturbs no other thread.
struct alignas(detail::cache_line) Team::Turn {
    double began = 0;
    double ended = 0;
    std::exception_ptr failure;
};

double steady_seconds()
{
    return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

void wait_briefly(unsigned looks)
{
    constexpr unsigned patience = 20'000;  // then there are fewer processors than threads
    if (looks > patience)
        std::this_thread::yield();
}

Team::Team(unsigned threads, std::span<const unsigned> processors, TimeSource clock)
    : clock_(std::move(clock)), pins_({processors.begin(), processors.end()}), turns_(threads)
{
    try {
        for (unsigned i = 0; i < threads; ++i)
            threads_.emplace_back([this, i] { live(i); });
    } catch (...) {  // the system has no thread more
        dismiss();
        throw;
    }
}

Team::~Team()
{
    dismiss();
}

void Team::dismiss()
{
    over_ = true;
    ++round_;
    round_.notify_all();
}

void Team::live(unsigned number)
{
    const detail::Pinned pinned(pins_, number);
    for (unsigned seen = 0;;) {
        round_.wait(seen);
        seen = round_;
        if (over_)
            return;
        take_part(number);
        if (--working_ == 0)
            working_.notify_one();
    }
}

void Team::take_part(unsigned number)
{
    ++present_;
    for (unsigned looks = 0; present_.load() < threads(); ++looks)
        wait_briefly(looks);
    Turn& turn = turns_[number];
    turn.failure = nullptr;
    turn.began = clock_();
    try {
        (*work_)(number);
    } catch (...) {
        turn.failure = std::current_exception();
    }
    turn.ended = clock_();
}

double Team::run(const std::function<void(unsigned)>& work)
{
    work_ = &work;
    present_ = 0;
    working_ = threads();
    ++round_;
    round_.notify_all();
    for (unsigned left = working_; left != 0; left = working_)
        working_.wait(left);
    for (const Turn& turn : turns_)
        if (turn.failure)
            std::rethrow_exception(turn.failure);
    const double began = std::ranges::min_element(turns_, {}, &Turn::began)->began;
    return std::ranges::max_element(turns_, {}, &Turn::ended)->ended - began;
}

}  // namespace dcube::measure
