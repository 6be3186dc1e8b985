// Each layer includes only what stands below it, and keeps off what is not its own. Reads the sources.

#include "tests/support/catch.hpp"
#include "tests/support/process.hpp"

#include <algorithm>
#include <filesystem>
#include <regex>
#include <string>
#include <vector>

using namespace dcube::test;

namespace {

std::vector<std::string> sources(const std::string& folder)
{
    std::vector<std::string> files;
    for (const auto& entry :
         std::filesystem::recursive_directory_iterator(std::string(DCUBE_SOURCE_DIR "/") + folder)) {
        const std::string extension = entry.path().extension();
        if (extension == ".cpp" || extension == ".hpp")
            files.push_back(entry.path());
    }
    std::ranges::sort(files);
    return files;
}

// Without comments and what stands between quotes in the line, unless it is an include.
std::vector<std::string> code_lines(const std::string& file)
{
    std::vector<std::string> lines = lines_of(read_text(file));
    for (std::string& line : lines) {
        line = line.substr(0, line.find("//"));
        if (line.find("#include") == std::string::npos)
            line = std::regex_replace(line, std::regex(R"("([^"\\]|\\.)*")"), "\"\"");
    }
    return lines;
}

// "file:line: text" for each line of code in the folders that the pattern is found in.
std::vector<std::string> found(const std::vector<std::string>& folders, const std::string& pattern)
{
    const std::regex expression(pattern);
    std::vector<std::string> places;
    for (const std::string& folder : folders) {
        for (const std::string& file : sources(folder)) {
            const std::vector<std::string> lines = code_lines(file);
            for (std::size_t i = 0; i < lines.size(); ++i) {
                if (std::regex_search(lines[i], expression))
                    places.push_back(file + ":" + std::to_string(i + 1) + ": " + lines[i]);
            }
        }
    }
    return places;
}

const std::vector<std::string> none;

}  // namespace

TEST_CASE("layers: an algorithm names no thread, atomic, lock or TBB type", "[layers]")
{
    CHECK(found({"algorithms"},
                R"(std::(jthread|thread|atomic|mutex|shared_mutex|barrier|latch|condition_variable|async|)"
                R"(lock_guard|scoped_lock|unique_lock|counting_semaphore)\b|\b(tbb|oneapi)::|thread_local)") == none);
    CHECK(found({"algorithms"},
                R"(#include\s*<(thread|atomic|mutex|shared_mutex|barrier|latch|condition_variable|future|)"
                R"(semaphore|tbb/|oneapi/))") == none);
}

TEST_CASE("layers: the machine knows no algorithm and no judge", "[layers]")
{
    CHECK(found({"emu"}, R"(#include\s*["<](algorithms/|judge/|cli/|dcube/(catalogue|run|judge|bounds|dcube)\.hpp))") ==
          none);
}

TEST_CASE("layers: the judge knows no algorithm", "[layers]")
{
    CHECK(found({"judge"}, R"(#include\s*["<](algorithms/|cli/|dcube/(catalogue|run|dcube)\.hpp))") == none);
}

TEST_CASE("layers: TBB and Boost are included in emu and bench only", "[layers]")
{
    CHECK(found({"algorithms", "judge", "cli", "include", "demos"}, R"(#include\s*["<](tbb|oneapi|boost)/)") == none);
}

TEST_CASE("layers: the public headers include nothing private", "[layers]")
{
    CHECK(found({"include"}, R"(#include\s*")") == none);
    CHECK(found({"include"}, R"(#include\s*<(emu|judge|algorithms|cli|fmt|nlohmann|CLI|xxhash))") == none);
}

TEST_CASE("layers: the program and the demos use the public headers only", "[layers]")
{
    CHECK(found({"cli", "demos"}, R"(#include\s*["<](emu|judge|algorithms)/)") == none);
}

TEST_CASE("layers: there is something to look at", "[layers]")
{
    for (const char* const folder : {"include", "emu", "judge", "algorithms", "cli"})
        CHECK(!sources(folder).empty());
}
