#include "cli/text/comparison.hpp"

#include "base/numbers.hpp"
#include "cli/text/describe.hpp"
#include "cli/text/reports_table.hpp"
#include "cli/text/table.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <set>

namespace dcube::cli {

namespace {

// "+1.2 %", "-100 %", "+0.0012 %": two digits, and no powers of ten.
std::string percent_text(double percent)
{
    return std::abs(percent) < 10 ? fmt::format("{:+.2g} %", percent) : fmt::format("{:+.0f} %", percent);
}

// "equal", "+1.2 %": what was measured against what was predicted, which may be a limit.
std::string prediction_text(const Report& report)
{
    if (!report.predicted_time_ns)
        return "-";
    if (*report.predicted_time_ns == *report.virtual_time_ns)
        return "equal";
    const double predicted = report.predicted_time_ns->to_double();
    return percent_text(100 * (report.virtual_time_ns->to_double() - predicted) / predicted);
}

std::string betas_text(const Report& report)
{
    const std::string betas = in_beta_text(*report.virtual_time_ns, report.link);
    return betas.substr(0, betas.find(' '));
}

std::string algorithms_table(const std::vector<Contender>& contenders)
{
    const bool bound = contenders.front().report.link.bound();
    Table table{{{"algorithm", Column::Side::left}, {bound ? "virtual ns" : "steps"}}};
    if (bound)
        table.columns.insert(table.columns.end(), {{"in beta"}, {"predicted"}});
    table.columns.insert(table.columns.end(), {{"ratio"}, {bound ? "packets" : "transmissions"}, {"wall"}});
    for (const auto& [name, report, is_of_other_links] : contenders) {
        std::vector<std::string> row{name, reached_text(report)};
        if (bound)
            row.insert(row.end(), {betas_text(report), prediction_text(report)});
        row.insert(row.end(), {ratio_text(report), grouped(report.counts.transmissions), wall_cell(report)});
        table.add(std::move(row));
    }
    return in_text(table);
}

std::string bound_text(const Report& report)
{
    if (!report.link.bound())
        return wrapped(fmt::format("ratio to the lower bound, {}: {}", grouped(report.steps_lower_bound, "step"),
                                   report.steps_reason));
    return wrapped(
        fmt::format("ratio to the lower bound, {}: {}", time_text(*report.time_lower_bound_ns), report.time_reason));
}

std::string sizes_text(std::size_t from, std::size_t to)
{
    return from == to ? size_text(from) : fmt::format("{} to {}", size_text(from), size_text(to));
}

// Which algorithm is best where; there are several answers.
std::string best_text(const Comparison& comparison)
{
    std::vector<Report> winners;
    for (const Answer& answer : comparison.answers) {
        winners.push_back(answer.contenders.front().report);
        winners.back().algorithm = answer.contenders.front().name;
    }
    std::string text = reports_table(winners) + "\n";
    const std::vector<BestRange> ranges = comparison.best();
    const bool sizes_only = std::ranges::all_of(ranges, [&](const BestRange& range) {
        return range.topology == ranges.front().topology && range.packets == ranges.front().packets;
    });
    for (const BestRange& range : ranges)
        text += sizes_only ? fmt::format("{} is best at {}\n", range.algorithm, sizes_text(range.from, range.to))
                           : fmt::format("{} is best on {} with {} of {}\n", range.algorithm, range.topology,
                                         counted(range.packets, "packet"), sizes_text(range.from, range.to));
    return text;
}

// The line about threads, if all rows have fewer than were asked for.
std::string threads_line(const Report& report)
{
    if (report.threads_asked.value_or(report.threads) == report.threads)
        return "";
    return fmt::format("threads: {} of the {} that were asked for\n", report.threads, *report.threads_asked);
}

std::string one_answer_text(const Answer& answer)
{
    const auto& [topology, problem, machine] = answer.question;
    return wrapped(fmt::format("{}: {}", describe(topology, machine.ports), describe(problem, topology))) +
           recognised_line(topology) + wrapped(describe(machine.link, topology)) +
           threads_line(answer.contenders.front().report) + "\n" + algorithms_table(answer.contenders) + "\n" +
           bound_text(answer.contenders.front().report);
}

// Of several answers only the winners are shown.
bool shows_other_links(const Comparison& comparison)
{
    return std::ranges::any_of(comparison.answers, [&](const Answer& answer) {
        return comparison.questions == 1 ? std::ranges::any_of(answer.contenders, &Contender::is_of_other_links)
                                         : answer.contenders.front().is_of_other_links;
    });
}

}  // namespace

std::vector<BestRange> Comparison::best() const
{
    std::vector<BestRange> ranges;
    for (const Answer& answer : answers) {
        const BestRange here{answer.question.topology.name(), answer.question.problem.packets,
                             answer.question.problem.bytes, answer.question.problem.bytes,
                             answer.contenders.front().name};
        const bool goes_on = !ranges.empty() && ranges.back().algorithm == here.algorithm &&
                             ranges.back().topology == here.topology && ranges.back().packets == here.packets;
        if (goes_on)
            ranges.back().to = here.to;
        else
            ranges.push_back(here);
    }
    return ranges;
}

std::string comparison_text(const Comparison& comparison)
{
    std::string text = comparison.questions == 1 ? one_answer_text(comparison.answers.front()) : best_text(comparison);
    if (shows_other_links(comparison))
        text +=
            wrapped("unit:NAME is an algorithm that was made for links that take one step per packet, run on these");
    return text;
}

std::string left_out_text(const Comparison& comparison)
{
    std::map<std::string, std::size_t> questions;  // that an algorithm could not do
    for (const LeftOut& one : comparison.left_out)
        questions[one.algorithm] += one.questions;
    std::map<std::string, std::set<std::string>> algorithms;  // by reason
    for (const LeftOut& one : comparison.left_out)
        algorithms[one.reason].insert(
            questions[one.algorithm] == comparison.questions
                ? one.algorithm
                : fmt::format("{} on {} at {}", one.algorithm, one.topology, sizes_text(one.from, one.to)));
    std::string text;
    for (const auto& [reason, those] : algorithms)
        text += fmt::format("{}{}: {}", text.empty() ? "" : "; ", fmt::join(those, ", "), reason);
    return fmt::format("{} left out: {}", counted(questions.size(), "algorithm"), text);
}

}  // namespace dcube::cli
