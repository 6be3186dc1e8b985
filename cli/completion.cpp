#include "cli/completion.hpp"

#include "base/names.hpp"
#include "cli/arguments.hpp"
#include "collectives/other_names.hpp"
#include "inspect/explain/lookup.hpp"
#include "run/question.hpp"

#include <dcube/catalogue.hpp>
#include <dcube/collective.hpp>
#include <dcube/error.hpp>
#include <dcube/message_counts.hpp>
#include <dcube/permutation.hpp>
#include <dcube/topology.hpp>

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <optional>
#include <set>
#include <vector>

namespace dcube::cli {

namespace {

/// A word that can stand at a place of a command line, and its meaning.
struct Candidate {
    std::string text;
    std::string about{};
};

struct Values {
    std::vector<Candidate> candidates{};
    bool files = false;               ///< it is a file's name
    std::string_view separators;      ///< characters after which another value may follow: "a,b"
    std::vector<Candidate> others{};  ///< other names, for what begins none of the candidates
};

bool is_word(const std::string& text)
{
    return !text.empty() && std::ranges::all_of(text, [](unsigned char c) {
        return std::islower(c) != 0 || std::isdigit(c) != 0 || c == '-';
    });
}

// The words of "all|one", or of a help that is nothing but the list "text, json, csv [text]".
std::vector<Candidate> words_of_help(const CLI::Option& option)
{
    const std::string& help = option.get_description();
    for (const std::vector<std::string>& words :
         {split(option.get_type_name(), "|"), split(help.substr(0, help.find(" [")), ", ")}) {
        if (words.size() < 2 || !std::ranges::all_of(words, is_word))
            continue;
        std::vector<Candidate> all;
        for (const std::string& word : words)
            all.push_back({word});
        return all;
    }
    return {};
}

// "zipf:", and so on: their parameters follow.
std::vector<std::string_view> laws()
{
    std::vector<std::string_view> names;
    for (const std::string_view law : count_laws())
        names.push_back(law.substr(0, law.find(':') + 1));
    return names;
}

std::vector<Candidate> candidates_of(const std::vector<std::string_view>& names)
{
    std::vector<Candidate> all;
    for (const std::string_view name : names)
        all.push_back({std::string(name)});
    return all;
}

std::vector<Candidate> collectives()
{
    std::vector<Candidate> all;
    for (const Collective collective : all_collectives)
        all.push_back({std::string(name(collective))});
    return all;
}

std::vector<Candidate> other_names_of_collectives()
{
    std::vector<Candidate> all;
    for (const Collective collective : all_collectives)
        for (std::string& other : other_names(collective))
            all.push_back({std::move(other), std::string(name(collective))});
    return all;
}

// An algorithm that has the same name for several kinds of links is listed once.
std::vector<Candidate> algorithms(std::optional<Collective> collective)
{
    std::vector<Candidate> all;
    for (const Entry& algorithm : catalogue()) {
        const auto same = [&](const Candidate& one) { return one.text == algorithm.name; };
        if ((!collective || algorithm.collective == *collective) && std::ranges::none_of(all, same))
            all.push_back({std::string(algorithm.name), std::string(algorithm.summary)});
    }
    return all;
}

std::vector<Candidate> with_auto(std::vector<Candidate> all)
{
    all.insert(all.begin(), {"auto", "the best that can do it"});
    return all;
}

// "torus:", after which sizes follow; "petersen", which has none.
std::vector<Candidate> networks()
{
    std::vector<Candidate> all;
    for (const std::string_view example : network_examples()) {
        const std::size_t colon = example.find(':');
        const bool sized = colon != std::string_view::npos;
        all.push_back(
            {std::string(sized ? example.substr(0, colon + 1) : example), sized ? fmt::format("as {}", example) : ""});
    }
    return all;
}

std::vector<Candidate> commands(const CLI::App& program)
{
    std::vector<Candidate> all;
    for (const CLI::App* const command : program.get_subcommands({}))
        all.push_back({command->get_name(), command->get_description()});
    return all;
}

// The words that dcube explain knows, each once and as a shell takes it: "virtual-time". "|x|" is left out.
std::vector<Candidate> words()
{
    std::vector<Candidate> all;
    std::set<std::string> known;
    for (const explain::NamedText& one : explain::all_names()) {
        std::string word = one.name;
        std::ranges::replace(word, ' ', '-');
        if (shell_word(word) == word && known.insert(word).second)
            all.push_back({std::move(word), std::string(one.about)});
    }
    return all;
}

// The values found by the option's name, which means the same in every command, or by its value's placeholder.
std::optional<Values> values_by_name(const std::string& name, const CLI::App& program,
                                     std::optional<Collective> collective)
{
    if (name == "COLLECTIVE")
        return Values{collectives(), false, "", other_names_of_collectives()};
    if (name == "ALGORITHM")
        return Values{algorithms(collective), false, "", {}};
    if (name == "WORD")
        return Values{words(), false, "", {}};
    if (name == "--algorithm")
        return Values{with_auto(algorithms(collective)), false, ",", {}};
    if (name == "NETWORK")
        return Values{networks(), false, ",*", {}};
    if (name == "--permutation")
        return Values{candidates_of(permutation_names()), false, "", {}};
    if (name == "--counts")
        return Values{candidates_of(laws()), false, "", {}};
    if (name == "COMMAND")
        return Values{commands(program), false, "", {}};
    if (name == "FILE" || name == "FOLDER")
        return Values{{}, true, "", {}};
    if (const Key* const key = key_of(name); key != nullptr && key->values != nullptr)
        return Values{candidates_of(key->values()), false, "", {}};
    return std::nullopt;
}

// The values of an option of `program` or of one of its commands; none for numbers and other open sets. `collective` is
// the one named on the command line, if any.
Values values_of(const CLI::Option& option, const CLI::App& program, std::optional<Collective> collective)
{
    if (std::vector<Candidate> words = words_of_help(option); !words.empty())
        return {std::move(words), false, "", {}};
    if (std::optional<Values> own = values_by_name(option.get_name(), program, collective))
        return *own;
    Values all;
    for (const std::string& name : split(option.get_type_name(), "|"))  // as of explain: ALGORITHM|COLLECTIVE
        if (const std::optional<Values> some = values_by_name(name, program, collective)) {
            all.candidates.insert(all.candidates.end(), some->candidates.begin(), some->candidates.end());
            all.others.insert(all.others.end(), some->others.begin(), some->others.end());
            all.files = all.files || some->files;
            all.separators = some->separators;
        }
    return all;
}

bool takes_value(const CLI::Option& option)
{
    return option.get_items_expected_max() > 0;
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
    const auto lines_of = [&](const std::vector<Candidate>& candidates) {
        std::string some;
        for (const Candidate& one : candidates)
            if (one.text.starts_with(typed.substr(done)))
                some += line_of(fmt::format("{}{}{}", before, typed.substr(0, done), one.text), one.about);
        return some;
    };
    const std::string known = lines_of(values.candidates);
    return lines + (known.empty() ? lines_of(values.others) : known);
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
