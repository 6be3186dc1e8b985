// dcube view, as a user runs it.

#include "tests/support/catch.hpp"
#include "tests/support/command_lines.hpp"
#include "tests/support/on_path.hpp"
#include "tests/support/process.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <filesystem>
#include <regex>
#include <string>
#include <vector>

using namespace dcube::test;

namespace {

using Json = nlohmann::ordered_json;

// The document in a page.
Json document_in(const std::string& page)
{
    const std::string mark = R"(<script type="application/json" class="dcube-data" id="view-0">)";
    const std::size_t begin = page.find(mark);
    REQUIRE(begin != std::string::npos);
    const std::size_t end = page.find("</script>", begin);
    return Json::parse(page.substr(begin + mark.size(), end - begin - mark.size()));
}

std::string one_line(const std::string& arguments)
{
    const Outcome outcome = executed("view " + arguments);
    CHECK(outcome.exit_code == 2);
    CHECK(outcome.out.empty());
    CHECK(lines_of(outcome.err).size() == 1);
    return outcome.err;
}

}  // namespace

TEST_CASE("view: where a node is missing, the others' blocks are named by their nodes", "[cli][view]")
{
    const std::string text = dcube_line("view all-gather --dim 3 --without-node 5").out;
    CHECK_THAT(text, Catch::Contains("2 -> 3  2 -> 0  2 -> 6  0 2-3 6\n"));
}

TEST_CASE("view: text is as wide as the terminal, and no wider", "[cli][view]")
{
    for (const char* const columns : {"60", "80", "140"})
        for (const char* const what :
             {"all-to-all --dim 5", "broadcast --dim 3 --packets 9", "all-reduce --topology torus:4x4 --packets 8",
              "reduce-scatter --dim 4", "gather --topology star:4", "all-gather --dim 7",
              "all-to-all --dim 3 --machine ncube3 --packets 7", "matrix-transpose --dim 4 --rows 16 --cols 16"}) {
            CAPTURE(columns, what);
            const Outcome outcome = dcube_line(std::string("view ") + what, {.variables = {{"COLUMNS", columns}}});
            CHECK(outcome.exit_code == 0);
            for (const std::string& line : lines_of(outcome.out))
                CHECK(line.size() <= std::stoul(columns));
        }
}

TEST_CASE("view: no terminal is wider than 10 000 columns", "[cli][view]")
{
    const auto shown = [](const std::string& columns) {
        const Outcome outcome = dcube_line("view all-to-all --dim 2", {.variables = {{"COLUMNS", columns}}});
        CHECK(outcome.exit_code == 0);
        return outcome.out;
    };
    for (const char* const absurd : {"10001", "2147483647", "99999999999", "18446744073709551615"})
        CHECK(shown(absurd) == shown("10000"));
}

TEST_CASE("view: text is coloured only if colours are asked for", "[cli][view]")
{
    CHECK(executed("view scatter --dim 2").out.find('\033') == std::string::npos);
    CHECK(executed("view scatter --dim 2 --color always").out.find("\033[32m") != std::string::npos);
}

TEST_CASE("view: a page is written whole, says its size, and is the same for any number of threads", "[cli][view]")
{
    const TemporaryFolder folder;
    const std::string one = folder.file("page.html");
    const Outcome outcome = executed("view all-to-all --dim 4 --threads 1 --html " + one);
    CHECK(outcome.exit_code == 0);
    CHECK(outcome.out.empty());
    CHECK_THAT(outcome.err, Catch::Contains("page.html: ") && Catch::Contains("512 transmissions"));
    const std::string page = read_text(one);
    CHECK(page.size() < 300'000);
    const Json document = document_in(page);
    CHECK(document.at("command") == "dcube view all-to-all --dim 4 --html page.html");
    CHECK(document.at("films").at(0).at("steps") == 8);

    std::filesystem::create_directory(folder.file("other"));
    const std::string other = folder.file("other/page.html");
    CHECK(executed("view all-to-all --dim 4 --threads 4 --html " + other).exit_code == 0);
    CHECK(read_text(other) == page);

    const Outcome plain = executed("view all-to-all --dim 4 --plain --html " + one);
    CHECK(plain.exit_code == 0);
    CHECK(document_in(read_text(one)).at("films").at(0).at("columns").at("deflate") == false);
}

TEST_CASE("view: a page has the command that made it, without what is only this computer's", "[cli][view]")
{
    const TemporaryFolder folder;
    write_text(folder.file("faults.txt"), "4-5\n");
    REQUIRE(executed("view all-to-all --dim 3 --without-link 0-1 --without-link 2-3 --faults " +
                     folder.file("faults.txt") + " --memory-limit 1G --plain --html " + folder.file("p.html"))
                .exit_code == 0);
    CHECK(document_in(read_text(folder.file("p.html"))).at("command") ==
          "dcube view all-to-all --dim 3 --without-link 0-1 --without-link 2-3 --faults faults.txt --plain --html "
          "p.html");
}

TEST_CASE("view, replay: no file is lost, and none is left by a line that is refused", "[cli][view][negative]")
{
    const TemporaryFolder folder;
    const std::string trace = folder.file("t.jsonl");
    REQUIRE(executed("run scatter --dim 2 --trace " + trace).exit_code == 0);
    const std::string before = read_text(trace);
    check_refused("view --trace " + trace + " --html " + trace, "--html names the file '" + trace + "', which");
    check_refused("replay " + trace + " --output " + trace, "--output names the file '" + trace + "', which");
    CHECK(read_text(trace) == before);
    const std::string both = "view scatter --dim 2 --html " + folder.file("p.html") + " --svg ";
    check_refused(both + folder.file("p.html"), "--html and --svg name the same file");
    check_refused(both + folder.file("f.svg") + " --at 99", "step 99 is out of range");
    check_refused(both + folder.file("none/f.svg"), "cannot write");
    check_refused("view scatter --dim 2 --html -", "--html - is not allowed: standard output carries the steps");
    check_refused("view scatter --dim 2 --svg " + folder.file("f.svg") + " --at 1,", "--at '' is not a whole number");
    CHECK(folder.names() == std::vector<std::string>{"t.jsonl"});
}

TEST_CASE("view: what is wrong with a trace is said with its file's name", "[cli][view][negative]")
{
    const TemporaryFolder folder;
    const std::string newer = folder.file("newer.jsonl");
    write_text(newer, "{\"dcube_trace\": 7}\n");
    check_refused("view --trace " + newer, newer + ": line 1: ");
    const std::string impossible = folder.file("impossible.jsonl");
    write_text(impossible, "{\"dcube_trace\":1,\"collective\":\"broadcast\",\"topology\":\"ring:3\",\"root\":9}\n");
    check_refused("view --trace " + impossible, impossible + ": line 1: the header is not possible: root 9 is not");
    const std::string wrong = folder.file("wrong.jsonl");
    write_text(wrong, "{\"dcube_trace\":1,\"collective\":\"broadcast\",\"topology\":\"hypercube:2\",\"bytes\":64}\n"
                      "{\"step\":1,\"from\":1,\"to\":3,\"pieces\":[{\"origin\":0}]}\n");
    const Outcome outcome = executed("view --trace " + wrong);
    CHECK(outcome.exit_code == 1);
    CHECK_THAT(outcome.err, Catch::Contains("dcube: " + wrong + ": line 2: "));
}

TEST_CASE("view: a figure is written, and its legend said", "[cli][view]")
{
    const TemporaryFolder folder;
    const std::string file = folder.file("f.svg");
    const Outcome outcome = executed("view all-to-all --dim 3 --steps 1:4 --width 174 --svg " + file);
    CHECK(outcome.exit_code == 0);
    CHECK(outcome.out.empty());
    CHECK_THAT(outcome.err, Catch::Contains("f.svg: "));
    const std::string svg = read_text(file);
    CHECK_THAT(svg, Catch::StartsWith("<svg "));
    for (const char* const caption : {"step 1", "step 2", "step 3", "step 4", "174mm"})
        CHECK_THAT(svg, Catch::Contains(caption));
}

TEST_CASE("view: two algorithms or two networks stand in one page", "[cli][view]")
{
    const TemporaryFolder folder;
    const std::string file = folder.file("page.html");
    REQUIRE(executed("view all-to-all --dim 4 --versus dimension-exchange --html " + file).exit_code == 0);
    Json document = document_in(read_text(file));
    CHECK(document.at("films").at(0).at("steps") == 8);
    CHECK(document.at("films").at(1).at("steps") == 32);
    REQUIRE(executed("view all-to-all --dim 4 --versus-topology torus:4x4 --html " + file).exit_code == 0);
    document = document_in(read_text(file));
    CHECK(document.at("films").at(1).at("network").at("name") == "torus:4x4");
}

TEST_CASE("view: a trace is shown, also one that is wrong", "[cli][view]")
{
    const TemporaryFolder folder;
    const std::string trace = folder.file("t.jsonl");
    const std::string page = folder.file("t.html");
    REQUIRE(executed("run scatter --dim 3 --trace " + trace).exit_code == 0);
    const Outcome right = executed("view --trace " + trace + " --html " + page);
    CHECK(right.exit_code == 0);
    CHECK(document_in(read_text(page)).at("films").at(0).at("verdict").at("accepted") == true);

    std::string text = read_text(trace);
    const std::size_t port = text.rfind("\"port\":");
    text.replace(port, 8, "\"port\":9");
    write_text(trace, text);
    const Outcome wrong = executed("view --trace " + trace + " --html " + page);
    CHECK(wrong.exit_code == 1);
    CHECK_THAT(wrong.err, Catch::Contains("dcube: " + trace + ": line "));
    CHECK(document_in(read_text(page)).at("films").at(0).at("verdict").at("accepted") == false);
    CHECK(executed("view --trace " + trace).exit_code == 1);

    write_text(trace,
               "{\"dcube_trace\":1,\"collective\":\"</script><script>alert(1)</script>\",\"topology\":\"ring:3\"}\n");
    const Outcome hostile = executed("view --trace " + trace + " --html " + folder.file("new.html"));
    CHECK(hostile.exit_code == 2);
    CHECK(!std::filesystem::exists(folder.file("new.html")));
}

TEST_CASE("view: what the senders in a trace call their phases is shown", "[cli][view]")
{
    const TemporaryFolder folder;
    const std::string trace = folder.file("t.jsonl");
    write_text(trace, R"({"dcube_trace":1,"collective":"send","topology":"hypercube:2","root":0,"peer":3,"bytes":8}
{"step":1,"from":0,"to":1,"port":0,"bytes":8,"pieces":[{"origin":0,"target":3,"offset":0,"length":8}],"phase":"set out"}
{"step":2,"from":1,"to":3,"port":1,"bytes":8,"pieces":[{"origin":0,"target":3,"offset":0,"length":8}],"phase":["x"]}
)");
    const std::string page = folder.file("page.html");
    const Outcome outcome = executed("view --trace " + trace + " --html " + page);
    CHECK(outcome.exit_code == 0);
    CHECK_THAT(outcome.err, !Catch::Contains("phase"));
    const auto film = document_in(read_text(page)).at("films").at(0);
    REQUIRE(film.at("phases").size() == 1);  // what is no text says nothing
    CHECK(film.at("phases").at(0).at("name") == "set out");
    CHECK(film.at("phases").at(0).at("first") == 1);
    CHECK(film.at("phases").at(0).at("last") == 1);
    CHECK_THAT(film.at("sentences").at(1).get<std::string>(), Catch::Contains("The senders call this \"set out\"."));
}

namespace {

// What the program shows on a terminal where these keys are pressed.
Outcome stepped(const std::string& keys, const std::string& what = "all-to-all --dim 2", unsigned rows = 24,
                unsigned columns = 80)
{
    const std::string command =
        fmt::format("stty rows {} cols {}; {} view {} --step; stty -a", rows, columns, DCUBE_PROGRAM, what);
    return dcube_program(
        {}, {.input = keys, .variables = {{"TERM", "xterm"}}, .program = {"script", "-qec", command, "/dev/null"}});
}

// The frames that were shown, one after the other.
std::vector<std::string> frames_in(const std::string& screen)
{
    std::vector<std::string> frames;
    for (const char* const frame : {"before step 1", "step 1 of 2", "step 2 of 2", "done"})
        for (std::size_t at = screen.find(frame); at != std::string::npos; at = screen.find(frame, at + 1))
            frames.push_back(fmt::format("{:06} {}", at, frame));
    std::ranges::sort(frames);
    for (std::string& frame : frames)
        frame.erase(0, 7);
    return frames;
}

}  // namespace

TEST_CASE("view: on a terminal the arrow keys go forwards and backwards, and its settings are restored in the end",
          "[cli][view]")
{
    const Outcome outcome = stepped("\033[C\033[C\033[A\033[D  lhq");
    CHECK(outcome.exit_code == 0);
    CHECK(frames_in(outcome.out) == std::vector<std::string>{"before step 1", "step 1 of 2", "step 2 of 2",
                                                             "step 1 of 2", "step 2 of 2", "done", "done",
                                                             "step 2 of 2"});
    CHECK_THAT(outcome.out, Catch::Contains("\033[?1049l"));
    const std::string after = outcome.out.substr(outcome.out.rfind("\033[?1049l"));
    CHECK_THAT(after, Catch::Contains(" icanon") && Catch::Contains(" echo "));
    CHECK_THAT(after, !Catch::Contains("-icanon"));
}

TEST_CASE("view: on a small terminal title and links stay in sight, and the rows are those that there is room for",
          "[cli][view]")
{
    for (const auto& [rows, columns] : {std::pair{24U, 80U}, {15U, 60U}, {10U, 44U}}) {
        const std::string shown = stepped("llq", "all-to-all --dim 4", rows, columns).out;
        std::size_t screens = 0;
        for (std::size_t at = shown.find("\033[2J"); at != std::string::npos; at = shown.find("\033[2J", at + 1)) {
            std::string screen = shown.substr(at + 4, shown.find("\033[H", at + 4) - at - 4);
            screen =
                std::regex_replace(screen.substr(0, screen.find("\033[?25h")), std::regex("\r|\033\\[[0-9;]*m"), "");
            CAPTURE(rows, columns, screen);
            ++screens;
            const std::vector<std::string> lines = lines_of(screen);
            CHECK(lines.size() <= rows);
            CHECK_THAT(lines.at(0), Catch::StartsWith("all-to-all on hypercube:4"));
            for (const std::string& line : lines)
                CHECK(line.size() <= columns);
            if (screens == 1)
                continue;
            CHECK_THAT(screen, Catch::Contains("\nlinks  ["));
            if (rows >= 15)
                CHECK_THAT(screen, Catch::Contains(" more\n"));
            if (columns == 60)
                CHECK_THAT(screen, Catch::Contains(" and 1 port more\n"));
        }
        CHECK(screens == 3);
    }
}

TEST_CASE("view: a film's frames are files in a new folder, all or none", "[cli][view]")
{
    const TemporaryFolder folder;
    const std::string frames = "view scatter --dim 2 --per-step 2 --frames " + folder.file("film");
    const Outcome outcome = executed(frames);
    CHECK(outcome.exit_code == 0);
    CHECK_THAT(outcome.err, Catch::Contains("film: 6 pictures"));
    std::vector<std::string> names;
    for (const auto& entry : std::filesystem::directory_iterator(folder.file("film")))
        names.push_back(entry.path().filename().string());
    std::ranges::sort(names);
    CHECK(names == std::vector<std::string>{"frame-0001.svg", "frame-0002.svg", "frame-0003.svg", "frame-0004.svg",
                                            "frame-0005.svg", "frame-0006.svg"});
    CHECK_THAT(read_text(folder.file("film/frame-0006.svg")), Catch::Contains(">done<"));
    check_refused(frames, "cannot make the folder");  // it is not empty
    check_refused("view scatter --dim 2 --frames " + folder.file("none/film"), "cannot make the folder");
    CHECK(folder.names() == std::vector<std::string>{"film"});
}

TEST_CASE("view: pictures by other programs are refused where these are missing, or others than they are called",
          "[cli][view][negative]")
{
    const TemporaryFolder folder;
    const std::string line = "view scatter --dim 2 --per-step 1 --gif " + folder.file("film.gif");
    const Outcome without = dcube_line(line, {.variables = {{"PATH", folder.file("empty")}}});
    CHECK(without.exit_code == 2);
    CHECK(without.err == "dcube: convert is not installed: it is in the package imagemagick\n");
    const auto with_convert = [&](const std::string& script) {
        const std::string program = folder.file("bin/convert");
        std::filesystem::create_directory(folder.file("bin"));
        write_text(program, "#!/bin/sh\n" + script + "\n");
        std::filesystem::permissions(program, std::filesystem::perms::owner_all);
        const Outcome outcome = dcube_line(line, {.variables = {{"PATH", folder.file("bin")}}});
        CHECK(outcome.exit_code == 2);
        std::filesystem::remove_all(folder.file("bin"));
        return outcome.err;
    };
    for (const char* const other : {"exit 1", "exit 0", "echo convert 1.0"})
        CHECK(with_convert(other) == "dcube: convert is not ImageMagick's, which is in the package imagemagick\n");
    CHECK(with_convert("echo Version: ImageMagick 6.9") ==
          "dcube: rsvg-convert is not installed: it is in the package librsvg2-bin\n");
    CHECK(folder.names().empty());
}

TEST_CASE("view: a figure as PDF and a film as GIF are made by other programs, and only whole", "[cli][view][needs]")
{
    if (!pictures_on_path())
        return;
    const TemporaryFolder folder;
    const std::string line = "view scatter --dim 2 --per-step 1 --gif " + folder.file("film.gif");
    CHECK(executed(line + " --pdf " + folder.file("figure.pdf")).exit_code == 0);
    CHECK_THAT(read_text(folder.file("film.gif")), Catch::StartsWith("GIF89a"));
    CHECK_THAT(read_text(folder.file("figure.pdf")), Catch::StartsWith("%PDF-"));
    CHECK(folder.names() == std::vector<std::string>{"figure.pdf", "film.gif"});
}

TEST_CASE("view: a terminal is as it was while the program is stopped, and after a signal that ends it", "[cli][view]")
{
    // The shell goes on when the program has stopped; in the background somebody waits until keys are read one by one.
    constexpr const char* script = R"(set -m
reads_keys() { for i in {1..2000}; do stty -a | grep -q -e -icanon && return; sleep 0.01; done; false; }
send() { (reads_keys; kill -$1 $(cat process)) & }
send TSTP 2>/dev/null
sh -c 'echo $$ > process; exec "$DCUBE" view all-to-all --dim 2 --step'
echo "first $?"; stty -a
send $ENDING 2>/dev/null
fg %2
echo "second $?"; stty -a
)";
    const TemporaryFolder folder;
    write_text(folder.file("script"), script);
    for (const char* const ending : {"TERM", "INT", "HUP"}) {
        // Nothing is typed, and the end of what is typed does not come either.
        const std::string command = fmt::format("cd '{0}' && mkfifo -m 600 keys{2}; DCUBE='{1}' ENDING={2} exec script "
                                                "-qec 'bash script' /dev/null <>keys{2}",
                                                folder.file(""), DCUBE_PROGRAM, ending);
        const Outcome outcome = dcube_program({}, {.variables = {{"TERM", "xterm"}}, .program = {"sh", "-c", command}});
        INFO(ending << ": " << outcome.out);
        const std::size_t first = outcome.out.find("first 148");  // stopped: 128 + SIGTSTP
        const std::size_t again = outcome.out.find("\033[?1049h", first);
        const std::size_t second = outcome.out.find("second 130");
        REQUIRE(first != std::string::npos);
        REQUIRE(again != std::string::npos);
        REQUIRE(second != std::string::npos);
        CHECK(outcome.out.rfind("\033[?1049l", first) != std::string::npos);
        CHECK(frames_in(outcome.out.substr(again)) == std::vector<std::string>{"before step 1"});
        for (const std::size_t at : {first, second}) {
            const std::string modes = outcome.out.substr(at, outcome.out.find("\033", at) - at);
            CHECK_THAT(modes, Catch::Contains(" icanon") && Catch::Contains(" echo "));
            CHECK_THAT(modes, !Catch::Contains("-icanon"));
        }
        CHECK(outcome.out.find("\033[?1049l", again) < second);
    }
}

TEST_CASE("view: what cannot be done is one clear line", "[cli][view]")
{
    CHECK_THAT(one_line(""), Catch::Contains("collective"));
    CHECK_THAT(one_line("all-to-all"), Catch::Contains("--dim is missing"));
    CHECK_THAT(one_line("all-to-all --dim 3 --versus nonsense"), Catch::Contains("nonsense"));
    CHECK_THAT(one_line("all-to-all --dim 3 --plain"), Catch::Contains("--html FILE"));
    CHECK_THAT(one_line("all-to-all --dim 3 --at 2"), Catch::Contains("--svg FILE"));
    CHECK_THAT(one_line("all-to-all --dim 3 --per-step 2"), Catch::Contains("--frames DIR or --gif FILE"));
    CHECK_THAT(one_line("all-to-all --dim 3 --gif x.gif --at 2"), Catch::Contains("--at needs --svg FILE"));
    CHECK_THAT(one_line("all-to-all --dim 3 --gif x.gif --versus optimal"), Catch::Contains("--gif draws one run"));
    CHECK_THAT(one_line("all-to-all --dim 3 --svg x.svg --at 2 --steps 1:2"),
               Catch::Contains("cannot be used together"));
    CHECK_THAT(one_line("all-to-all --dim 3 --svg x.svg --steps 2"), Catch::Contains("--steps 1:4"));
    const TemporaryFolder folder;
    const std::string svg = "all-to-all --dim 3 --svg " + folder.file("x.svg");
    CHECK_THAT(one_line(svg + " --at 9"), Catch::Contains("step 9 is out of range"));
    CHECK_THAT(one_line(svg + " --at 9ns"), Catch::Contains("packets have no times here"));
    CHECK_THAT(one_line("all-to-all --dim 3 --svg x.svg --at 1,two"), Catch::Contains("--at"));
    CHECK_THAT(one_line("all-to-all --dim 3 --origin 1"), Catch::Contains("--svg FILE"));
    CHECK_THAT(one_line(svg + " --origin 8"), Catch::Contains("no node 8: expected 0 to 7"));
    CHECK_THAT(one_line(svg + " --drawing oval"),
               Catch::Contains("no layout 'oval' for hypercube:3: expected one of cube"));
    CHECK_THAT(one_line("all-to-all --dim 3 --svg x.svg --versus optimal"), Catch::Contains("--svg draws one run"));
    CHECK_THAT(one_line("all-to-all --dim 3 --text --step"), Catch::Contains("cannot be used together"));
    CHECK_THAT(one_line("all-to-all --dim 3 --step"), Catch::Contains("needs a terminal"));
    CHECK_THAT(one_line("all-to-all --dim 3 --step --versus optimal"), Catch::Contains("--step shows one run"));
    CHECK_THAT(one_line("broadcast --dim 17"), Catch::Contains("--dim 6"));
    CHECK_THAT(one_line("all-to-all --dim 9 --svg " + folder.file("x.svg")),
               Catch::Contains("1 179 648 transmissions are more than can be played"));
    CHECK_THAT(one_line("all-to-all --dim 3 --html /nowhere/x.html"), Catch::Contains("/nowhere/x.html"));
    CHECK_THAT(one_line("--trace /nowhere/t.jsonl"), Catch::Contains("cannot read"));
    CHECK_THAT(one_line("--trace t.jsonl --algorithm optimal"), Catch::Contains("--algorithm is for a run"));
    CHECK_THAT(one_line("--trace t.jsonl --versus-topology ring:4"), Catch::Contains("--versus-topology is for a run"));
    CHECK_THAT(one_line("all-to-all --dim 3 --versus nonsense --html " + folder.file("x.html")),
               Catch::Contains("nonsense"));
    CHECK(folder.names().empty());
}

TEST_CASE("view --board: a page and a figure of the network are written, with the command that made them",
          "[cli][view]")
{
    const TemporaryFolder folder;
    const std::string page = folder.file("board.html");
    const std::string figure = folder.file("board.svg");
    const Outcome outcome = executed("view --board broadcast --dim 3 --html " + page + " --svg " + figure);
    CHECK(outcome.exit_code == 0);
    CHECK(outcome.out.empty());
    CHECK_THAT(outcome.err, Catch::Contains("board.html: ") && Catch::Contains(", a board"));
    const Json document = document_in(read_text(page));
    CHECK(document.at("title") == "Your turn: broadcast on a 3-cube");
    CHECK(document.at("command") == "dcube view --board broadcast --dim 3 --html board.html --svg board.svg");
    CHECK(document.at("board").at("collective") == "broadcast");
    CHECK_THAT(read_text(figure), Catch::StartsWith("<svg"));
}

TEST_CASE("view --board: options and problems that no board can have are refused in one line", "[cli][view]")
{
    const TemporaryFolder folder;
    const std::string page = " --html " + folder.file("board.html");
    CHECK_THAT(one_line("--board broadcast --dim 3"), Catch::Contains("expected --html, --svg or --pdf FILE"));
    CHECK_THAT(one_line("--board all-reduce --dim 3" + page), Catch::Contains("there is no board for all-reduce"));
    CHECK_THAT(one_line("--board broadcast --dim 7" + page), Catch::Contains("a board has at most 64"));
    CHECK_THAT(one_line("--board broadcast --dim 3 --machine ncube3" + page), Catch::Contains("a board has steps"));
    for (const char* const other : {"--algorithm flooding", "--versus flooding", "--step", "--text", "--trace t.jsonl"})
        CHECK_THAT(one_line("--board broadcast --dim 3 " + std::string(other) + page),
                   Catch::Contains("cannot be used together"));
}
