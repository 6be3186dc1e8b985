// dcube completion: the script by which a shell completes dcube's command lines.

#include "cli/arguments.hpp"
#include "cli/output.hpp"
#include "cli/shell/scripts.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace dcube::cli {

namespace {

struct Shell {
    std::string_view name;
    std::string_view script;
};

constexpr Shell shells[] = {{"bash", bash_script}, {"zsh", zsh_script}, {"fish", fish_script}};

const Shell& shell_named(const std::string& text)
{
    std::vector<std::string_view> names;
    for (const Shell& shell : shells) {
        if (same_name(text, shell.name))
            return shell;
        names.push_back(shell.name);
    }
    throw InvalidArgument(unknown_name(text, "a shell", names, fmt::format("{}", fmt::join(names, ", "))));
}

std::function<int()> define_completion(CLI::App& app)
{
    const auto shell = std::make_shared<const Shell*>(nullptr);
    add_option(app, {"SHELL", "", "bash, zsh, fish"},
               [shell](const std::string& text) { *shell = &shell_named(text); });
    return [shell] {
        if (*shell == nullptr)
            throw InvalidArgument("a shell is missing: bash, zsh and fish are allowed");
        print((*shell)->script);
        return 0;
    };
}

}  // namespace

extern const Command completion_command{.name = "completion",
                                        .usage = "completion bash|zsh|fish",
                                        .summary = "print a shell completion script",
                                        .footer = R"(Examples:
  dcube completion bash
  dcube completion zsh
  dcube completion fish

cmake --install puts the scripts where the shells look for them. For one shell only:
  source <(dcube completion bash)
  source <(dcube completion zsh)
  dcube completion fish | source
They ask dcube itself, so they know all that it knows: commands, options, collectives, and the algorithms of )"
                                                  R"(the collective that is given.)",
                                        .define = define_completion};

}  // namespace dcube::cli
