// docs/browser.md has the keys of requests that are not those of questions.

#include "run/question.hpp"
#include "tests/docs/documents.hpp"
#include "tests/support/catch.hpp"
#include "web/lab/request.hpp"

#include <dcube/error.hpp>

#include <regex>
#include <set>
#include <string>

using namespace dcube::test;

TEST_CASE("documents: every key of a request that a question lacks stands in the table of browser.md, and no other",
          "[docs]")
{
    const auto found_in = [](const std::string& text, const std::regex& pattern) {
        std::set<std::string> words;
        for (std::sregex_iterator found(text.begin(), text.end(), pattern), end; found != end; ++found)
            words.insert((*found)[1]);
        return words;
    };
    std::set<std::string> known;  // listed in the refusal of an unknown one
    try {
        dcube::lab::parse_request(R"({"none": 1})");
        FAIL("a key that there is not");
    } catch (const dcube::InvalidArgument& error) {
        const std::string message = error.what();
        known = found_in(message.substr(message.find("xpected one of ") + 15), std::regex("([a-z_]+)"));
    }
    CHECK(known.contains("collective"));
    for (const dcube::Key& key : dcube::question_keys())
        CHECK(known.erase(std::string(key.key)) == 1);
    CHECK(known.contains("trace"));

    std::set<std::string> shown;
    for (const DocumentLine& line : lines_with_fences("docs/browser.md"))
        if (line.fence.empty() && line.text.starts_with("| `"))
            shown.merge(found_in(line.text.substr(0, line.text.find('|', 1)), std::regex("`([a-z_]+)`")));
    CHECK(shown == known);
}
