// dcube histogram.

#include "tests/support/catch.hpp"
#include "tests/support/command_lines.hpp"
#include "tests/support/process.hpp"

#include <nlohmann/json.hpp>

#include <fmt/format.h>

#include <cstdint>
#include <string>
#include <vector>

using namespace dcube::test;
using nlohmann::ordered_json;

TEST_CASE("histogram: the counts are those of a plain loop", "[cli]")
{
    const TemporaryFolder folder;
    std::string bytes;
    std::vector<std::uint64_t> expected(10);
    for (unsigned at = 0; at < 5001; ++at) {
        const unsigned value = at * at % 256;
        bytes += static_cast<char>(value);
        ++expected[value * 10 / 256];
    }
    write_text(folder.file("data"), bytes);
    for (const char* const links : {"", " --tau 1 --beta 10", " --ports one"}) {
        const ordered_json json = json_of("histogram --dim 3 --bins 10 --input " + folder.file("data") + links);
        CHECK(json["counts"].get<std::vector<std::uint64_t>>() == expected);
        CHECK(json["values"] == 5001);
        CHECK(json["report"]["collective"] == "reduce-scatter");
    }
    const std::vector<std::string> csv =
        lines_of(executed("histogram --dim 3 --bins 10 --format csv --input " + folder.file("data")).out);
    REQUIRE(csv.size() == 11);
    CHECK(csv[1] == fmt::format("0,0,25,{}", expected[0]));
    CHECK_THAT(executed("histogram --dim 3 --bins 10 --input " + folder.file("data")).out,
               Catch::Contains("against a direct count"));
}

TEST_CASE("histogram: file and bins are shared by the nodes that are there", "[cli][faults]")
{
    const TemporaryFolder folder;
    std::string bytes;
    for (unsigned at = 0; at < 1003; ++at)
        bytes += static_cast<char>(at * at % 256);
    write_text(folder.file("data"), bytes);
    const auto counts = [&](const std::string& network) {
        return json_of("histogram " + network + " --bins 10 --input " + folder.file("data"))["counts"];
    };
    const ordered_json expected = counts("--dim 0");
    CHECK(counts("--dim 3 --without-node 0") == expected);
    CHECK(counts("--dim 2 --without-node 3") == expected);
    CHECK(counts("--topology ring:5 --without-node 2") == expected);
    CHECK(counts("--topology torus:3x4 --without-node 0 --without-node 6 --without-node 11") == expected);
    CHECK(counts("--topology complete:30 --without-node 14 --without-node 29 --tau 1 --beta 5") == expected);
}

TEST_CASE("histogram: words of 16 bits are little endian", "[cli]")
{
    const TemporaryFolder folder;
    write_text(folder.file("data"), std::string("\x00\x80\x01\x00\xff\xff", 6));
    const ordered_json json = json_of("histogram --dim 2 --bins 4 --words 16 --input " + folder.file("data"));
    CHECK(json["counts"] == ordered_json({1, 0, 1, 1}));
    write_text(folder.file("odd"), "abc");
    check_refused("histogram --dim 2 --words 16 --input " + folder.file("odd"), "a multiple of 2");
    check_refused("histogram --dim 2 --words 12 --input " + folder.file("odd"), "8 or 16 bits");
    check_refused("histogram --dim 2 --bins 0 --input " + folder.file("odd"), "--bins 0 is too small");
    check_refused("histogram --dim 2 --bins 65537 --input " + folder.file("odd"), "--bins 65537 is too large");
    check_refused("histogram --dim 2", "--input is missing");
    check_refused("histogram --dim 2 --input " + folder.file("none"), "cannot read");
}
