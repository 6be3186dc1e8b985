// Each layer includes only what stands below it, and keeps off what is not its own. Reads the sources.

#include "tests/support/catch.hpp"
#include "tests/support/process.hpp"

#include <algorithm>
#include <cctype>
#include <filesystem>
#include <string>
#include <vector>

using namespace dcube::test;

namespace {

using Words = std::vector<std::string>;

Words sources(const std::string& folder)
{
    Words files;
    for (const auto& entry :
         std::filesystem::recursive_directory_iterator(std::string(DCUBE_SOURCE_DIR "/") + folder)) {
        const std::string extension = entry.path().extension();
        if (extension == ".cpp" || extension == ".hpp")
            files.push_back(entry.path());
    }
    std::ranges::sort(files);
    return files;
}

bool is_part_of_name(char c)
{
    return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_';
}

// A word stands in the line as such, not as the beginning or end of a longer name. One that ends in / or : is a
// beginning.
bool stands_in(const std::string& line, const std::string& word)
{
    for (std::size_t at = line.find(word); at != std::string::npos; at = line.find(word, at + 1)) {
        const bool begins = at == 0 || !is_part_of_name(line[at - 1]);
        const std::size_t end = at + word.size();
        if (begins && (!is_part_of_name(word.back()) || end == line.size() || !is_part_of_name(line[end])))
            return true;
    }
    return false;
}

enum class In { code, includes };

// "file:line: text" for each line in the folders, comments aside, in which one of the words stands.
Words found(const Words& folders, In where, const Words& words)
{
    Words places;
    for (const std::string& folder : folders) {
        for (const std::string& file : sources(folder)) {
            std::size_t number = 0;
            for (std::string line : lines_of(read_text(file))) {
                ++number;
                line = line.substr(0, line.find("//"));
                if ((where == In::includes) != line.starts_with("#include"))
                    continue;
                if (std::ranges::any_of(words, [&](const std::string& word) { return stands_in(line, word); }))
                    places.push_back(file + ":" + std::to_string(number) + ": " + line);
            }
        }
    }
    return places;
}

const Words none;

}  // namespace

TEST_CASE("layers: an algorithm names no thread, atomic, lock or TBB type", "[layers]")
{
    CHECK(found({"algorithms"}, In::code,
                {"std::thread", "std::jthread", "std::atomic", "std::atomic_ref", "std::mutex", "std::shared_mutex",
                 "std::barrier", "std::latch", "std::condition_variable", "std::async", "std::lock_guard",
                 "std::scoped_lock", "std::unique_lock", "std::counting_semaphore", "std::binary_semaphore",
                 "thread_local", "tbb::", "oneapi::"}) == none);
    CHECK(found({"algorithms"}, In::includes,
                {"thread", "atomic", "mutex", "shared_mutex", "barrier", "latch", "condition_variable", "future",
                 "semaphore", "tbb/", "oneapi/"}) == none);
}

TEST_CASE("layers: the machine knows no algorithm and no judge", "[layers]")
{
    CHECK(found({"base", "emu"}, In::includes,
                {"algorithms/", "collectives/", "judge/", "run/", "cli/", "dcube/catalogue.hpp", "dcube/run.hpp",
                 "dcube/judge.hpp", "dcube/bounds.hpp", "dcube/dcube.hpp"}) == none);
}

TEST_CASE("layers: the judge knows no algorithm", "[layers]")
{
    CHECK(found({"collectives", "judge"}, In::includes,
                {"algorithms/", "run/", "cli/", "dcube/catalogue.hpp", "dcube/run.hpp", "dcube/dcube.hpp"}) == none);
}

TEST_CASE("layers: TBB and Boost are included in emu and bench only", "[layers]")
{
    CHECK(found({"collectives", "algorithms", "judge", "run", "cli", "include", "demos"}, In::includes,
                {"tbb/", "oneapi/", "boost/"}) == none);
}

TEST_CASE("layers: the public headers include nothing private", "[layers]")
{
    CHECK(found({"include"}, In::includes,
                {"base/", "emu/", "collectives/", "judge/", "algorithms/", "run/", "cli/", "fmt/", "nlohmann/", "CLI/",
                 "xxhash.h"}) == none);
}

TEST_CASE("layers: the program and the demos use the public headers only, and base", "[layers]")
{
    CHECK(found({"cli", "demos"}, In::includes, {"emu/", "collectives/", "judge/", "algorithms/", "run/"}) == none);
    CHECK(found({"demos"}, In::includes, {"base/"}) == none);
}

TEST_CASE("layers: what is looked for is found where it is", "[layers]")
{
    CHECK(found({"emu"}, In::includes, {"tbb/"}).size() + found({"emu"}, In::includes, {"oneapi/"}).size() > 0);
    CHECK(found({"emu"}, In::code, {"std::atomic"}) != none);
    CHECK(found({"cli"}, In::includes, {"dcube/run.hpp"}) != none);
    CHECK(stands_in("std::atomic<int>", "std::atomic"));
    CHECK(!stands_in("std::atomically", "std::atomic"));
}
