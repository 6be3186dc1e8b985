#include "explain/costs.hpp"

#include "explain/arithmetic.hpp"
#include "explain/chosen.hpp"
#include "explain/texts/texts.hpp"

#include <dcube/layout.hpp>
#include <dcube/matrix.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <utility>

namespace dcube::explain {

namespace {

using detail::Exact;

// The sum of 1/C(n, k) over all k.
Exact sum_of_reciprocals(unsigned n)
{
    Exact sum = 0;
    Exact choose = 1;
    for (unsigned k = 0; k <= n; ++k) {
        sum += 1 / choose;
        choose = choose * (n - k) / (k + 1);
    }
    return sum;
}

// How far the one message, or every message, has to go.
unsigned distance_of(const Case& one)
{
    const Problem& problem = one.problem;
    if (has_peer(problem.collective))
        return one.topology.distance(problem.root, problem.peer);
    if (has_permutation(problem.collective))
        return one.topology.distance(0, problem.permutation[0]);
    if (problem.collective == Collective::matrix_half_turn)
        return one.topology.distance(0, MatrixMove(problem, one.topology).target({0, 0}).node);
    return 0;
}

// g, X and q, as the problem fixes them, or those with which the formula comes nearest to the program's time.
void choose(std::string_view letter, std::uint64_t least, std::uint64_t most, std::optional<std::uint64_t> fixed,
            const Formula& formula, const Exact& time, Variables& variables)
{
    std::uint64_t best = fixed.value_or(least);
    std::optional<Exact> nearest;
    for (std::uint64_t value = best; !fixed && value <= most && nearest != Exact(0); ++value) {
        variables[std::string(letter)] = Exact(value);
        const Exact off = formula.value(variables) - time;
        const Exact distance = off < 0 ? Exact(-off) : off;
        if (!nearest || distance < *nearest) {
            nearest = distance;
            best = value;
        }
    }
    variables[std::string(letter)] = Exact(best);
}

bool names(const Formula& formula, std::string_view letter)
{
    return std::ranges::count(formula.names(), letter) > 0;
}

// `variables` has all letters but those that an algorithm chooses itself.
Variables with_choices(Variables variables, const Formula& formula, const Case& one, const Exact& time)
{
    constexpr std::uint64_t most_groups = 2000;
    const Tuning& tuning = one.problem.tuning;
    for (const std::string_view packets : {"g", "X"})
        if (names(formula, packets))
            choose(packets, 1, most_groups,
                   tuning.groups == 0 ? std::nullopt : std::optional<std::uint64_t>(tuning.groups), formula, time,
                   variables);
    if (names(formula, "q"))
        choose("q", 0, one.topology.dimension(), tuning.halvings, formula, time, variables);
    return variables;
}

std::string search_words(const Formula& formula, const Tuning& tuning)
{
    if (names(formula, "g") && tuning.groups == 0)
        return "Here g is searched: the number of groups, from 1 on, that takes least time";
    if (names(formula, "q") && !tuning.halvings)
        return "Here q is searched: the number of halvings, from 0 to d, that takes least time";
    return {};
}

// What is known of an algorithm's formulas in a case: one for each of its costs.
struct Known {
    std::string what;
    std::string formula;
    Variables variables;
    std::string said;
    std::string remark;
    Exact result;
    std::vector<PartOfFormula> parts{};
};

std::vector<Known> all_known(const Algorithm& algorithm, const Case& one)
{
    const AlgorithmText& text = text_of(algorithm);
    const Variables plain = variables_of(one);
    std::optional<ChosenFormula> chosen;
    if (one.topology.nodes() > 1)  // one node has nothing to send
        chosen = chosen_formula(algorithm, one);
    constexpr std::string_view uneven = "as it does not divide evenly";
    const auto known = [&](std::string what, std::string_view formula, const Exact& result) {
        Known all{std::move(what), std::string(formula), plain, std::string(text.said), std::string(uneven), result};
        if (chosen) {
            all.formula = chosen->formula;
            for (const auto& [letter, value] : chosen->variables)
                all.variables[letter] = value;
            all.parts = chosen->parts;
            all.remark = chosen->remark.empty() ? all.remark : chosen->remark;
        }
        if (one.topology.nodes() == 1)
            all.formula.clear();
        return all;
    };
    if (algorithm.link == LinkKind::link_bound) {
        const std::optional<Rational> time = algorithm.time(one.topology, one.problem);
        if (!time)
            return {};
        Known all = known("ns", text.time, detail::exact(*time));
        if (all.said.empty() && !all.formula.empty())
            all.said = search_words(Formula(all.formula), one.problem.tuning);
        return {std::move(all)};
    }
    const Cost cost = algorithm.cost(one.topology, one.problem);
    Known steps = known("steps", text.steps, cost.steps);
    return {std::move(steps),
            {"transmissions", one.topology.nodes() == 1 ? std::string() : std::string(text.transmissions), plain,
             text.transmissions.empty() ? "one for every hop of every packet" : "", std::string(uneven),
             cost.transmissions}};
}

WorkedOut worked_out(const Known& known, const Case& one)
{
    WorkedOut out{.what = known.what, .lines = {}, .said = known.said, .result = text_of(known.result), .remark = {}};
    if (known.formula.empty())
        return out;
    const Formula formula(known.formula);
    const Variables variables = with_choices(known.variables, formula, one, known.result);
    out.lines = formula.lines(variables);
    if (formula.value(variables) != known.result)
        out.remark = fmt::format("{}: {}", known.remark, out.result);
    return out;
}

}  // namespace

Variables variables_of(const Case& one)
{
    const Problem& problem = one.problem;
    const bool timed = problem.link.bound();
    const Exact nodes = one.topology.members();
    Variables variables{{"d", one.topology.dimension()}, {"N", nodes}, {"c", one.topology.dimension() / 2}};
    variables["m"] = timed ? Exact(Layout(problem, one.topology).message) : Exact(problem.packets);
    variables["p"] = variables["m"] / nodes;
    variables["e"] = is_reduction(problem.collective) ? Exact(element_size(problem)) : Exact(1);
    variables["tau"] = detail::exact(problem.link.tau);
    variables["beta"] = detail::exact(problem.link.beta);
    if (const unsigned h = distance_of(one); h > 0) {
        variables["h"] = h;
        variables["K"] = sum_of_reciprocals(h - 1);
    }
    return variables;
}

namespace {

// What a letter of a formula stands for, line by line.
WorkedOut worked_out(const PartOfFormula& part)
{
    WorkedOut out = worked_out(*part.algorithm, part.one).front();
    out.what = part.letter;
    out.said = fmt::format("{} is the time of `{}` for {} bytes, with {}", part.letter, part.algorithm->name,
                           grouped(part.one.problem.bytes), given_text(*part.algorithm, part.one));
    return out;
}

}  // namespace

std::vector<WorkedOut> worked_out(const Algorithm& algorithm, const Case& one)
{
    std::vector<WorkedOut> all;
    for (const Known& known : all_known(algorithm, one)) {
        all.push_back(worked_out(known, one));
        for (const PartOfFormula& part : known.parts)
            all.push_back(worked_out(part));
    }
    return all;
}

std::string given_text(const Algorithm& algorithm, const Case& one)
{
    std::map<std::string, Exact> named;
    for (const Known& known : all_known(algorithm, one)) {
        if (known.formula.empty())
            continue;
        const Formula formula(known.formula);
        const Variables variables = with_choices(known.variables, formula, one, known.result);
        for (const std::string& name : formula.names())
            named[name] = variables.at(name);
    }
    std::string given;
    for (const auto& [name, value] : named)
        given += fmt::format("{}{} = {}", given.empty() ? "" : ", ", name, text_of(value));
    return given;
}

}  // namespace dcube::explain
