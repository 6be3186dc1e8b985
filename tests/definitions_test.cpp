// Two types of the same name in the same namespace, each in a header of its own, are an error that no compiler sees:
// the linker takes the functions of one for both. Reads the sources.

#include "tests/support/catch.hpp"
#include "tests/support/process.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <vector>

using namespace dcube::test;

namespace {

const std::string source_folder = DCUBE_SOURCE_DIR "/";
using Files = std::set<std::string>;

// "Chunk" of "struct alignas(64) Chunk {"; nothing of a line that defines no type, or a special case of a template.
std::string type_of(std::string_view line)
{
    for (const std::string_view keyword : {"struct ", "class ", "enum class ", "union "}) {
        if (!line.starts_with(keyword) || (line.ends_with(';') && line.find('{') == line.npos))
            continue;
        line.remove_prefix(keyword.size());
        if (line.starts_with("alignas(") || line.starts_with("[["))
            line.remove_prefix(line.find(' ') + 1);
        const std::size_t end = std::min(line.find_first_of(" <;"), line.size());
        return end < line.size() && line[end] == '<' ? "" : std::string(line.substr(0, end));
    }
    return "";
}

// "dcube::detail Chunk", for what begins with its line, outside namespaces without a name: those are the file's own.
std::set<std::string> types_of(const std::string& text)
{
    std::set<std::string> found;
    std::vector<std::string> spaces;
    for (const std::string& line : lines_of(text))
        if (const std::size_t brace = line.find('{'); line.starts_with("namespace ") && brace != line.npos)
            spaces.push_back(line.substr(10, brace - 10));
        else if (line.starts_with("}  // namespace") && !spaces.empty())
            spaces.pop_back();
        else if (const std::string type = type_of(line); !type.empty() && !std::ranges::count(spaces, ""))
            found.insert(fmt::format("{}{}", fmt::join(spaces, ""), type));
    return found;
}

void collect(const std::string& folder, std::map<std::string, Files>& where)
{
    for (const auto& entry : std::filesystem::recursive_directory_iterator(source_folder + folder)) {
        const std::string extension = entry.path().extension();
        if (extension != ".cpp" && extension != ".hpp")
            continue;
        const std::string path = entry.path().string();
        if (path.find("/alone/") != std::string::npos)  // twins, instead of others
            continue;
        for (const std::string& name : types_of(read_text(path)))
            where[name].insert(path.substr(source_folder.size()));
    }
}

}  // namespace

TEST_CASE("types are found by namespace and name", "[definitions]")
{
    CHECK(types_of("namespace a {\nstruct B {\n    struct Inner {\n};\nclass C;\nclass alignas(64) D final : E {\n"
                   "}  // namespace a\nenum class F : int {\n") == std::set<std::string>{"a B", "a D", "F"});
    CHECK(types_of("namespace a {\nnamespace {\nstruct B {\n}  // namespace\nstruct C {\n}  // namespace a\n") ==
          std::set<std::string>{"a C"});
}

TEST_CASE("a type's name is given once in a namespace", "[definitions]")
{
    std::map<std::string, Files> where;
    for (const char* const folder :
         {"base", "emu", "collectives", "judge", "algorithms", "run", "inspect", "cli", "bench", "include", "tests"})
        collect(folder, where);
    CHECK(where.size() > 300);
    for (const auto& [name, files] : where) {
        CAPTURE(name);
        CHECK(files.size() == 1);
    }
}
