// Reading the output of peers, and printing it.

#include "bench/peers/own_exchange.hpp"
#include "bench/peers/peer.hpp"
#include "bench/peers/table.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/process.hpp"

#include <dcube/error.hpp>

#include <fmt/format.h>

#include <string>
#include <vector>

using namespace dcube::test;
using namespace peers;

TEST_CASE("peers: a line that a peer prints is read", "[peers]")
{
    const Line line = parse_line(R"({"peer": "threads", "variant": "spsc", "dim": 3, "bytes": 64,
        "seconds": [1.5e-5, 2], "verified": true, "checksum": "0123456789abcdef", "more": 1})");
    CHECK(line.peer == "threads");
    CHECK(line.variant == "spsc");
    CHECK(line.dim == 3);
    CHECK(line.bytes == 64);
    CHECK(line.seconds == std::vector<double>{1.5e-5, 2});
    CHECK(line.verified);
    CHECK(line.checksum == "0123456789abcdef");
}

TEST_CASE("peers: a line that is no peer's is refused in one line", "[peers][negative]")
{
    const std::string head = R"({"peer": "a", "variant": "b", "dim": 3, "bytes": 64, )";
    for (const std::string& text : std::vector<std::string>{
             "", "mpirun: nothing\nof use", "[]", "{}", head + R"("seconds": [1], "verified": true})",
             head + R"("seconds": [], "verified": true, "checksum": "0"})",
             head + R"("seconds": [0], "verified": true, "checksum": "0"})",
             head + R"("seconds": [-1], "verified": true, "checksum": "0"})",
             head + R"("seconds": ["1"], "verified": true, "checksum": "0"})",
             head + R"("seconds": [1], "verified": "yes", "checksum": "0"})",
             head + R"("seconds": [1], "verified": true, "checksum": 7})"}) {
        CAPTURE(text);
        CHECK_THROWS_AS(parse_line(text), dcube::Error);
    }
}

TEST_CASE("peers: the table has a line for each variant, and says what brings the missing ones", "[peers]")
{
    Question question;
    question.size = {3, 16};
    question.repeat = 2;
    const std::vector<Row> rows{
        {"dcube", "slots", Row::State::measured, "", {0.003, 0.001}},
        {"threads", "spsc", Row::State::measured, "", {0.5, 0.5}, {"clock", "rules"}, "a thread a node"},
        {"simgrid", "actors", Row::State::not_built, "needs libsimgrid-dev"},
        {"openmpi", "alltoall", Row::State::stopped, "stopped after 60 s", {0.004}}};
    const std::string text = table_text(question, rows, {"1.5 processors were busy"});
    CAPTURE(text);
    const std::vector<std::string> lines = lines_of(text);
    REQUIRE(lines.size() == 13);
    CHECK(lines[0] ==
          "Total exchange between 8 nodes, 16 bytes for each pair, 2 times; every byte compared after each time.");
    CHECK(lines[3] == "dcube       slots                  2                 -        1                    -");
    CHECK(lines[4] == "threads     spsc                 500                 -      250                 -  clock rules");
    CHECK(lines[8] == "threads     spsc           a thread a node");
    CHECK(lines[10] == "doubtful: 1.5 processors were busy");
    CHECK(lines[5] == "simgrid     actors         not built: needs libsimgrid-dev");
    CHECK(lines[6] == "openmpi     alltoall       stopped after 60 s");
    CHECK_THAT(lines[12], Catch::EndsWith(" packages: libsimgrid-dev"));

    const nlohmann::ordered_json document = rows_document(question, rows);
    CHECK(document["size"] == nlohmann::ordered_json{{"dim", 3}, {"nodes", 8}, {"bytes", 16}});
    CHECK(document["rows"].size() == 4);
    CHECK(document["rows"][1]["median_seconds"] == 0.5);
    CHECK(document["rows"][1]["times_dcube"] == 250);
    CHECK(document["rows"][1]["samples_seconds"] == std::vector<double>{0.5, 0.5});
    CHECK(document["rows"][1]["note"].is_null());
    CHECK(document["rows"][1]["without"] == std::vector<std::string>{"clock", "rules"});
    CHECK(document["rows"][1]["remark"] == "a thread a node");
    CHECK(document["rows"][0]["without"].empty());
    CHECK(document["rows"][3]["median_seconds"].is_null());
    CHECK(document["rows"][3]["state"] == "stopped");
}

TEST_CASE("peers: dcube's own times are of the bytes that the peers must have", "[peers]")
{
    const Size size{3, 19};
    std::uint64_t expected = 0;
    std::vector<std::byte> block(size.bytes);
    for (std::size_t target = 0; target < size.nodes(); ++target) {
        std::uint64_t hash = peer::hash_of_nothing;
        for (std::size_t origin = 0; origin < size.nodes(); ++origin) {
            peer::fill(block.data(), block.size(), origin, target);
            CHECK(peer::is_right(block.data(), block.size(), origin, target));
            CHECK_FALSE(peer::is_right(block.data(), block.size(), target + 1, origin));
            hash = peer::hashed(hash, block.data(), block.size());
        }
        expected += hash;
    }
    const std::vector<OwnVariant> variants = own_variants(size);
    REQUIRE(variants.size() == 2);
    for (const OwnVariant& variant : variants) {
        const OwnVariant::Times times = variant.measure(3);
        CHECK(times.seconds.size() == 3);
        CHECK(times.checksum == fmt::format("{:016x}", expected));
    }
    CHECK(fmt::format("{:016x}", expected) == "b365650cf0341727");  // printed by the peer in Go
}
