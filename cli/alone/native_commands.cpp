// The commands that dcube has, but not in WebAssembly: they measure, or need processes, threads or zlib. Known here so
// that each is refused by its name.

#include "cli/arguments.hpp"

#include <dcube/error.hpp>

#include <CLI/CLI.hpp>
#include <fmt/format.h>

namespace dcube::cli {

namespace {

Execution define_native_command(CLI::App& app)
{
    app.allow_extras();
    return [name = app.get_name()](Interrupt&) -> int {
        throw InvalidArgument(fmt::format(
            "{0} is not in dcube's npm package, which is for learning, not for measuring: in dcube's source "
            "folder, ./dcube {0} builds the program that has it",
            name));
    };
}

constexpr Command native(const char* name, const char* summary)
{
    return {.name = name,
            .usage = name,
            .summary = summary,
            .footer = "Not in dcube's npm package: for ./dcube, the script in dcube's source folder.",
            .define = define_native_command,
            .heading = ""};
}

}  // namespace

extern const Command bench_command = native("bench", "measure runs repeatedly, and compare results");
extern const Command scale_command = native("scale", "how this machine scales");
extern const Command limits_command = native("limits", "measure what bounds runs on this machine");
extern const Command self_test_command = native("self-test", "check that this dcube works");
extern const Command export_command = native("export", "write a run in the format of another tool");

}  // namespace dcube::cli
