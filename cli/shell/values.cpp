#include "cli/shell/values.hpp"

#include "base/names.hpp"

#include <dcube/catalogue.hpp>
#include <dcube/elements.hpp>
#include <dcube/link.hpp>
#include <dcube/matrix.hpp>
#include <dcube/networks.hpp>
#include <dcube/permutation.hpp>

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include <algorithm>
#include <cctype>

namespace dcube::cli {

namespace {

bool is_word(const std::string& text)
{
    return !text.empty() && std::ranges::all_of(text, [](unsigned char c) {
        return std::islower(c) != 0 || std::isdigit(c) != 0 || c == '-';
    });
}

// The words of "all|one", or of a help that is nothing but the list "text, json, csv [text]".
std::vector<Candidate> words_told(const CLI::Option& option)
{
    const std::string help = option.get_description();
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

// The names of an enumeration's values, which end where name() knows no more.
template <class Value>
std::vector<Candidate> names_of_all()
{
    std::vector<Candidate> all;
    for (unsigned char i = 0; name(static_cast<Value>(i)) != "unknown"; ++i)
        all.push_back({std::string(name(static_cast<Value>(i)))});
    return all;
}

std::vector<Candidate> collectives()
{
    std::vector<Candidate> all;
    for (const Collective collective : all_collectives)
        all.push_back({std::string(name(collective))});
    return all;
}

// One of a name for several kinds of links is told once.
std::vector<Candidate> algorithms(std::optional<Collective> collective)
{
    std::vector<Candidate> all;
    for (const Algorithm& algorithm : catalogue()) {
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

std::vector<Candidate> machines()
{
    std::vector<Candidate> all;
    for (const MachinePreset& preset : machine_presets())
        all.push_back({std::string(preset.name),
                       fmt::format("tau {} ns, beta {} ns", to_string(preset.tau), to_string(preset.beta))});
    return all;
}

std::vector<Candidate> permutations()
{
    std::vector<Candidate> all;
    for (const std::string_view name : permutation_names())
        all.push_back({std::string(name)});
    return all;
}

std::vector<Candidate> commands(const CLI::App& program)
{
    std::vector<Candidate> all;
    for (const CLI::App* const command : program.get_subcommands({}))
        all.push_back({command->get_name(), command->get_description()});
    return all;
}

// By the name of the option, which means the same in every command, or by what stands for its value.
std::optional<Values> values_by_name(const std::string& name, const CLI::App& program,
                                     std::optional<Collective> collective)
{
    if (name == "COLLECTIVE")
        return Values{collectives(), false, ""};
    if (name == "ALGORITHM")
        return Values{algorithms(collective), false, ""};
    if (name == "--algorithm")
        return Values{with_auto(algorithms(collective)), false, ","};
    if (name == "NETWORK")
        return Values{networks(), false, ",*"};
    if (name == "--machine")
        return Values{machines(), false, ""};
    if (name == "--permutation")
        return Values{permutations(), false, ""};
    if (name == "LAYOUT")
        return Values{names_of_all<MatrixLayout>(), false, ""};
    if (name == "TYPE")
        return Values{names_of_all<ElementType>(), false, ""};
    if (name == "OP")
        return Values{names_of_all<Operation>(), false, ""};
    if (name == "COMMAND")
        return Values{commands(program), false, ""};
    if (name == "FILE" || name == "OLD NEW" || name == "FOLDER")
        return Values{{}, true, ""};
    return std::nullopt;
}

}  // namespace

Values values_of(const CLI::Option& option, const CLI::App& program, std::optional<Collective> collective)
{
    if (std::vector<Candidate> words = words_told(option); !words.empty())
        return {std::move(words), false, ""};
    if (std::optional<Values> own = values_by_name(option.get_name(), program, collective))
        return *own;
    Values all;
    for (const std::string& name : split(option.get_type_name(), "|"))  // as in ALGORITHM|COLLECTIVE
        if (const std::optional<Values> some = values_by_name(name, program, collective)) {
            all.candidates.insert(all.candidates.end(), some->candidates.begin(), some->candidates.end());
            all.files = all.files || some->files;
            all.separators = some->separators;
        }
    return all;
}

}  // namespace dcube::cli
