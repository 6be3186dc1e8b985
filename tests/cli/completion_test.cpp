// Completion: what the program says may follow, and the shells' scripts that ask it.

#include "tests/support/catch.hpp"
#include "tests/support/command_lines.hpp"
#include "tests/support/on_path.hpp"
#include "tests/support/process.hpp"

#include <dcube/catalogue.hpp>

#include <algorithm>
#include <filesystem>
#include <set>
#include <string>
#include <vector>

using namespace dcube::test;

namespace {

using Words = std::vector<std::string>;

// The words offered as completions, without their meanings.
Words offered(Words words)
{
    words.insert(words.begin(), "__complete");
    const Outcome outcome = dcube_program(words);
    CHECK(outcome.exit_code == 0);
    CHECK(outcome.err.empty());
    Words all;
    for (const std::string& line : lines_of(outcome.out))
        all.push_back(line.substr(0, line.find('\t')));
    return all;
}

bool offers(const Words& all, const std::string& word)
{
    return std::ranges::find(all, word) != all.end();
}

// A shell that finds the program by its name, and none of its user's settings.
Words shell_with_program(const std::string& shell, const TemporaryFolder& home)
{
    const std::string folder = std::filesystem::path(DCUBE_PROGRAM).parent_path();
    return {"env", "PATH=" + folder + ":/usr/local/bin:/usr/bin:/bin", "HOME=" + home.file("."), shell, "-c"};
}

// Bash's COMPREPLY for these words, as it splits them; the last one is being typed.
std::string bash_replies(const std::string& words)
{
    const std::string script = "source <(dcube help --completion bash); COMP_WORDS=(" + words +
                               "); COMP_CWORD=$((${#COMP_WORDS[@]} - 1)); _dcube dcube; echo \"${COMPREPLY[*]}\"";
    const TemporaryFolder home;
    const Outcome outcome = dcube_program({script}, {.program = shell_with_program("bash", home)});
    CHECK(outcome.exit_code == 0);
    CHECK(outcome.err.empty());
    return outcome.out;
}

void check_readable(const std::string& shell)
{
    CAPTURE(shell);
    const TemporaryFolder folder;
    const Outcome script = dcube_line("help --completion " + shell);
    REQUIRE(script.exit_code == 0);
    CHECK(script.err.empty());
    write_text(folder.file(shell), script.out);
    const Outcome read = dcube_program({"-n", folder.file(shell)}, {.program = {shell}});
    CHECK(read.exit_code == 0);
    CHECK(read.err.empty());
}

}  // namespace

TEST_CASE("completion: commands, options and the values of closed sets are offered", "[cli][shell]")
{
    CHECK(offered({"ver"}) == Words{"verify"});
    CHECK(offers(offered({""}), "run"));
    CHECK(offered({"run", "broad"}) == Words{"broadcast"});
    CHECK(offered({"run", "all"}) == Words{"all-gather", "all-reduce", "all-to-all"});
    CHECK(offered({"run", "alltoa"}) ==
          Words{"alltoall", "alltoallv"});  // other names, where none of dcube's begins so
    CHECK(offered({"run", "bc"}) == Words{"bcast"});
    CHECK(offered({"run", "MPI_Allr"}) == Words{"MPI_Allreduce"});
    CHECK(offered({"explain", "--collective", "sendr"}) == Words{"sendrecv"});
    CHECK(offered({"run", "broadcast", "--top"}) == Words{"--topology"});
    CHECK(offered({"run", "broadcast", "--ports", ""}) == Words{"all", "one"});
    CHECK(offered({"run", "broadcast", "--ports=o"}) == Words{"--ports=one"});
    CHECK(offered({"run", "broadcast", "--topology=tor"}) == Words{"--topology=torus:"});
    CHECK(offered({"run", "broadcast", "--topo=tor"}) == Words());  // no such option
    CHECK(offered({"run", "broadcast", "--format", ""}) == Words{"text", "json", "csv"});
    CHECK(offered({"list", ""}) ==
          Words{"algorithms", "machines", "keys", "fields", "bench-fields", "trace-fields", "limits-fields"});
    CHECK(offered({"run", "broadcast", "--pin", "o"}) == Words{"one-per-l3"});
    CHECK(offered({"limits", "--pin", ""}) == Words{"none", "compact", "scatter", "no-smt", "one-per-l3"});
    CHECK(offers(offered({"scale", ""}), ":files"));
    CHECK(offered({"list", "machines", "--format", "m"}) == Words{"markdown"});
    CHECK(offered({"run", "broadcast", "--clock", ""}) == Words{"data-driven", "lockstep"});
    CHECK(offered({"run", "broadcast", "--machine", "infiniband-"}) == Words{"infiniband-edr", "infiniband-hdr"});
    CHECK(offered({"run", "reduce", "--operation", ""}) == Words{"sum", "min", "max", "bit-xor", "prod", "bit-and",
                                                                 "bit-or", "logical-and", "logical-or", "logical-xor",
                                                                 "avg", "minloc", "maxloc"});
    CHECK(offered({"run", "reduce", "--type", "f"}) == Words{"float", "float16"});
    CHECK(offered({"run", "matrix-transpose", "--layout", "sub"}) == Words{"submatrices", "submatrices-gray"});
    CHECK(offered({"run", "matrix-relayout", "--to-layout", "sub"}) == Words{"submatrices", "submatrices-gray"});
    CHECK(offers(offered({"run", "permute", "--permutation", ""}), "xor:"));
    CHECK(offered({"info", "--topology", "to"}) == Words{"torus:"});
    CHECK(offered({"info", "--topology", "ring:5*pa"}) == Words{"ring:5*path:", "ring:5*pancake:"});
    CHECK(offered({"run", "gather", "--input", ""}) == Words{":files"});
    CHECK(offered({"bench", "--against", ""}) == Words{":files"});
    CHECK(offered({"bench", "broadcast", "--format", ""}) == Words{"text", "json", "csv", "nccl"});
    CHECK(offered({"verify", ""}) == Words{":files"});
    CHECK(offered({"verify", "t.jsonl", "scatt"}) == Words{"scatter"});
    CHECK(offered({"help", "com"}) == Words{"compare"});
    CHECK(offers(offered({"view", "all-to-all", "--versus", ""}), "optimal"));
    CHECK(offers(offered({"explain", ""}), "optimal"));
    CHECK(offers(offered({"explain", ""}), "scatter"));
    CHECK(offered({"explain", "optimal", "--collective", "scat"}) == Words{"scatter"});
    CHECK(offered({"explain", "virtual-t"}) == Words{"virtual-time"});  // spaces are hyphens
    CHECK(offered({"help", "--completion", ""}) == Words{"bash", "zsh", "fish"});
}

TEST_CASE("completion: every value that is offered is taken", "[cli][shell][long]")
{
    for (const char* const option : {"--ports", "--link", "--clock", "--duplex", "--machine", "--layout", "--to-layout",
                                     "--type", "--operation", "--pin", "--channel", "--color", "--format"}) {
        const auto complaint = [&](const std::string& value) {
            return dcube_program({"run", "broadcast", "--dim", "2", option, value}).err;
        };
        CAPTURE(option);
        CHECK_THAT(complaint("nonsense"), Catch::Contains(" is not "));
        const Words values = offered({"run", "broadcast", option, ""});
        CHECK(values.size() > 1);
        for (const std::string& value : values)
            CHECK_THAT(complaint(value), !Catch::Contains(" is not "));  // another may be: it does not apply, say
    }
}

TEST_CASE("completion: algorithms are those of the collective, under its other names too", "[cli][shell]")
{
    for (const dcube::Collective collective : dcube::all_collectives) {
        std::set<std::string> expected{"auto"};
        for (const dcube::Entry& algorithm : dcube::catalogue())
            if (algorithm.collective == collective)
                expected.emplace(algorithm.name);
        const Words all = offered({"run", std::string(name(collective)), "--dim", "3", "--algorithm", ""});
        CAPTURE(name(collective));
        CHECK(std::set<std::string>(all.begin(), all.end()) == expected);
        CHECK(all.size() == expected.size());
    }
    CHECK(offered({"run", "total-exchange", "--algorithm", "opt"}) == Words{"optimal"});
    CHECK(offered({"run", "alltoall", "--algorithm", "opt"}) == Words{"optimal"});
    CHECK(offered({"run", "all-to-all", "--algorithm", "optimal,loc"}) == Words{"optimal,local-rules"});
}

TEST_CASE("completion: options that were given, or say the same as one that was, are not offered again", "[cli][shell]")
{
    const Words all = offered({"run", "scatter", "--dim", "3", "--ports=one", "--"});
    CHECK(offers(all, "--bytes"));
    CHECK_FALSE(offers(all, "--dim"));
    CHECK_FALSE(offers(all, "--topology"));
    CHECK_FALSE(offers(all, "--ports"));
    CHECK(offers(offered({"list", "machines", ""}), "--format"));  // nothing but options can follow
    CHECK(offers(offered({"run", "scatter", "--fail-link", "0-1@1", "--"}), "--fail-link"));  // several times
}

TEST_CASE("completion: after a wrong word nothing is offered", "[cli][shell][negative]")
{
    CHECK(offered({"nonsense", ""}).empty());
    CHECK(offered({"run", "--nonsense="}).empty());
    CHECK(offered({"run", "--dry-run="}).empty());
    CHECK(offered({"run", "scatter", "--dim", ""}).empty());
    CHECK(offered({}).empty());
}

TEST_CASE("completion: bash cuts words at colons and equals signs, and gets what follows them", "[cli][shell][slow]")
{
    CHECK(bash_replies("dcube r") == "run replay release\n");
    CHECK(bash_replies("dcube run broad") == "broadcast\n");
    CHECK(bash_replies("dcube run all-to-all --algorithm opt") == "optimal\n");
    CHECK(bash_replies("dcube run '\"total exchange\"' --algorithm opt") == "optimal\n");
    CHECK(bash_replies("dcube run scatter --topology tor") == "torus:\n");
    CHECK(bash_replies("dcube run scatter --topology = tor") == "torus:\n");
    CHECK(bash_replies("dcube run scatter --ports =") == "all one\n");
    CHECK(bash_replies("dcube info --topology ring : '5*pat'") == "5*path:\n");
    CHECK(bash_replies("dcube nonsense ''") == "\n");
    CHECK(bash_replies("dcube explain virtual-t") == "virtual-time\n");
    const TemporaryFolder folder;
    write_text(folder.file("data.bin"), "x");
    CHECK(bash_replies("dcube run gather --input " + folder.file("da")) == folder.file("data.bin") + "\n");
    CHECK(bash_replies("dcube run gather --input = " + folder.file("da")) == folder.file("data.bin") + "\n");
}

TEST_CASE("completion: fish gets the words that may follow, each with its meaning", "[cli][shell][needs]")
{
    if (!on_path("fish"))
        return;
    const auto replies = [](const std::string& line) {
        const std::string script = "dcube help --completion fish | source; complete -C '" + line + "'";
        const TemporaryFolder home;
        return dcube_program({script}, {.program = shell_with_program("fish", home)}).out;
    };
    CHECK(replies("dcube ver") == "verify\tcheck a trace made by dcube or by another program\n");
    CHECK(replies("dcube explain virtual-t") ==
          "virtual-time\tthe time at which the last byte arrives, in ns, under the link-bound model\n");
    CHECK(replies("dcube run scatter --topology=tor") == "--topology=torus:\tas torus:8x8x8\n");
    CHECK(replies("dcube run all-to-all --algorithm opt") ==
          "optimal\ta table that keeps every link busy in every step\n");
}

TEST_CASE("completion: bash can read its completion script", "[cli][shell]")
{
    check_readable("bash");
}

TEST_CASE("completion: zsh and fish can read their completion scripts", "[cli][shell][needs]")
{
    for (const char* const shell : {"zsh", "fish"}) {
        if (!on_path(shell))
            return;
        check_readable(shell);
    }
}
