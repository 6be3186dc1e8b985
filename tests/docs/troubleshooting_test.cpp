// The messages that docs/troubleshooting.md explains are messages of the program: their words are in its sources.
// Messages that other programs print are listed here.

#include "tests/docs/documents.hpp"
#include "tests/support/catch.hpp"

#include <array>
#include <filesystem>
#include <regex>
#include <string>
#include <string_view>
#include <vector>

using namespace dcube::test;
namespace fs = std::filesystem;

namespace {

constexpr std::array of_others{"c++: fatal error", "redefinition of", "dcube: command not found", "ModuleNotFoundError",
                               "ImportError",      "No module named", "error: externally",        "GLIBC_2.34'"};

// All sources that can print something, as one text; adjacent literals are joined.
std::string sources()
{
    std::string text = read_text(source_path("dcube"));
    for (const char* const folder : {"base", "emu", "collectives", "judge", "algorithms", "run", "inspect", "cli",
                                     "web/lab", "python", "web/page/src"})
        for (const auto& entry : fs::recursive_directory_iterator(source_path(folder))) {
            const std::string ending = entry.path().extension();
            if (ending == ".cpp" || ending == ".hpp" || ending == ".py" || ending == ".sh" || ending == ".ts")
                text += read_text(entry.path().string()) + "\n";
        }
    std::string joined;
    for (std::size_t at = 0; at < text.size(); ++at) {
        const std::size_t next = text[at] == '"' ? text.find_first_not_of(" \n", at + 1) : std::string::npos;
        if (next != std::string::npos && text[next] == '"')
            at = next;
        else
            joined += text[at];
    }
    return joined;
}

std::vector<std::string> words_in(const std::string& text)
{
    std::istringstream stream(text);
    std::vector<std::string> words;
    for (std::string word; stream >> word;)
        words.push_back(word);
    return words;
}

// Whether four words of it that follow one another, or all if it has fewer, stand there. Names and numbers differ.
bool is_printed(const std::string& message, const std::string& text)
{
    const std::vector<std::string> words = words_in(message);
    const std::size_t together = std::min<std::size_t>(4, words.size());
    for (std::size_t first = 0; first + together <= words.size(); ++first) {
        std::string part = words[first];
        for (std::size_t i = 1; i < together; ++i)
            part += " " + words[first + i];
        if (text.find(part) != std::string::npos)
            return true;
    }
    return false;
}

}  // namespace

TEST_CASE("troubleshooting.md: each message is one that the program prints", "[docs]")
{
    static const std::regex quoted("`([^`]+)`");
    const std::string text = sources();
    std::size_t found = 0;
    for (const DocumentLine& line : lines_with_fences("docs/troubleshooting.md")) {
        if (!line.fence.empty() || !line.text.starts_with("| "))
            continue;
        const std::string cell = line.text.substr(2, line.text.find(" | ") - 2);
        for (std::sregex_iterator quote(cell.begin(), cell.end(), quoted), end; quote != end; ++quote) {
            const std::string message = (*quote)[1];
            if (message.find(' ') == std::string::npos ||
                std::ranges::any_of(of_others, [&](std::string_view other) { return message.starts_with(other); }))
                continue;
            CAPTURE(message);
            bool printed = false;  // one of the parts between what differs
            for (std::size_t at = 0; at <= message.size() && !printed;) {
                const std::size_t dots = std::min(message.find("...", at), message.size());
                printed = words_in(message.substr(at, dots - at)).size() >= 2 &&
                          is_printed(message.substr(at, dots - at), text);
                at = dots + 3;
            }
            CHECK(printed);
            ++found;
        }
    }
    CHECK(found > 30);
}

TEST_CASE("troubleshooting.md: a message that is not the program's is detected", "[docs][negative]")
{
    const std::string text = "\"this run would need {} of memory; available: {}\"";
    CHECK(is_printed("this run would need 5 GiB", text));
    CHECK_FALSE(is_printed("this run needs 5 GiB", text));
    CHECK_FALSE(is_printed("this run", "another"));
}
