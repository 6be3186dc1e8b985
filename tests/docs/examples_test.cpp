// Commands that the documents show are run, and print what the documents show.

#include "tests/docs/documents.hpp"
#include "tests/docs/generated_parts.hpp"
#include "tests/docs/shown_commands.hpp"
#include "tests/support/catch.hpp"

using namespace dcube::test;

namespace {

// Lines from `from` up to one that begins with an end mark.
std::vector<std::string> lines_until(const std::vector<DocumentLine>& lines, std::size_t from,
                                     const std::vector<std::string>& marks)
{
    std::vector<std::string> texts;
    for (; from < lines.size(); ++from) {
        const std::string& text = lines[from].text;
        if (std::ranges::any_of(marks, [&](const std::string& mark) { return text.starts_with(mark); }))
            break;
        texts.push_back(text);
    }
    return texts;
}

bool has_gap(const std::vector<std::string>& lines)
{
    return std::ranges::find(lines, "...") != lines.end();
}

// A line of a shell session that is no line of output: "./dcube run ..", perhaps with "  # exits 1" behind it.
void check_exit_code(const std::string& line)
{
    const std::size_t comment = line.find("  # ");
    const std::optional<Outcome> outcome = outcome_of(line.substr(0, comment));
    if (!outcome)
        return;
    const bool fails = comment != std::string::npos && line.find("exits 1", comment) != std::string::npos;
    CAPTURE(line, outcome->err);
    CHECK(outcome->exit_code == (fails ? 1 : 0));
}

}  // namespace

TEST_CASE("documents: a session shows what its commands print, but for what is measured", "[docs]")
{
    std::size_t compared = 0;
    for (const std::string& document : documents()) {
        const ExampleFolder folder;
        const std::vector<DocumentLine> lines = lines_with_fences(document);
        std::vector<std::string> updated;
        for (std::size_t i = 0; i < lines.size(); ++i) {
            const DocumentLine& line = lines[i];
            updated.push_back(line.text);
            if (!line.file.empty())
                folder.add_line(line.file, line.text);
            if (line.fence == "sh")
                check_exit_code(line.text);
            if (line.fence != "console" || !line.text.starts_with("$ "))
                continue;
            const std::optional<Outcome> outcome = outcome_of(line.text.substr(2));
            if (!outcome)
                continue;
            const std::vector<std::string> shown = lines_until(lines, i + 1, {"```", "$ "});
            const std::vector<std::string> printed = lines_of(outcome->out + outcome->err);
            CAPTURE(document, line.text, outcome->out, outcome->err);
            ++compared;
            const bool right = shows(without_measurements(shown), without_measurements(printed));
            const bool update = updating_documents() && !right && !has_gap(shown);
            if (!update)
                CHECK(right);
            updated.insert(updated.end(), update ? printed.begin() : shown.begin(),
                           update ? printed.end() : shown.end());
            i += shown.size();
        }
        if (updating_documents())
            write_lines(document, updated);
    }
    CHECK(compared > 50);
}

TEST_CASE("documents: a generated part is what its command prints", "[docs]")
{
    std::size_t generated = 0;
    for (const std::string& document : documents())
        generated += checked_parts(document, "<!-- dcube ", "<!-- end -->", [](const std::string& line) {
            const std::string command = line.substr(std::string("<!-- ").size());
            return lines_of(dcube_program(dcube_words(command.substr(0, command.find(" -->")))).out);
        });
    CHECK(generated > 2);
}

TEST_CASE("documents: a command in a sentence is one that works", "[docs]")
{
    static const std::regex command_pattern(R"(`((?:\./)?dcube [^`]+)`)");
    static const std::regex placeholder(R"((^|\s)[A-Z]{2,}(\s|$)|\.\.\.)");
    const ExampleFolder folder;
    std::size_t commands = 0;
    for (const std::string& document : documents()) {
        for (const DocumentLine& line : lines_with_fences(document)) {
            for (std::sregex_iterator match(line.text.begin(), line.text.end(), command_pattern);
                 line.fence.empty() && match != std::sregex_iterator(); ++match) {
                const std::string command = (*match)[1];
                std::vector<std::string> words = dcube_words(command);
                if (words.size() < 2 || std::regex_search(command, placeholder) || words.front() == "verify" ||
                    is_of_launcher(words))
                    continue;
                static const std::regex runs_anyway("--(help|trace|output)");  // or has no dry run
                if (words.front() == "run" && !std::regex_search(command, runs_anyway)) {
                    const auto repeat = std::ranges::find(words, "--repeat");  // there is nothing to repeat
                    if (repeat != words.end())
                        words.erase(repeat, repeat + 2);
                    words.emplace_back("--dry-run");
                }
                const Outcome outcome = dcube_program(words);
                CAPTURE(document, command, outcome.err);
                CHECK(outcome.exit_code == 0);
                ++commands;
            }
        }
    }
    CHECK(commands > 30);
}

TEST_CASE("documents: measured values are told from those that are compared", "[docs]")
{
    const std::vector<std::string> printed{"steps  4", "wall time  1 ms, 2 threads", "     slots", "digest  7",
                                           "pipelined  3  12 us"};
    CHECK(without_measurements(printed) ==
          std::vector<std::string>{"steps  4", "wall time", "digest  7", "pipelined  3 *"});
    const auto shows_lines = [](const std::vector<std::string>& shown, const std::vector<std::string>& lines) {
        return shows(shown, lines);
    };
    CHECK(shows_lines({"a", "b"}, {"a", "b"}));
    CHECK(shows_lines({"a", "...", "c"}, {"a", "b", "c"}));
    CHECK(shows_lines({"a", "..."}, {"a", "b", "c"}));
    CHECK(shows_lines({"...", "c"}, {"a", "b", "c"}));
    CHECK_FALSE(shows_lines({"a", "b"}, {"a", "b", "c"}));
    CHECK_FALSE(shows_lines({"a", "...", "b"}, {"a", "b", "c"}));
    CHECK_FALSE(shows_lines({"b", "..."}, {"a", "b", "c"}));
    CHECK_FALSE(shows_lines({"a", "...", "d"}, {"a", "b", "c"}));
    CHECK(words_of("run \"total exchange\" --dim 3") ==
          std::vector<std::string>{"run", "total exchange", "--dim", "3"});
}

TEST_CASE("documents: every passage of a program is a demo's, which is compiled and run", "[docs]")
{
    std::vector<std::string> demos;
    for (const auto& demo : std::filesystem::directory_iterator(source_path("demos")))
        if (std::filesystem::exists(demo.path() / "main.cpp"))
            demos.push_back(read_text((demo.path() / "main.cpp").string()));
    std::size_t passages = 0;
    for (const std::string& document : documents()) {
        std::string shown;
        for (const DocumentLine& line : lines_with_fences(document)) {
            if (line.fence == "cpp") {
                shown += line.text + "\n";
                continue;
            }
            if (shown.empty())
                continue;
            const bool whole = shown.find("int main()") != std::string::npos;
            CAPTURE(document, shown);
            CHECK(std::ranges::any_of(demos, [&](const std::string& demo) {
                return whole ? demo == shown : demo.find(shown) != std::string::npos;
            }));
            shown.clear();
            ++passages;
        }
    }
    CHECK(passages > 2);
}
