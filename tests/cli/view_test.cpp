// dcube view, as a user runs it.

#include "tests/support/catch.hpp"
#include "tests/support/command_lines.hpp"
#include "tests/support/process.hpp"

#include <nlohmann/json.hpp>

#include <filesystem>
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

TEST_CASE("view: text is as wide as the terminal, and no wider", "[cli][view][slow]")
{
    for (const char* const columns : {"60", "80", "140"})
        for (const char* const what :
             {"all-to-all --dim 5", "broadcast --dim 3 --packets 9", "all-reduce --topology torus:4x4 --packets 8",
              "reduce-scatter --dim 4", "gather --topology star:4", "all-gather --dim 7",
              "all-to-all --dim 3 --machine ncube3 --packets 7", "matrix-transpose --dim 4 --rows 16 --columns 16"}) {
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
    const Outcome outcome = executed("view all-to-all --dim 3 --at 1:4 --width 174 --svg " + file);
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
    REQUIRE(film.at("phases").size() == 1);  // names that are not texts are ignored
    CHECK(film.at("phases").at(0).at("name") == "set out");
    CHECK(film.at("phases").at(0).at("first") == 1);
    CHECK(film.at("phases").at(0).at("last") == 1);
    CHECK_THAT(film.at("sentences").at(1).get<std::string>(), Catch::Contains("The senders call this \"set out\"."));
}

TEST_CASE("view: what cannot be done is one clear line", "[cli][view]")
{
    CHECK_THAT(one_line(""), Catch::Contains("COLLECTIVE is missing"));
    CHECK_THAT(one_line("all-to-all"), Catch::Contains("--dim is missing"));
    CHECK_THAT(one_line("all-to-all --dim 3 --versus nonsense"), Catch::Contains("nonsense"));
    CHECK_THAT(one_line("all-to-all --dim 3 --plain"), Catch::Contains("--html FILE"));
    CHECK_THAT(one_line("all-to-all --dim 3 --at 2"), Catch::Contains("--svg FILE"));
    CHECK_THAT(one_line("all-to-all --dim 3 --svg x.svg --at 2:"), Catch::Contains("--at"));
    const TemporaryFolder folder;
    const std::string svg = "all-to-all --dim 3 --svg " + folder.file("x.svg");
    CHECK_THAT(one_line(svg + " --at 9"), Catch::Contains("step 9 is out of range"));
    CHECK_THAT(one_line(svg + " --at 3:1"), Catch::Contains("the first must not come after the last"));
    CHECK_THAT(one_line(svg + " --at 9ns"), Catch::Contains("packets have no times here"));
    CHECK_THAT(one_line("all-to-all --dim 3 --svg x.svg --at 1,two"), Catch::Contains("--at"));
    CHECK_THAT(one_line("all-to-all --dim 3 --origin 1"), Catch::Contains("--svg FILE"));
    CHECK_THAT(one_line(svg + " --origin 8"), Catch::Contains("no node 8: expected 0 to 7"));
    CHECK_THAT(one_line(svg + " --drawing oval"),
               Catch::Contains("no layout 'oval' for hypercube:3: expected one of cube"));
    CHECK_THAT(one_line("all-to-all --dim 3 --svg x.svg --versus optimal"), Catch::Contains("--svg draws one run"));
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
    CHECK_THAT(one_line("--board broadcast --dim 3"), Catch::Contains("expected --html or --svg FILE"));
    CHECK_THAT(one_line("--board all-reduce --dim 3" + page), Catch::Contains("there is no board for all-reduce"));
    CHECK_THAT(one_line("--board broadcast --dim 7" + page), Catch::Contains("a board has at most 64"));
    CHECK_THAT(one_line("--board broadcast --dim 3 --machine ncube3" + page), Catch::Contains("a board has steps"));
    for (const char* const other : {"--algorithm flooding", "--versus flooding", "--trace t.jsonl"})
        CHECK_THAT(one_line("--board broadcast --dim 3 " + std::string(other) + page),
                   Catch::Contains("cannot be used together"));
}
