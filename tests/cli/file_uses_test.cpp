// Files that a command reads and that its outputs name: none is destroyed.

#include "cli/files/files.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/command_lines.hpp"
#include "tests/support/process.hpp"

#include <fmt/format.h>

#include <sys/stat.h>
#include <unistd.h>

#include <filesystem>
#include <string>
#include <vector>

using namespace dcube::test;
namespace fs = std::filesystem;

namespace {

// A folder with a schedule s, a graph g, a permutation p, a list of faults f, data d, a benchmark b, a module m.wasm, a
// trace t on the graph, and links and other names of s.
class Given {
public:
    Given()
    {
        write_text(file("g"), "0 1\n1 2\n2 0\n");
        write_text(file("p"), "1 0 3 2");
        write_text(file("f"), "0-1\n");
        write_text(file("d"), std::string(64, 'd'));
        write_text(file("m.wasm"), std::string("\0asm", 4));
        make("run broadcast --dim 3 --trace s");
        make("run broadcast --topology graph:g --trace t");
        make("bench broadcast --dim 2 --min-time 0.001 --rounds 3 --output b");
        fs::create_symlink(file("s"), file("link"));
        fs::create_hard_link(file("s"), file("other-name"));
        fs::create_directory(file("folder"));
        names_ = folder_.names();
    }

    [[nodiscard]] std::string file(const std::string& name) const { return folder_.file(name); }

    // The line in this folder.
    [[nodiscard]] Outcome dcube(const std::string& line) const
    {
        return dcube_line(line, {.program = {"sh", "-c", "cd \"$0\" && exec \"$@\"", file("."), DCUBE_PROGRAM}});
    }

    // Refused for the file that an option names, and all files are as they were.
    void check_refused(const std::string& line) const
    {
        CAPTURE(line);
        const std::vector<std::string> before = texts();
        const Outcome outcome = dcube(line);
        CHECK(outcome.exit_code == 2);
        CHECK(outcome.out.empty());
        CHECK_THAT(outcome.err, Catch::Contains("names the file '") && Catch::EndsWith("which this command reads\n"));
        CHECK(lines_of(outcome.err).size() == 1);
        CHECK(texts() == before);
        CHECK(folder_.names() == names_);
    }

private:
    void make(const std::string& line) const { REQUIRE(dcube(line).exit_code == 0); }

    [[nodiscard]] std::vector<std::string> texts() const
    {
        std::vector<std::string> all;
        for (const char* const name : {"s", "g", "p", "f", "d", "b", "m.wasm", "t"})
            all.push_back(read_text(file(name)));
        return all;
    }

    TemporaryFolder folder_;
    std::vector<std::string> names_;
};

}  // namespace

TEST_CASE("files: no output destroys a file that the same command reads, wherever its name stands",
          "[cli][negative][slow]")
{
    const Given given;
    for (const char* const line : {"run broadcast --dim 3 --algorithm @s --output s",
                                   "run broadcast --dim 3 --algorithm @s --trace s",
                                   "run all-to-all --topology graph:g --output g",
                                   "run all-to-all --topology ring:3*graph:g --trace g",
                                   "run permute --dim 2 --permutation @p --output p",
                                   "run broadcast --dim 2 --faults f --trace f",
                                   "run all-gather --dim 2 --input d --trace d",
                                   "replay s --output s",
                                   "replay t --output g",
                                   "replay - --trace g --output x broadcast --topology graph:g",
                                   "view broadcast --dim 3 --algorithm @s --html s",
                                   "view broadcast --dim 3 --versus @s --html s",
                                   "view broadcast --dim 3 --algorithm @s --svg s",
                                   "view --trace s --html s",
                                   "view --trace t --svg g",
                                   "view broadcast --topology graph:g --html g",
                                   "view broadcast --dim 2 --versus-topology graph:g --html g",
                                   "bench broadcast --dim 3 --algorithm @s --min-time 0.001 --output s",
                                   "bench broadcast --topology graph:g --min-time 0.001 --output g",
                                   "bench --read b --html b",
                                   "bench broadcast --dim 2 --against b --html b",
                                   "export goal broadcast --dim 3 --algorithm @s --output s",
                                   "export chrome broadcast --topology graph:g --output g",
                                   "lab --topology graph:g --module m.wasm --html g",
                                   "lab --module m.wasm --html m.wasm",
                                   "lab --module m.wasm --script m.wasm",
                                   "run broadcast --dim 3 --algorithm @s --output ./folder/../s",
                                   "run broadcast --dim 3 --algorithm @s --output link",
                                   "run broadcast --dim 3 --algorithm @link --output s",
                                   "run broadcast --dim 3 --algorithm @s --output other-name"})
        given.check_refused(line);
}

TEST_CASE("files: no output destroys an algorithm's file that the command leaves out because it cannot be read",
          "[cli][negative]")
{
    const Given given;
    const std::string before = read_text(given.file("s"));
    const Outcome outcome =
        given.dcube("bench broadcast --dim 3 --algorithm auto,@s --min-time 0.001 --rounds 3 --html s");
    CHECK(outcome.exit_code == 2);
    CHECK_THAT(outcome.err, Catch::Contains("cannot write 's': this command reads it\n"));
    CHECK(read_text(given.file("s")) == before);
}

TEST_CASE("files: data may be replaced by what the nodes make of them, and a benchmark by a newer one", "[cli]")
{
    const Given given;
    CHECK(given.dcube("run all-gather --dim 2 --input d --output d").exit_code == 0);
    CHECK(read_text(given.file("d")) == std::string(256, 'd'));
    CHECK(given.dcube("bench broadcast --dim 2 --min-time 0.001 --rounds 3 --against b --output b").exit_code != 2);
    CHECK(given.dcube("run all-gather --dim 2 --trace /dev/null --output /dev/null").exit_code == 0);
}

TEST_CASE("files: a file that replaces another keeps its mode, and none can be read while it is written", "[cli]")
{
    const TemporaryFolder folder;
    const std::string file = folder.file("out");
    const auto mode = [](const std::string& name) {
        struct stat status {};
        return stat(name.c_str(), &status) == 0 ? status.st_mode & 07777U : 0;
    };
    const auto written = [&] {
        REQUIRE(executed("run all-gather --dim 2 --output " + file).exit_code == 0);
        return mode(file);
    };
    CHECK(written() == dcube::cli::usual_mode(0666));
    for (const mode_t kept : {0600U, 0444U, 0755U, 0640U}) {
        REQUIRE(chmod(file.c_str(), kept) == 0);
        CHECK(written() == kept);
    }
    using dcube::cli::NewFile;
    for (const NewFile::Until until : {NewFile::Until::nameless, NewFile::Until::named}) {
        NewFile other(folder.file("other"), until);
        CHECK(mode(other.place()) == 0600);
        other.commit();
        CHECK(mode(folder.file("other")) == dcube::cli::usual_mode(0666));
        fs::remove(folder.file("other"));
    }
}

TEST_CASE("files: links are written through, also to a file that is not there yet; circles are refused", "[cli]")
{
    const TemporaryFolder folder;
    fs::create_directory(folder.file("inner"));
    fs::create_symlink("inner/link", folder.file("link"));
    fs::create_symlink("target", folder.file("inner/link"));
    for (int existing = 0; existing < 2; ++existing) {
        REQUIRE(executed("run all-gather --dim 2 --output " + folder.file("link")).exit_code == 0);
        CHECK(fs::is_symlink(folder.file("link")));
        CHECK(fs::is_symlink(folder.file("inner/link")));
        CHECK(fs::is_regular_file(fs::symlink_status(folder.file("inner/target"))));
    }
    fs::create_symlink("circle", folder.file("circle"));
    check_refused("run all-gather --dim 2 --output " + folder.file("circle"), "Too many levels of symbolic links");
    CHECK(fs::is_symlink(folder.file("circle")));
    fs::create_symlink("none/target", folder.file("nowhere"));
    check_refused("run all-gather --dim 2 --output " + folder.file("nowhere"), "No such file or directory");
    CHECK(folder.names() == std::vector<std::string>{"circle", "inner", "link", "nowhere"});
}

TEST_CASE("files: an output larger than the limit of file sizes is an error and leaves no file", "[cli][negative]")
{
    const TemporaryFolder folder;
    const Outcome outcome = dcube_line("run all-to-all --dim 6 --trace " + folder.file("t"),
                                       {.program = {"sh", "-c", "ulimit -f 1; exec \"$0\" \"$@\"", DCUBE_PROGRAM}});
    CHECK(outcome.exit_code == 2);
    CHECK(outcome.err == fmt::format("dcube: cannot write '{}': File too large\n", folder.file("t")));
    CHECK(folder.names().empty());
}
