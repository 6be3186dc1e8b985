#include "cli/text/version_text.hpp"

#include "cli/ranks.hpp"
#include "cli/text/describe.hpp"
#include "emu/libraries.hpp"
#include "inspect/measure/host_document.hpp"

#include <dcube/version.hpp>

#include <fmt/format.h>

#include <string_view>

namespace dcube::cli {

namespace {

// inspect/measure/CMakeLists.txt marks changed files with a "+".
std::string commit_text(std::string_view commit)
{
    if (commit.empty())
        return "unknown";
    return commit.ends_with('+') ? fmt::format("{}, with changes", commit.substr(0, commit.size() - 1))
                                 : std::string(commit);
}

std::string compiler_text(const measure::BuildFacts& build)
{
    return fmt::format("{}, {}{}", build.compiler, build.build_type,
                       build.sanitizers.empty() ? "" : fmt::format(", sanitizers: {}", build.sanitizers));
}

}  // namespace

std::string version_text()
{
    const measure::BuildFacts build = measure::build_facts();
    const std::string interface = fmt::format("{}.{}", DCUBE_VERSION_MAJOR, DCUBE_VERSION_MINOR);
    std::string text = fmt::format("dcube {}\n", version());
    text += row("commit", commit_text(build.commit));
    text += row("compiler", compiler_text(build));
    for (const auto& [name, version] : detail::loaded_libraries())
        text += row(name, version);
    text += row("MPI", mpi_of_program());
    text += row("API", interface);
    text += row("command line", interface);
    text += row("JSON schema", fmt::format("{}", report_schema));
    text += row("trace schema", fmt::format("{}", trace_schema));
    return text;
}

}  // namespace dcube::cli
