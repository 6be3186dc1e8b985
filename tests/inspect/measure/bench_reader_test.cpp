// Documents of benchmarks are read whole, or refused.

#include "inspect/measure/bench_document.hpp"
#include "inspect/measure/bench_fields.hpp"
#include "tests/inspect/measure/made_up_benchmark.hpp"
#include "tests/inspect/measure/made_up_limits.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/error_of.hpp"

#include <algorithm>
#include <string>

using namespace dcube;
using namespace dcube::measure;
using namespace dcube::test;

namespace {

std::string read_error(const Json& document)
{
    return test_support::error_of([&] { read_bench_document(document.dump(), "f.json"); });
}

}  // namespace

TEST_CASE("bench reader: a document that is no benchmark's is refused with the wrong key", "[measure][negative]")
{
    const Json good = document_of({made_up_cell(1, 1e-4)});
    const auto refusal = [&](const char* pointer, const Json& value) {
        Json bad = good;
        bad[Json::json_pointer(pointer)] = value;
        return read_error(bad);
    };
    CHECK(test_support::error_of([] { read_bench_document("{", "f.json"); }) ==
          "f.json was not written by dcube bench: it is not JSON");
    CHECK_THAT(read_error(Json::array()), Catch::Contains("it is not a JSON object"));
    CHECK_THAT(read_error(Json::object()), Catch::Contains("the key kind is missing"));
    CHECK_THAT(refusal("/kind", "limits"), Catch::Contains("its kind is 'limits'"));
    CHECK_THAT(refusal("/schema", 2), Catch::Contains("its schema is 2, and only 1 is known"));
    CHECK_THAT(refusal("/cells/0/median_seconds", 0),
               Catch::Contains("cells[0].median_seconds is 0, where a number above 0 is needed"));
    CHECK_THAT(refusal("/cells/0/count", -1), Catch::Contains("where a whole number is needed"));
    CHECK_THAT(refusal("/cells/0/interval_seconds", Json::array({2, 1})), Catch::Contains("the smaller one first"));
    CHECK_THAT(refusal("/cells/0/rounds/3/samples_seconds", Json::array()),
               Catch::Contains("cells[0] has a round without a run"));
    CHECK_THAT(refusal("/cells/0/rounds/3/samples_seconds", Json::array({0})),
               Catch::Contains("cells[0].rounds[3].samples_seconds is [0], where a list of numbers above 0 is needed"));
    CHECK_THAT(refusal("/cells/0/rounds/3/disturbed_bounds", Json::array({Json::array({1, 2})})),
               Catch::Contains("cells[0] has disturbed_bounds that are not those of its disturbed_seconds"));
    CHECK_THAT(refusal("/cells/0/rounds/3/disturbed_bounds", Json::array({Json::array({2, 1})})),
               Catch::Contains("a list of pairs of numbers"));
    CHECK_THAT(refusal("/cells/0/modes", 3), Catch::Contains("a list of objects or null"));
    CHECK_THAT(refusal("/cells", 3), Catch::Contains("a list of objects is needed"));
    CHECK_THAT(refusal("/settings/weak", 1), Catch::Contains("true or false"));
    CHECK_THAT(refusal("/warnings", Json::array({1})), Catch::Contains("a list of texts"));
    Json twice = good;
    twice["cells"].push_back(twice["cells"][0]);
    CHECK_THAT(read_error(twice), Catch::Contains("it has a cell twice: all-to-all, hypercube:3, 64 bytes, 1 thread"));
}

TEST_CASE("bench reader: a document that is nested too deeply is refused", "[measure][negative]")
{
    const std::string deep = "{\"kind\":" + std::string(200'000, '[') + std::string(200'000, ']') + "}";
    CHECK_THAT(test_support::error_of([&] { read_bench_document(deep, "f.json"); }),
               Catch::Contains("it is nested too deeply"));
    Json document = document_of({made_up_cell(1, 1e-4)});
    document["more"] = Json::parse("[[[[{\"a\": [1]}]]]]");
    CHECK(read_error(document).empty());
}

TEST_CASE("bench reader: a cell with neither packets nor a whole matrix is refused", "[measure][negative]")
{
    const auto refusal = [](const Json& values) {
        Json bad = document_of({made_up_cell(1, 1e-4)});
        bad["cells"][0].update(values);
        return read_error(bad);
    };
    CHECK(refusal({{"packets", nullptr}}) ==
          "f.json was not written by dcube bench: cells[0] has neither packets of some bytes nor a matrix");
    CHECK_THAT(refusal({{"bytes", nullptr}}), Catch::Contains("neither packets of some bytes nor a matrix"));
    CHECK_THAT(refusal({{"rows", 8}, {"columns", 8}}), Catch::Contains("a matrix without columns or type"));
    CHECK_THAT(refusal({{"algbw_bytes_per_second", nullptr}}), Catch::Contains("no bandwidths"));
    CHECK_THAT(refusal({{"busbw_bytes_per_second", nullptr}}), Catch::Contains("no bandwidths"));
    CHECK_THAT(refusal({{"rounds", Json::array()}}), Catch::Contains("cells[0] has no rounds"));
    CHECK(refusal({{"rows", 8}, {"columns", 8}, {"type", "float"}}).empty());
    CHECK(refusal({{"size_bytes", nullptr}, {"algbw_bytes_per_second", nullptr}}).empty());
}

TEST_CASE("bench reader: every key that all versions have written is required", "[measure][negative]")
{
    Benchmark benchmark = made_up({made_up_cell(2, 1e-4), made_up_cell(1, 1e-4), made_up_cell(4, 1e-4)});
    benchmark.limits = made_up_limits();
    count(benchmark.cells[0], 32);
    count_cycles(benchmark.cells[0], 10);
    benchmark.cells.back().outcome.obstacle = InvalidArgument("none");
    benchmark.moments = {{.handover_seconds = 1e-7, .frequency_hz = 3e9}};
    for (std::size_t i = 0; i < 3; ++i)
        benchmark.cells[0].outcome.rounds[i].samples_seconds = {3e-5};  // two groups
    const Json good = bench_document(benchmark);
    for (const BenchField& field : bench_fields()) {
        std::string path = "/" + std::string(field.key);
        std::ranges::replace(path, '.', '/');
        for (const char* const list : {"/cells/", "/moments/", "/left_out/", "/modes/", "/rounds/"})
            if (const std::size_t at = path.find(list); at != std::string::npos)
                path.insert(at + std::string(list).size(), "0/");
        const std::size_t slash = path.rfind('/');
        Json bad = good;
        Json& part = bad[Json::json_pointer(path.substr(0, slash))];
        REQUIRE(part.contains(path.substr(slash + 1)));
        part.erase(path.substr(slash + 1));
        INFO(path);
        CHECK(read_error(bad).empty() == (field.stands == BenchKey::later));
        Json strange = good;
        strange[Json::json_pointer(path)] = Json{{"strange", true}};
        if (field.value != BenchValue::part && field.value != BenchValue::part_or_null)
            CHECK_FALSE(read_error(strange).empty());
    }
}

TEST_CASE("bench reader: documents older than a key are read without it", "[measure]")
{
    Json old = document_of({made_up_cell(1, 1e-4)});
    old.erase("interrupted");
    old.erase("moments");
    for (const char* const key : {"threads_used", "modes", "step", "counters"})
        old["cells"][0].erase(key);
    CHECK(read_error(old).empty());
    old["interrupted"] = 1;
    CHECK_THAT(read_error(old), Catch::Contains("interrupted is 1, where true or false is needed"));
}
