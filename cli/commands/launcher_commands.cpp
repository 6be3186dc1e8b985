// The commands of ./dcube, the script in the source folder, which finds them in the files launch.sh: known here so that
// help, completion and suggestions have them.

#include "cli/arguments.hpp"
#include "cli/program.hpp"

#include <dcube/error.hpp>

#include <CLI/CLI.hpp>
#include <fmt/format.h>

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

constexpr Command of_launcher(const char* name, const char* summary)
{
    return {.name = name,
            .usage = name,
            .summary = summary,
            .footer = "For ./dcube, the script in dcube's source folder; see its --help.",
            .define = define_launcher_command,
            .heading = "Commands of ./dcube, in the source folder"};
}

constexpr Command of_script[]{
    of_launcher("test", "build and run all tests"),
    of_launcher("demo", "build and run a demo, or a program of your own"),
    of_launcher("demos", "build the lessons as pages for a browser"),
    of_launcher("docs", "build the documents as a site, with a search"),
    of_launcher("package", "make packages for Debian, and an archive for any Linux"),
    of_launcher("figures", "measure the speeds that the documents claim"),
    of_launcher("gbench", "run the single benchmarks"),
    of_launcher("peers", "measure it beside MPI, SimGrid, threads, Go and OpenMP"),
    of_launcher("python", "run Python with the package dcube"),
    of_launcher("notebook", "open Jupyter notebooks with the Python package dcube"),
    of_launcher("mpi-setup", "install MPI, for machines over several processes or hosts"),
};

}  // namespace

std::span<const Command> launcher_commands()
{
    return of_script;
}

}  // namespace dcube::cli
