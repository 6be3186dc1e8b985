#include "bench/peers/table.hpp"

#include "base/numbers.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <set>
#include <sstream>
#include <string_view>

namespace peers {

namespace {

using dcube::measure::Interval;

std::string_view word_of(Row::State state)
{
    switch (state) {
    case Row::State::measured: return "measured";
    case Row::State::not_built: return "not built";
    case Row::State::left_out: return "left out";
    case Row::State::stopped: return "stopped";
    case Row::State::failed: return "failed";
    }
    return "";
}

double ratio(const Row& row, const std::vector<Row>& rows)
{
    return row.median() / rows.front().median();
}

std::optional<Interval> ratio_interval(const Row& row, const std::vector<Row>& rows)
{
    return dcube::measure::interval_of_ratio(row.seconds, rows.front().seconds);
}

std::string interval_text(const std::optional<Interval>& interval, double unit)
{
    return interval ? fmt::format("{:.3g} .. {:.3g}", interval->low / unit, interval->high / unit) : "-";
}

nlohmann::ordered_json interval_json(const std::optional<Interval>& interval)
{
    return interval ? nlohmann::ordered_json::array({interval->low, interval->high}) : nlohmann::ordered_json();
}

std::string row_text(const Row& row, const std::vector<Row>& rows)
{
    std::string text = fmt::format("{:<10}  {:<13}  ", row.peer, row.variant);
    if (row.state == Row::State::measured)
        text += fmt::format("{:>9.4g}  {:>16}  {:>7.3g}  {:>16}  {}", row.median() * 1e3,
                            interval_text(row.interval(), 1e-3), ratio(row, rows),
                            &row == &rows.front() ? "" : interval_text(ratio_interval(row, rows), 1),
                            row.without.empty() ? "-" : fmt::format("{}", fmt::join(row.without, " ")));
    else
        text += row.state == Row::State::stopped ? row.note : fmt::format("{}: {}", word_of(row.state), row.note);
    return text + "\n";
}

// What makes the rows that were measured, or tried, unequal to dcube's.
std::string remarks_text(const std::vector<Row>& rows)
{
    std::string text;
    for (const Row& row : rows)
        if (row.state != Row::State::not_built && !row.remark.empty())
            text += fmt::format("{:<10}  {:<13}  {}\n", row.peer, row.variant, row.remark);
    return text.empty() ? text : "\n" + text;
}

// The packages that are missing, in the order of the rows, each once.
std::string missing_packages(const std::vector<Row>& rows)
{
    std::string all;
    std::set<std::string> seen;
    for (const Row& row : rows) {
        if (row.state != Row::State::not_built)
            continue;
        for (const KnownPeer& peer : known_peers()) {
            if (peer.name != row.peer)
                continue;
            std::istringstream words(peer.packages);
            for (std::string word; words >> word;)
                if (seen.insert(word).second)
                    all += " " + word;
        }
    }
    return all;
}

}  // namespace

std::string table_text(const Question& question, const std::vector<Row>& rows, const std::vector<std::string>& warnings)
{
    std::string text =
        fmt::format("Total exchange between {} nodes, {} for each pair, {} {}; every byte compared after each "
                    "time.\n\n",
                    question.size.nodes(), dcube::size_text(question.size.bytes), question.repeat,
                    question.repeat == 1 ? "time" : "times");
    text += fmt::format("{:<10}  {:<13}  {:>9}  {:>16}  {:>7}  {:>16}  {}\n", "peer", "variant", "median ms",
                        "95 % interval", "x dcube", "95 % interval", "without");
    for (const Row& row : rows)
        text += row_text(row, rows);
    text += remarks_text(rows);
    for (const std::string& warning : warnings)
        text += fmt::format("{}doubtful: {}\n", &warning == &warnings.front() ? "\n" : "", warning);
    if (const std::string packages = missing_packages(rows); !packages.empty())
        text += fmt::format("\nThe peers that are missing come with `./dcube figures --peers --install`, or these "
                            "packages:{}\n",
                            packages);
    return text;
}

nlohmann::ordered_json rows_document(const Question& question, const std::vector<Row>& rows)
{
    nlohmann::ordered_json document;
    document["size"] = {{"dim", question.size.dim}, {"nodes", question.size.nodes()}, {"bytes", question.size.bytes}};
    document["settings"] = {{"repeat", question.repeat}, {"limit_seconds", question.limit_seconds}};
    document["rows"] = nlohmann::ordered_json::array();
    for (const Row& row : rows) {
        nlohmann::ordered_json one{{"peer", row.peer}, {"variant", row.variant}, {"state", word_of(row.state)}};
        const bool measured = row.state == Row::State::measured;
        one["median_seconds"] = measured ? nlohmann::ordered_json(row.median()) : nullptr;
        one["interval_seconds"] = measured ? interval_json(row.interval()) : nullptr;
        one["times_dcube_interval"] = measured ? interval_json(ratio_interval(row, rows)) : nullptr;
        one["times_dcube"] = measured ? nlohmann::ordered_json(ratio(row, rows)) : nullptr;
        one["note"] = row.note.empty() ? nullptr : nlohmann::ordered_json(row.note);
        one["without"] = row.without;
        one["remark"] = row.remark.empty() ? nullptr : nlohmann::ordered_json(row.remark);
        one["samples_seconds"] = row.seconds;
        document["rows"].push_back(one);
    }
    return document;
}

}  // namespace peers
