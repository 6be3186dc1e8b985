#include "bench/peers/comparison.hpp"

#include "base/json.hpp"
#include "base/numbers.hpp"
#include "bench/peers/child.hpp"

#include <dcube/error.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <exception>

namespace peers {

namespace {

constexpr std::size_t most_rounds = 3;

std::string first_line(const std::string& text)
{
    const std::size_t begin = text.find_first_not_of("\n -");
    return begin == std::string::npos ? "nothing was said" : text.substr(begin, text.find('\n', begin) - begin);
}

bool is_asked_for(const Question& question, const std::string& peer)
{
    return question.only.empty() || std::ranges::find(question.only, peer) != question.only.end();
}

// What a row is of.
struct Started {
    const KnownPeer* peer = nullptr;
    const KnownVariant* variant = nullptr;
};

// A row of a peer as it is before anything has been measured.
Row blank_row(const Question& question, const KnownPeer& peer, const KnownVariant& variant)
{
    Row row{.peer = peer.name, .variant = variant.name, .without = variant.without, .remark = variant.remark};
    const std::size_t needed = memory_needed(peer, variant, question.size, question.cores);
    if (!is_built(peer, question.folder)) {
        row.state = Row::State::not_built;
        row.note = "needs " + peer.packages;
    } else if (needed > question.memory) {
        row.state = Row::State::left_out;
        row.note = fmt::format("needs about {}, and there are {}", dcube::size_text(needed),
                               dcube::size_text(question.memory));
    }
    return row;
}

// The times of one start of a peer. Throws dcube::Error.
std::vector<double> times_of(const std::string& out, const Row& row, const Question& question,
                             const std::string& checksum)
{
    const Line line = parse_line(out.substr(0, out.find('\n')));
    if (line.peer != row.peer || line.variant != row.variant || line.dim != question.size.dim ||
        line.bytes != question.size.bytes)
        throw dcube::Error(
            fmt::format("it measured {} {} with --dim {} --bytes {}", line.peer, line.variant, line.dim, line.bytes));
    if (!line.verified)
        throw dcube::Error("its blocks are not where they belong");
    if (line.checksum != checksum)
        throw dcube::Error(fmt::format("its bytes are not dcube's: checksum {}, not {}", line.checksum, checksum));
    return line.seconds;
}

void measure_once(Row& row, const Started& started, const Question& question, std::size_t repeat,
                  const std::string& checksum)
{
    const Child child =
        run_child(command_of(*started.peer, question.folder, *started.variant, question.size, repeat, question.cores),
                  question.limit_seconds);
    if (child.stopped) {
        row.state = Row::State::stopped;
        row.note = fmt::format("stopped after {:g} s", question.limit_seconds);
        return;
    }
    try {
        if (child.exit_code != 0)
            throw dcube::Error(fmt::format("exit code {}: {}", child.exit_code, first_line(child.err)));
        const std::vector<double> seconds = times_of(child.out, row, question, checksum);
        row.seconds.insert(row.seconds.end(), seconds.begin(), seconds.end());
    } catch (const dcube::Error& error) {
        row.state = Row::State::failed;
        row.note = error.what();
    }
}

}  // namespace

double Row::median() const
{
    return dcube::measure::median(seconds);
}

std::optional<dcube::measure::Interval> Row::interval() const
{
    return dcube::measure::interval_of_median(seconds);
}

std::vector<Row> compared(const Question& question, const std::vector<OwnVariant>& own)
{
    std::vector<Row> rows;
    for (const OwnVariant& variant : own)
        rows.push_back({.peer = "dcube", .variant = variant.name});
    std::vector<Started> started(own.size());
    for (const KnownPeer& peer : known_peers())
        for (const KnownVariant& variant : peer.variants)
            if (is_asked_for(question, peer.name)) {
                rows.push_back(blank_row(question, peer, variant));
                started.push_back({&peer, &variant});
            }

    std::string checksum;
    const std::size_t rounds = std::min(question.repeat, most_rounds);
    for (std::size_t round = 0; round < rounds; ++round) {
        const std::size_t share = question.repeat * (round + 1) / rounds - question.repeat * round / rounds;
        for (std::size_t i = 0; i < rows.size(); ++i) {
            if (rows[i].state != Row::State::measured)
                continue;
            if (question.on_start)
                question.on_start(
                    fmt::format("{} {}, round {} of {}", rows[i].peer, rows[i].variant, round + 1, rounds));
            if (i >= own.size()) {
                measure_once(rows[i], started[i], question, share, checksum);
                continue;
            }
            const OwnVariant::Times times = own[i].measure(share);
            checksum = i == 0 ? times.checksum : checksum;
            rows[i].seconds.insert(rows[i].seconds.end(), times.seconds.begin(), times.seconds.end());
        }
    }
    return rows;
}

Line parse_line(const std::string& text)
{
    try {
        const auto json = nlohmann::json::parse(text);
        Line line{json.at("peer").get<std::string>(),
                  json.at("variant").get<std::string>(),
                  json.at("dim").get<unsigned>(),
                  json.at("bytes").get<std::size_t>(),
                  json.at("seconds").get<std::vector<double>>(),
                  json.at("verified").get<bool>(),
                  json.at("checksum").get<std::string>()};
        if (line.seconds.empty())
            throw dcube::Error("it has no times");
        for (const double seconds : line.seconds)
            if (!(seconds > 0))
                throw dcube::Error(fmt::format("{} s is not a time", seconds));
        return line;
    } catch (const std::exception& error) {
        std::string reason = error.what();
        throw dcube::Error(
            fmt::format("not a line of a peer ({}): '{:.80}'", reason.substr(0, reason.find('\n')), text));
    }
}

}  // namespace peers
