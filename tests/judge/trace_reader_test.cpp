// The reader of traces: right lines become records, and of wrong ones it says where and why.

#include "tests/support/catch.hpp"
#include "tests/support/error_of.hpp"

#include "judge/trace_reader.hpp"

#include <dcube/judge.hpp>

#include <sstream>
#include <streambuf>

using namespace dcube;
using test_support::contains;
using test_support::error_of;

namespace {

const std::string good = R"({"step":1,"from":2,"to":3,"port":0,"bytes":7,"start_ns":null,"end_ns":100,)"
                         R"("pieces":[{"origin":2,"target":null,"offset":1,"length":3},)"
                         R"({"origin":null,"target":4,"offset":5,"length":4}]})";

std::string replaced(std::string text, const std::string& old, const std::string& fresh)
{
    const std::size_t at = text.find(old);
    REQUIRE(at != std::string::npos);
    return text.replace(at, old.size(), fresh);
}

/// The number of the last line.
std::uint64_t read_all(const std::string& text)
{
    std::istringstream in(text);
    TraceReader reader(in);
    Record record;
    while (reader.next(record)) {
    }
    return record.line;
}

void rejects(const std::string& line, const std::string& reason)
{
    const std::string error = error_of([&] { read_all(good + "\n" + line + "\n" + good); });
    CAPTURE(line, error, reason);
    CHECK(error.starts_with("line 2: "));
    CHECK(contains(error, reason));
    CHECK_FALSE(contains(error, "\n"));
}

/// Endless a's, to see when the reader has had enough.
struct Endless : std::streambuf {
    std::string chunk = std::string(1 << 16, ' ');
    int_type underflow() override
    {
        setg(chunk.data(), chunk.data(), chunk.data() + chunk.size());
        return traits_type::to_int_type(chunk[0]);
    }
};

}  // namespace

TEST_CASE("trace reader: a line becomes a record", "[judge]")
{
    std::istringstream in(good + "\r\n" + replaced(good, "\"step\":1", "\"step\":4294967295"));
    TraceReader reader(in);
    Record record;
    REQUIRE(reader.next(record));
    CHECK(record.line == 1);
    CHECK(record.step == 1);
    CHECK(record.from == 2);
    CHECK(record.to == 3);
    CHECK(record.port == 0);
    CHECK(record.bytes == 7);
    REQUIRE(record.pieces.size() == 2);
    CHECK(record.pieces[0].origin == NodeId{2});
    CHECK_FALSE(record.pieces[0].target);
    CHECK(record.pieces[0].offset == 1);
    CHECK(record.pieces[0].length == 3);
    CHECK_FALSE(record.pieces[1].origin);
    CHECK(record.pieces[1].target == NodeId{4});
    REQUIRE(reader.next(record));
    CHECK(record.line == 2);
    CHECK(record.step == 4294967295U);
    CHECK(record.pieces.size() == 2);
    CHECK_FALSE(reader.next(record));
}

TEST_CASE("trace reader: times may be missing, and unknown keys are passed over", "[judge]")
{
    CHECK(read_all(replaced(good, R"("start_ns":null,"end_ns":100,)", "")) == 1);
    CHECK(read_all(replaced(good, "\"step\"", R"("x":[1,{"step":-1},[[]]],"y":{"pieces":{"a":[]}},"z":1e9,"step")")) ==
          1);
    CHECK(read_all(replaced(good, "\"offset\"", R"("x":{"offset":[null,true,"a"]},"offset")")) == 1);
    CHECK(read_all("") == 0);
    CHECK(read_all(good + "\n" + good + "\n") == 2);
}

TEST_CASE("trace reader: times are whole numbers or fractions, and are forgotten with their line", "[judge]")
{
    std::istringstream in(replaced(good, "\"start_ns\":null", "\"start_ns\":\"10/4\"") + "\n" +
                          replaced(good, "100", "\"0/1\"") + "\n" + replaced(good, "100", "9223372036854775807"));
    TraceReader reader(in);
    Record record;
    REQUIRE(reader.next(record));
    CHECK(record.start_ns == Rational{5, 2});
    CHECK(record.end_ns == Rational{100, 1});
    REQUIRE(reader.next(record));
    CHECK_FALSE(record.start_ns);
    CHECK(record.end_ns == Rational{0, 1});
    REQUIRE(reader.next(record));
    CHECK(record.end_ns == Rational{9223372036854775807, 1});
}

TEST_CASE("trace reader: texts that are no fractions are rejected", "[judge][negative]")
{
    for (const char* const value : {"", "/", "1/", "/2", "5", "-5/2", "5/-2", "5/0", "1.5/2", " 5/2", "5/2 ", "5/2/1",
                                    "+5/2", "9223372036854775808/1", "1/9223372036854775808", "a/b"}) {
        CAPTURE(value);
        rejects(replaced(good, "\"start_ns\":null", "\"start_ns\":\"" + std::string(value) + "\""),
                "\"start_ns\" is a text: a whole number from 0 to 9223372036854775807, a fraction such as \"5/2\" or "
                "null is allowed");
    }
    rejects(replaced(good, "\"offset\":1", "\"offset\":\"2/1\""), "\"offset\" is a text");
    rejects(replaced(good, "\"bytes\":7", "\"bytes\":\"7/1\""), "\"bytes\" is a text");
}

TEST_CASE("trace reader: malformed lines are rejected with their number and the reason", "[judge][negative]")
{
    for (const char* const text : {"", " \t"})
        rejects(text, "empty");
    for (const char* const text : {"{", "}", "nonsense", "{\"step\":1", "{'step':1}", "{\"step\":01}", "{\"step\":1,}",
                                   "\xff\xfe", "{\"step\":1e999}"})
        rejects(text, "not valid JSON at column");
    rejects(good + "x", "not valid JSON");
    rejects(good + good, "not valid JSON");
    rejects(good + "// remark", "not valid JSON");
    rejects(good + std::string(1, '\0') + "junk", "not valid JSON");
    rejects(good.substr(0, good.size() - 1), "not valid JSON");
    for (const char* const text : {"1", "null", "\"step\"", "[]", "true", "-1", "1.5"})
        rejects(text, "stands where a transmission should, which is an object");
}

TEST_CASE("trace reader: wrong types and numbers are rejected", "[judge][negative]")
{
    for (const char* const key : {"step", "from", "to", "port", "bytes", "end_ns", "offset", "length", "origin"}) {
        const std::string quoted = std::string("\"") + key + "\":";
        const std::size_t at = good.find(quoted) + quoted.size();
        const std::string old = good.substr(at, good.find_first_of(",}", at) - at);
        for (const char* const value : {"-1", "1.0", "1e2", "\"1\"", "true", "[]", "{}", "[1]", "18446744073709551615",
                                        "18446744073709551616", "99999999999999999999999"}) {
            CAPTURE(key, value);
            rejects(replaced(good, quoted + old, quoted + value), quoted.substr(0, quoted.size() - 1) + " is ");
        }
    }
    for (const char* const key : {"step", "from", "to", "port", "origin"}) {
        const std::string quoted = std::string("\"") + key + "\":";
        const std::size_t at = good.find(quoted) + quoted.size();
        rejects(std::string(good).replace(at, 1, "4294967296"), "a whole number from 0 to 4294967295");
    }
    rejects(replaced(good, "\"bytes\":7", "\"bytes\":null"), "\"bytes\" is null");
    rejects(replaced(good, "\"offset\":1", "\"offset\":null"), "\"offset\" is null");
    const std::string pieces = good.substr(good.find("[{"));
    for (const char* const value : {"null", "0", "1", "{}", "\"\"", "false"})
        rejects(replaced(good, pieces, std::string(value) + "}"), "\"pieces\" is ");
    for (const char* const value : {"null", "1", "[]", "\"\"", "false"})
        rejects(replaced(good, pieces, std::string("[") + value + "]}"),
                "stands where a piece should, which is an object");
}

TEST_CASE("trace reader: keys that are missing or come twice are rejected", "[judge][negative]")
{
    for (const char* const key : {"step", "from"})
        rejects(replaced(good, std::string("\"") + key + "\"", "\"other\""),
                std::string("the transmission has no \"") + key + "\"");
    for (const char* const key :
         {"to", "port", "bytes", "pieces", "origin", "target", "offset", "length"})  // the rest says it
        CHECK(read_all(replaced(good, std::string("\"") + key + "\"", "\"other\"")) == 1);
    rejects(replaced(good, "\"from\"", "\"step\":2,\"from\""), "\"step\" stands there twice");
    rejects(replaced(good, "\"offset\"", "\"origin\":2,\"offset\""), "\"origin\" stands there twice");
}

TEST_CASE("trace reader: a line may be long, but not without end", "[judge][negative]")
{
    CHECK(read_all(good + std::string(300000, ' ')) == 1);
    Endless endless;
    std::istream in(&endless);
    TraceReader reader(in);
    Record record;
    CHECK(contains(error_of([&] { reader.next(record); }), "line 1: the line is longer than 67108864 bytes"));
}
