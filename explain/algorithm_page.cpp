#include "base/numbers.hpp"
#include "explain/arithmetic.hpp"
#include "explain/costs.hpp"
#include "explain/pages.hpp"
#include "explain/small_case.hpp"

#include <dcube/error.hpp>

#include <fmt/format.h>

#include <utility>

namespace dcube::explain {

namespace {

std::string title(const Algorithm& algorithm)
{
    std::string aliases;
    for (const std::string_view alias : algorithm.aliases)
        aliases += fmt::format("{}{}", aliases.empty() ? "" : ", ", alias);
    return fmt::format("{} by {}{}", name(algorithm.collective), algorithm.name,
                       aliases.empty() ? "" : " (" + aliases + ")");
}

std::string whose(const Algorithm& algorithm)
{
    switch (algorithm.origin) {
    case Origin::paper: return fmt::format("The paper's, as it stands there: {}.", algorithm.paper);
    case Origin::refinement:
        return fmt::format("A refinement, dcube's own, of what stands in the paper: {}.", algorithm.paper);
    case Origin::dcube:
        if (algorithm.paper.starts_with("well known"))
            return fmt::format("dcube's own form of what is {}.", algorithm.paper);
        if (algorithm.paper.starts_with("beyond"))
            return fmt::format("dcube's own, {}.", algorithm.paper);
        return fmt::format("dcube's own. What it starts from: {}.", algorithm.paper);
    case Origin::own: break;
    }
    return "The caller's own.";
}

// Of the caller's algorithms nobody knows more than they say of themselves.
std::string idea_text(const Algorithm& algorithm)
{
    if (algorithm.origin != Origin::own)
        return std::string(text_of(algorithm).idea);
    const std::string_view said = algorithm.summary.empty() ? algorithm.paper : algorithm.summary;
    return fmt::format("The caller's own{}{}.", said.empty() ? "" : ": ", said);
}

Section idea(const Algorithm& algorithm)
{
    return {
        "The idea",
        {paragraph(idea_text(algorithm)),
         paragraph(fmt::format(
             "For {}, {}, {}.", name(algorithm.networks), algorithm.ports == PortModel::all ? "all ports" : "one port",
             algorithm.link == LinkKind::unit ? "steps of the unit model" : "links that take time"))}};
}

std::vector<std::string> equations(const WorkedOut& worked)
{
    std::vector<std::string> lines;
    for (const std::string& line : worked.lines)
        lines.push_back(lines.empty() ? worked.what + " = " + line
                                      : std::string(worked.what.size(), ' ') + " = " + line);
    if (!worked.remark.empty())
        lines.push_back(std::string(worked.what.size(), ' ') + "   " + worked.remark);
    return lines;
}

Section formula(const Algorithm& algorithm, const Case& one)
{
    Section section{"The formula, with the numbers", {}};
    const std::string given = given_text(algorithm, one);
    section.blocks.push_back(paragraph(description(one) + (given.empty() ? "." : ", with")));
    if (!given.empty())
        section.blocks.push_back(paragraph(given + "."));
    if (const auto cut = chosen_cut(algorithm, one.topology, one.problem))
        section.blocks.push_back(
            paragraph(fmt::format("Here every message goes as {}: of the numbers of packets that were tried, with that "
                                  "it takes least time.",
                                  packets_of(one.problem.bytes, cut->bytes))));
    for (const WorkedOut& worked : worked_out(algorithm, one)) {
        if (!worked.said.empty())
            section.blocks.push_back(
                paragraph(worked.lines.empty() ? fmt::format("{}: {}.", worked.what, worked.said) : worked.said + "."));
        section.blocks.push_back(
            lines_block(worked.lines.empty() ? std::vector{worked.what + " = " + worked.result} : equations(worked)));
    }
    return section;
}

Section steps_of(const Algorithm& algorithm, const Case& one, std::string heading)
{
    SmallCase small = run_small(algorithm, one);
    Section section{std::move(heading), {paragraph(description(one) + ". " + small.legend + ":")}};
    if (small.rows.empty())
        section.blocks.push_back(paragraph("Nothing has to move."));
    else
        section.blocks.push_back(rows_block(std::move(small.rows)));
    if (!small.cut_off.empty())
        section.blocks.push_back(paragraph(small.cut_off));
    const Counts& counts = small.report.counts;
    std::string result =
        fmt::format("{}, {} transmissions", grouped(counts.steps, "step"), grouped(counts.transmissions));
    if (small.report.virtual_time_ns)
        result += fmt::format(", {} ns", text_of(detail::exact(*small.report.virtual_time_ns)));
    section.blocks.push_back(paragraph(result + ", every byte verified."));
    return section;
}

// "It takes 8 steps, the fewest there can be."
std::string against_the_bound(const Algorithm& algorithm, const Case& one, const Proof& proof)
{
    const detail::Exact bound = detail::exact(proof.value);
    const bool timed = one.problem.link.bound();
    detail::Exact takes;
    bool at_most = false;
    if (!timed) {
        takes = algorithm.cost(one.topology, one.problem).steps;
    } else if (const auto time = predicted_time(algorithm, one.topology, one.problem)) {
        takes = detail::exact(time->ns);
        at_most = !time->exact;
    } else {
        return "Its time on these links is known only after a run.";
    }
    const std::string amount = timed ? text_of(takes) + " ns" : text_of(takes) + (takes == 1 ? " step" : " steps");
    if (takes == bound)
        return fmt::format("It takes {}: {} there can be.", amount, timed ? "the least time" : "the fewest");
    return fmt::format("It takes {}{}; the lower bound is {}{}.", at_most ? "at most " : "", amount, text_of(bound),
                       timed ? " ns" : "");
}

Section why(const Algorithm& algorithm, const Case& one)
{
    const Proof proof = proof_of(one);
    return {proof.title,
            {paragraph(fmt::format("The bound that binds is {}: {}.", proof.name, proof.reason)), proof_block(proof),
             paragraph(against_the_bound(algorithm, one, proof))}};
}

Section try_next(const Algorithm& algorithm, const Case& one)
{
    const Case small = example_case(algorithm, Size::small);
    std::string compare = run_arguments(one, nullptr);
    return {"To try next",
            {lines_block({"dcube run " + run_arguments(small, &algorithm), "dcube compare " + compare,
                          fmt::format("dcube explain {}", name(algorithm.collective)),
                          fmt::format("dcube explain {}", proof_of(one).name)})}};
}

}  // namespace

Proof proof_of(const Case& one)
{
    return one.problem.link.bound() ? time_proof(one.topology, one.problem)
                                    : steps_proof(one.topology, one.ports, one.problem);
}

Page run_page(const Algorithm& algorithm, const Case& one)
{
    if (algorithm.origin == Origin::own)
        return algorithm_page(algorithm, one);
    return {title(algorithm), {idea(algorithm), formula(algorithm, one), why(algorithm, one)}};
}

Page algorithm_page(const Algorithm& algorithm, const Case& one)
{
    if (algorithm.origin == Origin::own)
        return {title(algorithm), {idea(algorithm), steps_of(algorithm, one, "The steps"), why(algorithm, one)}};
    return {title(algorithm),
            {idea(algorithm),
             formula(algorithm, one),
             steps_of(algorithm, example_case(algorithm, Size::small), "The steps of a small case"),
             why(algorithm, one),
             {"What the paper says, and what is ours",
              {paragraph(fmt::format("{} {}", whose(algorithm), paper_text_of(algorithm).says))}},
             try_next(algorithm, one)}};
}

}  // namespace dcube::explain
