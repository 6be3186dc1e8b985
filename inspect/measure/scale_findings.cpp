#include "inspect/measure/scale_findings.hpp"

#include "base/numbers.hpp"
#include "emu/libraries.hpp"
#include "inspect/measure/cell.hpp"
#include "inspect/measure/host.hpp"
#include "inspect/measure/host_document.hpp"
#include "inspect/measure/host_files.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <fstream>
#include <map>
#include <optional>
#include <set>

namespace dcube::measure {

namespace {

/// The numbers of a cell that the sentences use.
struct ScaleResult {
    std::string topology;
    std::uint64_t nodes = 0;
    std::uint64_t bytes = 0;
    std::uint64_t threads = 0;
    std::string pin;
    double median = 0;
    double low = 0;  ///< the interval of the median; 0 to 0 if it has none
    double high = 0;
    std::optional<double> speed_up{};  ///< only with an interval
    double least_speed_up = 0;
    double most_speed_up = 0;
    bool doubtful = false;

    [[nodiscard]] bool is_pinned() const { return pin != "none"; }
    [[nodiscard]] std::string place() const
    {
        return fmt::format("{} with packets of {}", topology, counted(bytes, "byte"));
    }
};

ScaleResult result_of(const Json& cell)
{
    ScaleResult result{.topology = cell.at("topology").get<std::string>(),
                       .nodes = cell.at("nodes").get<std::uint64_t>(),
                       .bytes = cell.at("bytes").get<std::uint64_t>(),
                       .threads = cell.at("threads").get<std::uint64_t>(),
                       .pin = cell.at("pin").get<std::string>(),
                       .median = cell.at("median_seconds").get<double>(),
                       .doubtful = !cell.at("doubts").empty()};
    if (const Json& interval = cell.at("interval_seconds"); !interval.is_null()) {
        result.low = interval[0].get<double>();
        result.high = interval[1].get<double>();
    }
    if (const Json& interval = cell.at("speed_up_interval"); !interval.is_null() && !cell.at("speed_up").is_null()) {
        result.speed_up = cell.at("speed_up").get<double>();
        result.least_speed_up = interval[0].get<double>();
        result.most_speed_up = interval[1].get<double>();
    }
    return result;
}

// "3 threads", as the best that can be defended: the largest lower end of an interval.
std::string best_sentence(const std::vector<ScaleResult>& results, const std::string& cpu)
{
    const ScaleResult* best = nullptr;
    std::size_t sound = 0;
    for (const ScaleResult& one : results)
        if (one.threads > 1 && !one.is_pinned() && one.speed_up && !one.doubtful) {
            ++sound;
            if (best == nullptr || one.least_speed_up > best->least_speed_up)
                best = &one;
        }
    if (best == nullptr)
        return fmt::format("nothing can be said of several threads on {}: no cell is free of doubt", cpu);
    const std::string numbers = fmt::format("{:.3g} times as fast as one (95 %: {:.3g} to {:.3g}) in {}",
                                            *best->speed_up, best->least_speed_up, best->most_speed_up, best->place());
    if (best->least_speed_up <= 1)
        return fmt::format("on {} it is not certain that several threads gain anything: at best {} threads are {}", cpu,
                           best->threads, numbers);
    return fmt::format("on {}, all-to-all gains most by {} threads, which are {}; {}", cpu, best->threads, numbers,
                       sound == 1 ? "no other cell is free of doubt"
                                  : fmt::format("the best of {} cells without a doubt", sound));
}

/// Where a number of threads loses and gains, network by network.
struct ScaleTurn {
    const ScaleResult* last_loss = nullptr;
    const ScaleResult* first_gain = nullptr;
};

std::string turn_sentence(std::uint64_t bytes, std::uint64_t threads, const ScaleTurn& turn)
{
    std::string text;
    if (turn.last_loss != nullptr)
        text += fmt::format("lose up to {} ({:.2g} there)", turn.last_loss->topology, *turn.last_loss->speed_up);
    if (turn.first_gain != nullptr)
        text += fmt::format("{}gain from {} on ({:.2g} there)", text.empty() ? "" : " and ", turn.first_gain->topology,
                            *turn.first_gain->speed_up);
    return fmt::format("with packets of {}, {} threads {}", counted(bytes, "byte"), threads, text);
}

// For the fewest and the most threads. A gain counts from the network on above which none loses.
std::vector<std::string> turn_sentences(std::vector<ScaleResult> results)
{
    std::ranges::stable_sort(results, {}, &ScaleResult::nodes);
    std::set<std::uint64_t> threads;
    std::map<std::pair<std::uint64_t, std::uint64_t>, ScaleTurn> turns;
    for (const ScaleResult& one : results) {
        if (one.threads < 2 || one.is_pinned() || !one.speed_up || one.doubtful)
            continue;
        threads.insert(one.threads);
        ScaleTurn& turn = turns[{one.bytes, one.threads}];
        if (one.most_speed_up < 1)
            turn = {&one, nullptr};
        else if (one.least_speed_up > 1 && turn.first_gain == nullptr)
            turn.first_gain = &one;
    }
    std::vector<std::string> sentences;
    for (const auto& [key, turn] : turns) {
        const auto [bytes, number] = key;
        const bool told = number == *threads.begin() || number == *threads.rbegin();
        if (told && (turn.last_loss != nullptr || turn.first_gain != nullptr))
            sentences.push_back(turn_sentence(bytes, number, turn));
    }
    return sentences;
}

// Pins against the same threads where the system moves them: the clearest case of each pin, if intervals are apart.
std::vector<std::string> pin_sentences(const std::vector<ScaleResult>& results)
{
    std::map<std::string, std::pair<double, std::string>> clearest;
    for (const ScaleResult& one : results) {
        if (!one.is_pinned() || one.low == 0 || one.doubtful)
            continue;
        const auto free = std::ranges::find_if(results, [&](const ScaleResult& other) {
            return !other.is_pinned() && other.nodes == one.nodes && other.bytes == one.bytes &&
                   other.threads == one.threads && other.low != 0 && !other.doubtful;
        });
        if (free == results.end() || (one.low <= free->high && free->low <= one.high))
            continue;
        const bool faster = one.median < free->median;
        const double ratio = faster ? free->median / one.median : one.median / free->median;
        std::pair<double, std::string>& best = clearest[one.pin];
        if (ratio > best.first)
            best = {ratio, fmt::format("{} threads pinned {} {} {:.3g} times as {} as free ones in {}", one.threads,
                                       one.pin, faster ? "are" : "take", ratio, faster ? "fast" : "long", one.place())};
    }
    std::vector<std::string> sentences;
    for (auto& [pin, best] : clearest)
        sentences.push_back(std::move(best.second));
    return sentences;
}

std::string doubt_sentence(const Json& benchmark, const std::vector<ScaleResult>& results)
{
    const auto doubtful = std::ranges::count_if(results, &ScaleResult::doubtful);
    const std::size_t warnings = benchmark.at("warnings").size();
    if (doubtful == 0 && warnings == 0)
        return "";
    std::string text = fmt::format("{} of {} cells {} doubtful, and no sentence uses them", doubtful, results.size(),
                                   doubtful == 1 ? "is" : "are");
    if (warnings > 0)
        text += fmt::format("; the machine has {}: {}", counted(warnings, "warning"),
                            benchmark.at("warnings")[0].get<std::string>());
    return text;
}

Json line_or_null(const std::optional<std::string>& line)
{
    return line ? Json(valid_text(*line)) : Json();
}

}  // namespace

std::vector<std::string> scale_findings(const nlohmann::ordered_json& benchmark)
{
    std::vector<ScaleResult> results;
    for (const Json& cell : benchmark.at("cells"))
        results.push_back(result_of(cell));
    const Json& cpu = benchmark.at("host").value("cpu", Json());
    std::vector<std::string> sentences{
        best_sentence(results, cpu.is_string() ? cpu.get<std::string>() : "this machine")};
    for (std::vector<std::string> more : {turn_sentences(results), pin_sentences(results)})
        sentences.insert(sentences.end(), more.begin(), more.end());
    if (benchmark.value("interrupted", false))
        sentences.emplace_back("the measurement was interrupted: these are the rounds that were finished");
    if (std::string doubts = doubt_sentence(benchmark, results); !doubts.empty())
        sentences.push_back(std::move(doubts));
    return sentences;
}

nlohmann::ordered_json environment_document(const Host& host, const std::string& root)
{
    Json groups = Json::array();
    std::ifstream file(root + "proc/self/cgroup");
    for (std::string line; std::getline(file, line);)
        groups.push_back(valid_text(line));
    Json libraries = Json::object();
    for (const auto& [name, version] : detail::loaded_libraries())
        libraries[name] = version;
    const std::string huge = root + "sys/kernel/mm/transparent_hugepage/";
    return {{"schema", 1},
            {"kind", "environment"},
            {"date", now_text()},
            {"program", program_document()},
            {"host", host_document(host)},
            {"affinity", line_or_null(value_in(root + "proc/self/status", "Cpus_allowed_list"))},
            {"cgroups", groups},
            {"processor_quota", host.processor_quota ? Json(*host.processor_quota) : Json()},
            {"transparent_huge_pages",
             {{"enabled", line_or_null(line_of(huge + "enabled"))},
              {"defrag", line_or_null(line_of(huge + "defrag"))},
              {"shmem_enabled", line_or_null(line_of(huge + "shmem_enabled"))}}},
            {"governor", line_or_null(host.governor)},
            {"microcode", line_or_null(value_in(root + "proc/cpuinfo", "microcode"))},
            {"libraries", libraries}};
}

}  // namespace dcube::measure
