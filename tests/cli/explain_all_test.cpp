// All pages of dcube explain, as they are printed: they fit the screen, and the commands under "Try" run.

#include "tests/support/catch.hpp"
#include "tests/support/command_lines.hpp"
#include "tests/support/process.hpp"
#include "tests/support/sizes.hpp"

#include "inspect/explain/texts.hpp"

#include <dcube/catalogue.hpp>

#include <fmt/format.h>

#include <set>
#include <string>
#include <vector>

using namespace dcube;
using namespace dcube::test;
using test_support::Sample;
using test_support::smaller;

namespace {

std::vector<std::string> all_subjects()
{
    std::vector<std::string> subjects;
    for (const Entry& algorithm : catalogue()) {
        const bool timed = algorithm.link == LinkKind::link_bound;
        subjects.push_back(fmt::format("{}{} --collective {}{}", timed ? "" : "unit:", algorithm.name,
                                       name(algorithm.collective), timed ? " --tau 1 --beta 10" : ""));
    }
    for (const Collective collective : all_collectives)
        subjects.emplace_back(name(collective));
    for (const explain::BoundText& bound : explain::bound_texts())
        subjects.emplace_back(bound.name);
    for (const char* const word : {"status", "port", "MLA", "processor", "class", "tau", "K", "nu", "stage", "optimal"})
        subjects.emplace_back(word);
    return subjects;
}

}  // namespace

TEST_CASE("explain: every text fits the screen, and every suggested command runs", "[cli][explain][long]")
{
    std::set<std::string> commands;
    Sample sample(7, 4);
    for (const std::string& subject : all_subjects()) {
        if (!sample.takes_next())
            continue;
        CAPTURE(subject);
        const Outcome outcome = executed("explain " + subject);
        INFO(outcome.err);
        CHECK(outcome.exit_code == 0);
        for (const std::string& line : lines_of(outcome.out)) {
            CAPTURE(line);
            if (!line.starts_with("  dcube ")) {
                CHECK(line.size() <= 80);
                continue;
            }
            commands.insert(line.substr(8));
        }
    }
    CHECK(commands.size() > smaller(100U, 60U, 40U));
    for (const std::string& command : commands) {
        if (!sample.takes_next())
            continue;
        CAPTURE(command);
        CHECK(executed(command).exit_code == 0);
    }
}
