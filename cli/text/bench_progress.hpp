#pragma once
// A line for people who wait for a benchmark: how far it is, and how long it will take.

#include "base/planning.hpp"
#include "inspect/measure/experiment.hpp"

#include <functional>
#include <string>

namespace dcube::cli {

/// A line of progress on standard error, if that is a terminal that can erase a line; it is erased at the end. It is
/// drawn between measurements, never during one, and at most a few times per second.
class BenchProgress {
public:
    /// The line begins with that, unless it is not wanted.
    explicit BenchProgress(std::string before = "", bool wanted = true);
    ~BenchProgress();
    BenchProgress(const BenchProgress&) = delete;
    BenchProgress& operator=(const BenchProgress&) = delete;

    void show(const measure::Stage& stage);
    void show(const detail::PlanningStage& stage);

private:
    void draw(const std::function<std::string()>& text);

    std::string before_;
    bool seen_;
    double shown_at_ = 0;
    std::string measured_{};  // the latest stage of measuring
};

/// "preparing cell 3 of 42", "measuring 42 cells: 12.3 s left".
std::string stage_text(const measure::Stage& stage);

}  // namespace dcube::cli
