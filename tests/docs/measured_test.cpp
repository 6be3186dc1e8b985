// What the documents say of dcube's speed is made from the kept files of docs/measurements/: a comment `measured VIEW
// ARGUMENTS` between <!-- and --> begins such a part. No other number with a unit of time, rate or gain is in the pages
// about speed. The claims among these numbers are those that `./dcube figures` measures.

#include "bench/figures/claims.hpp"
#include "tests/docs/generated_parts.hpp"
#include "tests/support/catch.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>

#include <array>
#include <functional>
#include <iterator>
#include <map>
#include <optional>
#include <set>
#include <tuple>

using namespace dcube::test;
using figures::Claim;

namespace {

using Json = nlohmann::json;

constexpr const char* not_measured = "Not measured yet.";

// A file that docs/measurements/measure keeps; null if it is not there.
Json kept_file(const std::string& name)
{
    const std::string path = source_path("docs/measurements/" + name);
    return std::filesystem::exists(path) ? Json::parse(read_text(path)) : Json();
}

// The value, or null where an older file lacks the key.
Json value_at(const Json& object, const char* key)
{
    return object.is_object() && object.contains(key) ? object.at(key) : Json();
}

// Three digits, with a unit of time: "4.21 us".
std::string time_text(double seconds)
{
    for (const auto& [scale, unit] : {std::pair{1.0, "s"}, {1e3, "ms"}, {1e6, "us"}})
        if (seconds * scale >= 1)
            return fmt::format("{:.3g} {}", seconds * scale, unit);
    return fmt::format("{:.3g} ns", seconds * 1e9);
}

std::string time_or_dash(const Json& seconds)
{
    return seconds.is_null() ? "-" : time_text(seconds.get<double>());
}

std::string rate_or_dash(const Json& per_second, double scale, const char* unit)
{
    return per_second.is_null() ? "-" : fmt::format("{:.3g} {}", per_second.get<double>() * scale, unit);
}

std::string table_row(const std::vector<std::string>& cells)
{
    std::string row = "|";
    for (const std::string& cell : cells)
        row += cell.empty() ? " |" : ' ' + cell + " |";
    return row;
}

std::vector<std::string> table_head(const std::vector<std::string>& columns)
{
    return {table_row(columns), table_row(std::vector<std::string>(columns.size(), "---"))};
}

// "AMD EPYC, 2 processors, 24 GiB".
std::string machine_text(const Json& host)
{
    constexpr double gib = 1U << 30U;
    static const std::regex marks(R"(\((R|TM)\))");
    return fmt::format("{}, {} processors, {:.0f} GiB",
                       std::regex_replace(host.at("cpu").get<std::string>(), marks, ""),
                       host.at("processors").get<unsigned>(), host.at("memory_bytes").get<double>() / gib);
}

// Google Benchmark's context has the facts that other files have in "program" and "host".
struct Origin {
    std::string commit;
    std::string fingerprint;
};

Origin origin_of(const Json& document)
{
    if (document.contains("context"))
        return {document["context"].value("dcube_commit", ""), document["context"].value("fingerprint", "")};
    return {document.at("program").at("commit"), document.at("host").at("fingerprint")};
}

// measured machine FILE...: what was measured when, where, and with which build.
std::vector<std::string> machine_view(const std::vector<std::string>& files)
{
    std::vector<std::string> lines =
        table_head({"file", "machine", "commit", "date", "arguments of `./dcube`", "warnings"});
    for (const std::string& file : files) {
        const Json document = kept_file(file);
        const std::string link = fmt::format("[{0}](measurements/{0})", file);
        if (document.is_null()) {
            lines.push_back(table_row({'`' + file + '`', not_measured, "", "", "", ""}));
        } else if (document.contains("context")) {
            lines.push_back(table_row({link, fmt::format("fingerprint {}", origin_of(document).fingerprint),
                                       origin_of(document).commit, document["context"].value("date", ""), "", ""}));
        } else {
            const auto command = document.at("command").get<std::string>();
            std::vector<std::string> warnings = document.at("warnings");
            lines.push_back(table_row({link, machine_text(document.at("host")), origin_of(document).commit,
                                       document.at("date"), '`' + command.substr(command.find(' ') + 1) + '`',
                                       fmt::format("{}", fmt::join(warnings, "; "))}));
        }
    }
    return lines;
}

// The values of the claims in figures.json that have been measured.
std::map<std::string, double> values_of_claims()
{
    std::map<std::string, double> values;
    const Json document = kept_file("figures.json");
    for (const Json& figure : document.is_null() ? Json::array() : document.at("figures"))
        if (!figure.at("value").is_null())
            values[figure.at("name")] = figure.at("value");
    return values;
}

// measured figures COMMAND: the claims that the command prints, or each of those that have one of their own.
std::vector<std::string> figures_view(const std::vector<std::string>& words)
{
    const std::string command = fmt::format("{}", fmt::join(words, " "));
    const bool own = command == "./dcube run";
    std::vector<std::string> columns{"what", "measured", "target", ""};
    if (own)
        columns.emplace_back("command");
    std::vector<std::string> lines = table_head(columns);
    const std::map<std::string, double> values = values_of_claims();
    for (const Claim& claim : figures::claims()) {
        if (own ? claim.source != figures::Source::report : claim.command != command)
            continue;
        const auto value = values.find(std::string(claim.name));
        const bool known = value != values.end();
        const bool missed = known && !figures::is_met(claim, value->second).value_or(true);
        std::vector<std::string> cells{std::string(claim.what),
                                       known ? figures::value_text(claim.unit, value->second) : "not measured",
                                       figures::target_text(claim), missed ? "**missed**" : ""};
        if (own)
            cells.push_back(fmt::format("`{}`", claim.command));
        lines.push_back(table_row(cells));
    }
    return lines;
}

// measured readme: the claims that the README makes, and where they were measured.
std::vector<std::string> readme_view()
{
    const Json document = kept_file("figures.json");
    if (document.is_null())
        return {not_measured};
    std::vector<std::string> lines{
        fmt::format("On {}, {} ([all figures](docs/performance.md)):", machine_text(document.at("host")),
                    document.at("date").get<std::string>().substr(0, 10))};
    const std::map<std::string, double> values = values_of_claims();
    for (const Claim& claim : figures::claims())
        if (const auto value = values.find(std::string(claim.name)); !claim.in_readme.empty() && value != values.end())
            lines.push_back(fmt::format("- {}: {}", figures::value_text(claim.unit, value->second), claim.in_readme));
    return lines;
}

// The cells of a benchmark of all-to-all on hypercubes, by bytes, dimension and threads.
using Sweep = std::map<std::tuple<std::uint64_t, unsigned, unsigned>, Json>;

Sweep sweep_of(const Json& document)
{
    Sweep sweep;
    for (const Json& cell : document.at("cells"))
        if (const auto network = cell.at("topology").get<std::string>(); network.starts_with("hypercube:"))
            sweep[{cell.at("bytes"), std::stoul(network.substr(network.find(':') + 1)), cell.at("threads")}] = cell;
    return sweep;
}

// "1.44 (1.41 to 1.51) *d*": the gain over one thread, its interval, and the first letters of the doubts.
std::string gain_text(const Json& cell)
{
    std::string text = "-";
    if (const Json gain = value_at(cell, "speed_up"); !gain.is_null())
        text = fmt::format("{:.2f}", gain.get<double>());
    if (const Json ends = value_at(cell, "speed_up_interval"); !ends.is_null())
        text += fmt::format(" ({:.2f} to {:.2f})", ends[0].get<double>(), ends[1].get<double>());
    std::string doubts;
    for (const Json& doubt : cell.at("doubts"))
        doubts += doubt.get<std::string>().substr(0, 1);
    return doubts.empty() ? text : fmt::format("{} *{}*", text, doubts);
}

// measured speed-up FILE: the time with one thread, and the gain with more.
std::vector<std::string> speed_up_view(const Json& document)
{
    const Sweep sweep = sweep_of(document);
    std::set<unsigned> threads;
    std::set<std::pair<std::uint64_t, unsigned>> sizes;
    for (const auto& [key, cell] : sweep) {
        sizes.insert({std::get<0>(key), std::get<1>(key)});
        threads.insert(std::get<2>(key));
    }
    std::vector<std::string> columns{"bytes", "d"};
    for (const unsigned number : threads)
        columns.push_back(number == 1 ? "1 thread" : fmt::format("{} threads", number));
    std::vector<std::string> lines = table_head(columns);
    for (const auto& [bytes, d] : sizes) {
        std::vector<std::string> cells{std::to_string(bytes), std::to_string(d)};
        for (const unsigned number : threads) {
            const auto cell = sweep.find({bytes, d, number});
            cells.push_back(cell == sweep.end() ? "-"
                            : number == 1       ? time_or_dash(cell->second.at("median_seconds"))
                                                : gain_text(cell->second));
        }
        lines.push_back(table_row(cells));
    }
    return lines;
}

// "d = 7 (0.51), 8 (0.58)".
std::string list_of_gains(const std::vector<std::pair<unsigned, double>>& gains)
{
    std::vector<std::string> texts;
    for (const auto& [d, gain] : gains)
        texts.push_back(fmt::format("{} ({:.2f})", d, gain));
    return fmt::format("d = {}", fmt::join(texts, ", "));
}

// measured gains FILE: for each size of packets, where all threads are slower than one, and where they are faster. The
// intervals decide.
std::vector<std::string> gains_view(const Json& document)
{
    const Sweep sweep = sweep_of(document);
    std::map<std::pair<std::uint64_t, unsigned>, std::array<std::vector<std::pair<unsigned, double>>, 3>> verdicts;
    unsigned most = 1;
    for (const auto& [key, cell] : sweep)
        most = std::max(most, std::get<2>(key));
    for (const auto& [key, cell] : sweep) {
        const auto& [bytes, d, threads] = key;
        const Json ends = value_at(cell, "speed_up_interval");
        if (threads != most || ends.is_null())
            continue;
        const std::size_t verdict = ends[1].get<double>() < 1 ? 0 : ends[0].get<double>() > 1 ? 1 : 2;
        verdicts[{bytes, threads}][verdict].emplace_back(d, cell.at("speed_up").get<double>());
    }
    std::vector<std::string> lines;
    for (const auto& [key, found] : verdicts) {
        std::vector<std::string> parts;
        for (const auto& [text, gains] : {std::pair{"slower than one at", found[0]}, std::pair{"faster at", found[1]},
                                          std::pair{"no difference is certain at", found[2]}})
            if (!gains.empty())
                parts.push_back(fmt::format("{} {}", text, list_of_gains(gains)));
        lines.push_back(fmt::format("- {} B, {} threads: {}", key.first, key.second, fmt::join(parts, "; ")));
    }
    return lines;
}

// measured steps FILE: what a step goes to where threads reach less than three quarters of the ideal.
std::vector<std::string> steps_view(const Json& document)
{
    std::vector<std::string> lines;
    bool taken_apart = false;
    for (const auto& [key, cell] : sweep_of(document)) {
        const Json step = value_at(cell, "step");
        taken_apart = taken_apart || !step.is_null();
        if (!step.is_null() && !cell.at("efficiency").is_null() && cell.at("efficiency").get<double>() < 0.75)
            lines.push_back(fmt::format("- {} B, d = {}: {}", std::get<0>(key), std::get<1>(key),
                                        step.at("sentence").get<std::string>()));
    }
    if (lines.empty())
        lines.emplace_back(taken_apart ? "Nowhere." : not_measured);
    return lines;
}

// The row of a limit for each number of threads.
std::string limits_row(const Json& limits, const std::string& what, const std::function<std::string(const Json&)>& text)
{
    std::vector<std::string> cells{what};
    for (const Json& one : limits.at("threads"))
        cells.push_back(text(one));
    return table_row(cells);
}

// measured limits FILE: the limits by threads.
std::vector<std::string> limits_view(const Json& document)
{
    const Json& limits = document.at("limits");
    std::vector<std::string> columns{"limit"};
    for (const Json& one : limits.at("threads"))
        columns.push_back(one.at("threads") == 1 ? "1 thread" : fmt::format("{} threads", one.at("threads").dump()));
    std::vector<std::string> lines = table_head(columns);
    lines.push_back(limits_row(limits, "barrier, median", [](const Json& one) {
        return value_at(one, "best_barrier_seconds").is_null() ? "-" : time_or_dash(one.at("barrier_seconds"));
    }));
    lines.push_back(limits_row(limits, "barrier, best",
                               [](const Json& one) { return time_or_dash(value_at(one, "best_barrier_seconds")); }));
    const Json& steps = limits.at("threads").front().at("empty_step_seconds");
    for (std::size_t i = 0; i < steps.size(); ++i)
        for (const auto& [key, how] :
             {std::pair{"seconds", "as the clock chooses"}, {"all_threads_seconds", "by all threads"}})
            lines.push_back(limits_row(limits,
                                       fmt::format("empty step of {} nodes, {}", steps[i].at("nodes").dump(), how),
                                       [&, key = key](const Json& one) {
                                           return time_or_dash(value_at(one.at("empty_step_seconds").at(i), key));
                                       }));
    const auto copies = [](const Json& one, bool last) {
        const Json& list = one.at("copies");
        const Json& rate = last ? list.back() : list.front();
        return rate_or_dash(rate.at("bytes_per_second"), 1e-9, "GB/s");
    };
    lines.push_back(
        limits_row(limits, "copies in the first cache", [&](const Json& one) { return copies(one, false); }));
    lines.push_back(limits_row(limits, "copies beyond the caches", [&](const Json& one) { return copies(one, true); }));
    return lines;
}

// measured lines FILE: lines from other cores, by levels.
std::vector<std::string> lines_view(const Json& document)
{
    const Json levels = value_at(value_at(document.at("limits"), "lines"), "levels");
    if (levels.is_null())
        return {not_measured};
    std::vector<std::string> lines =
        table_head({"the two processors have", "pairs", "one line", "lines side by side", "with prefetching"});
    for (const Json& level : levels)
        lines.push_back(table_row({level.at("level"), level.at("pairs").dump(), time_or_dash(level.at("line_seconds")),
                                   rate_or_dash(level.at("lines_per_second"), 1e-6, "million/s"),
                                   rate_or_dash(level.at("prefetched_lines_per_second"), 1e-6, "million/s")}));
    return lines;
}

// What a peer took in one file: "3.6 ms", "0.79", or why there is no number.
std::vector<std::string> peer_cells(const Json& row)
{
    if (row.is_null())
        return {"-", "-"};
    if (const Json median = row.at("median_seconds"); !median.is_null()) {
        const auto times = row.at("times_dcube").get<double>();
        return {time_text(median), times < 100 ? fmt::format("{:.2g}", times) : fmt::format("{:.0f}", times)};
    }
    return {value_at(row, "note").is_null() ? "-" : row.at("note").get<std::string>(), "-"};
}

// measured peers FILE...: the peers beside dcube, and what each does not do.
std::vector<std::string> peers_view(const std::vector<std::string>& files)
{
    std::vector<std::string> columns{"peer", "variant", "does not do"};
    std::vector<std::pair<std::string, std::string>> order;
    std::vector<std::map<std::pair<std::string, std::string>, Json>> found;
    for (const std::string& file : files) {
        const Json document = kept_file(file);
        columns.push_back(document.is_null() ? file : fmt::format("d={}", document.at("size").at("dim").dump()));
        columns.emplace_back("times dcube's");
        found.emplace_back();
        for (const Json& row : document.is_null() ? Json::array() : document.at("rows")) {
            const std::pair<std::string, std::string> name{row.at("peer"), row.at("variant")};
            if (std::ranges::find(order, name) == order.end())
                order.push_back(name);
            found.back()[name] = row;
        }
    }
    std::vector<std::string> lines = table_head(columns);
    for (const auto& name : order) {
        std::vector<std::string> lacks;
        std::vector<std::string> numbers;
        for (const auto& file : found) {
            const auto row = file.find(name);
            const Json value = row == file.end() ? Json() : row->second;
            std::ranges::copy(peer_cells(value), std::back_inserter(numbers));
            if (!value_at(value, "without").is_null())
                lacks = value.at("without").get<std::vector<std::string>>();
        }
        std::vector<std::string> cells{name.first, name.second, fmt::format("{}", fmt::join(lacks, ", "))};
        cells.insert(cells.end(), numbers.begin(), numbers.end());
        lines.push_back(table_row(cells));
    }
    return lines;
}

// measured benchmarks FILE PREFIX...: those whose names begin so, medians of their repetitions.
std::vector<std::string> benchmarks_view(const Json& document, const std::vector<std::string>& prefixes)
{
    std::vector<std::string> lines = table_head({"benchmark", "time", "per step", "per hop or handover"});
    for (const Json& one : document.at("benchmarks")) {
        const auto name = one.at("run_name").get<std::string>();
        const auto begins = [&](const std::string& prefix) { return name.starts_with(prefix); };
        if (std::ranges::none_of(prefixes, begins) || value_at(one, "aggregate_name") != "median")
            continue;
        const Json hop = value_at(one, name.starts_with("clock/handover") ? "time/handover" : "time/hop");
        const std::map<std::string, double> scales{{"ns", 1e-9}, {"us", 1e-6}, {"ms", 1e-3}, {"s", 1}};
        const double seconds = one.at("real_time").get<double>() * scales.at(one.at("time_unit"));
        lines.push_back(table_row({name.substr(0, name.find("/process_time")), time_text(seconds),
                                   time_or_dash(value_at(one, "time/step")), time_or_dash(hop)}));
    }
    std::ranges::sort(lines.begin() + 2, lines.end());  // they were measured in any order
    return lines;
}

// "<!-- measured figures ./dcube run -->": the view and its arguments.
std::vector<std::string> view_of_mark(const std::string& mark)
{
    std::istringstream text(mark.substr(0, mark.find(" -->")));
    std::vector<std::string> words{std::istream_iterator<std::string>(text), {}};
    words.erase(words.begin(), words.begin() + 2);
    return words;
}

std::vector<std::string> measured_part(const std::string& mark)
{
    std::vector<std::string> words = view_of_mark(mark);
    const std::string view = words.front();
    words.erase(words.begin());
    if (view == "machine")
        return machine_view(words);
    if (view == "figures")
        return figures_view(words);
    if (view == "readme")
        return readme_view();
    if (view == "peers")
        return peers_view(words);
    static const std::map<std::string, std::function<std::vector<std::string>(const Json&)>> of_one_file{
        {"speed-up", speed_up_view},
        {"gains", gains_view},
        {"steps", steps_view},
        {"limits", limits_view},
        {"lines", lines_view}};
    const Json document = kept_file(words.at(0));
    if (document.is_null())
        return {not_measured};
    if (view == "benchmarks")
        return benchmarks_view(document, {words.begin() + 1, words.end()});
    return of_one_file.at(view)(document);
}

constexpr std::array pages_about_speed{"README.md", "docs/performance.md", "docs/measuring.md"};
constexpr std::string_view mark_of_measured = "<!-- measured ";

}  // namespace

TEST_CASE("performance.md, measuring.md, README: what is said of speed is made from the kept measurements", "[docs]")
{
    for (const char* const page : pages_about_speed)
        CHECK(checked_parts(page, mark_of_measured, "<!-- end -->", measured_part) > 0);
}

TEST_CASE("performance.md, measuring.md, README: no other text has a time, a rate or a gain", "[docs]")
{
    static const std::regex code(R"(`[^`]*`|\]\([^)]*\))");
    static const std::regex measured(R"(\d[\d.,]* ?(ns|us|ms|s|min|minutes|seconds|hours|%|x|times|hops/s|GHz|)"
                                     R"([a-z]*illions?(/s)?|thousand(/s)?|[kKMGT]i?B/s)(?![\w^]))");
    for (const char* const page : pages_about_speed) {
        bool made = false;
        for (const DocumentLine& line : lines_with_fences(page)) {
            if (line.text.starts_with("<!-- "))
                made = !line.text.starts_with("<!-- end");
            const std::string text = std::regex_replace(line.text, code, "");
            CAPTURE(page, line.text);
            if (!made && line.fence.empty())
                CHECK_FALSE(std::regex_search(text, measured));
        }
    }
}

TEST_CASE("performance.md: each claim that ./dcube figures measures stands there once", "[docs]")
{
    std::multiset<std::string> commands;
    for (const DocumentLine& line : lines_with_fences("docs/performance.md"))
        if (line.text.starts_with("<!-- measured figures "))
            commands.insert(fmt::format("{}", fmt::join(view_of_mark(line.text), " ")).substr(8));
    for (const Claim& claim : figures::claims()) {
        CAPTURE(claim.what);
        const bool run = claim.source == figures::Source::report;
        CHECK(commands.count(run ? "./dcube run" : std::string(claim.command)) == 1);
    }
}

TEST_CASE("measurements: the kept files are those of docs/measurements/measure, of one commit and one machine",
          "[docs]")
{
    static const std::regex name_pattern(R"(^ *keep ([\w-]+) )");
    std::set<std::string> files;
    for (const std::string& line : lines_of(read_text(source_path("docs/measurements/measure"))))
        for (const std::string& name : all_matches(line, name_pattern))
            files.insert(name + ".json");
    CHECK(files.size() == 6);
    for (const std::string& file : files) {
        const Json document = kept_file(file);
        CAPTURE(file, "run docs/measurements/measure on a quiet machine, from a commit without changes");
        REQUIRE_FALSE(document.is_null());
        const Origin origin = origin_of(document);
        CHECK(origin.commit == origin_of(kept_file("figures.json")).commit);
        CHECK(origin.fingerprint == origin_of(kept_file("figures.json")).fingerprint);
        CHECK_FALSE(origin.commit.ends_with("+"));
    }
    for (const auto& entry : std::filesystem::directory_iterator(source_path("docs/measurements")))
        if (const std::string name = entry.path().filename(); entry.path().extension() == ".json") {
            CAPTURE(name);
            CHECK((files.contains(name) || name.starts_with("bench-16")));  // those are another machine's
        }
}
