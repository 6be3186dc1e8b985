// Commands and options of which only the beginning is typed.

#include "cli/prefixes.hpp"
#include "cli/program.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/command_lines.hpp"
#include "tests/support/process.hpp"

#include <dcube/error.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <string>
#include <string_view>
#include <vector>

using namespace dcube::test;
using dcube::cli::name_meant;

namespace {

// The beginnings of a name that begin no other, and those that do.
struct Beginnings {
    std::vector<std::string> unique;
    std::vector<std::string> ambiguous;
};

Beginnings beginnings_of(const std::string& name, const std::vector<std::string>& names, std::size_t shortest)
{
    Beginnings all;
    for (std::size_t size = shortest; size < name.size(); ++size) {
        const std::string typed = name.substr(0, size);
        if (std::ranges::count(names, typed) == 1)
            continue;  // another name, in full
        const auto begun = std::ranges::count_if(names, [&](const std::string& one) { return one.starts_with(typed); });
        (begun == 1 ? all.unique : all.ambiguous).push_back(typed);
    }
    return all;
}

std::string complaint_of(const std::string& line)
{
    const Outcome outcome = executed(line);
    CHECK(outcome.exit_code == 2);
    return outcome.err;
}

}  // namespace

TEST_CASE("prefixes: a name itself, then the only one that begins so", "[cli]")
{
    const std::vector<std::string_view> names{"to", "to-layout", "topology"};
    CHECK(name_meant("to", names) == "to");
    CHECK(name_meant("to-", names) == "to-layout");
    CHECK(name_meant("top", names) == "topology");
    CHECK(name_meant("topology", names) == "topology");
    CHECK(name_meant("topologys", names) == "topologys");
    CHECK(name_meant("", names).empty());
    CHECK_THROWS_WITH(name_meant("t", names), "'t' is ambiguous: it begins to, to-layout and topology");
}

TEST_CASE("prefixes: each beginning of a command that begins no other is the command", "[cli][long]")
{
    const std::vector<std::string_view> known = dcube::cli::command_names();
    const std::vector<std::string> names(known.begin(), known.end());
    CHECK(std::set<std::string>(names.begin(), names.end()).contains("mpi-setup"));
    for (const std::string& command : names) {
        const Beginnings beginnings = beginnings_of(command, names, 1);
        CHECK((command == "demo" || command == "demos" || !beginnings.unique.empty()));
        for (const std::string& typed : beginnings.unique) {
            CAPTURE(typed);
            CHECK(executed("help " + typed).out == executed("help " + command).out);
            CHECK(complaint_of(typed + " --no-such-option") == complaint_of(command + " --no-such-option"));
        }
        for (const std::string& typed : beginnings.ambiguous) {
            check_refused(typed + " --help", fmt::format("'{}' is ambiguous: it begins ", typed));
            check_refused("help " + typed, fmt::format("'{}' is ambiguous: it begins ", typed));
        }
    }
}

TEST_CASE("prefixes: each beginning of an option that begins no other is the option", "[cli][long]")
{
    for (const std::string& command : commands_of_dcube()) {
        std::vector<std::string> names{"--help"};
        for (const HelpedOption& option : options_of(command))
            names.push_back(option.name);
        for (const std::string& option : names) {
            const Beginnings beginnings = beginnings_of(option, names, 3);
            if (!beginnings.unique.empty())  // the others lie between it and the name
                check_refused(fmt::format("{} {}=", command, beginnings.unique.front()), option + " needs a value");
            if (!beginnings.ambiguous.empty())
                check_refused(fmt::format("{} {}=", command, beginnings.ambiguous.back()), "is ambiguous: it begins ");
        }
    }
}

TEST_CASE("prefixes: they work before and after arguments, with values in either way", "[cli]")
{
    const std::string full = executed("info --topology ring:6 --format json").out;
    for (const char* const line : {"inf --topo ring:6 --form json", "inf --topology=ring:6 --js",
                                   "info --topo=ring:6 --json", "inf --json --top ring:6"})
        CHECK(executed(line).out == full);
    const auto steps = [](const std::string& line) { return json_of(line)["steps"]; };
    CHECK(steps("ru broadcast --di 4 --by 8") == 4);
    CHECK(steps("ru --di=4 broadcast --pa=1") == 4);
    CHECK(steps("run send --dim 3 --to 7") == 3);  // beside --topology and --to-layout
    CHECK(executed("--vers").out == executed("--version").out);
    CHECK(executed("--he").out == executed("--help").out);
    CHECK(executed("ru --he").out == executed("run --help").out);
    CHECK(executed("ru -h").out == executed("run --help").out);
    CHECK(executed("he inf").out == executed("help info").out);
    CHECK(executed("run broadcast -q --di 2").out.empty());
}

TEST_CASE("prefixes: what begins several names, or none, is refused", "[cli][negative]")
{
    check_refused("comp all-to-all --dim 2", "'comp' is ambiguous: it begins compare and completion");
    check_refused("dem hello", "'dem' is ambiguous: it begins demo and demos");
    check_refused("help comp", "'comp' is ambiguous");
    check_refused("help --ma", "'--ma' is ambiguous: it begins --man and --man-pages");
    check_refused("''", "'' is not a command");
    check_refused("run all-to-all --d 3", "'--d' is ambiguous: it begins --dim");
    check_refused("run all-to-all --rank 2", "'--rank' is ambiguous: it begins --ranks and --rank-timeout");
    check_refused("run all-to-all --dims 3", "'--dims' is not an option of run: did you mean --dim?");
    check_refused("run all-to-all --x 3", "'--x' is not an option of run");
    check_refused("run all-to-all --=3", "'--=3' is not an option of run");
    check_refused("run all-to-all --di", "--dim needs a value");
    check_refused("run all-to-all --di=", "--dim needs a value");
    check_refused("run all-to-all --di --by 4", "--dim needs a value, but --bytes follows");
    check_refused("run all-to-all --di 3 --dim 3", "--dim is given more than once");
    check_refused("run all-to-all --di 3 --topo ring:4", "--dim and --topology cannot be used together");
    check_refused("run all-to-all --di -1", "--dim -1 is too small");
    check_refused("run all-to-all --dim 3 --dry=1", "--dry-run takes no value");
    check_refused("run --dim 3 -- all-to-all --by 4", "unexpected argument '--by'");
    check_refused("--vers run", "--version takes no arguments");
    check_refused("run all-to-all --dim 2 --rank-time 5", "--rank-timeout is for several ranks");
    check_refused("demos --wh", "demos is a command of the script dcube");  // its words are its own
}

TEST_CASE("prefixes: completion knows what was meant", "[cli][shell]")
{
    const auto completions = [](const std::string& words) { return executed("__complete " + words).out; };
    CHECK(completions("ru all-to-all --algorithm opt") == completions("run all-to-all --algorithm opt"));
    CHECK(completions("run all-to-all --algo opt") == completions("run all-to-all --algorithm opt"));
    CHECK_THAT(completions("run all-to-all --algo opt"), Catch::StartsWith("optimal\t"));
    CHECK(completions("run all-to-all --di 3 --dim").empty());  // it was given
    CHECK(completions("comp all-to-all --d").empty());
    CHECK(completions("run --d 3 --bytes").empty());
}
