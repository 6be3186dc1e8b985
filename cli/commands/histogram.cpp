// dcube histogram: every node counts its share of a file, and a reduce-scatter adds the counts up.

#include "cli/commands/commands.hpp"
#include "cli/files/files.hpp"
#include "cli/files/interrupt.hpp"
#include "cli/text/describe.hpp"
#include "cli/text/numbers.hpp"

#include <dcube/layout.hpp>
#include <dcube/run.hpp>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <cstring>
#include <span>
#include <vector>

namespace dcube::cli {

namespace {

using Counts64 = std::vector<std::uint64_t>;

class Histogram {
public:
    Histogram(const HistogramCommand& command, std::span<const std::byte> file)
        : command_(command), file_(file), word_(command.word_bits / 8), words_(file.size() / word_),
          nodes_(command.topology.nodes()), block_((command.bins + nodes_ - 1) / nodes_)
    {
        if (file.size() % word_ != 0)
            throw InvalidArgument(fmt::format("{} has {} bytes: a multiple of {} is allowed for words of {} bits",
                                              command.input, file.size(), word_, command.word_bits));
    }

    // The first value of a bin; bin `bins` begins behind the last value.
    [[nodiscard]] std::size_t first_value(std::size_t bin) const
    {
        const std::size_t values = std::size_t{1} << command_.word_bits;
        return (bin * values + command_.bins - 1) / command_.bins;
    }

    Report run(std::stop_token stop)
    {
        Problem problem{.collective = Collective::reduce_scatter, .bytes = block_ * sizeof(std::uint64_t)};
        problem.type = ElementType::uint64;
        Machine machine(command_.topology, command_.machine);
        problem = on_links_of(machine, problem);
        machine.require_memory(Layout(problem, command_.topology).input_bytes);
        Counts64 shares(nodes_ * nodes_ * block_);
        machine.for_each_node([&](NodeId node) {
            count(words_ * node / nodes_, words_ * (node + std::size_t{1}) / nodes_, &shares[node * nodes_ * block_]);
        });
        sums_.resize(nodes_ * block_);
        CallOptions call;
        call.algorithm = command_.algorithm;
        call.run.stop = std::move(stop);
        Report report = dcube::run(machine, problem, std::as_bytes(std::span(shares)),
                                   std::as_writable_bytes(std::span(sums_)), call);
        require_right();
        report.verified = true;
        return report;
    }

    [[nodiscard]] std::span<const std::uint64_t> sums() const { return std::span(sums_).first(command_.bins); }
    [[nodiscard]] std::size_t words() const { return words_; }

private:
    void count(std::size_t first, std::size_t end, std::uint64_t* counts) const
    {
        for (std::size_t at = first; at < end; ++at) {
            std::size_t value = static_cast<std::size_t>(file_[at * word_]);
            if (word_ == 2)
                value |= static_cast<std::size_t>(file_[at * word_ + 1]) << 8;
            ++counts[value * command_.bins >> command_.word_bits];
        }
    }

    void require_right() const
    {
        Counts64 plain(nodes_ * block_);
        count(0, words_, plain.data());
        for (std::size_t bin = 0; bin < plain.size(); ++bin)
            if (plain[bin] != sums_[bin])
                throw VerificationError(
                    fmt::format("bin {} has {} where a plain count finds {}", bin, sums_[bin], plain[bin]));
    }

    const HistogramCommand& command_;
    std::span<const std::byte> file_;
    std::size_t word_;
    std::size_t words_;
    std::size_t nodes_;
    std::size_t block_;  // counts for each node
    Counts64 sums_;
};

std::string values_text(const Histogram& histogram, std::size_t bin)
{
    const std::size_t first = histogram.first_value(bin);
    const std::size_t last = histogram.first_value(bin + 1) - 1;
    if (histogram.first_value(bin + 1) == first)
        return "-";
    return first == last ? fmt::format("{}", first) : fmt::format("{}-{}", first, last);
}

std::string histogram_text(const Histogram& histogram, const Report& report, const HistogramCommand& command)
{
    constexpr std::size_t widest = 50;
    std::string text =
        wrapped(fmt::format("{} values of {} bits on {}: reduce-scatter, algorithm {}", grouped(histogram.words()),
                            command.word_bits, describe(report.topology, report.ports), report.algorithm));
    if (report.virtual_time_ns)
        text += row("virtual time", time_text(*report.virtual_time_ns));
    else
        text += row("steps", grouped(report.counts.steps));
    text += row("verified", "equal to a plain count") + "\n";
    const std::uint64_t most = std::max<std::uint64_t>(1, std::ranges::max(histogram.sums()));
    for (std::size_t bin = 0; bin < command.bins; ++bin) {
        const std::uint64_t count = histogram.sums()[bin];
        const auto bar = static_cast<std::size_t>(static_cast<double>(count) / static_cast<double>(most) * widest);
        std::string line =
            fmt::format("{:>13} {:>13} {}", values_text(histogram, bin), grouped(count), std::string(bar, '#'));
        line.erase(line.find_last_not_of(' ') + 1);
        text += line + "\n";
    }
    return text;
}

std::string histogram_csv(const Histogram& histogram, const HistogramCommand& command)
{
    std::string text = "bin,first,last,count\n";
    for (std::size_t bin = 0; bin < command.bins; ++bin) {
        const std::size_t first = histogram.first_value(bin);
        const std::size_t end = histogram.first_value(bin + 1);
        const std::string last = end == first ? "" : fmt::format("{}", end - 1);
        text += fmt::format("{},{},{},{}\n", bin, first, last, histogram.sums()[bin]);
    }
    return text;
}

std::string histogram_json(const Histogram& histogram, const Report& report, const HistogramCommand& command)
{
    nlohmann::ordered_json json;
    json["schema"] = 1;
    json["file"] = command.input;
    json["values"] = histogram.words();
    json["word_bits"] = command.word_bits;
    json["bins"] = command.bins;
    json["counts"] = std::vector<std::uint64_t>(histogram.sums().begin(), histogram.sums().end());
    json["report"] = nlohmann::ordered_json::parse(to_json(report));
    return json.dump(2, ' ', false, nlohmann::ordered_json::error_handler_t::replace) + "\n";
}

}  // namespace

int execute(const HistogramCommand& command)
{
    const Interrupt interrupt;
    const std::vector<std::byte> file = read_file(command.input, available_memory() / 4, "a quarter of the memory is");
    Histogram histogram(command, file);
    const Report report = histogram.run(interrupt.token());
    switch (command.format) {
    case Format::json: print(histogram_json(histogram, report, command)); break;
    case Format::csv: print(histogram_csv(histogram, command)); break;
    case Format::markdown:  // refused when the options were read
    case Format::text: print(histogram_text(histogram, report, command)); break;
    }
    return 0;
}

}  // namespace dcube::cli
