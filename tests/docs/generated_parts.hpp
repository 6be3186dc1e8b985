#pragma once
// Parts of files that are made: each stands between a line that says of what, and one that ends it.

#include "tests/docs/documents.hpp"
#include "tests/support/catch.hpp"

#include <algorithm>
#include <cstddef>
#include <fstream>
#include <string>
#include <string_view>
#include <vector>

namespace dcube::test {

/// Writes a file of the source tree.
inline void write_lines(const std::string& path, const std::vector<std::string>& lines)
{
    std::ofstream file(source_path(path));
    for (const std::string& line : lines)
        file << line << '\n';
}

/// Checks that each part of the file is what made() returns for the line that begins it, or writes that there while
/// documents are updated. Blanks may stand before both marks. Returns the number of parts.
template <class Make>
std::size_t checked_parts(const std::string& path, std::string_view begin, std::string_view end, Make made)
{
    const std::vector<std::string> lines = lines_of(read_text(source_path(path)));
    const auto is_mark = [](const std::string& line, std::string_view mark) {
        const std::size_t first = line.find_first_not_of(' ');
        return first != std::string::npos && std::string_view(line).substr(first).starts_with(mark);
    };
    std::size_t parts = 0;
    std::vector<std::string> updated;
    for (auto line = lines.begin(); line != lines.end(); ++line) {
        updated.push_back(*line);
        if (!is_mark(*line, begin))
            continue;
        const auto last = std::find_if(line + 1, lines.end(), [&](const auto& one) { return is_mark(one, end); });
        const std::vector<std::string> shown(line + 1, last);
        const std::vector<std::string> wanted = made(*line);
        CAPTURE(path, *line);
        ++parts;
        if (!updating_documents())
            CHECK(shown == wanted);
        updated.insert(updated.end(), wanted.begin(), wanted.end());
        line = last - 1;
    }
    if (updating_documents())
        write_lines(path, updated);
    return parts;
}

}  // namespace dcube::test
