// A person's own data through the nodes: --input and --output.

#include "cli/files/files.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/command_lines.hpp"
#include "tests/support/process.hpp"

#include <fmt/format.h>

#include <fcntl.h>
#include <unistd.h>

#include <filesystem>
#include <limits>
#include <string>
#include <vector>

using namespace dcube::test;

namespace {

std::string pattern(std::size_t bytes)
{
    std::string text(bytes, '\0');
    for (std::size_t i = 0; i < bytes; ++i)
        text[i] = static_cast<char>((i * 167 + i / 251) & 0xff);
    return text;
}

// Runs with --input and --output; returns what the nodes held afterwards.
std::string through(const std::string& line, const std::string& input)
{
    const TemporaryFolder folder;
    write_text(folder.file("in"), input);
    const Outcome outcome = dcube_line(line + " --input " + folder.file("in") + " --output " + folder.file("out"));
    CAPTURE(line, outcome.err);
    REQUIRE(outcome.exit_code == 0);
    CHECK(folder.names() == std::vector<std::string>{"in", "out"});
    return read_text(folder.file("out"));
}

std::string repeated(const std::string& text, std::size_t times)
{
    std::string all;
    for (std::size_t i = 0; i < times; ++i)
        all += text;
    return all;
}

}  // namespace

TEST_CASE("files: a run in place reads and writes the same as one that is not in place", "[cli][in-place][slow]")
{
    for (const std::string network : {"--dim 3", "--topology ring:5", "--topology torus:3x3 --without-node 8"})
        for (const std::string collective : {"all-to-all", "all-gather", "reduce-scatter", "all-reduce"}) {
            const std::string line = "run " + collective + " " + network;
            const std::string input = pattern(9 * 9 * 4);
            CAPTURE(line);
            CHECK(through(line + " --in-place", input) == through(line, input));
        }
    const Outcome refused = dcube_line("run broadcast --dim 3 --in-place");
    CHECK(refused.exit_code == 2);
    CHECK(refused.err == "dcube: --in-place is not possible for broadcast: not the same nodes hold data before and "
                         "after it\n");
}

namespace {

template <class T>
std::string text_of(const std::vector<T>& numbers)
{
    return {reinterpret_cast<const char*>(numbers.data()), numbers.size() * sizeof(T)};
}

}  // namespace

TEST_CASE("files: all nodes end with the same floats, however they add, and with the same not-a-numbers", "[cli][slow]")
{
    const float nan = std::numeric_limits<float>::quiet_NaN();
    const auto output = [](const std::string& line, const std::vector<float>& of_nodes) {
        return through("run all-reduce --bytes 4 --type float " + line, text_of(of_nodes));
    };
    CHECK(output("--topology ring:3", {1, 0x1p-24F, 0x1p-24F}) == text_of(std::vector<float>{1, 1, 1}));
    const std::string one = output("--topology ring:7", {1e8F, 1, -1e8F, 1, 1, 1, 1});
    CHECK(one == repeated(one.substr(0, 4), 7));
    for (const std::string op : {"min", "max", "sum"})
        for (const std::vector<float>& given :
             {std::vector{nan, 1.0F}, std::vector{1.0F, -nan}, std::vector{nan, -nan}})
            CHECK(output("--dim 1 --operation " + op, given) == text_of(std::vector{nan, nan}));
    for (const std::vector<float>& zeros : {std::vector{0.0F, -0.0F}, std::vector{-0.0F, 0.0F}}) {
        CHECK(output("--dim 1 --operation min", zeros) == text_of(std::vector{-0.0F, -0.0F}));
        CHECK(output("--dim 1 --operation max", zeros) == text_of(std::vector{0.0F, 0.0F}));
    }
}

TEST_CASE("files: a report says that sums of floats were compared within rounding", "[cli]")
{
    const TemporaryFolder folder;
    write_text(folder.file("in"), text_of(std::vector<float>{0.1F, 0.2F, 0.3F}));
    const std::string line = "run all-reduce --topology ring:3 --bytes 4 --type float --input " + folder.file("in");
    CHECK_THAT(dcube_line(line).out,
               Catch::Contains("verified       3 blocks, within rounding; all nodes have the same bits\n"));
    CHECK_THAT(dcube_line(line + " --operation max").out, Catch::Contains("verified       3 blocks, every byte\n"));
    const auto record = json_of(line);
    CHECK(record["verified"] == true);
    CHECK(record["comparison"] == "within rounding");
    CHECK(record["same_bits"] == true);
    const auto root = json_of("run reduce --topology ring:3 --bytes 4 --type float --input " + folder.file("in"));
    CHECK(root["comparison"] == "within rounding");
    CHECK(root["same_bits"].is_null());
    const auto seeded = json_of("run all-reduce --topology ring:3 --bytes 4 --type float");
    CHECK(seeded["comparison"] == "every byte");
    CHECK(seeded["same_bits"] == true);
}

TEST_CASE("files: a schedule by which nodes add in different orders is reported as such", "[cli]")
{
    // On a ring of three nodes 1 and 2 get all shares, and add them up one by one; node 0 gets the sum of the others'.
    const TemporaryFolder folder;
    std::string schedule;
    const auto send = [&](unsigned step, unsigned from, unsigned to, std::string_view sum) {
        schedule += fmt::format(
            R"({{"step":{},"from":{},"to":{},"port":{},"bytes":4,"pieces":[{{"offset":0,"length":4,"origin":null,"target":null,"sum_of":[{}]}}]}})"
            "\n",
            step, from, to, to == (from + 1) % 3 ? 0 : 1, sum);
    };
    send(1, 0, 1, "0");
    send(1, 1, 2, "1");
    send(2, 0, 2, "0");
    send(2, 2, 0, "1,2");
    send(2, 2, 1, "2");
    write_text(folder.file("s"), schedule);
    write_text(folder.file("in"), text_of(std::vector<float>{1e8F, -1e8F, 1}));
    const std::string line = "run all-reduce --topology ring:3 --bytes 4 --type float --algorithm @" + folder.file("s");
    CHECK_THAT(dcube_line(line).out, Catch::Contains("3 blocks, every byte\n"));
    const Outcome differing = dcube_line(line + " --input " + folder.file("in"));
    CAPTURE(differing.err);
    CHECK(differing.exit_code == 0);
    CHECK_THAT(differing.out, Catch::Contains("3 blocks, within rounding; not all nodes have the same bits\n"));
}

TEST_CASE("files: an all-to-all transposes the blocks of a file", "[cli]")
{
    const std::size_t n = 8;
    const std::size_t bytes = 5;
    const std::string input = pattern(n * n * bytes);
    std::string expected;
    for (std::size_t target = 0; target < n; ++target) {
        for (std::size_t origin = 0; origin < n; ++origin)
            expected += input.substr((origin * n + target) * bytes, bytes);
    }
    CHECK(through("run all-to-all --dim 3 --bytes 5", input) == expected);
    CHECK(through("run all-to-all --dim 3 --bytes 5 --ports one", input) == expected);
}

TEST_CASE("files: scatter and gather keep a file as it is, broadcast and all-gather copy it", "[cli]")
{
    const std::string input = pattern(8 * 6);
    CHECK(through("run scatter --dim 3 --bytes 6 --root 5", input) == input);
    CHECK(through("run gather --dim 3 --bytes 3 --packets 2", input) == input);
    CHECK(through("run broadcast --dim 3 --bytes 48", input) == repeated(input, 8));
    CHECK(through("run all-gather --dim 3 --bytes 6", input) == repeated(input, 8));
}

TEST_CASE("files: reductions add up what the nodes have, and wrap around", "[cli]")
{
    const std::string input = pattern(4 * 3);
    std::string sum(3, '\0');
    for (std::size_t i = 0; i < input.size(); ++i)
        sum[i % 3] = static_cast<char>(static_cast<unsigned char>(sum[i % 3]) + static_cast<unsigned char>(input[i]));
    CHECK(through("run reduce --dim 2 --bytes 3", input) == sum);
    CHECK(through("run all-reduce --dim 2 --bytes 3", input) == repeated(sum, 4));
}

TEST_CASE("files: the last block is padded with zeros, and this is said", "[cli]")
{
    const TemporaryFolder folder;
    write_text(folder.file("in"), "hello, nodes");
    const std::string line =
        "run gather --dim 2 --bytes 4 --input " + folder.file("in") + " --output " + folder.file("out");
    const Outcome outcome = dcube_line(line);
    CHECK(outcome.exit_code == 0);
    CHECK(outcome.err == "dcube: 12 bytes of input: the end of the last padded with 4 zero bytes\n");
    CHECK(read_text(folder.file("out")) == std::string("hello, nodes") + std::string(4, '\0'));
}

TEST_CASE("files: without --bytes the smallest blocks that hold the file are chosen, and this is said", "[cli]")
{
    const TemporaryFolder folder;
    write_text(folder.file("in"), pattern(1000));
    const std::string files = " --format json --input " + folder.file("in");
    const Outcome bytes = dcube_line("run all-to-all --dim 3" + files);
    CHECK_THAT(bytes.out, Catch::Contains("\"bytes\": 16,"));
    CHECK_THAT(bytes.out, Catch::Contains("\"seed\": null,"));
    CHECK(bytes.err ==
          "dcube: 1 000 bytes of input: blocks of 16 bytes chosen, the end of the last padded with 24 zero bytes\n");
    const Outcome elements = dcube_line("run reduce --dim 3 --type int64" + files);
    CHECK_THAT(elements.out, Catch::Contains("\"bytes\": 128,"));
    const Outcome exact = dcube_line("run gather --dim 3" + files);
    CHECK(exact.err == "dcube: 1 000 bytes of input: blocks of 125 bytes chosen\n");
}

TEST_CASE("files: a file that is too large is refused with both sizes", "[cli][negative]")
{
    const TemporaryFolder folder;
    write_text(folder.file("in"), pattern(1000));
    const Outcome outcome = dcube_line("run gather --dim 3 --bytes 100 --input " + folder.file("in"));
    CHECK(outcome.exit_code == 2);
    CHECK_THAT(outcome.err, Catch::Contains("has 1 000 bytes") && Catch::Contains(" 800"));
}

TEST_CASE("files: the input may come through a pipe", "[cli]")
{
    const TemporaryFolder folder;
    const Outcome outcome =
        dcube_line("run gather --dim 2 --bytes 3 --input - --output " + folder.file("out"), {.input = "abcdefghijkl"});
    CHECK(outcome.exit_code == 0);
    CHECK(read_text(folder.file("out")) == "abcdefghijkl");
}

TEST_CASE("files: an error in standard input is reported as one of standard input", "[cli][negative]")
{
    CHECK(dcube_line("run gather --dim 2 --input -").err == "dcube: standard input is empty\n");
    for (const char* const line : {"run gather --dim 2 --input -", "verify -"})
        CHECK(dcube_line(line, {.program = {"sh", "-c", R"(exec "$0" "$@" </)", DCUBE_PROGRAM}}).err ==
              "dcube: cannot read standard input: Is a directory\n");
    check_refused("explain @-", "where a schedule is read twice: give a file's name");
}

TEST_CASE("files: an existing file is replaced only by a complete one", "[cli]")
{
    const TemporaryFolder folder;
    write_text(folder.file("out"), "before");
    const std::string output = " --output " + folder.file("out");
    CHECK(dcube_line("run gather --dim 2 --trace /nowhere/at/all" + output).exit_code == 2);
    CHECK(read_text(folder.file("out")) == "before");
    CHECK(dcube_line("run gather --dim 2 --bytes 3 --input -" + output, {.input = "abc"}).exit_code == 0);
    CHECK(read_text(folder.file("out")) == std::string("abc") + std::string(9, '\0'));
    CHECK(folder.names() == std::vector<std::string>{"out"});
}

TEST_CASE("files: a file that has lost its name is written directly, and the link to it stays", "[cli]")
{
    const TemporaryFolder folder;
    write_text(folder.file("out"), "before");
    const int descriptor = open(folder.file("out").c_str(), O_RDWR | O_CLOEXEC);
    REQUIRE(descriptor >= 0);
    unlink(folder.file("out").c_str());
    std::filesystem::create_symlink(fmt::format("/proc/self/fd/{}", descriptor), folder.file("link"));
    {
        dcube::cli::NewFile file(folder.file("link"));
        file.write("now");
        file.commit();
    }
    std::string text(6, '\0');
    text.resize(static_cast<std::size_t>(pread(descriptor, text.data(), text.size(), 0)));
    CHECK(text == "now");
    CHECK(folder.names() == std::vector<std::string>{"link"});
    close(descriptor);
}
