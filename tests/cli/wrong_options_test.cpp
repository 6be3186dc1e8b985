// What each option refuses, whatever its command is about.

#include "tests/support/catch.hpp"
#include "tests/support/command_lines.hpp"
#include "tests/support/sizes.hpp"

#include <fmt/format.h>

#include <span>
#include <string>
#include <vector>

using namespace dcube::test;
using test_support::Sample;

namespace {

// Options that take a value, of which 'x' is none.
constexpr const char* of_networks[] = {"--dim", "--topology"};
constexpr const char* of_links[] = {"--link", "--tau", "--beta", "--machine", "--clock"};
constexpr const char* of_problems[] = {"--bytes",  "--packets",   "--ports", "--rows", "--cols",
                                       "--layout", "--to-layout", "--type",  "--seed"};
constexpr const char* of_tuning[] = {"--groups", "--detour-groups", "--halvings"};
constexpr const char* of_machines[] = {"--threads", "--pin", "--channel", "--capacity"};
constexpr const char* of_all[] = {"--format"};
constexpr const char* of_run[] = {"--repeat", "--color", "--op"};
constexpr const char* of_histogram[] = {"--bins", "--words", "--ports"};

// What each option of a command may be given that is wrong, whatever it is.
void check_options(const std::string& command, const std::vector<std::span<const char* const>>& groups)
{
    Sample sample;
    for (const std::span<const char* const> group : groups)
        for (const char* const option : group) {
            if (!sample.takes_next())
                continue;
            const std::string line = fmt::format("{} {}", command, option);
            check_refused(line, fmt::format("{} needs a value", option));
            check_refused(line + " --help-me", fmt::format("{} needs a value, but --help-me follows", option));
            check_refused(fmt::format("{} x {} x", line, option),
                          fmt::format("{} is given more than once: once is allowed", option));
            check_refused(line + " x", " is not ");
            check_refused(fmt::format("{} --no-{}", command, option + 2),
                          fmt::format("is not an option of {}", command.substr(0, command.find(' '))));
        }
}

}  // namespace

TEST_CASE("wrong options: every option refuses no value, another option as its value, a wrong value and a second one",
          "[cli][negative][long]")
{
    check_options("run all-to-all", {of_networks, of_links, of_problems, of_tuning, of_machines, of_all, of_run});
    check_options("compare all-to-all", {of_networks, of_links, of_problems, of_tuning, of_machines, of_all});
    check_options("verify - all-to-all", {of_networks, of_links, of_problems, of_all});
    check_options("histogram", {of_networks, of_links, of_machines, of_histogram, of_all});
    check_options("info", {of_networks, of_all});
    check_options("list", {of_all});
}

TEST_CASE("wrong options: an option of one command is refused by those that do not have it", "[cli][negative]")
{
    for (const char* const line :
         {"verify - scatter --dim 3 --threads 2", "verify - scatter --dim 3 --dry-run",
          "compare scatter --dim 3 --output f", "compare scatter --dim 3 --dry-run",
          "compare scatter --dim 3 --repeat 2", "histogram --dim 3 --bytes 8", "histogram --dim 3 --seed 2",
          "histogram --dim 3 --groups 2", "info --dim 3 --bytes 8", "info --dim 3 --tau 1", "list --dim 3",
          "list --ports one", "help --dim 3", "run scatter --dim 3 --bins 4", "run scatter --dim 3 --words 8"})
        check_refused(line, "is not an option of");
}
