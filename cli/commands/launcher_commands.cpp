// The commands of ./dcube, the script in the source folder that builds dcube and starts it: known here so that help,
// completion and suggestions have them.

#include "cli/arguments.hpp"

#include <dcube/error.hpp>

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include <functional>

namespace dcube::cli {

namespace {

Execution define_launcher_command(CLI::App& app)
{
    app.allow_extras();
    return [name = app.get_name()](Interrupt&) -> int {
        throw InvalidArgument(
            fmt::format("{0} is a command of the script dcube in dcube's source folder, which builds it "
                        "first: ./dcube {0}",
                        name));
    };
}

constexpr Command launcher_command(const char* name, const char* usage, const char* summary)
{
    return {.name = name,
            .usage = usage,
            .summary = summary,
            .footer = "For ./dcube, the script in dcube's source folder; see its --help.",
            .define = define_launcher_command,
            .over = Over::first_rank,
            .heading = "Commands of ./dcube, in the source folder"};
}

}  // namespace

extern const Command test_command = launcher_command("test", "test [OPTIONS OF CTEST]", "build and run all tests");
extern const Command demo_command =
    launcher_command("demo", "demo NAME [ARGUMENTS]", "build and run a demo, or a program of your own");
extern const Command demos_command =
    launcher_command("demos", "demos [DIR]", "build the lessons as pages for a browser");
extern const Command docs_command =
    launcher_command("docs", "docs [DIR]", "build the documents as a site, with a search");
extern const Command figures_command =
    launcher_command("figures", "figures [OPTIONS]", "measure the speeds that the documents claim");
extern const Command gbench_command =
    launcher_command("gbench", "gbench [OPTIONS OF GOOGLE BENCHMARK]", "run the single benchmarks");
extern const Command peers_command =
    launcher_command("peers", "peers [OPTIONS]", "measure it beside MPI, SimGrid, threads, Go and OpenMP");
extern const Command package_command =
    launcher_command("package", "package [OPTIONS] [DIR]", "make packages for Debian, and an archive for any Linux");
extern const Command python_command =
    launcher_command("python", "python [ARGUMENTS OF PYTHON]", "run Python with the package dcube");
extern const Command notebook_command =
    launcher_command("notebook", "notebook [FILE]", "open Jupyter notebooks with the Python package dcube");
extern const Command mpi_setup_command =
    launcher_command("mpi-setup", "mpi-setup [--mpich]", "install MPI, for machines over several processes or hosts");

}  // namespace dcube::cli
