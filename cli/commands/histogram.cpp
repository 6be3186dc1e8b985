// dcube histogram: every node counts its share of a file, and a reduce-scatter adds the counts up.

#include "base/memory.hpp"
#include "base/sizes.hpp"
#include "cli/files/interrupt.hpp"
#include "cli/files/rank_files.hpp"
#include "cli/output.hpp"
#include "cli/ranks.hpp"
#include "cli/shared_options.hpp"
#include "cli/text/histogram_text.hpp"

#include <dcube/layout.hpp>
#include <dcube/run.hpp>
#include <dcube/stop.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <memory>
#include <optional>
#include <span>
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

// Counts a file's values on all nodes, and adds the counts up by the collective. The file and the bins are dealt out to
// the network's members by their numbers.
class Count {
public:
    Count(const HistogramCommand& command, std::span<const std::byte> file)
        : command_(command), file_(file), word_(command.word_bits / 8), words_(file.size() / word_),
          members_(command.topology.members()), block_((command.bins + members_ - 1) / members_)
    {
        if (file.size() % word_ != 0)
            throw InvalidArgument(fmt::format("{} has {} bytes: a multiple of {} is allowed for words of {} bits",
                                              command.input, file.size(), word_, command.word_bits));
    }

    Histogram run(StopToken stop)
    {
        Problem problem{.collective = Collective::reduce_scatter, .bytes = block_ * sizeof(std::uint64_t)};
        problem.type = ElementType::uint64;
        Machine machine(command_.topology, command_.machine);
        World& world = machine.world();
        const NodeRange own = machine.own_nodes();
        problem = on_links_of(machine, problem);
        const Layout layout = Layout(problem, command_.topology).of(own);
        machine.require_memory(layout.input_bytes);
        Counts64 shares;
        Counts64 sums;
        together(world, [&] {
            shares.resize(layout.input_bytes / sizeof(std::uint64_t));
            sums.resize(layout.output_bytes / sizeof(std::uint64_t));
        });
        machine.for_each_node([&](NodeId node) {
            if (command_.topology.is_member(node))
                count_share(command_.topology.member_number(node), part_of(shares, layout.input(node)));
        });
        CallOptions call;
        call.algorithm = command_.algorithm;
        call.run.stop = std::move(stop);
        Report report = dcube::run(machine, problem, std::as_bytes(std::span(shares)),
                                   std::as_writable_bytes(std::span(sums)), call);
        const Counts64 bins = bins_of(sums, layout, own);
        together(world, [&] { require_right(bins, own); });
        add_up(world, bins);
        report.verified = true;
        return {command_.input, words_, command_.word_bits,
                Counts64(sums_.begin(), sums_.begin() + static_cast<std::ptrdiff_t>(command_.bins)), std::move(report)};
    }

private:
    static std::span<std::uint64_t> part_of(Counts64& counts, Layout::Part part)
    {
        return std::span(counts).subspan(part.offset / sizeof(std::uint64_t), part.bytes / sizeof(std::uint64_t));
    }

    // The bin of the word at this place of the file.
    [[nodiscard]] std::size_t bin_of(std::size_t at) const
    {
        std::size_t value = static_cast<std::size_t>(file_[at * word_]);
        if (word_ == 2)
            value |= static_cast<std::size_t>(file_[at * word_ + 1]) << 8;
        return value * command_.bins >> command_.word_bits;
    }

    // A member's share of the file; its counts lie as messages do, one for every node, of which members have bins.
    void count_share(NodeId number, std::span<std::uint64_t> counts) const
    {
        const std::size_t end = words_ * (number + std::size_t{1}) / members_;
        for (std::size_t at = words_ * number / members_; at < end; ++at) {
            const std::size_t bin = bin_of(at);
            ++counts[command_.topology.member(static_cast<NodeId>(bin / block_)) * block_ + bin % block_];
        }
    }

    // The bins that this rank's nodes have summed up, in ascending order.
    [[nodiscard]] Counts64 bins_of(Counts64& sums, const Layout& layout, NodeRange own) const
    {
        Counts64 bins;
        for (NodeId node = own.first; node < own.last; ++node)
            std::ranges::copy(part_of(sums, layout.output(node)), std::back_inserter(bins));
        return bins;
    }

    // Checks the bins of this rank's nodes against a direct count.
    void require_right(const Counts64& bins, NodeRange own) const
    {
        Counts64 plain(members_ * block_);
        for (std::size_t at = 0; at < words_; ++at)
            ++plain[bin_of(at)];
        std::size_t first = 0;
        for (NodeId node = 0; node < own.first; ++node)
            first += command_.topology.is_member(node) ? block_ : 0;
        for (std::size_t i = 0; i < bins.size(); ++i)
            if (plain[first + i] != bins[i])
                throw VerificationError(
                    fmt::format("bin {} has {} where a direct count finds {}", first + i, bins[i], plain[first + i]));
    }

    // All ranks' bins, one after the other.
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
    std::size_t members_;
    std::size_t block_;  // bins of each of them
    Counts64 sums_;      // of all of them
};

void count_file(const HistogramCommand& command, const Interrupt& interrupt)
{
    const FileBytes file(process_world(), command.input, available_memory() / 4, "a quarter of the memory is");
    print(histogram_text(Count(command, file.bytes()).run(interrupt.token()), command.format));
}

struct HistogramOptions {
    explicit HistogramOptions(CLI::App& app)
        : network(app, Sweep::no, NetworkOptions::Seed::of_faults), links(app), machine(app, Sweep::no, Over::all_ranks)
    {
        constexpr NumberRange bin_numbers{1, 65536};
        add_ports(app, ports);
        add_number(app, {"--bins", "B", "counts to make, 1 to 256, or with 16 bits to 65536 [256]"}, bin_numbers, bins);
        add_parsed(app, {"--words", "8|16", "bits of a value; 16: little endian [8]"}, word_bits,
                   [](const std::string& text) -> unsigned {
                       if (text != "8" && text != "16")
                           throw InvalidArgument(
                               fmt::format("{} is not allowed: expected 8 or 16 bits", dcube::quoted(text)));
                       return text == "8" ? 8 : 16;
                   });
        add_text(app, {"--input", "FILE", "file to count; - is stdin"}, input);
        add_text(app, {"--algorithm", "NAME", "an algorithm from dcube list [auto]"}, algorithm);
        add_format(app, {Format::text, Format::json, Format::csv}, format);
        add_quiet(app);
    }

    [[nodiscard]] HistogramCommand command() const;

    NetworkOptions network;
    LinkOptions links;
    MachineSettings machine;
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
    const PortModel nodes = ports.value_or(PortModel::all);
    command.machine = machine.only(nodes, links.model(command.topology, nodes));
    command.algorithm = algorithm.value_or("auto");
    command.word_bits = word_bits.value_or(8);
    command.bins = as_size(bins.value_or(256));
    if (const std::uint64_t values = std::uint64_t{1} << command.word_bits; command.bins > values)
        throw InvalidArgument(fmt::format("--bins {} is too many: there are {} values of {} bits", command.bins, values,
                                          command.word_bits));
    if (!input || input->empty())
        throw InvalidArgument("--input is missing: a histogram counts a file's bytes, and - is standard input");
    command.input = *input;
    command.format = format;
    return command;
}

Execution define_histogram(CLI::App& app)
{
    const auto options = std::make_shared<HistogramOptions>(app);
    return [options](const Interrupt& interrupt) {
        options->machine.spread_over(shared_world());
        HistogramCommand command;
        together(process_world(), [&] { command = options->command(); });
        count_file(command, interrupt);
        return 0;
    };
}

}  // namespace

extern const Command histogram_command{.name = "histogram",
                                       .usage = "histogram --dim D --input FILE [OPTIONS]",
                                       .summary = "count a file's bytes or words, by reduce-scatter",
                                       .footer = R"(Examples:
  dcube histogram --dim 4 --bins 16 --input LICENSE
  dcube histogram --dim 6 --bins 256 --words 16 --input LICENSE --format csv
  dcube histogram --dim 4 --input LICENSE --machine ncube3 --format json

Every node counts its share of the file; a reduce-scatter adds up the counts. The result is compared with a direct count.)",
                                       .define = define_histogram,
                                       .over = Over::all_ranks};

}  // namespace dcube::cli
