#include "cli/shell/completion.hpp"

#include "cli/shell/values.hpp"

#include <dcube/collective.hpp>
#include <dcube/error.hpp>

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include <optional>
#include <set>
#include <vector>

namespace dcube::cli {

namespace {

bool takes_value(const CLI::Option& option)
{
    return option.get_type_size() > 0;
}

// "--dim"; "-" is a file.
bool looks_like_option(std::string_view word)
{
    return word.size() > 1 && word.starts_with('-');
}

// A command line as far as it is typed.
class Line {
public:
    explicit Line(const CLI::App& program) : program_(program) {}

    void read(const std::string& word);
    [[nodiscard]] std::string completions(const std::string& last) const;

private:
    [[nodiscard]] const CLI::App& here() const { return command_ != nullptr ? *command_ : program_; }
    [[nodiscard]] const CLI::Option* option_named(const std::string& name) const
    {
        return here().get_option_no_throw(name);
    }
    [[nodiscard]] const CLI::Option* next_positional() const;
    [[nodiscard]] std::string values(const CLI::Option& option, const std::string& before,
                                     std::string_view typed) const;
    [[nodiscard]] std::string options(std::string_view typed) const;

    void read_positional(const std::string& word);

    const CLI::App& program_;
    const CLI::App* command_ = nullptr;
    const CLI::Option* open_ = nullptr;  // the option whose value comes next
    std::set<const CLI::Option*> given_;
    std::size_t positionals_ = 0;
    std::optional<Collective> collective_;
    bool understood_ = true;
};

std::string line_of(const std::string& text, const std::string& about)
{
    return about.empty() ? text + "\n" : fmt::format("{}\t{}\n", text, about);
}

const CLI::Option* Line::next_positional() const
{
    std::size_t at = 0;
    for (const CLI::Option* const option : here().get_options())
        if (option->get_positional() && at++ == positionals_)
            return option;
    return nullptr;
}

void Line::read_positional(const std::string& word)
{
    if (command_ == nullptr) {
        for (const CLI::App* const command : program_.get_subcommands({}))
            if (command->get_name() == word)
                command_ = command;
        understood_ = understood_ && command_ != nullptr;
        return;
    }
    const CLI::Option* const option = next_positional();
    ++positionals_;
    if (option == nullptr || option->get_name() != "COLLECTIVE")
        return;
    try {
        collective_ = parse_collective(word);
    } catch (const InvalidArgument&) {
        collective_.reset();  // every algorithm is offered then
    }
}

void Line::read(const std::string& word)
{
    if (open_ != nullptr) {
        open_ = nullptr;
        return;
    }
    if (!looks_like_option(word))
        return read_positional(word);
    const std::size_t equals = word.find('=');
    const CLI::Option* const option = option_named(word.substr(0, equals));
    if (option == nullptr)
        return;
    if (option->get_expected_max() <= 1)  // others may be given again
        given_.insert(option);
    for (const CLI::Option* const excluded : option->get_excludes())
        given_.insert(excluded);
    if (takes_value(*option) && equals == std::string::npos)
        open_ = option;
}

// `before` is what stands before the value in the same word: "--dim=".
std::string Line::values(const CLI::Option& option, const std::string& before, std::string_view typed) const
{
    const Values values = values_of(option, program_, collective_);
    std::string lines = values.files ? ":files\n" : "";
    const std::size_t done =
        values.separators.empty() ? 0 : typed.find_last_of(values.separators) + 1;  // npos + 1 is 0
    for (const Candidate& one : values.candidates)
        if (one.text.starts_with(typed.substr(done)))
            lines += line_of(fmt::format("{}{}{}", before, typed.substr(0, done), one.text), one.about);
    return lines;
}

std::string Line::options(std::string_view typed) const
{
    std::string lines;
    for (const CLI::Option* const option : here().get_options())
        if (option->nonpositional() && !option->get_group().empty() && !given_.contains(option)) {
            const std::string text = "--" + option->get_lnames().front();
            if (text.starts_with(typed))
                lines += line_of(text, option->get_description());
        }
    return lines;
}

std::string Line::completions(const std::string& last) const
{
    if (!understood_)
        return "";
    if (open_ != nullptr)
        return values(*open_, "", last);
    if (const std::size_t equals = last.find('='); last.starts_with("--") && equals != std::string::npos) {
        const CLI::Option* const option = option_named(last.substr(0, equals));
        const std::string before = last.substr(0, equals + 1);
        return option != nullptr && takes_value(*option) ? values(*option, before, last.substr(equals + 1)) : "";
    }
    if (last.starts_with('-'))
        return options(last);
    if (command_ == nullptr) {
        std::string lines;
        for (const CLI::App* const command : program_.get_subcommands({}))
            if (command->get_name().starts_with(last))
                lines += line_of(command->get_name(), command->get_description());
        return lines;
    }
    const CLI::Option* const positional = next_positional();
    return positional != nullptr ? values(*positional, "", last) : options(last);
}

}  // namespace

std::string completion_lines(const CLI::App& program, std::span<const std::string> words)
{
    if (words.empty())
        return "";
    Line line(program);
    for (const std::string& word : words.first(words.size() - 1))
        line.read(word);
    return line.completions(words.back());
}

}  // namespace dcube::cli
