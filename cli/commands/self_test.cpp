// dcube self-test: whether an installed dcube works. A line for each check, and one for all.

#include "cli/arguments.hpp"
#include "cli/output.hpp"
#include "cli/ranks.hpp"
#include "cli/shared_options.hpp"
#include "collectives/example.hpp"

#include <dcube/run.hpp>
#include <dcube/version.hpp>

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include <exception>
#include <sstream>
#include <string>

namespace dcube::cli {

namespace {

void check_run(const char* network, Collective collective)
{
    Machine machine(Topology::parse(network), {.world = shared_world()});
    run_verified(machine, example_problem(collective, machine.topology()));
}

// Checks a trace by the judge. Only the first rank gets it.
void check_judge()
{
    Machine machine(Topology::hypercube(3), {.world = shared_world()});
    const Problem problem = example_problem(Collective::scatter, machine.topology());
    std::stringstream right;
    CallOptions options;
    options.run.trace = write_trace(right, {machine.topology(), machine.ports(), problem});
    run_verified(machine, problem, {}, options);
    if (!is_output_rank())
        return;
    judge_trace(right, machine.topology(), machine.ports(), problem);
    const std::string lines = right.str();
    std::istringstream wrong(lines.substr(0, lines.rfind('\n', lines.size() - 2) + 1));
    try {
        judge_trace(wrong, machine.topology(), machine.ports(), problem);
    } catch (const TraceError&) {
        return;
    }
    throw VerificationError("a trace without its last packet is accepted");
}

Task receives_nothing(Node& me)
{
    if (me.id() == 5)
        me.receive(0);
    co_return;
}

void check_rule()
{
    Machine machine(Topology::hypercube(3), {.world = shared_world()});
    try {
        machine.run(receives_nothing);
    } catch (const RuleViolation& violation) {
        if (violation.rule == Rule::nothing_arrived && violation.node == 5)
            return;
        throw;
    }
    throw VerificationError("a node receives a packet that was not sent");
}

struct Check {
    const char* name;
    void (*make)();
};

constexpr Check checks[]{
    {"all-to-all on hypercube:4 is verified", [] { check_run("hypercube:4", Collective::all_to_all); }},
    {"all-reduce on torus:4x3 is verified", [] { check_run("torus:4x3", Collective::all_reduce); }},
    {"a trace is accepted, and refused without its last packet", check_judge},
    {"a broken rule is noticed", check_rule}};

void tell(const std::string& line)
{
    if (is_output_rank())
        print(line + "\n");
}

int self_test()
{
    bool works = true;
    for (const Check& check : checks)
        try {
            together(*shared_world(), check.make);
            tell(check.name);
        } catch (const Interrupted&) {
            throw;
        } catch (const std::exception& error) {
            tell(fmt::format("FAILED: {}: {}", check.name, error.what()));
            works = false;
        }
    tell(fmt::format("dcube {} {}", version(), works ? "works" : "does not work here"));
    return works ? 0 : 1;
}

Execution define_self_test(CLI::App& app)
{
    add_quiet(app);
    add_rank_options(app);
    return [](Interrupt&) { return self_test(); };
}

}  // namespace

extern const Command self_test_command{.name = "self-test",
                                       .usage = "self-test [OPTIONS]",
                                       .summary = "check that this dcube works: runs, a trace, a rule",
                                       .footer = R"(It verifies two runs, judges a trace, and breaks a rule of the
machine, which must be noticed. It reads and writes no file.

Examples:
  dcube self-test

Exit: 0 all is well, 1 a check failed.)",
                                       .define = define_self_test,
                                       .over = Over::all_ranks};

}  // namespace dcube::cli
