// The launcher `dcube`, beside a project of one file that stands in for dcube and is built in no time.

#include "tests/support/catch.hpp"
#include "tests/support/on_path.hpp"
#include "tests/support/process.hpp"

#include <cstdlib>
#include <filesystem>
#include <string>
#include <unistd.h>
#include <vector>

using namespace dcube::test;
namespace fs = std::filesystem;

namespace {

constexpr const char* project = R"(cmake_minimum_required(VERSION 3.25)
project(fake LANGUAGES NONE)
enable_testing()
add_test(NAME "a test" COMMAND sh -c "echo thorough: $DCUBE_THOROUGH")
add_test(NAME "a fast test" COMMAND true)
set_tests_properties("a fast test" PROPERTIES LABELS emu-fast)
function(program target path)
  set(path ${CMAKE_BINARY_DIR}/${path})
  add_custom_command(OUTPUT ${path} DEPENDS ${CMAKE_SOURCE_DIR}/program.sh COMMENT "Building ${path}"
    COMMAND sh ${CMAKE_SOURCE_DIR}/before.sh
    COMMAND ${CMAKE_COMMAND} -E copy ${CMAKE_SOURCE_DIR}/program.sh ${path})
  add_custom_target(${target} ALL DEPENDS ${path})
endfunction()
program(dcube_program cli/dcube)
if(EXISTS ${CMAKE_SOURCE_DIR}/with_mpi)
  program(dcube_mpi_program cli/dcube-mpi)
endif()
foreach(floor IN ITEMS emu judge run inspect program)
  program(dcube_${floor}_tests tests/dcube_${floor}_tests)
endforeach()
program(dcube_figures bench/dcube_figures)
program(dcube_gbench bench/dcube_gbench)
program(dcube_peers bench/peers/dcube_peers)
if(DCUBE_PEERS)
  program(dcube_peer_programs bench/peers/peer-fake)
endif()
program(dcube_gallery web/lessons/gallery/dcube_gallery)
program(demo_hello demos/demo_hello)
if(DCUBE_PYTHON)
  program(dcube_python python/dcube/_core.fake.so)
  file(WRITE ${CMAKE_BINARY_DIR}/python/dcube/__init__.py "steps = 3")
endif()
)";

class Checkout {
public:
    Checkout()
    {
        fs::copy_file(DCUBE_SOURCE_DIR "/dcube", folder_.file("dcube"));
        for (const std::string name : {"tests", "demos", "web", "bench", "packaging", "python", "emu/mpi"}) {
            fs::create_directories(folder_.file(name));
            fs::copy_file(DCUBE_SOURCE_DIR "/" + name + "/launch.sh", folder_.file(name + "/launch.sh"));
        }
        fs::create_directories(folder_.file("python/notebooks"));
        write_text(folder_.file("python/notebooks/teaching.ipynb"), "{}");
        write_text(folder_.file("CMakeLists.txt"), project);
        fs::create_directories(folder_.file("demos/hello"));
        write_text(folder_.file("demos/hello/main.cpp"), "");
        write_text(folder_.file("before.sh"), "");
        write_program("echo \"${0##*/} says: $*\"");
    }

    void write_program(const std::string& text, const std::string& name = "program.sh") const
    {
        const std::string file = folder_.file(name);
        write_text(file, "#!/bin/sh\n" + text + "\n");
        fs::permissions(file, fs::perms::owner_all | fs::perms::group_exec | fs::perms::others_exec |
                                  fs::perms::group_read | fs::perms::others_read);
    }

    [[nodiscard]] Outcome dcube(const std::vector<std::string>& arguments, const Variables& variables = {}) const
    {
        Start how = start({folder_.file("dcube")});
        how.variables = variables;
        return dcube_program(arguments, how);
    }

    // Runs it in a process group of its own.
    [[nodiscard]] Outcome dcube_in_a_group(const std::vector<std::string>& arguments) const
    {
        return dcube_program(arguments, start({"setsid", "--wait", folder_.file("dcube")}));
    }

    // Runs it as a user who may read the checkout, and not write to it.
    [[nodiscard]] Outcome dcube_for_reader(const std::vector<std::string>& arguments) const
    {
        const fs::path top = fs::path(folder_.file("dcube")).parent_path();
        const fs::perms writing = fs::perms::owner_write | fs::perms::group_write | fs::perms::others_write;
        fs::permissions(top, fs::perms::owner_all | fs::perms::group_exec | fs::perms::others_exec |
                                 fs::perms::group_read | fs::perms::others_read);
        change_folders(top, writing, fs::perm_options::remove);
        std::vector<std::string> program{folder_.file("dcube")};
        if (geteuid() == 0)  // root may write everywhere
            program.insert(program.begin(), {"setpriv", "--reuid=65534", "--regid=65534", "--clear-groups"});
        const Outcome outcome = dcube_program(arguments, start(program));
        change_folders(top, fs::perms::owner_write, fs::perm_options::add);
        return outcome;
    }

    [[nodiscard]] std::string file(const std::string& name) const { return folder_.file(name); }

private:
    static Start start(const std::vector<std::string>& program)
    {
        Start start;
        start.program = program;
        return start;
    }

    static void change_folders(const fs::path& top, fs::perms perms, fs::perm_options option)
    {
        for (const auto& entry : fs::recursive_directory_iterator(top))
            if (entry.is_directory())
                fs::permissions(entry, perms, option);
        fs::permissions(top, perms, option);
    }

    TemporaryFolder folder_;
};

// Programs that stand before the system's in PATH: there, packages are installed (all, or all but one, which cannot
// be).
Variables with_packages(const Checkout& checkout, const std::string& missing = "none")
{
    const std::string tools = checkout.file("tools");
    fs::create_directories(tools);
    checkout.write_program("for package; do :; done\n[ \"$package\" = " + missing + " ] || echo all installed",
                           "tools/dpkg-query");
    checkout.write_program("exit 1", "tools/apt-get");
    checkout.write_program("[ \"$1\" = -v ] || exec \"$@\"", "tools/sudo");
    return {{"PATH", tools + ":" + std::getenv("PATH")}};
}

// Only these programs, of the system's or empty ones, are in PATH.
Variables with_only(const Checkout& checkout, const std::vector<std::string>& systems,
                    const std::vector<std::string>& empty = {})
{
    const std::string tools = checkout.file("few");
    fs::create_directories(tools);
    for (const std::string& name : systems)
        fs::create_symlink(fs::exists("/usr/bin/" + name) ? "/usr/bin/" + name : "/bin/" + name, tools + "/" + name);
    for (const std::string& name : empty)
        checkout.write_program("", "few/" + name);
    return {{"PATH", tools}};
}

// Whether it printed nothing, or one line if ninja took its time to find that out.
bool found_nothing_to_build(const Outcome& outcome)
{
    return outcome.err.empty() || (outcome.err.starts_with("dcube: building ") && lines_of(outcome.err).size() == 1);
}

}  // namespace

TEST_CASE("launcher: the first call builds and says so, the next one only runs", "[launcher][slow]")
{
    const Checkout checkout;
    write_text(checkout.file("before.sh"), "sleep 1\n");
    const Outcome first = checkout.dcube({"run", "a b", "--dim", "3"});
    CHECK(first.exit_code == 0);
    CHECK(first.out == "dcube says: run a b --dim 3\n");
    CHECK(first.err == "dcube: building dcube (some minutes the first time)...\n");
    const Outcome second = checkout.dcube({"list"});
    CHECK(second.out == "dcube says: list\n");
    CHECK(found_nothing_to_build(second));
}

TEST_CASE("launcher: on a terminal the progress of the build is shown, and the line cleared", "[launcher][slow]")
{
    const Checkout checkout;
    write_text(checkout.file("before.sh"), "sleep 1\n");
    const Start terminal{.variables = {{"TERM", "xterm"}},
                         .program = {"script", "-qec", "'" + checkout.file("dcube") + "' run", "/dev/null"}};
    const std::string shown = dcube_program({}, terminal).out;
    CHECK_THAT(shown, Catch::StartsWith("dcube: building dcube (some minutes the first time)...\r\n"));
    CHECK_THAT(shown, Catch::Contains("\r[1/1]\033[K\r\033[K"));
    CHECK_THAT(shown, Catch::EndsWith("dcube says: run\r\n"));
}

TEST_CASE("launcher: dcube-mpi is built where ranks are asked for, and then kept up to date", "[launcher][slow]")
{
    const Checkout checkout;
    const std::string mpi = checkout.file("build/release/cli/dcube-mpi");
    write_text(checkout.file("with_mpi"), "");
    CHECK(checkout.dcube({"run"}).out == "dcube says: run\n");
    CHECK(checkout.dcube({"info", "x", "--ranks", "4"}).out == "dcube says: info x --ranks 4\n");
    CHECK_FALSE(fs::exists(mpi));
    CHECK(checkout.dcube({"run", "--ranks", "2"}).out == "dcube says: run --ranks 2\n");
    CHECK(fs::exists(mpi));
    checkout.write_program("echo changed");
    CHECK(checkout.dcube({"run"}).out == "changed\n");
    CHECK_THAT(read_text(mpi), Catch::Contains("changed"));
}

TEST_CASE("launcher: changed sources are built anew, and the program's exit code is the launcher's", "[launcher][slow]")
{
    const Checkout checkout;
    CHECK(checkout.dcube({}).exit_code == 0);
    checkout.write_program("echo changed; exit 3");
    const Outcome outcome = checkout.dcube({});
    CHECK(outcome.out == "changed\n");
    CHECK(outcome.exit_code == 3);
}

TEST_CASE("launcher: test builds everything and runs the tests", "[launcher][slow]")
{
    const Checkout checkout;
    const Outcome outcome = checkout.dcube({"test", "-R", "a test"});
    CHECK(outcome.exit_code == 0);
    CHECK_THAT(outcome.out, Catch::Contains("100% tests passed"));
    CHECK(checkout.dcube({"test", "-R", "no such test"}).exit_code != 0);
    CHECK_THAT(checkout.dcube({"test", "--thorough", "-V", "-R", "a test"}).out, Catch::Contains("thorough: 1\n"));
}

TEST_CASE("launcher: test --fast builds and runs the fast tests of one floor, or of all", "[launcher][slow]")
{
    const Checkout checkout;
    const auto is_built = [&](const std::string& program) {
        return fs::exists(checkout.file("build/release/tests/dcube_" + program));
    };
    const Outcome emu = checkout.dcube({"test", "--fast", "emu"});
    CHECK(emu.exit_code == 0);
    CHECK_THAT(emu.out, Catch::Contains("out of 1\n"));
    CHECK(is_built("emu_tests"));
    CHECK_FALSE(is_built("judge_tests"));
    CHECK(checkout.dcube({"test", "--fast", "judge"}).exit_code != 0);  // it has none here
    CHECK(checkout.dcube({"test", "--fast", "-R", "fast"}).exit_code == 0);
    CHECK(is_built("program_tests"));
    CHECK_FALSE(is_built("tests"));
    const Outcome wrong = checkout.dcube({"test", "--fast", "cellar"});
    CHECK(wrong.exit_code == 2);
    CHECK(wrong.err == "dcube: test --fast takes one of emu judge run inspect program, or nothing\n");
}

TEST_CASE("launcher: a build that fails is shown, exit 2", "[launcher][negative][slow]")
{
    const Checkout checkout;
    fs::remove(checkout.file("program.sh"));
    const Outcome outcome = checkout.dcube({});
    CHECK(outcome.exit_code == 2);
    CHECK(outcome.out.empty());
    CHECK_THAT(outcome.err, Catch::Contains("program.sh") && Catch::EndsWith("dcube: the build failed\n"));
}

TEST_CASE("launcher: a built checkout that cannot be written to is run as it is", "[launcher][slow]")
{
    const Checkout checkout;
    CHECK(checkout.dcube({}).exit_code == 0);
    const Outcome outcome = checkout.dcube_for_reader({"list"});
    CHECK(outcome.out == "dcube says: list\n");
    CHECK(outcome.err.empty());
    const Outcome test = checkout.dcube_for_reader({"test"});  // ctest writes a log
    CHECK(test.exit_code == 2);
    CHECK_THAT(test.err, Catch::StartsWith("dcube: the tests need write permission for "));
}

TEST_CASE("launcher: a checkout that cannot be written to and was never built is refused in one line",
          "[launcher][negative]")
{
    const Checkout checkout;
    const Outcome outcome = checkout.dcube_for_reader({"list"});
    CHECK(outcome.exit_code == 2);
    CHECK_THAT(outcome.err, Catch::Contains("cannot be built: no permission to write to "));
    CHECK(lines_of(outcome.err).size() == 1);
}

TEST_CASE("launcher: a checkout that was moved with its build is built anew", "[launcher][slow]")
{
    const Checkout old;
    CHECK(old.dcube({}).exit_code == 0);
    const Checkout moved;
    fs::copy(old.file("build"), moved.file("build"), fs::copy_options::recursive);
    moved.write_program("echo moved");
    const Outcome outcome = moved.dcube({});
    CHECK(outcome.out == "moved\n");
    const std::string before = fs::path(old.file("dcube")).parent_path();
    CHECK_THAT(outcome.err, Catch::Contains("dcube: this build was made in " + before + ": rebuilding everything"));
    CHECK(found_nothing_to_build(moved.dcube({})));
}

TEST_CASE("launcher: Ctrl-C while it builds is one line, and what is built is kept", "[launcher][negative][slow]")
{
    const Checkout checkout;
    write_text(checkout.file("before.sh"),
               "ninja=$(awk '{print $4}' /proc/$PPID/stat)\n"                    // its parent
               "kill -INT -$(awk '{print $5}' /proc/$ninja/stat)\nsleep 10\n");  // its group
    const Outcome outcome = checkout.dcube_in_a_group({"list"});
    CHECK(outcome.exit_code == 130);
    CHECK(outcome.out.empty());
    CHECK_THAT(outcome.err, Catch::EndsWith("dcube: interrupted: what is built so far is kept\n"));
    CHECK(lines_of(outcome.err).size() <= 2);  // perhaps also that it builds
    write_text(checkout.file("before.sh"), "");
    CHECK(checkout.dcube({"list"}).out == "dcube says: list\n");
}

TEST_CASE("launcher: a checkout that needs another package than when it was built is set up anew", "[launcher][slow]")
{
    const Checkout checkout;
    CHECK(checkout.dcube({}).exit_code == 0);
    const std::string needed = read_text(checkout.file("build/release/.packages"));
    CHECK_THAT(needed, Catch::Contains("ninja-build") && Catch::Contains("libmd4c-html0-dev"));
    write_text(checkout.file("build/release/.packages"), "g++\n");
    CHECK(checkout.dcube({}).exit_code == 0);
    CHECK(read_text(checkout.file("build/release/.packages")) == needed);
}

TEST_CASE("launcher: a bash that is too old says so in one line, before it has to read more", "[launcher][negative]")
{
    const Checkout checkout;
    Start old;
    old.program = {"bash", "-c", "OLD=(3 2 57); source <(sed s/BASH_VERSINFO/OLD/g \"$0\")", checkout.file("dcube")};
    const Outcome outcome = dcube_program({}, old);
    CHECK(outcome.exit_code == 2);
    CHECK(outcome.out.empty());
    CHECK_THAT(outcome.err, Catch::StartsWith("dcube: ./dcube needs bash 4.4 "));
    CHECK(lines_of(outcome.err).size() == 1);
}

TEST_CASE("launcher: a system without its tools is told of them in one line", "[launcher][negative]")
{
    const Checkout checkout;
    const Outcome outcome = checkout.dcube({"run"}, with_only(checkout, {"bash"}));
    CHECK(outcome.exit_code == 2);
    CHECK_THAT(outcome.err, Catch::StartsWith("dcube: ./dcube needs flock "));
    CHECK(lines_of(outcome.err).size() == 1);
}

TEST_CASE("launcher: other systems than Debian are told what they call the packages", "[launcher][negative]")
{
    const std::vector<std::string> tools{"bash", "cat",   "dirname", "env",   "flock",    "grep",
                                         "ls",   "mkdir", "mktemp",  "nproc", "readlink", "sed"};
    for (const auto& [system, package] :
         {std::pair("dnf", "hwloc-devel"), {"brew", "google-benchmark"}, {"apk", "libtbb-dev"}}) {
        CAPTURE(system);
        const Checkout checkout;
        const Outcome outcome = checkout.dcube({"run"}, with_only(checkout, tools, {system}));
        CHECK(outcome.exit_code == 2);
        CHECK_THAT(outcome.err,
                   Catch::StartsWith("dcube: c++ is missing; required packages: ") && Catch::Contains(package));
    }
}

TEST_CASE("launcher: mpi-setup says what it does, and refuses what it does not know", "[launcher]")
{
    const Checkout checkout;
    CHECK_THAT(checkout.dcube({"mpi-setup", "--help"}).out, Catch::StartsWith("usage: dcube mpi-setup [--mpich]\n"));
    const Outcome outcome = checkout.dcube({"mpi-setup", "--lam"});
    CHECK(outcome.exit_code == 2);
    CHECK(outcome.err == "dcube: mpi-setup takes --mpich or nothing\n");
}

TEST_CASE("launcher: demo builds and runs one demo, and lists them", "[launcher][slow]")
{
    const Checkout checkout;
    CHECK(checkout.dcube({"demo", "hello"}).out == "demo_hello says: \n");
    CHECK(checkout.dcube({"demo", "hello", "list", "--help"}).out == "demo_hello says: list --help\n");
    CHECK_THAT(checkout.dcube({"demo", "--help"}).out, Catch::EndsWith("NAME may be:\n  hello\n"));
}

TEST_CASE("launcher: docs --lessons builds the lessons, beside the build or where it is told", "[launcher][slow]")
{
    const Checkout checkout;
    const std::string top = fs::path(checkout.file("dcube")).parent_path();
    CHECK(checkout.dcube({"docs", "--lessons"}).out == "dcube_gallery says: " + top + " " + top + "/build/lessons\n");
    CHECK(checkout.dcube({"docs", "--lessons", "a b"}).out == "dcube_gallery says: " + top + " a b\n");
    CHECK(checkout.dcube({"docs", "--exercises"}).out ==
          "dcube_gallery says: --exercises " + top + " " + top + "/build/lessons\n");
    CHECK(checkout.dcube({"docs", "--exercises", "a b"}).out == "dcube_gallery says: --exercises " + top + " a b\n");
}

TEST_CASE("launcher: unknown arguments of demo, docs, package and release are refused in one line, exit 2",
          "[launcher][negative]")
{
    const Checkout checkout;
    for (const std::vector<std::string>& words : {std::vector<std::string>{"demo"},
                                                  {"demo", "goodbye"},
                                                  {"docs", "a", "b"},
                                                  {"docs", "--open"},
                                                  {"docs", "--lessons", "a", "b"},
                                                  {"docs", "--lessons", "--exercises"},
                                                  {"package", "a", "b"},
                                                  {"package", "--rpm"},
                                                  {"release", "a", "b"},
                                                  {"release", "--rpm"},
                                                  {"release", "--with"},
                                                  {"release", "--python"},
                                                  {"release", checkout.file("")}}) {  // it is not empty
        const Outcome outcome = checkout.dcube(words);
        CHECK(outcome.exit_code == 2);
        CHECK(outcome.out.empty());
        CHECK(lines_of(outcome.err).size() == 1);
    }
    CHECK_FALSE(fs::exists(checkout.file("build")));
}

TEST_CASE("launcher: the help of its own commands needs no build", "[launcher][slow]")
{
    const Checkout checkout;
    for (const char* const command : {"test", "figures", "demo", "docs", "package", "release", "python"}) {
        for (const char* const option : {"--help", "-h"}) {
            const Outcome outcome = checkout.dcube({command, option});
            CHECK(outcome.exit_code == 0);
            CHECK_THAT(outcome.out, Catch::StartsWith(std::string("usage: dcube ") + command));
            CHECK(outcome.err.empty());
        }
        CHECK(checkout.dcube({"help", command}).out == checkout.dcube({command, "--help"}).out);
    }
    for (const char* const option : {"--benchmarks", "--peers"})
        CHECK(checkout.dcube({"figures", option, "--help"}).out == checkout.dcube({"figures", "-h"}).out);
    CHECK(checkout.dcube({"python", "--notebook", "-h"}).out == checkout.dcube({"python", "--help"}).out);
    CHECK_FALSE(fs::exists(checkout.file("build")));
}

TEST_CASE("launcher: figures and the single benchmarks are programs of their own, bench is dcube's", "[launcher][slow]")
{
    const Checkout checkout;
    CHECK(checkout.dcube({"figures"}).out == "dcube_figures says: \n");
    CHECK(checkout.dcube({"figures", "--large"}).out == "dcube_figures says: --large\n");
    CHECK(checkout.dcube({"figures", "--benchmarks", "--benchmark_filter=engine"}).out ==
          "dcube_gbench says: --benchmark_filter=engine\n");
    CHECK(checkout.dcube({"bench", "all-to-all", "--dim", "3"}).out == "dcube says: bench all-to-all --dim 3\n");
}

TEST_CASE("launcher: peers are built in a folder of their own, and the usual build stays as it is", "[launcher][slow]")
{
    const Checkout checkout;
    const std::string top = fs::path(checkout.file("dcube")).parent_path();
    CHECK(checkout.dcube({"figures", "--peers", "--dim", "3"}).out ==
          "dcube_peers says: --peers " + top + "/build/peers/bench/peers --dim 3\n");
    CHECK(fs::exists(checkout.file("build/peers/bench/peers/peer-fake")));
    CHECK_FALSE(fs::exists(checkout.file("build/release/bench/peers/peer-fake")));
    CHECK_FALSE(fs::exists(checkout.file("build/peers/cli/dcube")));
    CHECK_THAT(read_text(checkout.file("build/peers/CMakeCache.txt")), Catch::Contains("DCUBE_PEERS"));
    CHECK_THAT(read_text(checkout.file("build/release/CMakeCache.txt")), !Catch::Contains("DCUBE_PEERS"));

    checkout.write_program("echo changed");
    CHECK(checkout.dcube({"figures", "--peers"}).out == "changed\n");
    CHECK_THAT(read_text(checkout.file("build/peers/bench/peers/peer-fake")), Catch::Contains("changed"));
}

TEST_CASE("launcher: peers are installed only if that is asked for, and then looked for anew", "[launcher][slow]")
{
    const Checkout checkout;
    const std::string tools = checkout.file("tools");
    fs::create_directories(tools);
    // SimGrid is missing until it has been installed.
    checkout.write_program("for package; do :; done\n[ \"$package\" = libsimgrid-dev ] && [ ! -e '" + tools +
                               "/log' ] || echo all installed",
                           "tools/dpkg-query");
    checkout.write_program("echo \"$*\" >>'" + tools + "/log'", "tools/apt-get");
    checkout.write_program("[ \"$1\" = -v ] || exec \"$@\"", "tools/sudo");
    const Variables variables{{"PATH", tools + ":" + std::getenv("PATH")}};

    CHECK(checkout.dcube({"figures", "--peers"}, variables).exit_code == 0);
    CHECK_FALSE(fs::exists(tools + "/log"));
    const std::string before = read_text(checkout.file("build/peers/.key"));
    CHECK_THAT(before, Catch::Contains("libsimgrid-dev") && !Catch::Contains("golang-go"));

    const Outcome outcome = checkout.dcube({"figures", "--peers", "--install", "--dim", "3"}, variables);
    CHECK(outcome.exit_code == 0);
    CHECK_THAT(outcome.out, Catch::EndsWith(" --dim 3\n"));
    CHECK(lines_of(read_text(tools + "/log")) ==
          std::vector<std::string>{"update", "install -y --no-install-recommends libsimgrid-dev"});
    CHECK_THAT(read_text(checkout.file("build/peers/.key")), !Catch::Contains("libsimgrid-dev"));
}

TEST_CASE("launcher: python builds the module when it is first asked for, and runs the system's Python",
          "[launcher][needs][slow]")
{
    if (!on_path("python3"))
        return;
    const Checkout checkout;
    const Variables variables = with_packages(checkout);
    const std::string module = checkout.file("build/release/python/dcube/_core.fake.so");
    CHECK(checkout.dcube({"run"}, variables).out == "dcube says: run\n");
    CHECK_FALSE(fs::exists(module));
    const std::vector<std::string> words{"python", "-c", "import dcube, sys; print(dcube.steps, sys.argv[1:])",
                                         "--help"};
    CHECK(checkout.dcube(words, variables).out == "3 ['--help']\n");
    CHECK(fs::exists(module));
    CHECK(found_nothing_to_build(checkout.dcube(words, variables)));

    // A run still needs no more: the module is not built again; and a build that is set up anew keeps the package.
    checkout.write_program("echo changed");
    CHECK(checkout.dcube({"run"}, variables).out == "changed\n");
    CHECK_THAT(read_text(module), !Catch::Contains("changed"));
    write_text(checkout.file("build/release/.packages"), "g++\n");
    CHECK(checkout.dcube({"run"}, variables).exit_code == 0);
    CHECK(checkout.dcube({"test"}, variables).exit_code == 0);
    CHECK_THAT(read_text(module), Catch::Contains("changed"));
    const Outcome reader = checkout.dcube_for_reader(words);
    CHECK(reader.out == "3 ['--help']\n");
}

TEST_CASE("launcher: python says which package cannot be installed; run does not need it", "[launcher][negative]")
{
    const Checkout checkout;
    const Variables variables = with_packages(checkout, "pybind11-dev");
    CHECK(checkout.dcube({"run"}, variables).out == "dcube says: run\n");
    const Outcome outcome = checkout.dcube({"python"}, variables);
    CHECK(outcome.exit_code == 2);
    CHECK_THAT(outcome.err, Catch::EndsWith("dcube: these packages could not be installed: pybind11-dev\n"));
}

TEST_CASE("launcher: python --notebook takes one of dcube's or a file, and refuses others",
          "[launcher][negative][slow]")
{
    const Checkout checkout;
    const Variables variables = with_packages(checkout);
    CHECK(checkout.dcube({"python", "--notebook", "a", "b"}, variables).err ==
          "dcube: python --notebook takes one file at most, and options as --port=8888\n");
    const Outcome outcome = checkout.dcube({"python", "--notebook", "nothing"}, variables);
    CHECK(outcome.exit_code == 2);
    CHECK_THAT(outcome.err, Catch::EndsWith("dcube: there is no notebook nothing; dcube brings teaching\n"));

    // A copy is kept up to date until its reader changes it.
    const std::string copy = checkout.file("build/notebooks/teaching.ipynb");
    const std::string original = checkout.file("python/notebooks/teaching.ipynb");
    CHECK(read_text(copy) == "{}");
    write_text(original, "{ }");
    CHECK(checkout.dcube({"python", "--notebook", "nothing"}, variables).exit_code == 2);
    CHECK(read_text(copy) == "{ }");
    write_text(copy, "{\"mine\": 1}");
    write_text(original, "{}");
    CHECK_THAT(checkout.dcube({"python", "--notebook", "nothing"}, variables).err,
               Catch::Contains("teaching.ipynb is yours and stays as it is"));
    CHECK(read_text(copy) == "{\"mine\": 1}");
}
