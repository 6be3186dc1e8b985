// dcube completion: the script by which a shell completes dcube's command lines.

#include "cli/arguments.hpp"
#include "cli/output.hpp"

#include <memory>
#include <string>
#include <string_view>

namespace dcube::cli {

namespace {

inline constexpr std::string_view bash_script =
    R"(# bash completion for dcube. To try it: source <(dcube completion bash)

_dcube() {
    # Bash cuts words at : and =, which stand in networks and options: they are put together again.
    local words=() word piece=${COMP_WORDS[COMP_CWORD]} line i
    for ((i = 1; i <= COMP_CWORD; ++i)); do
        word=${COMP_WORDS[i]//[\"\']/}
        if ((${#words[@]} > 0)) && [[ $word == [:=]* || ${words[-1]} == *[:=] ]]; then
            words[-1]+=$word
        else
            words+=("$word")
        fi
    done
    [[ $piece == [:=] ]] && piece=''
    piece=${piece//[\"\']/}
    local before=${words[-1]%"$piece"}

    COMPREPLY=()
    while IFS= read -r line; do
        if [[ $line == :files ]]; then
            compopt -o filenames 2>/dev/null
            while IFS= read -r line; do
                COMPREPLY+=("$line")
            done < <(compgen -f -- "$piece")
        else
            line=${line%%$'\t'*}
            COMPREPLY+=("${line#"$before"}")
        fi
    done < <("${1/#\~\//$HOME/}" __complete "${words[@]}" 2>/dev/null)
    [[ ${#COMPREPLY[@]} == 1 && ${COMPREPLY[0]} == *: ]] && compopt -o nospace 2>/dev/null
    return 0
}

complete -F _dcube dcube
)";

inline constexpr std::string_view zsh_script = R"(#compdef dcube
# zsh completion for dcube. To try it: source <(dcube completion zsh)

_dcube() {
    local line text entry files=no
    local -a whole begun
    for line in "${(@f)$("${(Q)words[1]/#\~\//$HOME/}" __complete "${(@Q)words[2,CURRENT-1]}" "$PREFIX" 2>/dev/null)}"; do
        text=${line%%$'\t'*}
        entry=${text//:/\\:}
        [[ $line == *$'\t'* ]] && entry+=:${line#*$'\t'}
        case $text in
        '') ;;
        :files) files=yes ;;
        *:) begun+=("$entry") ;;
        *) whole+=("$entry") ;;
        esac
    done
    (($#whole)) && _describe -V dcube whole
    (($#begun)) && _describe -V 'dcube, and what follows' begun -S ''
    if [[ $files == yes ]]; then
        compset -P '--*='
        _files
    fi
}

if [[ ${funcstack[1]-} == _dcube ]]; then
    _dcube "$@"
else
    compdef _dcube dcube
fi
)";

inline constexpr std::string_view fish_script =
    R"(# fish completion for dcube. To try it: dcube completion fish | source

function __dcube_complete
    set -l words (commandline -opc)
    set -l last (commandline -ct)
    for line in ($words[1] __complete $words[2..-1] "$last" 2>/dev/null)
        if test "$line" = :files
            set -l before (string match -r -- '^--[^=]*=' "$last")
            for path in (__fish_complete_path (string replace -- "$before" '' "$last"))
                echo "$before$path"
            end
        else
            echo $line
        end
    end
end

complete -c dcube -f -a '(__dcube_complete)'
)";

constexpr Spelling<std::string_view> shells[]{{bash_script, "bash"}, {zsh_script, "zsh"}, {fish_script, "fish"}};

Execution define_completion(CLI::App& app)
{
    const auto script = std::make_shared<std::string_view>();
    add_choice(app, {"SHELL", "", "bash, zsh, fish"}, shells, "a shell", *script);
    return [script](Interrupt&) {
        reject_if(script->empty(), "a shell is missing: expected bash, zsh or fish");
        print(*script);
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

cmake --install installs the scripts for all shells. For the current shell only:
  source <(dcube completion bash)
  source <(dcube completion zsh)
  dcube completion fish | source
The scripts ask dcube itself, and complete commands, options, collectives, and the algorithms of )"
                                                  R"(the given collective.)",
                                        .define = define_completion};

}  // namespace dcube::cli
