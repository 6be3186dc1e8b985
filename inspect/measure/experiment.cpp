#include "inspect/measure/experiment.hpp"

#include "inspect/measure/disturbance.hpp"
#include "inspect/measure/step_parts.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <new>
#include <numeric>
#include <random>
#include <utility>

namespace dcube::measure {

namespace {

// What the processors count from here to finished(); the runs between are given there.
class CountedRuns {
public:
    explicit CountedRuns(PerfCounters* counters) : counters_(counters)
    {
        if (counters_ == nullptr)
            return;
        before_ = counters_->sums();
        counters_->start();
    }

    void finished(std::uint64_t runs, std::uint64_t samples, CellCounts& counts) const
    {
        if (counters_ == nullptr)
            return;
        counters_->stop();
        const std::optional<CounterSums> after = counters_->sums();
        if (!before_ || !after)
            return;
        const double share = static_cast<double>(samples) / static_cast<double>(runs);
        // Sums that were scaled up may shrink.
        const auto counted = [&](double CounterSums::*kind) {
            return share * std::max(0.0, (*after).*kind - (*before_).*kind);
        };
        counts.hardware.cycles += counted(&CounterSums::cycles);
        counts.hardware.instructions += counted(&CounterSums::instructions);
        counts.hardware.cache_misses += counted(&CounterSums::cache_misses);
        counts.hardware_samples += samples;
    }

private:
    PerfCounters* counters_;
    std::optional<CounterSums> before_{};
};

// A cell while it is measured.
class Cell {
public:
    Cell(std::unique_ptr<Subject> subject, const BenchEffort& effort, const Surroundings& around)
        : subject_(std::move(subject)), effort_(effort), around_(around)
    {
    }

    void warm_up()
    {
        for (unsigned run = 0; run < effort_.warm_up_runs; ++run)
            take();
    }

    // After the first run.
    [[nodiscard]] Facts facts() const { return subject_->facts(); }

    // Of all slices so far.
    [[nodiscard]] const CellCounts& counts() const { return counts_; }

    // Whether it has a slice in this round: all rounds, or if its runs are long some of them, evenly spread.
    [[nodiscard]] bool takes_part(unsigned round) const
    {
        return taken_ < (std::size_t{round + 1} * rounds() + effort_.rounds - 1) / effort_.rounds;
    }

    Round slice()
    {
        const double length = effort_.min_seconds / effort_.rounds;
        const unsigned all = rounds();
        const std::size_t least = (effort_.min_samples + all - 1) / all;
        constexpr double few_runs = 4;
        constexpr double patience = 3;  // with others: then runs are too long for any to be undisturbed
        if (quickest_ * few_runs < length)
            take();  // others have had the caches since
        const std::uint64_t stride = runs_a_sample(length);
        const std::uint64_t runs = runs_;
        const std::uint64_t samples = counts_.samples;
        const CountedRuns counted(around_.counters);
        Sieve sieve(around_.watch, around_.now, subject_->facts().threads);
        const double most = effort_.max_seconds * static_cast<double>(taken_ + 1) / all;
        const double began = around_.now();
        double passed = 0;
        do {
            for (std::uint64_t uncounted = 1; uncounted < stride && around_.now() - began < length; ++uncounted)
                take();
            sieve.add(take());
            add(counts_.engine, subject_->engine_counts());
            ++counts_.samples;
            passed = around_.now() - began;
        } while (
            sieve.all() < effort_.max_samples_a_round &&
            used_ + passed + static_cast<double>(stride) * quickest_ <= most &&
            (passed < length || sieve.all() < least || (passed < patience * length && sieve.undisturbed() < least)));
        used_ += passed;
        ++taken_;
        Round round = sieve.finished();
        counted.finished(runs_ - runs, counts_.samples - samples, counts_);
        return round;
    }

    // The expected time of its next slice.
    [[nodiscard]] double expected_seconds() const
    {
        if (!has_run())
            return effort_.min_seconds / effort_.rounds;
        return std::max({quickest_, effort_.min_seconds / effort_.rounds,
                         std::min(quickest_ * std::ceil(static_cast<double>(effort_.min_samples) / rounds()),
                                  effort_.max_seconds / rounds())});
    }
    [[nodiscard]] unsigned rounds_left() const { return rounds() - std::min<unsigned>(rounds(), taken_); }

private:
    double take()
    {
        if (around_.stop.stop_requested())
            throw Interrupted();
        const double seconds = subject_->run();
        if (!has_run() && effort_.check)
            subject_->check();
        quickest_ = std::min(quickest_, seconds);
        ++runs_;
        return seconds;
    }

    [[nodiscard]] bool has_run() const { return quickest_ < std::numeric_limits<double>::max(); }

    // The number of runs per sample at which the samples of a slice of that length, at most max_samples_a_round, are
    // spread over all of it.
    [[nodiscard]] std::uint64_t runs_a_sample(double length) const
    {
        const double runs = length / std::max(quickest_, 1e-9);
        return static_cast<std::uint64_t>(
            std::max(1.0, std::ceil(runs / static_cast<double>(effort_.max_samples_a_round))));
    }

    // The rounds that its time allows, by the time of a run so far.
    [[nodiscard]] unsigned rounds() const
    {
        if (!has_run())
            return effort_.rounds;
        const double possible = effort_.max_seconds / std::max(quickest_, 1e-9);
        if (possible >= effort_.rounds)
            return effort_.rounds;
        const unsigned least = possible < 1 ? 1 : std::min(fewest_rounds, effort_.rounds);
        return std::max(least, static_cast<unsigned>(possible));
    }

    std::unique_ptr<Subject> subject_;
    const BenchEffort& effort_;
    const Surroundings& around_;
    double quickest_ = std::numeric_limits<double>::max();
    double used_ = 0;
    unsigned taken_ = 0;
    std::uint64_t runs_ = 0;
    CellCounts counts_{};
};

class Experiment {
public:
    Experiment(std::span<const Candidate> candidates, const BenchEffort& effort, const Surroundings& around,
               std::vector<Moment>* moments)
        : candidates_(candidates), effort_(effort), around_(around), moments_(moments), order_(effort.order_seed),
          outcomes_(candidates.size())
    {
    }

    std::vector<Outcome> operator()()
    {
        try {
            const auto [kept, alone] = divided();
            for (const std::size_t which : alone) {
                outcomes_[which].interleaved = candidates_.size() == 1;
                measure({which});
            }
            measure(kept);
        } catch (const Interrupted&) {
            if (std::ranges::all_of(outcomes_, [](const Outcome& one) { return one.rounds.empty(); }))
                throw;
            mark_interrupted();
        }
        return std::move(outcomes_);
    }

private:
    using Numbers = std::vector<std::size_t>;

    void mark_interrupted()
    {
        for (Outcome& outcome : outcomes_) {
            outcome.interrupted = true;
            if (outcome.rounds.empty() && !outcome.obstacle)
                outcome.obstacle = InvalidArgument("interrupted before its first round was measured");
        }
    }

    // The candidates that fit together, the smallest first, and the others.
    [[nodiscard]] std::pair<Numbers, Numbers> divided() const
    {
        Numbers all(candidates_.size());
        std::iota(all.begin(), all.end(), std::size_t{0});
        std::ranges::stable_sort(all, {}, [this](std::size_t i) { return candidates_[i].memory_bytes; });
        std::uint64_t together = 0;
        const auto too_large = std::ranges::find_if(all, [&](std::size_t i) {
            const std::uint64_t room = effort_.keep_bytes - together;
            together += std::min(room, candidates_[i].memory_bytes);
            return candidates_[i].memory_bytes > room;
        });
        return {Numbers(all.begin(), too_large), Numbers(too_large, all.end())};
    }

    // All rounds of these, which are interleaved.
    void measure(const Numbers& which)
    {
        std::vector<std::pair<std::size_t, std::unique_ptr<Cell>>> cells;
        for (const std::size_t one : which) {
            tell(nullptr);
            if (std::unique_ptr<Cell> cell = prepared_cell(one))
                cells.emplace_back(one, std::move(cell));
            ++stage_.prepared;
        }
        for (unsigned round = 0; round < effort_.rounds; ++round) {
            look();
            shuffle(cells);
            for (const auto& [number, cell] : cells) {
                if (!cell->takes_part(round))
                    continue;
                tell(&cells);
                Round slice = in_turn(*cell);
                slice.order = slices_++;
                outcomes_[number].rounds.push_back(std::move(slice));
                outcomes_[number].facts = cell->facts();
                outcomes_[number].counts = cell->counts();
            }
        }
        look();
    }

    Round in_turn(Cell& cell)
    {
        if (around_.turns == nullptr)
            return cell.slice();
        around_.turns->wait();
        Round slice = cell.slice();
        around_.turns->pass();
        return slice;
    }

    void look()
    {
        if (moments_ == nullptr || !around_.look)
            return;
        moments_->push_back(around_.look());
        moments_->back().order = slices_;
    }

    std::unique_ptr<Cell> prepared_cell(std::size_t number)
    {
        if (around_.stop.stop_requested())
            throw Interrupted();
        Outcome& outcome = outcomes_[number];
        try {
            auto cell = std::make_unique<Cell>(candidates_[number].prepare(), effort_, around_);
            cell->warm_up();
            return cell;
        } catch (const InvalidArgument& error) {
            outcome.obstacle = error;
        } catch (const std::bad_alloc&) {
            outcome.obstacle = InvalidArgument("out of memory");
        }
        return nullptr;
    }

    // The same order from the same seed with every library, which std::shuffle does not promise.
    template <class Cells>
    void shuffle(Cells& cells)
    {
        for (std::size_t left = cells.size(); left > 1; --left)
            std::swap(cells[left - 1], cells[order_() % left]);
    }

    template <class Cells>
    [[nodiscard]] double seconds_left(const Cells& cells) const
    {
        double seconds = 0;
        for (const auto& [number, cell] : cells)
            seconds += cell->rounds_left() * cell->expected_seconds();
        return seconds;
    }

    void tell(const std::vector<std::pair<std::size_t, std::unique_ptr<Cell>>>* cells)
    {
        stage_.cells = candidates_.size();
        stage_.seconds_left.reset();
        if (cells != nullptr && stage_.prepared == stage_.cells)
            stage_.seconds_left = seconds_left(*cells);
        around_.tell(stage_);
    }

    std::span<const Candidate> candidates_;
    const BenchEffort& effort_;
    const Surroundings& around_;
    std::vector<Moment>* moments_;
    std::mt19937_64 order_;
    std::vector<Outcome> outcomes_;
    std::size_t slices_ = 0;
    Stage stage_;
};

}  // namespace

std::vector<Outcome> experiment(std::span<const Candidate> candidates, const BenchEffort& effort,
                                const Surroundings& surroundings, std::vector<Moment>* moments)
{
    return Experiment(candidates, effort, surroundings, moments)();
}

}  // namespace dcube::measure
