#include "emu/step_choice.hpp"

#include "base/threads.hpp"

#include <algorithm>
#include <bit>
#include <map>
#include <memory>
#include <mutex>

namespace dcube::detail {

namespace {

constexpr double guessed_barrier_ns = 2000;

}  // namespace

StepChoice& StepChoice::of(unsigned threads)
{
    static Mutex mutex;
    static std::map<unsigned, std::unique_ptr<StepChoice>> all;
    const std::lock_guard lock(mutex);
    std::unique_ptr<StepChoice>& one = all[threads];
    if (!one)
        one = std::make_unique<StepChoice>(threads);
    return *one;
}

std::size_t StepChoice::size_of(std::uint64_t work_ns)
{
    const auto octave = static_cast<unsigned>(std::bit_width(work_ns)) - 1;
    const std::size_t upper_half = work_ns >> (octave - 1) & 1;
    return std::min(sizes - 1, 2 * std::size_t{octave - first_octave} + upper_half);
}

// Others may note at the same time: then one of the times is lost.
float StepChoice::Way::known() const
{
    return times.load(std::memory_order_relaxed) < enough ? 0 : mean.load(std::memory_order_relaxed);
}

// Something else may make a step much longer, and nothing much shorter.
void StepChoice::Way::note(float taken, float share)
{
    constexpr std::uint32_t first = 2 * enough;
    const float before = mean.load(std::memory_order_relaxed);
    const std::uint32_t number = times.load(std::memory_order_relaxed);
    times.store(number + (number < first), std::memory_order_relaxed);
    if (number == 0)
        mean.store(taken, std::memory_order_relaxed);
    else if (number < first)
        mean.store(std::min(before, taken), std::memory_order_relaxed);
    else
        mean.store(before + (std::min(taken, before * 2) - before) * share, std::memory_order_relaxed);
}

void StepChoice::note(bool together, std::uint64_t work_ns, double ns)
{
    constexpr float usual_share = 1.0F / 8;
    constexpr float share_in_a_look = 1.0F / 3;  // knowledge may be long out of date
    Size& size = sizes_[size_of(work_ns)];
    const std::uint32_t left = size.times_left.load(std::memory_order_relaxed);
    if (left != 0)
        size.times_left.store(left - 1, std::memory_order_relaxed);
    (together ? size.together : size.alone)
        .note(static_cast<float>(ns / static_cast<double>(work_ns)), left == 0 ? usual_share : share_in_a_look);
}

StepChoice::Choice StepChoice::choose(std::uint64_t work_ns)
{
    const auto work = static_cast<double>(work_ns);
    if (work_ns < least_ns)
        return {false, false, false, 0};
    if (work_ns >= most_ns)
        return {true, false, false, work / 2};
    Size& size = sizes_[size_of(work_ns)];
    const double alone = size.alone.known();
    const double together = size.together.known();
    const double alone_ns = (alone == 0 ? 1 : alone) * work;
    const double together_ns = together == 0 ? alone_ns / threads_ + guessed_barrier_ns : together * work;
    const bool better_together = together_ns < alone_ns;
    const std::uint32_t uses = size.uses.load(std::memory_order_relaxed);
    const bool is_timed = uses % steps_between_times == 0 || (better_together ? together : alone) == 0;
    const Choice usual{better_together, false, is_timed, alone_ns - together_ns};

    const std::uint32_t left = size.steps_left.load(std::memory_order_relaxed);
    if (left != 0) {
        const bool done = size.times_left.load(std::memory_order_relaxed) == 0;
        size.steps_left.store(done ? 0 : left - 1, std::memory_order_relaxed);
        return done ? usual : Choice{size.looks_together.load(std::memory_order_relaxed), true, true, 0};
    }
    size.uses.store(uses + 1, std::memory_order_relaxed);
    if (uses < size.next_look.load(std::memory_order_relaxed))
        return usual;
    size.next_look.store(2 * uses, std::memory_order_relaxed);
    // Running some steps alone costs little; borrowing threads for nothing costs more.
    constexpr double most = 1.5;
    constexpr double most_untried = 4;
    if (!better_together && together_ns > (together == 0 ? most_untried : most) * alone_ns)
        return usual;
    size.looks_together.store(!better_together, std::memory_order_relaxed);
    size.times_left.store(times_of_a_look, std::memory_order_relaxed);
    size.steps_left.store(steps_of_a_look, std::memory_order_relaxed);
    return {!better_together, true, true, 0};
}

StepChoice::Choice StepChoice::guess(std::uint64_t work_ns) const
{
    const auto work = static_cast<double>(work_ns);
    const double gain = work - work / threads_ - guessed_barrier_ns;
    return {gain > 0, false, false, gain};
}

std::vector<StepSeconds> StepChoice::learned() const
{
    std::vector<StepSeconds> all;
    for (std::size_t i = 0; i < sizes; ++i) {
        const std::uint64_t octave = std::uint64_t{1} << (first_octave + i / 2);
        const auto work = 1e-9 * static_cast<double>(octave + i % 2 * octave / 2);
        const StepSeconds one{work * double{sizes_[i].alone.known()}, work * double{sizes_[i].together.known()}};
        if (one.alone + one.together > 0)
            all.push_back(one);
    }
    return all;
}

}  // namespace dcube::detail

namespace dcube {

std::vector<StepSeconds> learned_step_seconds(unsigned threads)
{
    return detail::StepChoice::of(threads).learned();
}

}  // namespace dcube
