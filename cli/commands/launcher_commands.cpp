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
            .heading = ""};
}

constexpr Command of_script[]{
    of_launcher("test", "build and run all tests"),
    of_launcher("demo", "build and run a demo, or a program of your own"),
    of_launcher("docs", "build the documents as a site, or the lessons alone"),
    of_launcher("package", "make packages for Debian, and an archive for any Linux"),
    of_launcher("release", "make all files of a release: packages, archive, wheels"),
    of_launcher("figures", "measure the speeds that the documents claim, or its peers"),
    of_launcher("python", "run Python with the package dcube, or open notebooks"),
    of_launcher("mpi-setup", "install MPI, for machines over several processes or hosts"),
};

}  // namespace

std::span<const Command> launcher_commands()
{
    return of_script;
}

}  // namespace dcube::cli
