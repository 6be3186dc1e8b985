// Files that all ranks read or write together.

#include "base/threads.hpp"
#include "cli/files/rank_files.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/error_of.hpp"
#include "tests/support/local_world.hpp"
#include "tests/support/process.hpp"

#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <memory>
#include <string>
#include <thread>
#include <vector>

using namespace dcube;
using namespace dcube::cli;
using namespace dcube::test;
using test_support::error_of;
using test_support::run_ranks;

namespace {

using SharedWorld = std::shared_ptr<World>;

std::string text_of(std::span<const std::byte> bytes)
{
    return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

std::span<const std::byte> bytes_of(const std::string& text)
{
    return std::as_bytes(std::span(text));
}

// The error on each rank.
std::vector<std::string> errors_of(unsigned ranks, const std::function<void(const SharedWorld&)>& program)
{
    std::vector<std::string> errors(ranks);
    run_ranks(ranks, [&](const SharedWorld& world) { errors[world->rank()] = error_of([&] { program(world); }); });
    return errors;
}

// The bytes that each rank reads, and the same after zeros were added.
std::vector<std::string> read_by_all(unsigned ranks, const std::string& file, std::size_t bytes)
{
    std::vector<std::string> texts(ranks);
    run_ranks(ranks, [&](const SharedWorld& world) {
        FileBytes input(*world, file, 1 << 20, "the limit is");
        const std::string read = text_of(input.bytes());
        input.extend(bytes);
        texts[world->rank()] = read + "|" + text_of(input.bytes());
    });
    return texts;
}

}  // namespace

TEST_CASE("rank files: all ranks see the same bytes, and zeros behind them", "[cli][ranks]")
{
    const TemporaryFolder folder;
    for (const std::size_t size : {std::size_t{1}, std::size_t{4096}, std::size_t{10'000}}) {
        const std::string text(size, 'x');
        write_text(folder.file("in"), text);
        for (const std::size_t more : {std::size_t{0}, std::size_t{5}, std::size_t{20'000}})
            for (const unsigned ranks : {1U, 3U}) {
                CAPTURE(size, more, ranks);
                const std::string expected = text + "|" + text + std::string(more, '\0');
                for (const std::string& read : read_by_all(ranks, folder.file("in"), size + more))
                    CHECK(read == expected);
            }
    }
}

TEST_CASE("rank files: an input that can be read only once is read by rank 0", "[cli][ranks]")
{
    const TemporaryFolder folder;
    REQUIRE(mkfifo(folder.file("pipe").c_str(), 0600) == 0);
    dcube::detail::JoiningThread writer([&] { write_text(folder.file("pipe"), "abc"); });
    for (const std::string& read : read_by_all(3, folder.file("pipe"), 4))
        CHECK(read == std::string("abc|abc\0", 8));
}

TEST_CASE("rank files: a file that cannot be read is refused by all ranks alike", "[cli][ranks][negative]")
{
    const TemporaryFolder folder;
    write_text(folder.file("empty"), "");
    write_text(folder.file("long"), "12345");
    write_text(folder.file("short"), "1234");
    // Ranks that see different files are played by ranks that ask for different ones.
    const auto refused = [&](const std::string& of_first, const std::string& of_last) {
        const std::vector<std::string> errors = errors_of(3, [&](const SharedWorld& world) {
            FileBytes(*world, folder.file(world->rank() == 2 ? of_last : of_first), 5, "allowed are");
        });
        CHECK(std::ranges::none_of(errors, &std::string::empty));
        CHECK(errors[0] == errors[1]);
        return errors.front();
    };
    const auto named = [&](const std::string& name) { return "'" + folder.file(name) + "'"; };
    CHECK(refused("none", "none") == "cannot read " + named("none") + ": No such file or directory");
    CHECK(refused("long", "none") == "cannot read " + named("none") +
                                         ": No such file or directory (on rank 2: all ranks must see the same files)");
    CHECK(refused("empty", "empty") == named("empty") + " is empty");
    CHECK(refused("long", "short") == "ranks 0 and 2 disagree about the size of " + named("long"));
    write_text(folder.file("long"), "123456");
    CHECK(refused("long", "long") == named("long") + " has 6 bytes, but allowed are 5");
    std::filesystem::create_directory(folder.file("folder"));
    CHECK(refused("folder", "folder") == "cannot read " + named("folder") + ": Is a directory");
}

TEST_CASE("rank files: every rank writes its part, and the file appears when it is whole", "[cli][ranks]")
{
    const TemporaryFolder folder;
    const std::string file = folder.file("out");
    for (const unsigned ranks : {1U, 2U, 5U}) {
        std::filesystem::remove(file);
        std::vector<int> seen(ranks);
        run_ranks(ranks, [&](const SharedWorld& world) {
            NewFileOfRanks out(*world, file);
            seen[world->rank()] = std::filesystem::exists(file) ? 1 : 0;
            out.set_size(3 * ranks);
            out.write_at(3 * (ranks - 1 - world->rank()), bytes_of("<" + std::to_string(world->rank()) + ">"));
            out.commit();
        });
        std::string expected;
        for (unsigned rank = ranks; rank-- > 0;)
            expected += "<" + std::to_string(rank) + ">";
        CHECK(read_text(file) == expected);
        CHECK(std::ranges::count(seen, 0) == static_cast<int>(ranks));
        CHECK(folder.names() == std::vector<std::string>{"out"});
    }
}

TEST_CASE("rank files: a file that is not committed leaves nothing behind", "[cli][ranks]")
{
    const TemporaryFolder folder;
    run_ranks(3, [&](const SharedWorld& world) {
        NewFileOfRanks out(*world, folder.file("out"));
        out.write_at(world->rank(), bytes_of("x"));
    });
    CHECK(folder.names().empty());
    for (const std::string& error :
         errors_of(2, [&](const SharedWorld& world) { NewFileOfRanks out(*world, folder.file("none/out")); }))
        CHECK(error == "cannot write '" + folder.file("none/out") + "': No such file or directory");
}

TEST_CASE("rank files: a pipe gets the ranks' bytes in order", "[cli][ranks]")
{
    const TemporaryFolder folder;
    const std::string pipe = folder.file("pipe");
    REQUIRE(mkfifo(pipe.c_str(), 0600) == 0);
    std::string got;
    {
        dcube::detail::JoiningThread reader([&] { got = read_text(pipe); });
        run_ranks(4, [&](const SharedWorld& world) {
            NewFileOfRanks out(*world, pipe);
            if (out.anywhere())
                throw Error("it is a pipe");
            out.write_in_order(bytes_of(std::string(world->rank(), static_cast<char>('0' + world->rank()))));
            out.commit();
        });
    }
    CHECK(got == "122333");
}
