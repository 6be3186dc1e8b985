// dcube compare: runs every algorithm that the catalogue has for a collective, and lays them side by side.

#include "run/compare.hpp"
#include "cli/output.hpp"
#include "cli/plan_options.hpp"
#include "cli/ranks.hpp"
#include "cli/run_sweep.hpp"
#include "cli/text/comparison.hpp"
#include "cli/text/records.hpp"
#include "run/report.hpp"

#include <dcube/catalogue.hpp>
#include <dcube/run.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace dcube::cli {

namespace {

// The names of the algorithms to compare; none: all.
using Names = std::vector<std::string>;

std::vector<Candidate> candidates(const Question& question, const Names& names)
{
    return dcube::candidates(question.topology, question.machine.ports, question.problem, names);
}

void leave_out(Comparison& comparison, const std::string& algorithm, const Question& question,
               const std::string& reason)
{
    const std::size_t bytes = question.problem.bytes;
    const std::string topology = question.topology.name();
    const auto known = std::ranges::find_if(comparison.left_out, [&](const LeftOut& one) {
        return one.algorithm == algorithm && one.topology == topology;
    });
    if (known == comparison.left_out.end()) {
        comparison.left_out.push_back({algorithm, topology, bytes, bytes, reason});
        return;
    }
    known->to = bytes;
    ++known->questions;
}

// Shows users who wait which of all runs is being made.
class Turns {
public:
    Turns(const std::vector<Question>& questions, const Names& names, PlanningWatch& watch) : watch_(watch)
    {
        for (const Question& question : questions)
            all_ += candidates(question, names).size();
    }

    void next(const std::string& what)
    {
        ++number_;
        if (Progress* const progress = watch_.progress())
            progress->begin_task(number_, all_, what);
    }

    [[nodiscard]] Progress* progress() { return watch_.progress(); }

private:
    PlanningWatch& watch_;
    std::size_t all_ = 0;
    std::size_t number_ = 0;
};

Answer compare_on(const Question& question, const Names& names, std::uint64_t seed, const Interrupt& interrupt,
                  Comparison& comparison, Turns& turns)
{
    Answer answer{question, {}};
    RunOptions run;
    run.stop = interrupt.token();
    std::function<void(std::uint64_t)> expect;
    if (Progress* const progress = turns.progress()) {
        run.on_step = [progress](Step) { progress->step(); };
        expect = [progress](std::uint64_t steps) { progress->expect(steps); };
    }
    VerifiedRunOptions how;
    how.seed = seed;
    how.warm_seconds = usual_warm_seconds;  // all rows alike
    Machine machine(question.topology, question.machine);
    for (const Candidate& candidate : candidates(question, names)) {
        turns.next(fmt::format("{} on {}", candidate.name, question.topology.name()));
        Tried tried = try_out(machine, candidate, question.problem, how, run, expect);
        if (tried.report)
            answer.contenders.push_back(
                {candidate.name, std::move(*tried.report),
                 full_name(*candidate.algorithm, question.problem.link) != candidate.algorithm->name});
        else
            leave_out(comparison, candidate.name, question, named(tried.obstacle, given_option));
    }
    std::ranges::stable_sort(answer.contenders, is_better, &Contender::report);
    return answer;
}

// Says why there is nothing to compare, as dcube run would.
[[noreturn]] void refuse(const Comparison& comparison, const Question& first, const Names& names)
{
    if (names.empty())
        find_algorithm(first.topology, first.machine.ports, first.problem);
    throw InvalidArgument(names.empty() ? "" : "algorithm",
                          fmt::format("no algorithm can do this: {}", comparison.left_out.front().reason));
}

Comparison compare_on_all(const std::vector<Question>& questions, const Names& names, std::uint64_t seed,
                          const Interrupt& interrupt)
{
    Comparison comparison{.questions = questions.size(), .answers = {}, .left_out = {}};
    PlanningWatch watch(interrupt);
    Turns turns(questions, names, watch);
    for (const Question& question : questions) {
        Answer answer = compare_on(question, names, seed, interrupt, comparison, turns);
        if (!answer.contenders.empty())
            comparison.answers.push_back(std::move(answer));
    }
    if (comparison.answers.empty())
        refuse(comparison, questions.front(), names);
    return comparison;
}

struct CompareOptions {
    explicit CompareOptions(CLI::App& app)
        : sweep(app, {.machines = Sweep::no,
                      .algorithm = {"--algorithm", "NAMES",
                                    "only these, e.g. optimal,@mine.jsonl or all,@mine.jsonl [all]", "Problem"}})
    {
        add_format(app, {Format::text, Format::json, Format::csv}, format);
        add_quiet(app);
    }

    [[nodiscard]] std::vector<Question> questions() const;
    [[nodiscard]] Names names(const Question& first) const;

    RunSweep sweep;
    Format format = Format::text;
};

// Throws for one that the collective has on no network.
Names CompareOptions::names(const Question& first) const
{
    if (!sweep.algorithm)
        return {};
    const Collective collective = sweep.problem.collective();
    Names all = algorithm_names(collective, *sweep.algorithm).all;
    for (const std::string& name : all)
        if (name != "all" && algorithm_names(collective, name).unknown)
            find_algorithm(first.topology, first.machine.ports, first.problem, name);
    return all;
}

std::vector<Question> CompareOptions::questions() const
{
    std::vector<Question> questions;
    for (auto& [topology, problem] : sweep.questions()) {
        validate(problem, topology);
        const MachineOptions machine = sweep.machine.only(sweep.problem.ports(), problem.link);
        questions.push_back({topology, std::move(problem), machine});
    }
    return questions;
}

void compare(CompareOptions& options, const Interrupt& interrupt)
{
    options.sweep.machine.spread_over(shared_world());
    std::vector<Question> questions;
    Names names;
    together(process_world(), [&] {
        questions = options.questions();
        options.sweep.plans.use();
        names = options.names(questions.front());
    });
    Comparison comparison = compare_on_all(questions, names, options.sweep.problem.seed(), interrupt);
    for (Answer& answer : comparison.answers)
        for (Contender& contender : answer.contenders)
            if (options.sweep.machine.threads_given())
                contender.report.threads_asked = answer.question.machine.threads;
    if (options.format != Format::text) {
        print(comparison_record(comparison, options.format));
        return;
    }
    print(comparison_text(comparison));
    if (!comparison.left_out.empty())
        note(left_out_text(comparison));
}

Execution define_compare(CLI::App& app)
{
    const auto options = std::make_shared<CompareOptions>(app);
    return [options](const Interrupt& interrupt) {
        compare(*options, interrupt);
        return 0;
    };
}

}  // namespace

extern const Command compare_command{
    .name = "compare",
    .usage = "compare COLLECTIVE --dim D [OPTIONS]",
    .summary = "all algorithms for one collective side by side",
    .footer =
        R"(Examples:
  dcube compare broadcast --dim 10 --bytes 64KiB --tau 1 --beta 1000
  dcube compare scatter --dim 6 --bytes 1KiB:1MiB:x4 --machine ncube3
  dcube compare all-to-all --dim 2:6 --format csv
  dcube compare all-to-all --topology torus:4x4,mesh:4x4
  dcube compare all-to-all --dim 4 --algorithm optimal,local-rules

Runs and verifies every algorithm of the catalogue, and lists the best first. With several networks (--dim 4:8), )"
        R"(numbers of packets or sizes (1KiB:1MiB:x4) it shows which algorithm is best where. --algorithm all,@FILE adds a )"
        R"(schedule of your own.)",
    .define = define_compare,
    .over = Over::all_ranks,
    .heading = to_begin};

}  // namespace dcube::cli
