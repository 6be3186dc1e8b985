// The arguments of Python's functions, as type checkers and help() see them, are made of the table of a question's
// keys.

#include "run/question.hpp"
#include "tests/docs/documents.hpp"
#include "tests/docs/generated_parts.hpp"
#include "tests/support/catch.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cctype>
#include <iterator>
#include <regex>
#include <set>
#include <sstream>
#include <string>
#include <vector>

using namespace dcube;
using namespace dcube::test;

namespace {

const std::string mark_of_arguments = "# generated from the table of a question's keys:";

std::string type_of(const Key& key)
{
    switch (key.kind) {
    case Key::Kind::text: return "str | None";
    case Key::Kind::nodes: return "str | Sequence[int] | npt.NDArray[Any] | None";
    case Key::Kind::numbers: return "str | Sequence[Any] | npt.NDArray[Any] | None";
    case Key::Kind::texts: return "str | Sequence[str] | None";
    case Key::Kind::number: return key.field != nullptr && key.field->is_size ? "int | str | None" : "int | None";
    case Key::Kind::exact: return "Exact | None";
    case Key::Kind::flag: return "bool | None";
    }
    return "";
}

// "Size of a packet: 64, 64B, 4KiB, 1M. Default: 64."
std::string meaning_of(const Key& key)
{
    std::string text(key.about);
    if (!text.starts_with("ns "))  // a unit's letters stay as they are
        text.front() = static_cast<char>(std::toupper(static_cast<unsigned char>(text.front())));
    if (!key.form.empty())
        text += fmt::format(": {}", key.form);
    else if (key.values != nullptr)
        text += fmt::format(": {}", fmt::join(key.values(), ", "));
    text += text.ends_with('.') ? "" : ".";
    return key.usual.empty() ? text : fmt::format("{} Default: {}.", text, key.usual);
}

// The words of a mark's line: names of keys as Python has them, and of groups ("Links").
std::vector<std::string> words_of_mark(const std::string& line)
{
    std::istringstream text(line.substr(line.find(mark_of_arguments) + mark_of_arguments.size()));
    return {std::istream_iterator<std::string>(text), {}};
}

// The keys that have a place of their own: marks name them, or their annotations are written by hand.
std::set<std::string> placed_keys(const std::string& path)
{
    std::set<std::string> placed{"collective"};  // the first argument of functions
    const std::regex annotation(R"( +(\w+): .*)");
    bool generated = false;
    for (const std::string& line : lines_of(read_text(source_path(path)))) {
        std::smatch found;
        if (line.find(mark_of_arguments) != std::string::npos) {
            std::ranges::copy(words_of_mark(line), std::inserter(placed, placed.end()));
            generated = true;
        } else if (line.ends_with("# end"))
            generated = false;
        else if (!generated && std::regex_match(line, found, annotation))
            placed.insert(found[1]);
    }
    return placed;
}

// The keys that the line of a mark names. Those of a group are the ones without a place of their own.
std::vector<const Key*> keys_in(const std::string& line, const std::set<std::string>& placed)
{
    std::vector<const Key*> keys;
    for (const std::string& word : words_of_mark(line)) {
        const std::size_t before = keys.size();
        for (const Key& key : question_keys())
            if (key.name == word || (name(key.group) == word && !placed.contains(std::string(key.name))))
                keys.push_back(&key);
        CAPTURE(line, word);
        REQUIRE(keys.size() > before);
    }
    return keys;
}

}  // namespace

TEST_CASE("python: arguments of questions are the table's keys, with its explanations", "[docs]")
{
    const std::size_t parts =
        checked_parts("python/dcube/questions.py", mark_of_arguments, "# end", [](const std::string& line) {
            std::vector<std::string> lines;
            for (const Key* const key : keys_in(line, placed_keys("python/dcube/questions.py"))) {
                lines.push_back(fmt::format("    {}: {}", key->name, type_of(*key)));
                lines.push_back(fmt::format("    \"\"\"{}\"\"\"", meaning_of(*key)));
            }
            return lines;
        });
    CHECK(parts > 2);
    CHECK(checked_parts("python/dcube/_core.pyi", mark_of_arguments, "# end", [](const std::string& line) {
              std::vector<std::string> lines;
              for (const Key* const key : keys_in(line, {}))
                  lines.push_back(fmt::format("        {}: {} = None,", key->name, type_of(*key)));
              return lines;
          }) == 1);
}

TEST_CASE("python: properties of an algorithm's nodes are the fields of problems", "[docs]")
{
    const auto made = [](const std::string&) {
        std::vector<std::string> lines;
        for (const ProblemField& field : problem_fields())
            if (field.group == FieldGroup::problem && field.key != "type") {  // arrays have it
                lines.emplace_back("    @property");
                lines.push_back(fmt::format("    def {}(self) -> {}: ...", field.key,
                                            field.is_number() ? "int"
                                            : field.is_name() ? "str"
                                                              : "npt.NDArray[np.uint32]"));
            }
        return lines;
    };
    CHECK(checked_parts("python/dcube/_core.pyi", "# generated from the fields of problems", "# end", made) == 1);
}

TEST_CASE("python: every key of a question is an argument, once", "[docs]")
{
    const std::string text = read_text(source_path("python/dcube/questions.py"));
    for (const Key& key : question_keys())
        if (key.key != "collective") {  // the first argument of functions
            const std::regex annotation(fmt::format(R"(\n    {}: )", key.name));
            CAPTURE(key.name);
            CHECK(std::distance(std::sregex_iterator(text.begin(), text.end(), annotation), std::sregex_iterator()) ==
                  1);
        }
}
