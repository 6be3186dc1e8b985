#include "inspect/explain/lookup.hpp"

#include "base/names.hpp"
#include "collectives/other_names.hpp"

#include <dcube/error.hpp>

#include <algorithm>
#include <span>

namespace dcube::explain {

namespace {

std::vector<std::string> names_of(Collective collective)
{
    std::vector<std::string> names = other_names(collective);
    names.insert(names.begin(), std::string(name(collective)));
    return names;
}

std::vector<std::string_view> names_of(const Entry& algorithm)
{
    std::vector<std::string_view> names = algorithm.aliases;
    names.push_back(algorithm.name);
    return names;
}

std::vector<std::string_view> names_of(const WordText& word)
{
    return words_in(word.word);
}

template <class Thing>
bool is_called(const Thing& thing, std::string_view wanted)
{
    return std::ranges::any_of(names_of(thing), [&](std::string_view one) { return same_name(one, wanted); });
}

std::vector<std::span<const WordText>> all_words()
{
    return {word_texts(),   value_texts(),     label_texts(),     textbook_texts(),
            letter_texts(), ambiguous_texts(), paper_word_texts()};
}

// Adds the words of one table that have the name; of letters that differ in case, only the exact one is kept.
void add_words(std::span<const WordText> words, std::string_view wanted, std::vector<const WordText*>& found)
{
    for (const WordText& word : words)
        if (is_called(word, wanted))
            found.push_back(&word);
    const auto exactly = [&](const WordText* word) { return std::ranges::count(names_of(*word), wanted) > 0; };
    if (std::ranges::any_of(found, exactly))
        std::erase_if(found, [&](const WordText* word) { return !exactly(word); });
}

}  // namespace

std::vector<NamedText> all_names()
{
    std::vector<NamedText> all;
    const auto add = [&](const auto& names, std::string_view about) {
        for (const auto& name : names)
            all.push_back({std::string(name), about});
    };
    for (const Collective collective : all_collectives)
        add(names_of(collective), traits(collective).title);
    for (const Collective collective : all_collectives)
        for (const Entry* const algorithm : algorithms_for(collective))
            add(names_of(*algorithm), algorithm->summary);
    for (const BoundText& bound : bound_texts())
        all.push_back({std::string(bound.name), bound.title});
    for (const std::span<const WordText> words : all_words())
        for (const WordText& word : words)
            add(names_of(word), word.meaning);
    return all;
}

namespace {

[[noreturn]] void refuse_unknown(std::string_view name)
{
    const std::vector<NamedText> all = all_names();
    std::vector<std::string_view> names;
    for (const NamedText& one : all)
        names.push_back(one.name);
    throw InvalidArgument(
        unknown_name(name, "a word that can be explained", names,
                     "collectives, algorithms, bounds and the words of the glossary; see dcube explain"));
}

}  // namespace

Found find(std::string_view wanted)
{
    Found found;
    for (const Collective collective : all_collectives)
        if (is_name_of(collective, wanted))
            found.collectives.push_back(collective);
    for (const Collective collective : all_collectives)
        for (const Entry* const algorithm : algorithms_for(collective))
            if (is_called(*algorithm, wanted))
                found.algorithms.push_back(algorithm);
    for (const BoundText& bound : bound_texts())
        if (same_name(bound.name, wanted))
            found.bounds.push_back(&bound);
    add_words(word_texts(), wanted, found.words);
    add_words(value_texts(), wanted, found.words);
    add_words(label_texts(), wanted, found.words);
    add_words(textbook_texts(), wanted, found.words);
    add_words(ambiguous_texts(), wanted, found.words);
    for (const auto& words : {letter_texts(), std::span<const WordText>(paper_word_texts())})
        if (found.size() == 0)
            add_words(words, wanted, found.words);
    if (found.words.empty() && wanted.size() > 2 && wanted.ends_with('s'))  // "steps"
        add_words(word_texts(), wanted.substr(0, wanted.size() - 1), found.words);
    if (found.size() == 0)
        refuse_unknown(wanted);
    return found;
}

}  // namespace dcube::explain
