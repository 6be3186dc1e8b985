#pragma once
// Threads of a test's own, so that a machine has as many as the test says, whatever the number of cores.

#include "base/threads.hpp"
#include "emu/workers.hpp"

#include <exception>
#include <functional>
#include <vector>

namespace test_support {

class OwnThreads final : public dcube::detail::Workers {
public:
    enum class When { worth_while, always };

    /// `threads` with the caller's own; `come`: how many of those that are asked for besides it really come.
    OwnThreads(unsigned threads, When when, unsigned come = ~0U) : threads_(threads), when_(when), come_(come) {}

    [[nodiscard]] unsigned most() const override { return threads_; }
    [[nodiscard]] bool always() const override { return when_ == When::always; }
    void begin(unsigned count, const std::function<void()>& work) override
    {
        try {
            for (unsigned i = 0; i < count && i < come_; ++i)
                lent_.emplace_back(std::cref(work));
        } catch (const std::exception&) {  // fewer come
        }
    }
    void end() override { lent_.clear(); }

private:
    unsigned threads_;
    When when_;
    unsigned come_;
    std::vector<dcube::detail::JoiningThread> lent_;
};

}  // namespace test_support
