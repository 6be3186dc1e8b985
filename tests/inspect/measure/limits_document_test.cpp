// Limits as JSON and back, what is refused, and what is taken from a cache.

#include "tests/inspect/measure/made_up_limits.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/error_of.hpp"
#include "tests/support/host_tree.hpp"

#include "inspect/measure/host.hpp"
#include "inspect/measure/kept_limits.hpp"
#include "inspect/measure/limits_document.hpp"

#include <nlohmann/json.hpp>

#include <cstdlib>
#include <optional>
#include <string>

using namespace dcube::measure;
using namespace dcube::test;
using nlohmann::ordered_json;

namespace {

// The document of the made-up limits, of a host with their fingerprint.
ordered_json made_up_document()
{
    Host host;
    host.fingerprint = made_up_limits().fingerprint;
    Limits limits = made_up_limits();
    limits.warnings = {"a warning"};
    limits.quick = true;
    return limits_document(limits, host, "dcube limits");
}

std::string refusal_of(const ordered_json& document)
{
    return test_support::error_of([&] { read_limits(parsed_limits_document(document.dump())); });
}

// The document with a value put where a JSON pointer says.
ordered_json with(const char* place, const ordered_json& value)
{
    ordered_json document = made_up_document();
    document[ordered_json::json_pointer(place)] = value;
    return document;
}

ordered_json without(const char* parent, const char* key)
{
    ordered_json document = made_up_document();
    document[ordered_json::json_pointer(parent)].erase(key);
    return document;
}

// A variable of the environment, which is as it was before at the end of the test.
class OwnVariable {
public:
    explicit OwnVariable(const char* name) : name_(name)
    {
        if (const char* const value = std::getenv(name))
            before_ = value;
    }
    ~OwnVariable()
    {
        if (before_)
            set(*before_);
        else
            unsetenv(name_);
    }
    OwnVariable(const OwnVariable&) = delete;
    OwnVariable& operator=(const OwnVariable&) = delete;

    void set(const std::string& value) const { setenv(name_, value.c_str(), 1); }

private:
    const char* name_;
    std::optional<std::string> before_;
};

}  // namespace

TEST_CASE("limits document: the keys are those of its schema", "[measure][limits]")
{
    const ordered_json document = made_up_document();
    for (const char* const key :
         {"schema", "kind", "program", "command", "date", "host", "warnings", "pin", "limits"}) {
        CAPTURE(key);
        CHECK(document.contains(key));
    }
    CHECK(document["schema"] == 1);
    CHECK(document["kind"] == "limits");
    const ordered_json& limits = document["limits"];
    CHECK(limits["threads"][1]["threads"] == 2);
    CHECK(limits["threads"][0]["copies"][0]["working_set_bytes"] == 1024);
    CHECK(limits["threads"][0]["blocks"][1]["seconds_per_block"].get<double>() == Approx(128 / 4e9));
    CHECK(limits["threads"][0]["empty_step_seconds"][1]["nodes"] == 1024);
    CHECK(limits["threads"][0]["learned_step_seconds"].empty());
    CHECK(limits["threads"][1]["learned_step_seconds"][0]["alone"].is_null());
    CHECK(limits["threads"][1]["best_barrier_seconds"] == 2e-6);
    CHECK(limits["threads"][0]["empty_step_seconds"][0]["all_threads_seconds"].is_null());
    CHECK(limits["threads"][1]["empty_step_seconds"][1]["all_threads_seconds"] == 8e-6);
    CHECK(limits["handover"]["seconds"][0][0].is_null());
    CHECK(limits["lines"]["line_seconds"][0][1] == 8e-8);
    CHECK(limits["lines"]["lines_per_second"][1][1].is_null());
    CHECK(limits["lines"]["levels"][0]["level"] == "same socket");
    CHECK(limits["lines"]["levels"][0]["prefetched_lines_per_second"] == 1.25e8);
    CHECK(limits["pages"]["huge_pages"] == "madvise");
}

TEST_CASE("limits document: a document that was written is read again", "[measure][limits]")
{
    const ordered_json document = made_up_document();
    const Limits limits = read_limits(parsed_limits_document(document.dump()));
    Host host;
    host.fingerprint = limits.fingerprint;
    CHECK(limits_document(limits, host, "dcube limits") == document);

    Limits lonely = made_up_limits();
    lonely.channel.two_threads_seconds.reset();
    lonely.pages.huge_pages.reset();
    lonely.handover = {{0}, {{std::nullopt}}};
    const Limits again = read_limits(limits_document(lonely, host, "dcube limits"));
    CHECK_FALSE(again.channel.two_threads_seconds);
    CHECK_FALSE(again.pages.huge_pages);
    CHECK(again.handover.seconds.size() == 1);
}

TEST_CASE("limits document: one of an older dcube is read, and its barrier and lines are unknown", "[measure][limits]")
{
    ordered_json document = made_up_document();
    document["limits"].erase("lines");
    for (ordered_json& threads : document["limits"]["threads"]) {
        threads.erase("best_barrier_seconds");
        for (ordered_json& step : threads["empty_step_seconds"])
            step.erase("all_threads_seconds");
    }
    const Limits limits = read_limits(document);
    CHECK(limits.lines.processors.empty());
    CHECK(limits.threads[1].barrier_seconds == 2e-6);
    CHECK(limits.threads[1].best_barrier_seconds == 0);
    CHECK_FALSE(limits.threads[1].empty_steps[0].all_threads_seconds);
}

TEST_CASE("limits document: every measured figure has a record", "[measure][limits]")
{
    const ordered_json records = limits_records(made_up_limits());
    const auto count = [&](const std::string& figure, const std::string& unit) {
        int found = 0;
        for (const ordered_json& one : records)
            found += one["figure"] == figure && one["unit"] == unit ? 1 : 0;
        return found;
    };
    CHECK(count("barrier", "s") == 2);
    CHECK(count("empty step", "s") == 4);
    CHECK(count("empty step by all threads", "s") == 2);
    CHECK(count("handover", "s") == 2);
    CHECK(count("line", "s") == 2);
    for (const char* const how : {"", " prefetched", " at best"})
        CHECK(count(std::string("lines side by side") + how, "lines/s") == 2);
}

TEST_CASE("limits document: an error is reported with its place", "[measure][limits][negative]")
{
    CHECK(test_support::error_of([] { parsed_limits_document("{"); }) == "limits: not valid JSON");
    CHECK(test_support::error_of([] { parsed_limits_document("[1]"); }) == "limits: kind is missing");
    CHECK(refusal_of(with("/kind", "benchmark")) == "limits: kind is not limits");
    CHECK(refusal_of(with("/kind", 3)) == "limits: kind is not a text");
    CHECK(refusal_of(with("/schema", 2)) ==
          "limits: schema is not 1, the only schema that this version of dcube reads");
    CHECK(refusal_of(with("/host", nullptr)) == "limits: host.fingerprint is missing");
    CHECK(refusal_of(without("", "limits")) == "limits: limits is missing");
    CHECK(refusal_of(without("/limits/threads/1", "barrier_seconds")) ==
          "limits: limits.threads[1].barrier_seconds is missing");
    for (const ordered_json& value : {ordered_json(0), ordered_json(-1), ordered_json("1"), ordered_json(nullptr)})
        CHECK(refusal_of(with("/limits/threads/0/copies/1/bytes_per_second", value)) ==
              "limits: limits.threads[0].copies[1].bytes_per_second is not a number above 0");
    CHECK(refusal_of(with("/limits/threads/0/threads", 0)) ==
          "limits: limits.threads[0].threads is not a whole number from 1 to 1024");
    CHECK(refusal_of(with("/limits/threads/0/threads", 1.5)) ==
          "limits: limits.threads[0].threads is not a whole number from 1 to 1024");
    CHECK(refusal_of(with("/limits/threads/1/threads", 1)) == "limits: limits.threads is not in ascending order");
    CHECK(refusal_of(with("/limits/threads/0/copies/1/working_set_bytes", 512)) ==
          "limits: limits.threads[0].copies is not in ascending order");
    CHECK(refusal_of(with("/limits/threads/0/blocks", 7)) == "limits: limits.threads[0].blocks is not a list");
    CHECK(refusal_of(with("/limits/handover/seconds/0", ordered_json::array())) ==
          "limits: limits.handover.seconds[0] is not as long as the list of processors");
    CHECK(refusal_of(with("/limits/handover/seconds", ordered_json::array())) ==
          "limits: limits.handover.seconds is not as long as the list of processors");
    CHECK(refusal_of(with("/limits/lines/lines_per_second/0/1", nullptr)) ==
          "limits: limits.lines.lines_per_second is not null for the same pairs as line_seconds");
    CHECK(refusal_of(with("/limits/lines/line_seconds/0/1", 0)) ==
          "limits: limits.lines.line_seconds[0][1] is not a number above 0");
    CHECK(refusal_of(without("/limits/lines", "best_lines_per_second")) ==
          "limits: limits.lines.best_lines_per_second is missing");
    CHECK(refusal_of(with("/limits/lines/levels/0/pairs", 0)) ==
          "limits: limits.lines.levels[0].pairs is not a whole number from 1 to 4611686018427387904");
}

TEST_CASE("kept limits: worse measurements never take the place of better ones", "[measure][limits]")
{
    Limits good = made_up_limits();
    Limits quick = made_up_limits();
    quick.quick = true;
    Limits busy = made_up_limits();
    busy.warnings = {"0.1 processors were idle at the start, for 2 threads"};
    CHECK_FALSE(to_keep(good, quick));
    CHECK_FALSE(to_keep(good, busy));
    CHECK_FALSE(to_keep(quick, busy));  // a rough one of an idle machine is better
    CHECK(to_keep(quick, good)->quick == false);
    CHECK(to_keep(busy, good)->warnings.empty());
    CHECK(to_keep(std::nullopt, busy)->warnings == busy.warnings);
    busy.pin = "compact";
    CHECK(to_keep(good, busy)->pin == "compact");
}

TEST_CASE("kept limits: of two good measurements the best of each figure is kept", "[measure][limits]")
{
    const Limits before = made_up_limits();
    Limits now = made_up_limits();
    now.date = "2026-02-01T12:00:00Z";
    now.threads.erase(now.threads.begin());
    now.threads[0].copies[0].best_bytes_per_second *= 2;
    now.threads[0].copies[1].best_bytes_per_second /= 2;
    now.threads[0].blocks.erase(now.threads[0].blocks.begin());
    now.threads[0].barrier_seconds *= 100;
    now.channel = {1e-9, std::nullopt};
    now.handover.seconds[0][1] = 1;
    now.threads[0].best_barrier_seconds /= 2;
    now.lines.rates[0][1]->line_seconds *= 2;
    now.lines.rates[0][1]->lines_per_second *= 2;
    now.lines.levels[0].rates.best_lines_per_second /= 2;
    const Limits best = to_keep(before, now).value();
    CHECK(best.date == now.date);
    REQUIRE(best.threads.size() == 2);
    CHECK(best.threads[0].threads == 1);
    CHECK(best.threads[1].copies[0].best_bytes_per_second == now.threads[0].copies[0].best_bytes_per_second);
    CHECK(best.threads[1].copies[1].best_bytes_per_second == before.threads[1].copies[1].best_bytes_per_second);
    CHECK(best.threads[1].blocks.size() == before.threads[1].blocks.size());
    CHECK(best.threads[1].barrier_seconds == before.threads[1].barrier_seconds);
    CHECK(best.channel.one_thread_seconds == 1e-9);
    CHECK(best.channel.two_threads_seconds == 9e-8);
    CHECK(best.handover.seconds[0][1] == 8e-8);
    CHECK(best.threads[1].best_barrier_seconds == 1e-6);
    CHECK(best.lines.rates[0][1]->line_seconds == 8e-8);
    CHECK(best.lines.rates[0][1]->lines_per_second == 2e8);
    CHECK(best.lines.levels[0].rates.best_lines_per_second == 2e8);
}

TEST_CASE("kept limits: the environment says where, by full paths", "[measure][limits]")
{
    const OwnVariable cache("XDG_CACHE_HOME");
    const OwnVariable home("HOME");
    cache.set("/cache");
    home.set("/home/somebody");
    CHECK(kept_limits_path() == "/cache/dcube/limits.json");
    cache.set("cache");
    CHECK(kept_limits_path() == "/home/somebody/.cache/dcube/limits.json");
    home.set("");
    CHECK_FALSE(kept_limits_path());
    CHECK_FALSE(kept_limits());
}

TEST_CASE("kept limits: only limits of this host and build are used", "[measure][limits]")
{
    const TemporaryFolder folder;
    const std::string path = folder.file("limits.json");
    const std::string fingerprint = made_up_limits().fingerprint;
    const auto taken = [&](const std::string& text) {
        write_text(path, text);
        return limits_kept_in(path, fingerprint).has_value();
    };
    CHECK_FALSE(limits_kept_in(path, fingerprint));  // there is none
    CHECK(taken(made_up_document().dump()));
    CHECK(limits_kept_in(path, fingerprint)->date == made_up_limits().date);
    CHECK_FALSE(limits_kept_in(path, "fedcba9876543210"));
    CHECK_FALSE(limits_kept_in(folder.file("."), fingerprint));  // a folder

    CHECK_FALSE(taken(""));
    CHECK_FALSE(taken(made_up_document().dump().substr(0, 500)));
    CHECK_FALSE(taken(with("/kind", "benchmark").dump()));
    CHECK_FALSE(taken(with("/schema", 2).dump()));
    CHECK_FALSE(taken(with("/program/compiler", "another 1.0").dump()));
    CHECK_FALSE(taken(with("/program/flags", "-O9").dump()));
    CHECK_FALSE(taken(with("/program/build_type", "Other").dump()));
    CHECK_FALSE(taken(with("/program", nullptr).dump()));
    CHECK_FALSE(taken(with("/limits/threads", "many").dump()));
    CHECK_FALSE(taken(with("/limits", "many").dump()));
    CHECK_FALSE(taken(without("", "limits").dump()));
    CHECK_FALSE(taken(without("/limits", "lines").dump()));  // an older one
    CHECK_FALSE(taken(std::string(100'000, '[')));
}
