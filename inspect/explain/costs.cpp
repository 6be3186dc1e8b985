#include "inspect/explain/costs.hpp"

#include "algorithms/formulas.hpp"
#include "inspect/explain/arithmetic.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <stdexcept>
#include <utility>

namespace dcube::explain {

namespace {

using detail::Exact;
using detail::Formula;
using detail::Letters;

// Sets g, X or q as the problem fixes it, or so that the formula comes nearest to the program's time.
void choose(std::string_view letter, std::uint64_t least, std::uint64_t most, std::optional<std::uint64_t> fixed,
            const Formula& formula, const Exact& time, Letters& letters)
{
    std::uint64_t best = fixed.value_or(least);
    std::optional<Exact> nearest;
    for (std::uint64_t value = best; !fixed && value <= most && nearest != Exact(0); ++value) {
        letters[std::string(letter)] = Exact(value);
        const Exact off = formula.value(letters) - time;
        const Exact distance = off < 0 ? Exact(-off) : off;
        if (!nearest || distance < *nearest) {
            nearest = distance;
            best = value;
        }
    }
    letters[std::string(letter)] = Exact(best);
}

bool names(const Formula& formula, std::string_view letter)
{
    return std::ranges::count(formula.names(), letter) > 0;
}

// Adds the letters that an algorithm chooses itself; `letters` has all others.
Letters with_choices(Letters letters, const Formula& formula, const Case& one, const Exact& time)
{
    constexpr std::uint64_t most_groups = 2000;
    const Tuning& tuning = one.problem.tuning;
    for (const std::string_view packets : {"g", "X"})
        if (names(formula, packets))
            choose(packets, 1, most_groups,
                   tuning.groups == 0 ? std::nullopt : std::optional<std::uint64_t>(tuning.groups), formula, time,
                   letters);
    if (names(formula, "q"))
        choose("q", 0, numerator(letters.at("d")).convert_to<std::uint64_t>(), tuning.halvings, formula, time, letters);
    return letters;
}

std::string search_words(const Formula& formula, const Tuning& tuning)
{
    if (names(formula, "g") && tuning.groups == 0)
        return "Here g is searched: the number of groups, from 1 on, that takes the least time";
    if (names(formula, "q") && !tuning.halvings)
        return "Here q is searched: the number of halvings, from 0 to d, that takes the least time";
    return {};
}

// A time within a formula: another entry's, in a case of its own.
struct Part {
    std::string letter;
    const Entry* algorithm;
    Case one;
};

const Entry& link_bound_entry(Collective collective, std::string_view name)
{
    for (const Entry& algorithm : catalogue())
        if (algorithm.collective == collective && algorithm.name == name && algorithm.link == LinkKind::link_bound)
            return algorithm;
    throw std::logic_error("no entry " + std::string(name));
}

Part part_of(const CaseFormula::Part& named, const Case& one)
{
    Part part{named.letter, &link_bound_entry(named.collective, named.algorithm), one};
    part.one.problem.collective = named.collective;
    part.one.problem.packets = 1;
    part.one.problem.bytes = named.bytes;
    part.one.problem.tuning = {.groups = named.groups};
    return part;
}

// A formula of an algorithm in a case; each of its costs has one.
struct Known {
    std::string what;
    std::string formula;
    Letters letters;
    std::string said;
    std::string remark;
    Exact result;
    std::vector<Part> parts{};
};

// Chooses the formula with the letters and parts that are the case's own.
void choose_case_formula(Known& known, const CaseFormula& formula, const Case& one)
{
    known.formula = formula.text;
    for (const auto& [letter, value] : formula.letters)
        known.letters[letter] = value;
    for (const CaseFormula::Part& named : formula.parts) {
        known.letters[named.letter] = 0;
        if (named.bytes == 0)
            continue;
        Part part = part_of(named, one);
        known.letters[named.letter] = detail::exact(part.algorithm->time(part.one.topology, part.one.problem).value());
        known.parts.push_back(std::move(part));
    }
    if (!formula.remark.empty())
        known.remark = formula.remark;
}

std::vector<Known> all_known(const Entry& algorithm, const Case& one)
{
    const CostFormula& of = algorithm.formula;
    // Formulas do not cover a single node or messages of 0 bytes, where nothing is sent.
    const bool apart = one.topology.nodes() > 1 && !moves_nothing(one.problem);
    const Letters letters = detail::letters_of(algorithm.link, one.topology, one.problem);
    const auto known = [&](std::string what, std::string_view formula, std::string_view said, const Exact& result) {
        return Known{.what = std::move(what),
                     .formula = apart ? std::string(formula) : std::string(),
                     .letters = letters,
                     .said = std::string(said),
                     .remark = "as it does not divide evenly",
                     .result = result};
    };
    std::vector<Known> all;
    if (algorithm.link == LinkKind::link_bound) {
        const std::optional<Rational> time = algorithm.time(one.topology, one.problem);
        if (!time)
            return {};
        all.push_back(known("ns", of.time, of.words, detail::exact(*time)));
    } else {
        const Cost cost = algorithm.cost(one.topology, one.problem);
        all.push_back(known("steps", of.steps, of.words, cost.steps));
        all.push_back(known("transmissions", of.transmissions,
                            of.transmissions.empty() ? "one for every hop of every packet" : "", cost.transmissions));
    }
    Known& main = all.front();
    if (const auto formula = apart ? algorithm.case_formula(one.topology, one.problem) : std::nullopt)
        choose_case_formula(main, *formula, one);
    if (algorithm.link == LinkKind::link_bound && main.said.empty() && !main.formula.empty())
        main.said = search_words(Formula(main.formula), one.problem.tuning);
    return all;
}

WorkedOut worked_out(const Known& known, const Case& one)
{
    WorkedOut out{.what = known.what, .lines = {}, .said = known.said, .result = text_of(known.result), .remark = {}};
    if (known.formula.empty())
        return out;
    const Formula formula(known.formula);
    const Letters letters = with_choices(known.letters, formula, one, known.result);
    out.lines = lines_of(formula, letters);
    if (formula.value(letters) != known.result)
        out.remark = fmt::format("{}: {}", known.remark, out.result);
    return out;
}

// A letter of a formula, worked out line by line.
WorkedOut worked_out(const Part& part)
{
    WorkedOut out = worked_out(*part.algorithm, part.one).front();
    out.what = part.letter;
    out.said = fmt::format("{} is the time of `{}` for {} bytes, with {}", part.letter, part.algorithm->name,
                           grouped(part.one.problem.bytes), given_text(*part.algorithm, part.one));
    return out;
}

}  // namespace

std::vector<WorkedOut> worked_out(const Entry& algorithm, const Case& one)
{
    std::vector<WorkedOut> all;
    for (const Known& known : all_known(algorithm, one)) {
        all.push_back(worked_out(known, one));
        for (const Part& part : known.parts)
            all.push_back(worked_out(part));
    }
    return all;
}

std::string given_text(const Entry& algorithm, const Case& one)
{
    std::map<std::string, Exact> named;
    for (const Known& known : all_known(algorithm, one)) {
        if (known.formula.empty())
            continue;
        const Formula formula(known.formula);
        const Letters letters = with_choices(known.letters, formula, one, known.result);
        for (const std::string& name : formula.names())
            named[name] = letters.at(name);
    }
    std::string given;
    for (const auto& [name, value] : named)
        given += fmt::format("{}{} = {}", given.empty() ? "" : ", ", name, text_of(value));
    return given;
}

}  // namespace dcube::explain
