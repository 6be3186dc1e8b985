#pragma once
// The documents of the project (README.md and others beside it, docs/, the lessons), and what in them can be checked:
// links, generated parts, and commands with what they print.
//
// DCUBE_UPDATE_DOCS=1 makes the tests write what they would otherwise find missing, so that a changed output is brought
// into the documents by running the tests once.

#include "tests/support/process.hpp"

#include <algorithm>
#include <array>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <regex>
#include <span>
#include <sstream>
#include <string>
#include <string_view>
#include <vector>

namespace dcube::test {

/// A file of the source tree, by its path there.
inline std::string source_path(const std::string& path)
{
    return std::string(DCUBE_SOURCE_DIR "/") + path;
}

/// The paths of all documents in the source tree.
inline std::vector<std::string> documents()
{
    std::vector<std::string> paths{"README.md", "ARCHITECTURE.md", "CHANGELOG.md", "SECURITY.md"};
    for (const std::string folder : {"docs/", "docs/measurements/", "web/lessons/"})
        for (const auto& entry : std::filesystem::directory_iterator(source_path(folder)))
            if (entry.path().extension() == ".md")
                paths.push_back(folder + entry.path().filename().string());
    std::ranges::sort(paths);
    return paths;
}

inline bool updating_documents()
{
    const char* const value = std::getenv("DCUBE_UPDATE_DOCS");
    return value != nullptr && std::string_view(value) == "1";
}

/// A line of a document within its fences, or outside of them.
struct DocumentLine {
    std::string text;
    std::string fence;  ///< "" outside; "sh", "cpp", "console", ... or "text" for a fence without a word
    std::string file;   ///< the file that the fence shows: the word after that one, or ""
};

inline std::vector<DocumentLine> lines_with_fences(const std::string& document)
{
    std::vector<DocumentLine> lines;
    std::string fence;
    std::string file;
    for (const std::string& line : lines_of(read_text(source_path(document)))) {
        const bool mark = line.starts_with("```");
        if (mark && fence.empty()) {
            std::istringstream(line.substr(3)) >> fence >> file;
            fence = fence.empty() ? "text" : fence;
        } else if (mark) {
            fence.clear();
            file.clear();
        }
        lines.push_back(mark ? DocumentLine{line, "", ""} : DocumentLine{line, fence, file});
    }
    return lines;
}

/// The first group of each match.
inline std::vector<std::string> all_matches(const std::string& text, const std::regex& pattern)
{
    std::vector<std::string> found;
    for (std::sregex_iterator match(text.begin(), text.end(), pattern); match != std::sregex_iterator(); ++match)
        found.push_back((*match)[1]);
    return found;
}

/// The cells of a row of a table, without the blanks around them.
inline std::vector<std::string> cells_of(const std::string& line)
{
    std::vector<std::string> cells;
    std::istringstream text(line.substr(1));
    for (std::string cell; std::getline(text, cell, '|');) {
        const std::size_t begin = cell.find_first_not_of(' ');
        cells.push_back(begin == std::string::npos ? "" : cell.substr(begin, cell.find_last_not_of(' ') - begin + 1));
    }
    return cells;
}

/// The words of a command line; those in double quotes are one word.
inline std::vector<std::string> words_of(const std::string& line)
{
    std::vector<std::string> words;
    std::istringstream text(line);
    for (char next = 0; text >> std::ws && text.get(next);) {
        std::string word(1, next);
        if (next == '"') {
            std::getline(text, word, '"');
        } else {
            std::string rest;
            if (text.peek() != ' ' && text >> rest)
                word += rest;
        }
        words.push_back(word);
    }
    return words;
}

/// Leaves out everything that differs from run to run and from machine to machine: times, rates and memory, and how
/// wide their columns are.
inline std::vector<std::string> without_measurements(const std::vector<std::string>& lines)
{
    static const std::array measured{"wall time", "speed",    "peak memory",
                                     "memory",    "progress", "planning"};  // printed only if it took long
    static const std::regex wall(R"(\s+[0-9.]+ (us|ms|s|min)$)");
    static const std::regex gap(R"((\S) {2,})");
    static const std::regex key(
        R"re(("(wall_seconds|planning_seconds|hops_per_second|link_bytes_per_second|peak_memory_bytes|threads|date|cores|host_cores|version)": ).*)re");
    std::vector<std::string> kept;
    bool hidden = false;
    for (const std::string& line : lines) {
        const auto* const label =
            std::ranges::find_if(measured, [&](std::string_view one) { return line.starts_with(one); });
        hidden = label != measured.end() || (hidden && line.starts_with("   "));
        if (label != measured.end() && std::string_view(*label) != "planning")
            kept.emplace_back(*label);
        if (!hidden)
            kept.push_back(
                std::regex_replace(std::regex_replace(std::regex_replace(line, wall, " *"), key, "$1*"), gap, "$1  "));
    }
    return kept;
}

/// Whether `shown` is what was printed; a line "..." in it stands for any number of lines.
inline bool shows(std::span<const std::string> shown, std::span<const std::string> printed)
{
    if (shown.empty())
        return printed.empty();
    if (shown.front() != "...")
        return !printed.empty() && shown.front() == printed.front() && shows(shown.subspan(1), printed.subspan(1));
    for (std::size_t skipped = 0; skipped <= printed.size(); ++skipped)
        if (shows(shown.subspan(1), printed.subspan(skipped)))
            return true;
    return false;
}

/// The process works in a folder of its own, with files of the checkout that examples name, until the end of the test.
class ExampleFolder {
public:
    ExampleFolder() : before_(std::filesystem::current_path())
    {
        std::filesystem::copy(source_path("LICENSE"), folder_.file("LICENSE"));
        std::filesystem::create_directories(folder_.file("web"));
        std::filesystem::copy(source_path("web/lessons"), folder_.file("web/lessons"),
                              std::filesystem::copy_options::recursive);
        std::filesystem::current_path(folder_.file("."));
    }
    ~ExampleFolder() { std::filesystem::current_path(before_); }
    ExampleFolder(const ExampleFolder&) = delete;
    ExampleFolder& operator=(const ExampleFolder&) = delete;

    void add_line(const std::string& name, const std::string& line) const
    {
        std::ofstream(folder_.file(name), std::ios::app) << line << '\n';
    }

private:
    TemporaryFolder folder_;
    std::filesystem::path before_;
};

}  // namespace dcube::test
