#pragma once
// Options as the commands declare them, on CLI11. Each reads its own value, and an error about it names the option, the
// given text and the allowed values. All throw InvalidArgument while the command line is parsed.

#include "base/names.hpp"
#include "base/numbers.hpp"
#include "cli/requests.hpp"

#include <fmt/format.h>

#include <cstdint>
#include <functional>
#include <initializer_list>
#include <iterator>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace CLI {
class App;
class Option;
}  // namespace CLI

namespace dcube {
struct Key;
}

namespace dcube::cli {

class Interrupt;

/// How an option is written, what stands for its value in the help, what it means, and under which heading.
struct OptionText {
    std::string name;  ///< "--dim", or "FILE" for a positional
    std::string value;
    std::string help;
    std::string heading = "Options";
};

/// The option of a question's key.
OptionText text_for(const Key& key);
/// The key that an option or argument of that name gives; null if it is none of a question's.
const Key* key_of(std::string_view option);

/// Declares an option whose value `read` gets; it may be given once.
CLI::Option* add_option(CLI::App& app, const OptionText& text, std::function<void(const std::string&)> read);

/// The same for one that may be given several times: `read` gets one value after the other.
CLI::Option* add_repeated_option(CLI::App& app, const OptionText& text, std::function<void(const std::string&)> read);

CLI::Option* add_text(CLI::App& app, const OptionText& text, std::optional<std::string>& into);
/// A file name, which must not be empty. For a file that is written, `printed` names what standard output already
/// carries ("the report"); then - is refused, too, and a file that the command reads.
CLI::Option* add_file(CLI::App& app, const OptionText& text, std::optional<std::string>& into,
                      const char* printed = nullptr);
/// A folder's name, which must not be empty.
CLI::Option* add_folder(CLI::App& app, const OptionText& text, std::optional<std::string>& into);
CLI::Option* add_number(CLI::App& app, const OptionText& text, NumberRange allowed, std::optional<std::uint64_t>& into);
/// Several numbers: 4,8 or 4:10 or 1:100:x10 or 4:10:+2.
CLI::Option* add_numbers(CLI::App& app, const OptionText& text, NumberRange allowed, std::vector<std::uint64_t>& into);
CLI::Option* add_flag(CLI::App& app, const OptionText& text, bool& into);

/// A value that `parse` makes of the text.
template <class Value, class Parse>
CLI::Option* add_parsed(CLI::App& app, const OptionText& text, std::optional<Value>& into, Parse parse)
{
    return add_option(app, text, [name = text.name, &into, parse](const std::string& given) {
        into = about(name, [&] { return parse(given); });
    });
}

/// The same for one that may be given several times.
template <class Value, class Parse>
CLI::Option* add_parsed(CLI::App& app, const OptionText& text, std::vector<Value>& into, Parse parse)
{
    return add_repeated_option(app, text, [name = text.name, &into, parse](const std::string& given) {
        into.push_back(about(name, [&] { return parse(given); }));
    });
}

/// A value from a table, an array of Spelling that lives as long as the program. `what` names the kind of value in
/// errors: "a list". An option without a help text of its own shows the list of names as its help.
template <class Value, class Spellings>
CLI::Option* add_choice(CLI::App& app, OptionText text, const Spellings& table, std::string what, Value& into)
{
    const std::string list = fmt::format("{} [{}]", names(table), std::begin(table)->text);
    if (text.help.empty())
        text.help = list;
    return add_option(app, text, [name = text.name, &table, what = std::move(what), &into](const std::string& given) {
        const auto read = [&] { return parsed(table, given, what); };
        into = name.starts_with('-') ? about(name, read) : read();
    });
}

/// --format, with those of the formats that the command knows, and --json, if json is one of them.
CLI::Option* add_format(CLI::App& app, std::initializer_list<Format> known, Format& into);

/// --json, for a command whose --format has it.
void add_json(CLI::App& app, std::function<void()> choose);

/// --verbose
void add_verbose(CLI::App& app, Rows& into);

/// -q and --quiet, for a command that does more than print. Declared last, because it excludes those of the command's
/// options that choose the output.
void add_quiet(CLI::App& app);

/// The option cannot be used together with any of the others, which the command has.
void exclude(CLI::App& app, const char* option, std::initializer_list<const char*> others);

/// The option is allowed only together with the other one.
void need(CLI::App& app, const char* option, const char* other);

/// The options and arguments that are given, in their order.
std::vector<std::string> given_options(const CLI::App& app);

/// Throws InvalidArgument with that text where options contradict each other by their values.
void reject_if(bool contradicts, const std::string& what);

/// The ranks that execute a command: all together, or rank 0 while the others wait for its end.
enum class Over : std::uint8_t { first_rank, all_ranks };

using Execution = std::function<int(Interrupt& interrupt)>;

/// A command of the program: its whole entry in the help, its options and what it does.
struct Command {
    const char* name;
    const char* usage;    ///< what follows "dcube"
    const char* summary;  ///< one line
    const char* footer;   ///< examples
    /// Declares the options; what it returns is called when they are read, and returns the exit code. Signals that ask
    /// the program to end are requests to stop meanwhile.
    Execution (*define)(CLI::App& app);
    Over over = Over::first_rank;
    const char* heading = "Other commands";  ///< in the help; "" for those of ./dcube, which are below the examples
};

/// The heading of the commands that are used most.
inline constexpr const char* to_begin = "To begin";

/// Reads the command line and executes its command, perhaps as several ranks. Returns the exit code. Throws
/// InvalidArgument in one line for what cannot be meant, and what the command throws.
int run_command_line(int argc, const char* const* argv, std::span<const Command* const> commands);

/// The command line that is being executed, as a shell takes it: "dcube bench all-to-all --dim 6:8".
std::string command_line_text();
/// Its words, without the program's name.
const std::vector<std::string>& command_words();

/// The option that gives a key on that command line: "topology" is --dim there if --dim is given. A key that is not
/// given has the option that is its own.
std::string given_option(std::string_view key);

}  // namespace dcube::cli
