// dcube compare: runs every algorithm that the catalogue has for a collective, and lays them side by side.

#include "cli/commands/commands.hpp"
#include "cli/files/interrupt.hpp"
#include "cli/text/comparison.hpp"
#include "cli/text/describe.hpp"
#include "cli/text/numbers.hpp"
#include "cli/text/records.hpp"

#include <dcube/run.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <new>
#include <utility>

namespace dcube::cli {

double Contender::ratio() const
{
    if (!report.link.bound())
        return report.steps_lower_bound == 0
                   ? 0
                   : static_cast<double>(report.counts.steps) / static_cast<double>(report.steps_lower_bound);
    const double bound = report.time_lower_bound_ns->to_double();
    return bound == 0 ? 0 : report.virtual_time_ns->to_double() / bound;
}

namespace {

// What --algorithm calls it: one of the unit model is told apart on a link-bound machine.
std::string full_name(const Algorithm& algorithm, const LinkModel& link)
{
    const bool foreign = link.bound() && algorithm.link == LinkKind::unit;
    return fmt::format("{}{}", foreign ? "unit:" : "", algorithm.name);
}

bool better(const Contender& a, const Contender& b)
{
    const Counts& left = a.report.counts;
    const Counts& right = b.report.counts;
    if (a.report.link.bound())
        return *a.report.virtual_time_ns < *b.report.virtual_time_ns;
    return std::pair(left.steps, left.transmissions) < std::pair(right.steps, right.transmissions);
}

void leave_out(Comparison& comparison, const std::string& algorithm, std::size_t bytes, const std::string& reason)
{
    const auto known = std::ranges::find(comparison.left_out, algorithm, &LeftOut::algorithm);
    if (known != comparison.left_out.end())
        known->to = bytes;
    else
        comparison.left_out.push_back({algorithm, bytes, bytes, reason});
}

SizeResult compare_at(std::size_t bytes, const CompareCommand& command, const Interrupt& interrupt,
                      Comparison& comparison)
{
    SizeResult result{bytes, {}};
    Problem problem = command.problem;
    problem.bytes = bytes;
    CallOptions call;
    call.run.stop = interrupt.token();
    Trial trial;
    trial.seed = command.seed;
    trial.measure_memcpy = false;
    Machine machine(command.topology, command.machine);
    for (const Algorithm& algorithm : catalogue()) {
        if (algorithm.collective != problem.collective || !contains(algorithm.networks, command.topology))
            continue;
        call.algorithm = full_name(algorithm, command.machine.link);
        try {
            result.contenders.push_back({call.algorithm, run_verified(machine, problem, trial, call)});
        } catch (const InvalidArgument& error) {
            leave_out(comparison, call.algorithm, bytes, error.what());
        } catch (const std::bad_alloc&) {
            leave_out(comparison, call.algorithm, bytes, "out of memory");
        }
    }
    std::ranges::stable_sort(result.contenders, better);
    return result;
}

// Says why there is nothing to compare, as dcube run would.
[[noreturn]] void refuse(const Comparison& comparison, const CompareCommand& command)
{
    Problem problem = command.problem;
    problem.bytes = command.sizes.front();
    find_algorithm(command.topology, command.machine.ports, problem);
    throw InvalidArgument(fmt::format("no algorithm can do this: {}", comparison.left_out.front().reason));
}

Comparison compare_all(const CompareCommand& command, const Interrupt& interrupt)
{
    Comparison comparison;
    for (const std::size_t bytes : command.sizes) {
        SizeResult result = compare_at(bytes, command, interrupt, comparison);
        if (!result.contenders.empty())
            comparison.sizes.push_back(std::move(result));
    }
    if (comparison.sizes.empty())
        refuse(comparison, command);
    return comparison;
}

void note_best(Comparison& comparison)
{
    for (const SizeResult& result : comparison.sizes) {
        const std::string& winner = result.contenders.front().name;
        if (comparison.best.empty() || comparison.best.back().algorithm != winner)
            comparison.best.push_back({result.bytes, result.bytes, winner});
        comparison.best.back().to = result.bytes;
    }
}

// "equal", "+1.2 %": what was measured against the closed form.
std::string prediction_text(const Report& report)
{
    if (!report.predicted_time_ns)
        return "-";
    if (*report.predicted_time_ns == *report.virtual_time_ns)
        return "equal";
    const double predicted = report.predicted_time_ns->to_double();
    return fmt::format("{:+.2g} %", 100 * (report.virtual_time_ns->to_double() - predicted) / predicted);
}

std::string ratio_text(const Contender& contender)
{
    const double ratio = contender.ratio();
    return ratio == 0 ? "-" : fmt::format("{:.3f}", ratio);
}

std::string time_cell(const Rational& ns)
{
    return ns.denominator == 1 ? grouped(static_cast<std::uint64_t>(ns.numerator))
                               : fmt::format("{:.1f}", ns.to_double());
}

std::string link_bound_table(const SizeResult& result, const LinkModel& link)
{
    std::string text = fmt::format("{:<24}{:>14}{:>9}{:>10}{:>7}{:>8}{:>8}\n", "algorithm", "virtual ns", "in beta",
                                   "predicted", "ratio", "packets", "wall");
    for (const Contender& contender : result.contenders) {
        const Report& report = contender.report;
        std::string betas = in_beta_text(*report.virtual_time_ns, link);
        betas = betas.substr(0, betas.find(' '));
        text += fmt::format("{:<24}{:>14}{:>9}{:>10}{:>7}{:>8}{:>8}\n", contender.name,
                            time_cell(*report.virtual_time_ns), betas, prediction_text(report), ratio_text(contender),
                            report.counts.transmissions, duration_text(report.counts.wall_seconds));
    }
    return text;
}

std::string unit_table(const SizeResult& result)
{
    std::string text =
        fmt::format("{:<24}{:>12}{:>10}{:>18}{:>12}\n", "algorithm", "steps", "ratio", "transmissions", "wall");
    for (const Contender& contender : result.contenders)
        text += fmt::format("{:<24}{:>12}{:>10}{:>18}{:>12}\n", contender.name, grouped(contender.report.counts.steps),
                            ratio_text(contender), grouped(contender.report.counts.transmissions),
                            duration_text(contender.report.counts.wall_seconds));
    return text;
}

std::string bound_text(const Report& report)
{
    if (!report.link.bound())
        return wrapped(fmt::format("ratio to the lower bound, {} steps: {}", grouped(report.steps_lower_bound),
                                   report.steps_reason));
    return wrapped(
        fmt::format("ratio to the lower bound, {}: {}", time_text(*report.time_lower_bound_ns), report.time_reason));
}

std::string sizes_text(std::size_t from, std::size_t to)
{
    return from == to ? size_text(from) : fmt::format("{} to {}", size_text(from), size_text(to));
}

// The sizes are told only where the algorithm could do others.
std::string left_out_text(const LeftOut& one, const std::vector<std::size_t>& sizes)
{
    const bool everywhere = one.from == sizes.front() && one.to == sizes.back();
    return fmt::format("{} left out{}: {}", one.algorithm,
                       everywhere ? "" : fmt::format(" at {}", sizes_text(one.from, one.to)), one.reason);
}

std::string sizes_table(const Comparison& comparison, const LinkModel& link)
{
    const std::string_view measured = link.bound() ? "virtual ns" : "steps";
    std::string text = fmt::format("{:<12}{:<26}{:>16}{:>9}\n", "size", "best", measured, "ratio");
    for (const SizeResult& result : comparison.sizes) {
        const Contender& best = result.contenders.front();
        const std::string time =
            link.bound() ? time_cell(*best.report.virtual_time_ns) : grouped(best.report.counts.steps);
        text += fmt::format("{:<12}{:<26}{:>16}{:>9}\n", size_text(result.bytes), best.name, time, ratio_text(best));
    }
    text += "\n";
    for (const BestRange& range : comparison.best)
        text += fmt::format("{:<26}is best at {}\n", range.algorithm, sizes_text(range.from, range.to));
    return text;
}

std::string comparison_text(const Comparison& comparison, const CompareCommand& command)
{
    Problem problem = command.problem;
    problem.bytes = command.sizes.front();
    const bool several = command.sizes.size() > 1;
    std::string text = wrapped(
        fmt::format("{}: {}{}", describe(command.topology, command.machine.ports), describe(problem, command.topology),
                    several ? fmt::format("; then larger ones, up to {}", size_text(command.sizes.back())) : ""));
    text += wrapped(describe(command.machine.link)) + "\n";
    if (several)
        return text + sizes_table(comparison, command.machine.link);
    const SizeResult& only = comparison.sizes.front();
    text += command.machine.link.bound() ? link_bound_table(only, command.machine.link) : unit_table(only);
    return text + "\n" + bound_text(only.contenders.front().report);
}

}  // namespace

int execute(const CompareCommand& command)
{
    const Interrupt interrupt;
    Comparison comparison = compare_all(command, interrupt);
    note_best(comparison);
    if (command.format == Format::text) {
        print(comparison_text(comparison, command));
        for (const LeftOut& one : comparison.left_out)
            complain(left_out_text(one, command.sizes));
    } else {
        print(comparison_record(comparison, command));
    }
    return 0;
}

}  // namespace dcube::cli
