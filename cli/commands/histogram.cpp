// dcube histogram: every node counts its share of a file, and a reduce-scatter adds the counts up.

#include "cli/files/interrupt.hpp"
#include "cli/files/rank_files.hpp"
#include "cli/output.hpp"
#include "cli/rank_options.hpp"
#include "cli/ranks.hpp"
#include "cli/shared_options.hpp"
#include "cli/text/histogram_text.hpp"

#include <dcube/layout.hpp>
#include <dcube/run.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <stop_token>
#include <string>
#include <utility>
#include <vector>

namespace dcube::cli {

namespace {

struct HistogramCommand {
    Topology topology = Topology::hypercube(0);
    MachineOptions machine{};
    std::string algorithm = "auto";
    std::size_t bins = 256;
    unsigned word_bits = 8;
    std::string input;
    Format format = Format::text;
};

using Counts64 = std::vector<std::uint64_t>;

// Counts a file's values on all nodes, and adds the counts up by the collective.
class Count {
public:
    Count(const HistogramCommand& command, std::span<const std::byte> file)
        : command_(command), file_(file), word_(command.word_bits / 8), words_(file.size() / word_),
          nodes_(command.topology.nodes()), block_((command.bins + nodes_ - 1) / nodes_)
    {
        if (file.size() % word_ != 0)
            throw InvalidArgument(fmt::format("{} has {} bytes: a multiple of {} is allowed for words of {} bits",
                                              command.input, file.size(), word_, command.word_bits));
    }

    Histogram run(std::stop_token stop)
    {
        Problem problem{.collective = Collective::reduce_scatter, .bytes = block_ * sizeof(std::uint64_t)};
        problem.type = ElementType::uint64;
        Machine machine(command_.topology, command_.machine);
        World& world = machine.world();
        const NodeRange own = machine.own_nodes();
        problem = on_links_of(machine, problem);
        machine.require_memory(Layout(problem, command_.topology).of(own).input_bytes);
        Counts64 shares;
        Counts64 sums;
        together(world, [&] {
            shares.resize(own.size() * nodes_ * block_);
            sums.resize(own.size() * block_);
        });
        machine.for_each_node([&](NodeId node) {
            count(words_ * node / nodes_, words_ * (node + std::size_t{1}) / nodes_,
                  &shares[(node - own.first) * nodes_ * block_]);
        });
        CallOptions call;
        call.algorithm = command_.algorithm;
        call.run.stop = std::move(stop);
        Report report = dcube::run(machine, problem, std::as_bytes(std::span(shares)),
                                   std::as_writable_bytes(std::span(sums)), call);
        together(world, [&] { require_right(sums, own); });
        add_up(world, sums);
        report.verified = true;
        return {command_.input, words_, command_.word_bits,
                Counts64(sums_.begin(), sums_.begin() + static_cast<std::ptrdiff_t>(command_.bins)), std::move(report)};
    }

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

    // Those of this rank's nodes.
    void require_right(const Counts64& sums, NodeRange own) const
    {
        Counts64 plain(nodes_ * block_);
        count(0, words_, plain.data());
        for (std::size_t i = 0; i < sums.size(); ++i) {
            const std::size_t bin = own.first * block_ + i;
            if (plain[bin] != sums[i])
                throw VerificationError(
                    fmt::format("bin {} has {} where a plain count finds {}", bin, sums[i], plain[bin]));
        }
    }

    // All ranks' parts, one after the other.
    void add_up(World& world, const Counts64& own)
    {
        for (const std::vector<std::byte>& part : world.gather_everywhere(std::as_bytes(std::span(own)))) {
            const std::size_t before = sums_.size();
            sums_.resize(before + part.size() / sizeof(std::uint64_t));
            std::ranges::copy(part, std::as_writable_bytes(std::span(sums_).subspan(before)).begin());
        }
    }

    const HistogramCommand& command_;
    std::span<const std::byte> file_;
    std::size_t word_;
    std::size_t words_;
    std::size_t nodes_;
    std::size_t block_;  // counts for each node
    Counts64 sums_;  // of all nodes
};

void count_file(const HistogramCommand& command)
{
    const Interrupt interrupt;
    const FileBytes file(process_world(), command.input, available_memory() / 4, "a quarter of the memory is");
    print(histogram_text(Count(command, file.bytes()).run(interrupt.token()), command.format));
}

struct HistogramOptions {
    explicit HistogramOptions(CLI::App& app) : network(app, Sweep::no), links(app), machine(app, Sweep::no),
                                               ranks(app)
    {
        constexpr NumberRange bin_numbers{1, 65536};
        add_ports(app, ports);
        add_number(app, {"--bins", "B", "counts to make, 1 to 65536 [256]"}, bin_numbers, bins);
        add_parsed(app, {"--words", "8|16", "bits of a value; 16: little endian [8]"}, word_bits,
                   [](const std::string& text) -> unsigned {
                       if (text != "8" && text != "16")
                           throw InvalidArgument(
                               fmt::format("{} is not allowed: 8 and 16 bits are", dcube::quoted(text)));
                       return text == "8" ? 8 : 16;
                   });
        add_text(app, {"--input", "FILE", "what is counted; - is stdin"}, input);
        add_text(app, {"--algorithm", "NAME", "one that dcube list shows [auto]"}, algorithm);
        add_format(app, {Format::text, Format::json, Format::csv}, format);
    }

    [[nodiscard]] HistogramCommand command() const;

    NetworkOptions network;
    LinkOptions links;
    MachineSettings machine;
    RankOptions ranks;
    std::optional<PortModel> ports;
    std::optional<std::uint64_t> bins;
    std::optional<unsigned> word_bits;
    std::optional<std::string> input;
    std::optional<std::string> algorithm;
    Format format = Format::text;
};

HistogramCommand HistogramOptions::command() const
{
    HistogramCommand command;
    command.topology = network.only();
    command.machine = machine.only(ports.value_or(PortModel::all), links.model());
    command.algorithm = algorithm.value_or("auto");
    command.word_bits = word_bits.value_or(8);
    command.bins = bins.value_or(256);
    if (!input || input->empty())
        throw InvalidArgument("--input is missing: a histogram counts a file's bytes, and - is standard input");
    command.input = *input;
    command.format = format;
    return command;
}

std::function<int()> define_histogram(CLI::App& app)
{
    const auto options = std::make_shared<HistogramOptions>(app);
    return [options] {
        options->machine.spread_over(shared_world());
        HistogramCommand command;
        together(process_world(), [&] { command = options->command(); });
        count_file(command);
        return 0;
    };
}

}  // namespace

extern const Command histogram_command{.name = "histogram",
                                       .usage = "histogram --dim D --input FILE [OPTIONS]",
                                       .summary = "count a file's bytes or words, by reduce-scatter",
                                       .footer = R"(Examples:
  dcube histogram --dim 4 --bins 16 --input photo.jpg
  dcube histogram --dim 6 --bins 256 --words 16 --input a.raw --format csv
  dcube histogram --dim 4 --input photo.jpg --machine ncube2 --format json

Every node counts its share of the file; a reduce-scatter adds the counts up. The result is compared with a plain count.)",
                                       .define = define_histogram,
                                       .over = Over::all_ranks};

}  // namespace dcube::cli
