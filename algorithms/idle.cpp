#include "algorithms/idle.hpp"

#include <dcube/problem.hpp>

#include <functional>
#include <optional>
#include <utility>

namespace dcube::detail {

namespace {

template <class Result>
void answer(std::function<Result(const Topology&, const Problem&)>& question, Result if_idle)
{
    if (question)
        question = [asked = std::move(question), if_idle](const Topology& topology, const Problem& problem) {
            return moves_nothing(problem) ? if_idle : asked(topology, problem);
        };
}

}  // namespace

Entry idle_on_nothing(Entry entry)
{
    answer(entry.obstacle, {});
    answer(entry.time, std::optional(Rational{}));
    answer(entry.run_time, std::optional(Rational{}));
    answer(entry.time_limit, std::optional(Rational{}));
    answer(entry.time_floor, Rational{});
    answer(entry.cost, Cost{0, 0});
    answer(entry.case_formula, std::optional<CaseFormula>());
    answer(entry.planning_work, std::uint64_t{0});
    answer(entry.storage, std::uint64_t{0});
    answer(entry.in_transit, std::optional(std::uint64_t{0}));
    answer(entry.phases, {});
    return entry;
}

}  // namespace dcube::detail
