// Plans as files: what is kept, and what is not believed.

#include "base/bytes.hpp"
#include "base/plan_files.hpp"
#include "base/threads.hpp"

#include "tests/support/catch.hpp"
#include "tests/support/error_of.hpp"
#include "tests/support/files.hpp"

#include <dcube/plan_cache.hpp>

#include <sys/stat.h>

#include <filesystem>
#include <limits>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

using namespace dcube;
using namespace dcube::test;
using dcube::detail::ByteReader;
using dcube::detail::ByteWriter;
using test_support::contains;
using test_support::error_of;

namespace {

constexpr std::uint64_t enough_work = 100;

// A plan cache in a folder of its own, and what was warned of.
class Cache {
public:
    Cache()
    {
        set_plan_cache({.directory = folder.file("plans"), .least_work = enough_work, .warn = [this](const auto& line) {
                            const std::scoped_lock lock(mutex_);
                            warnings_.push_back(line);
                        }});
    }
    ~Cache() { forget_plan_cache(); }
    Cache(const Cache&) = delete;
    Cache& operator=(const Cache&) = delete;

    [[nodiscard]] std::vector<std::string> files() const
    {
        std::vector<std::string> all;
        for (const auto& entry : std::filesystem::directory_iterator(folder.file("plans")))
            all.push_back(entry.path());
        return all;
    }
    [[nodiscard]] std::string only_file() const
    {
        REQUIRE(files().size() == 1);
        return files().front();
    }
    // Since the last time.
    [[nodiscard]] std::vector<std::string> warnings() { return std::exchange(warnings_, {}); }

    TemporaryFolder folder;

private:
    std::mutex mutex_;
    std::vector<std::string> warnings_;
};

// A plan that is a number below 1000, made anew or read.
struct Asked {
    std::string key = "key";
    std::uint64_t value = 7;
    std::uint64_t work = enough_work;
    int made = 0;

    std::uint64_t operator()()
    {
        return detail::kept_in_file(
            "number", work, [&] { return key; }, [&] { return ++made, value; },
            [](std::uint64_t number) {
                ByteWriter bytes;
                bytes.number(number);
                return bytes.take();
            },
            [](std::string_view plan) {
                ByteReader bytes(plan);
                const std::uint64_t number = bytes.number();
                bytes.end();
                if (number >= 1000)
                    throw InvalidArgument("the number is too large");
                return number;
            });
    }
};

}  // namespace

TEST_CASE("plan files: numbers and texts are read as they were written", "[base]")
{
    const std::vector<std::uint64_t> numbers{0, 1, 127, 128, 300, 1U << 31, std::numeric_limits<std::uint64_t>::max()};
    ByteWriter writer;
    for (const std::uint64_t number : numbers)
        writer.number(number);
    writer.text("some words");
    writer.text("");
    const std::string bytes = writer.take();
    ByteReader reader(bytes);
    for (const std::uint64_t number : numbers)
        CHECK(reader.number() == number);
    CHECK(reader.text() == "some words");
    CHECK(reader.text().empty());
    CHECK_NOTHROW(reader.end());
    CHECK_THROWS_AS(reader.number(), InvalidArgument);
}

TEST_CASE("plan files: bytes that are no number, or no count that there can be, are refused", "[base]")
{
    const auto number = [](std::string_view bytes) { ByteReader(bytes).number(); };
    CHECK_THROWS_AS(number(""), InvalidArgument);
    CHECK_THROWS_AS(number("\x80"), InvalidArgument);
    CHECK_THROWS_AS(number("\xff\xff\xff\xff\xff\xff\xff\xff\xff\x02"), InvalidArgument);  // 2^64 and more
    CHECK_THROWS_AS(number("\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01"), InvalidArgument);
    CHECK_NOTHROW(number("\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01"));
    CHECK_THROWS_AS(ByteReader("\x05").number_to(4), InvalidArgument);
    CHECK(ByteReader("\x04").number_to(4) == 4);
    CHECK_THROWS_AS(ByteReader("\x03word").count(2), InvalidArgument);
    CHECK_THROWS_AS(ByteReader("\x05word").text(), InvalidArgument);
    CHECK_THROWS_AS(ByteReader("a").end(), InvalidArgument);
}

TEST_CASE("plan files: a plan is made once, and read where nobody remembers it", "[base]")
{
    Cache cache;
    const PlanCacheUse before = plan_cache_use();
    Asked first;
    CHECK(first() == 7);
    CHECK(first.made == 1);
    Asked second{.value = 8};  // it would be 8 if it were made
    CHECK(second() == 7);
    CHECK(second.made == 0);
    const PlanCacheUse after = plan_cache_use();
    CHECK(after.made - before.made == 1);
    CHECK(after.written - before.written == 1);
    CHECK(after.read - before.read == 1);
    CHECK(after.refused == before.refused);
    CHECK(cache.warnings().empty());
    CHECK(contains(cache.only_file(), "/plans/number-"));
}

TEST_CASE("plan files: plans that took little work are not kept, and without a cache none are", "[base]")
{
    Cache cache;
    Asked little{.work = enough_work - 1};
    little();
    little();
    CHECK(little.made == 2);
    CHECK(cache.files().empty());
    forget_plan_cache();
    Asked much;
    much();
    much();
    CHECK(much.made == 2);
    CHECK(cache.files().empty());
}

TEST_CASE("plan files: another key is another plan", "[base]")
{
    const Cache cache;
    Asked one{.key = "one", .value = 1};
    Asked two{.key = "two", .value = 2};
    CHECK(one() == 1);
    CHECK(two() == 2);
    CHECK(cache.files().size() == 2);
    CHECK(Asked{.key = "one"}() == 1);
    CHECK(Asked{.key = "two"}() == 2);
}

TEST_CASE("plan files: a file with any byte changed, or of any other length, is warned of and written anew", "[base]")
{
    Cache cache;
    Asked{}();
    const std::string file = cache.only_file();
    const std::string whole = read_text(file);
    std::vector<std::string> broken{whole + "x"};
    for (std::size_t i = 0; i < whole.size(); ++i) {
        broken.push_back(whole.substr(0, i));
        for (const int bit : {0, 7}) {
            broken.push_back(whole);
            broken.back()[i] = static_cast<char>(broken.back()[i] ^ (1 << bit));
        }
    }
    for (const std::string& bytes : broken) {
        write_text(file, bytes);
        Asked again;
        CHECK(again() == 7);
        CHECK(again.made == 1);
        const std::vector<std::string> warnings = cache.warnings();
        REQUIRE(warnings.size() == 1);
        CHECK(contains(warnings[0], "the plan in '" + file + "' is rebuilt: "));
        CHECK(read_text(file) == whole);
    }
}

TEST_CASE("plan files: another plan's file under this one's name is not taken", "[base]")
{
    Cache cache;
    Asked{.key = "one", .value = 1}();
    const std::string file = cache.only_file();
    const std::string bytes = read_text(file);
    std::filesystem::remove(file);
    Asked{.key = "two", .value = 2}();
    write_text(cache.only_file(), bytes);
    Asked two{.key = "two", .value = 2};
    CHECK(two() == 2);
    CHECK(two.made == 1);
    const auto warnings = cache.warnings();
    REQUIRE(warnings.size() == 1);
    CHECK(contains(warnings[0], "it is the plan of something else"));
}

TEST_CASE("plan files: a plan that is whole but makes no sense is made anew", "[base]")
{
    Cache cache;
    Asked{.value = 1000}();
    Asked again;
    CHECK(again() == 7);
    CHECK(again.made == 1);
    const auto warnings = cache.warnings();
    REQUIRE(warnings.size() == 1);
    CHECK(contains(warnings[0], "the number is too large"));
    CHECK(Asked{.value = 8}() == 7);  // the plan that was made is kept
}

TEST_CASE("plan files: a pipe is not waited for, and a file that cannot be written is warned of", "[base]")
{
    Cache cache;
    Asked{}();
    const std::string file = cache.only_file();
    std::filesystem::remove(file);
    REQUIRE(mkfifo(file.c_str(), 0600) == 0);
    CHECK(Asked{}() == 7);
    auto warnings = cache.warnings();
    REQUIRE(warnings.size() == 1);
    CHECK(contains(warnings[0], "it is not a file"));

    std::filesystem::remove_all(cache.folder.file("plans"));
    CHECK(Asked{}() == 7);
    warnings = cache.warnings();
    REQUIRE(warnings.size() == 1);
    CHECK(contains(warnings[0], "a plan cannot be kept in '" + file + "': No such file or directory"));
}

TEST_CASE("plan files: a folder that cannot be made or written is refused", "[base]")
{
    const TemporaryFolder folder;
    write_text(folder.file("text"), "x");
    const auto error = [](const std::string& path) { return error_of([&] { set_plan_cache({.directory = path}); }); };
    CHECK(error(folder.file("text")) == "plans cannot be kept in '" + folder.file("text") + "': Not a directory");
    CHECK(contains(error(folder.file("text/below")), "Not a directory"));
    CHECK(contains(error("/proc"), "plans cannot be kept in '/proc': "));
    CHECK(!error("").empty());
    CHECK(error(folder.file("a/b/c")).empty());
    CHECK(std::filesystem::is_empty(folder.file("a/b/c")));
    forget_plan_cache();
}

TEST_CASE("plan files: several threads make and read the same plans at once", "[base]")
{
    Cache cache;
    std::vector<std::uint64_t> sums(4);
    {
        std::vector<dcube::detail::JoiningThread> threads;
        for (std::uint64_t& sum : sums)
            threads.emplace_back([&sum] {
                for (std::uint64_t round = 0; round < 200; ++round)
                    sum += Asked{.key = std::to_string(round % 20), .value = round % 20}();
            });
    }
    CHECK(sums == std::vector<std::uint64_t>(4, 10 * 190));
    CHECK(cache.files().size() == 20);
    CHECK(cache.warnings().empty());
}
