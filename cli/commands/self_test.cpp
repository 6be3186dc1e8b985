// dcube self-test: whether an installed dcube works. A line for each group of checks, and one for all.

#include "cli/arguments.hpp"
#include "cli/commands/own_checks.hpp"
#include "cli/output.hpp"
#include "cli/ranks.hpp"
#include "cli/shared_options.hpp"
#include "cli/text/numbers.hpp"

#include <dcube/version.hpp>

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include <chrono>
#include <cstddef>
#include <functional>
#include <memory>
#include <string>
#include <string_view>

namespace dcube::cli {

namespace {

struct Tally {
    std::size_t made = 0;
    std::size_t failed = 0;
};

void tell(const std::string& text)
{
    if (is_output_rank())
        print(text);
}

// In two columns, the first as wide as "matrix-quarter-turn".
std::string group_line(std::string_view what, std::string_view text)
{
    return fmt::format("{:<20} {}\n", what, text);
}

// Makes all checks of the group and prints its line, below it what failed, or every check.
Tally make(const CheckGroup& group, World& world, bool verbose)
{
    Tally tally;
    std::string below;
    for (const OwnCheck& check : group.checks) {
        const std::string failure = failure_of(check, world);
        ++tally.made;
        tally.failed += failure.empty() ? 0 : 1;
        if (!failure.empty())
            below += fmt::format("  FAILED: {}: {}\n", check.name, failure);
        else if (verbose)
            below += fmt::format("  {}\n", check.name);
    }
    tell(group_line(group.name, fmt::format("{}{}", counted(tally.made, "check"),
                                            tally.failed == 0 ? "" : fmt::format(", {} FAILED", tally.failed))) +
         below);
    return tally;
}

int self_test(bool verbose)
{
    const auto began = std::chrono::steady_clock::now();
    Tally all;
    const std::shared_ptr<World> world = shared_world();
    for (const CheckGroup& group : own_checks(world)) {
        const Tally one = make(group, *world, verbose);
        all.made += one.made;
        all.failed += one.failed;
    }
    const std::chrono::duration<double> took = std::chrono::steady_clock::now() - began;
    tell(all.failed == 0
             ? fmt::format("dcube {} works: {} in {:.1f} s\n", version(), counted(all.made, "check"), took.count())
             : fmt::format("dcube {} does not work here: {} of {} failed\n", version(), all.failed,
                           counted(all.made, "check")));
    return all.failed == 0 ? 0 : 1;
}

Execution define_self_test(CLI::App& app)
{
    const auto verbose = std::make_shared<bool>(false);
    add_flag(app, {"--verbose", "", "list every check"}, *verbose);
    add_quiet(app);
    add_rank_options(app);
    return [verbose](Interrupt&) { return self_test(*verbose); };
}

}  // namespace

extern const Command self_test_command{
    .name = "self-test",
    .usage = "self-test [OPTIONS]",
    .summary = "check that this dcube works: runs, rules, judge, traces",
    .footer = R"(It runs the algorithms on small networks, with one thread and with two, and
checks every byte and count; breaks each rule of the machine; and changes
results and traces: all of that must be noticed. It takes about two seconds,
needs no file, and writes none. Over several ranks, which wait for each other in
every step, it is made with one thread on two of the networks.

Examples:
  dcube self-test
  dcube self-test --verbose

Exit: 0 all is well, 1 a check failed.)",
    .define = define_self_test,
    .over = Over::all_ranks};

}  // namespace dcube::cli
