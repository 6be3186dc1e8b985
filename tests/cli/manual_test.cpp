// Manual pages.

#include "tests/support/catch.hpp"
#include "tests/support/command_lines.hpp"
#include "tests/support/on_path.hpp"
#include "tests/support/process.hpp"

#include <regex>
#include <string>
#include <vector>

using namespace dcube::test;

namespace {

// The page as a reader sees it: without changes of font, and with single spaces.
std::string as_shown(const std::string& page)
{
    const Outcome shown = dcube_program({"-man", "-Tutf8", "-ww", "-rLL=2000n", "-rHY=0", "-P-cbou"},
                                        {.input = page, .program = {"groff"}});
    CHECK(shown.exit_code == 0);
    CHECK(shown.err.empty());
    return std::regex_replace(shown.out, std::regex("\\s+"), " ");
}

}  // namespace

TEST_CASE("manual: there is a page for dcube and one for each command", "[cli][shell]")
{
    const TemporaryFolder folder;
    REQUIRE(dcube_program({"help", "--man-pages", folder.file("")}).exit_code == 0);
    std::vector<std::string> expected{"dcube.1"};
    for (const std::string& line : lines_of(dcube_program({"__complete", ""}).out))
        expected.push_back("dcube-" + line.substr(0, line.find('\t')) + ".1");
    std::ranges::sort(expected);
    CHECK(expected.size() > 8);
    CHECK(folder.names() == expected);
}

TEST_CASE("manual: groff has no complaint, and shows all that the help says", "[cli][shell][long][needs]")
{
    if (!on_path("groff"))
        return;
    const TemporaryFolder folder;
    REQUIRE(executed("help --man-pages " + folder.file("")).exit_code == 0);
    for (const std::string& line : lines_of(dcube_program({"__complete", ""}).out)) {
        const std::string command = line.substr(0, line.find('\t'));
        CAPTURE(command);
        const std::string page = as_shown(read_text(folder.file("dcube-" + command + ".1")));
        CHECK_THAT(page, Catch::Contains("dcube-" + command + " - " + line.substr(line.find('\t') + 1)));
        const Outcome help = dcube_line("help " + command, {.variables = {{"COLUMNS", "1000"}}});
        for (const std::string& one : lines_of(help.out)) {
            if (!one.starts_with("  "))
                continue;
            const std::string words = std::regex_replace(one.substr(2), std::regex("\\s+"), " ");
            CHECK_THAT(page, Catch::Contains(std::regex_replace(words, std::regex(",-"), ", -")));
        }
    }
    const std::string whole = as_shown(read_text(folder.file("dcube.1")));
    CHECK_THAT(whole, Catch::Contains("EXIT STATUS 0 done and verified, 1 wrong result or broken rule"));
    CHECK_THAT(whole, Catch::Contains("dcube-verify(1) check a trace made by dcube or by another program"));
}

TEST_CASE("manual: all pages go to a folder that exists", "[cli][shell][negative]")
{
    check_refused("help run --man-pages f", "the argument COMMAND and --man-pages cannot be used together");
    check_refused("help --man-pages /no/such/folder", "cannot write '/no/such/folder/dcube.1'");
}
