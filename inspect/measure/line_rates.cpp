#include "base/memory.hpp"
#include "inspect/measure/host.hpp"
#include "inspect/measure/measured_limits.hpp"
#include "inspect/measure/statistics.hpp"

#include <algorithm>
#include <array>
#include <atomic>
#include <cstring>

namespace dcube::measure {

namespace {

constexpr std::size_t line_bytes = 64;
constexpr std::size_t lines_of_a_turn = 256;  // 16 KiB, which stay in the writer's first cache

// The lines that one processor writes and the other reads, in turn. Each holds where the next one is that is read where
// reads must not overlap: in a random order, and 128 bytes apart, since processors fetch neighbouring lines in pairs.
class SharedLines {
public:
    enum class Order : std::uint8_t { one_by_one, in_rows, prefetched };

    explicit SharedLines(Order order) : order_(order), memory_(lines_of_a_turn * line_bytes)
    {
        const std::size_t apart = order == Order::one_by_one ? 2 : 1;
        lines_ = lines_of_a_turn / apart;
        for (std::size_t i = 0; i < lines_; ++i)
            next_[place(i) * apart] = static_cast<std::uint32_t>(place((i + 1) % lines_) * apart);
    }

    [[nodiscard]] std::size_t lines() const { return lines_; }

    void write()
    {
        const std::size_t apart = lines_of_a_turn / lines_;
        for (std::size_t line = 0; line < lines_of_a_turn; line += apart)
            *word_of(line) = order_ == Order::one_by_one ? next_[line] : 1;
    }

    void read() const
    {
        std::uint64_t sum = 0;
        switch (order_) {
        case Order::one_by_one:
            for (std::size_t i = 0; i < lines_; ++i)
                sum = *word_of(sum);
            break;
        case Order::in_rows:
            for (std::size_t line = 0; line < lines_; ++line)
                sum += *word_of(line);
            break;
        case Order::prefetched:
            constexpr std::size_t ahead = 16;
            for (std::size_t line = 0; line < lines_; ++line) {
                __builtin_prefetch(memory_.bytes().data() + std::min(line + ahead, lines_ - 1) * line_bytes);
                sum += *word_of(line);
            }
        }
        use(&sum);
    }

private:
    // A polynomial that permutes the numbers below a power of two, and steps differently each time.
    [[nodiscard]] std::size_t place(std::size_t i) const { return (i * i * 40 + i * 37) % lines_; }

    // Volatile: each line is really written and read, one word of it at a time.
    [[nodiscard]] volatile std::uint64_t* word_of(std::size_t line) const
    {
        return reinterpret_cast<volatile std::uint64_t*>(memory_.bytes().data() + line * line_bytes);
    }

    Order order_;
    Memory memory_;
    std::size_t lines_ = 0;
    std::array<std::uint32_t, lines_of_a_turn> next_{};
};

// A line's time when the team's second thread has written all of them, `turns` times; the median, which does not show
// that the reader was interrupted.
double median_turn(Team& team, SharedLines& lines, std::uint64_t turns, const TimeSource& clock)
{
    constexpr std::uint64_t most_kept = 4096;
    struct alignas(128) Phase {
        std::atomic<std::uint64_t> number = 0;  // even: to be written, odd: to be read
    } phase;
    std::vector<double> seconds;
    seconds.reserve(std::min(turns, most_kept));
    team.run([&](unsigned thread) {
        for (std::uint64_t number = 1 - thread; number < 2 * turns; number += 2) {
            for (unsigned looks = 0; phase.number.load(std::memory_order_acquire) != number; ++looks)
                wait_briefly(looks);
            if (thread == 1) {
                lines.write();
            } else {
                const double began = clock();
                lines.read();
                const double ended = clock();
                if (seconds.size() < most_kept)
                    seconds.push_back(ended - began);
            }
            phase.number.store(number + 1, std::memory_order_release);
        }
    });
    return median(seconds);
}

Seconds seconds_of_a_line(Team& team, SharedLines::Order order, const Effort& effort)
{
    SharedLines lines(order);
    const auto count = static_cast<double>(lines.lines());
    const Seconds turn = measured(effort, [&](std::uint64_t turns) {
        return median_turn(team, lines, turns, effort.clock) * static_cast<double>(turns);
    });
    return {turn.median / count, turn.best / count};
}

LineRates rates_of_pair(unsigned a, unsigned b, const Effort& effort)
{
    const std::array<unsigned, 2> pair{a, b};
    Team team(2, pair, effort.clock);
    const Seconds one_by_one = seconds_of_a_line(team, SharedLines::Order::one_by_one, effort);
    const Seconds in_rows = seconds_of_a_line(team, SharedLines::Order::in_rows, effort);
    const Seconds prefetched = seconds_of_a_line(team, SharedLines::Order::prefetched, effort);
    return {one_by_one.median, 1 / in_rows.median, 1 / prefetched.median, 1 / std::min(in_rows.best, prefetched.best)};
}

}  // namespace

std::vector<LineLevel> line_levels(const Lines& lines, const Host& host)
{
    std::vector<LineLevel> levels;
    for (const char* const level : {"same core", "same last cache", "same socket", "other socket", "unknown"}) {
        std::vector<LineRates> pairs;
        for (std::size_t a = 0; a < lines.rates.size(); ++a)
            for (std::size_t b = a + 1; b < lines.rates.size(); ++b)
                if (lines.rates[a][b] && level_of_pair(host, lines.processors[a], lines.processors[b]) == level)
                    pairs.push_back(*lines.rates[a][b]);
        const auto median_of = [&](double LineRates::*rate) {
            std::vector<double> values;
            for (const LineRates& pair : pairs)
                values.push_back(pair.*rate);
            return median(values);
        };
        if (!pairs.empty())
            levels.push_back({level,
                              pairs.size(),
                              {median_of(&LineRates::line_seconds), median_of(&LineRates::lines_per_second),
                               median_of(&LineRates::prefetched_lines_per_second),
                               std::ranges::max(pairs, {}, &LineRates::best_lines_per_second).best_lines_per_second}});
    }
    return levels;
}

Lines line_rates(std::span<const unsigned> processors, const Host& host, const Effort& effort)
{
    const std::size_t count = processors.size();
    Lines lines{{processors.begin(), processors.end()}};
    lines.rates.assign(count, std::vector<std::optional<LineRates>>(count));
    for (std::size_t a = 0; a < count; ++a)
        for (std::size_t b = a + 1; b < count; ++b)
            lines.rates[a][b] = lines.rates[b][a] = rates_of_pair(processors[a], processors[b], effort);
    lines.levels = line_levels(lines, host);
    return lines;
}

}  // namespace dcube::measure
