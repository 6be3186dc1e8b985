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

Algorithm idle_on_nothing(Algorithm algorithm)
{
    answer(algorithm.obstacle, {});
    answer(algorithm.time, std::optional(Rational{}));
    answer(algorithm.run_time, std::optional(Rational{}));
    answer(algorithm.time_limit, std::optional(Rational{}));
    answer(algorithm.time_floor, Rational{});
    answer(algorithm.cost, Cost{0, 0});
    answer(algorithm.case_formula, std::optional<CaseFormula>());
    answer(algorithm.planning_work, std::uint64_t{0});
    answer(algorithm.storage, std::uint64_t{0});
    answer(algorithm.in_transit, std::optional(std::uint64_t{0}));
    answer(algorithm.phases, {});
    return algorithm;
}

}  // namespace dcube::detail
