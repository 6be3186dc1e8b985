// The claims, and how their values are found in what other commands print.

#include "bench/figures/claims.hpp"
#include "bench/figures/document.hpp"
#include "bench/figures/values.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/process.hpp"

#include <dcube/error.hpp>

#include <filesystem>
#include <set>
#include <string>

using namespace dcube::test;
using namespace figures;

namespace {

constexpr Unit milliseconds{"s", "ms", 1e3};

Claim claim(Source source, std::string_view key, std::string_view over = {})
{
    return {"name", "what", milliseconds, Target{Target::Kind::at_most, 0.08}, "./dcube run a", source, key, over};
}

// Output in the format of Google Benchmark.
const nlohmann::json benchmarks = nlohmann::json::parse(R"({"context": {}, "benchmarks": [
    {"run_name": "a/dim:3/process_time/real_time", "real_time": 3.0, "time_unit": "ms", "rate": 5.0},
    {"run_name": "a/process_time/real_time", "real_time": 1500.0, "time_unit": "us", "rate": 2.5}]})");

}  // namespace

TEST_CASE("figures: claims have names of their own, and a command that prints them", "[figures]")
{
    std::set<std::string_view> names;
    std::set<std::string_view> texts;
    for (const Claim& one : claims()) {
        CAPTURE(one.name);
        CHECK(names.insert(one.name).second);
        CHECK(texts.insert(one.what).second);
        CHECK(one.command.starts_with("./dcube "));
        const bool by_benchmarks = one.command.starts_with("./dcube figures --benchmarks ");
        CHECK((one.source == Source::measured_here) == (one.command.starts_with("./dcube figures") && !by_benchmarks));
        CHECK((one.source == Source::report) == one.command.starts_with("./dcube run "));
        CHECK((one.source == Source::benchmark) == by_benchmarks);
        CHECK((one.source == Source::measured_here) == one.key.empty());
    }
}

TEST_CASE("figures: values are shown in their units, with what is aimed at", "[figures]")
{
    const Claim one = claim(Source::report, "wall_seconds");
    CHECK(value_text(one.unit, 0.0691) == "69.1 ms");
    CHECK(value_text({"1/s", "million/s", 1e-6}, 127.9e6) == "128 million/s");
    CHECK(value_text({"1", "%", 100}, -0.011) == "-1.1 %");
    CHECK(target_text(one) == "<= 80 ms");
    CHECK(is_met(one, 0.08) == true);
    CHECK(is_met(one, 0.081) == false);
    Claim other = one;
    other.target = Target{Target::Kind::at_least, 0.08};
    CHECK(target_text(other) == ">= 80 ms");
    CHECK(is_met(other, 0.079) == false);
    other.target = {};
    CHECK(target_text(other).empty());
    CHECK_FALSE(is_met(other, 1));

    CHECK_THAT(figure_text({&one, 0.1}), Catch::Contains("100 ms") && Catch::Contains("missed"));
    const nlohmann::ordered_json document = figures_document({{&one, 0.1}, {&other, {}}});
    REQUIRE(document.size() == 2);
    CHECK(document[0]["value"] == 0.1);
    CHECK(document[0]["unit"] == "s");
    CHECK(document[0]["text"] == "100 ms");
    CHECK(document[0]["met"] == false);
    CHECK(document[1]["value"].is_null());
    CHECK(document[1]["met"].is_null());
}

TEST_CASE("figures: a value is found in a report, or among benchmarks", "[figures]")
{
    CHECK(value_in({{"wall_seconds", 0.25}}, claim(Source::report, "wall_seconds")) == 0.25);
    CHECK(value_in(benchmarks, claim(Source::benchmark, "a real_time")) == Approx(0.0015));
    CHECK(value_in(benchmarks, claim(Source::benchmark, "a/dim:3 rate")) == 5);
    CHECK(value_in(benchmarks, claim(Source::benchmark, "a/dim:3 real_time", "a real_time")) == Approx(2));
}

TEST_CASE("figures: a value that the output does not have is an error", "[figures][negative]")
{
    CHECK_THROWS_AS(value_in({{"steps", 3}}, claim(Source::report, "wall_seconds")), dcube::Error);
    CHECK_THROWS_AS(value_in({{"wall_seconds", "1"}}, claim(Source::report, "wall_seconds")), dcube::Error);
    CHECK_THROWS_AS(value_in({{"wall_seconds", 1}}, claim(Source::benchmark, "a real_time")), dcube::Error);
    CHECK_THROWS_AS(value_in(benchmarks, claim(Source::benchmark, "b real_time")), dcube::Error);
    CHECK_THROWS_AS(value_in(benchmarks, claim(Source::benchmark, "a cpu")), dcube::Error);
}

TEST_CASE("figures: a claim's command is run with the programs' paths, as JSON", "[figures]")
{
    const TemporaryFolder folder;
    const std::string program = folder.file("a program");
    write_text(program, "#!/bin/sh\nfor word; do printf '\"%s\", ' \"$word\"; done | sed 's/^/[/; s/, $/]/'\n");
    std::filesystem::permissions(program, std::filesystem::perms::owner_all);
    using Words = std::vector<std::string>;
    CHECK(output_of({program, ""}, "./dcube run a --dim 3") ==
          nlohmann::json(Words{"run", "a", "--dim", "3", "--format", "json"}));
    CHECK(output_of({"", program}, "./dcube figures --benchmarks --benchmark_filter='^(a|b)/'") ==
          nlohmann::json(Words{"--benchmark_filter=^(a|b)/", "--benchmark_format=json"}));
    CHECK_THROWS_AS(output_of({"false", ""}, "./dcube run a"), dcube::Error);
    CHECK_THROWS_AS(output_of({"echo", ""}, "./dcube run a"), dcube::Error);
}
