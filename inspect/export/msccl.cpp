// MSCCL's XML: schedules for the runtimes MSCCL and RCCL. Both ends of a transfer name its source and its destination,
// as in the files of msccl-tools. Comments say what is run, as the first line of a trace does, and in which steps a
// block sends; judge/msccl_reader.cpp reads them back.

#include "base/numbers.hpp"
#include "inspect/export/exports.hpp"
#include "inspect/export/msccl_plan.hpp"
#include "run/trace_lines.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

namespace dcube {

namespace {

// The limits of the runtimes, unless they are built for more.
constexpr std::uint32_t most_peers = 32;  // senders in a channel of a GPU, and receivers
struct RuntimeLimits {
    std::string_view name;
    std::size_t steps;     // per thread block
    std::size_t blocks;    // per GPU
    std::size_t channels;  // per GPU
};
constexpr RuntimeLimits runtimes[]{{"RCCL", 64, 1024, 32}, {"MSCCL", 256, 216, 32}};

std::string_view type_name(MscclStep::Type type)
{
    switch (type) {
    case MscclStep::Type::send: return "s";
    case MscclStep::Type::receive: return "r";
    case MscclStep::Type::receive_reduce: return "rrc";
    case MscclStep::Type::copy: return "cpy";
    case MscclStep::Type::nothing: return "nop";
    }
    return "nop";
}

// A line of JSON as a comment has it: without its end, and no two hyphens side by side, which only texts could have.
std::string in_comment(std::string json)
{
    json.pop_back();
    for (std::size_t at = json.find("--"); at != std::string::npos; at = json.find("--", at))
        json.replace(at + 1, 1, "\\u002d");
    return json;
}

bool does(const MscclBlock& block, bool sends)
{
    return std::ranges::any_of(block.steps, [&](const MscclStep& step) {
        return sends ? step.type == MscclStep::Type::send
                     : step.type == MscclStep::Type::receive || step.type == MscclStep::Type::receive_reduce;
    });
}

class Msccl : public Export {
public:
    explicit Msccl(const Recording& recording)
        : recording_(recording), chunks_(recording), gpus_(msccl_plan(recording, chunks_)),
          channels_(channels_of_links())
    {
    }

    void write(TextWriter& text) const override
    {
        text.add("<algo name=\"{}\" proto=\"Simple\" nchannels=\"{}\" nchunksperloop=\"{}\" ngpus=\"{}\" coll=\"{}\" "
                 "inplace=\"0\" outofplace=\"1\" minBytes=\"0\" maxBytes=\"1099511627776\">\n",
                 recording_.algorithm != nullptr ? recording_.algorithm->name : "dcube", channels(), chunks_.per_loop(),
                 gpus_.size(), chunks_.collective());
        if (recording_.report)
            text.add("  <!-- {} -->\n", in_comment(trace_header(*recording_.report)));
        for (NodeId node = 0; node < gpus_.size(); ++node)
            write_gpu(node, text);
        text.add("</algo>\n");
    }

    [[nodiscard]] std::vector<std::string> notes() const override
    {
        std::vector<std::string> all{fmt::format("{} on {}: {} per message, of {} here", chunks_.collective(),
                                                 recording_.topology.name(), counted(chunks_.of_message(), "chunk"),
                                                 counted(chunks_.bytes(), "byte"))};
        std::size_t steps = 0;
        std::size_t blocks = 0;
        for (const MscclGpu& gpu : gpus_) {
            blocks = std::max<std::size_t>(
                blocks, gpu.blocks.size() - static_cast<std::size_t>(std::ranges::count_if(
                                                gpu.blocks, [](const auto& one) { return one.steps.empty(); })));
            for (const MscclBlock& block : gpu.blocks)
                steps = std::max(steps, block.steps.size());
        }
        note_limit("steps in a thread block", steps, &RuntimeLimits::steps, all);
        note_limit("thread blocks of a GPU", blocks, &RuntimeLimits::blocks, all);
        note_limit("channels", channels(), &RuntimeLimits::channels, all);
        return all;
    }

private:
    // "94 steps in a thread block: RCCL takes at most 64, unless built for more"
    static void note_limit(std::string_view what, std::size_t number, std::size_t RuntimeLimits::*limit,
                           std::vector<std::string>& notes)
    {
        std::string refused;
        for (const RuntimeLimits& runtime : runtimes)
            if (number > runtime.*limit)
                refused +=
                    fmt::format("{}{} takes at most {}", refused.empty() ? "" : ", ", runtime.name, runtime.*limit);
        if (!refused.empty())
            notes.push_back(fmt::format("{} {}: {}, unless built for more", number, what, refused));
    }

    // For every link that is used, the first channel in which both its ends have room for one more.
    [[nodiscard]] std::vector<std::uint32_t> channels_of_links() const
    {
        const Topology& topology = recording_.topology;
        std::vector<std::uint32_t> channels(topology.directed_links());
        using Peers = std::vector<std::uint32_t>;  // by channel
        std::vector<Peers> receivers(topology.nodes());
        std::vector<Peers> senders(topology.nodes());
        const auto has_room = [](const Peers& peers, std::uint32_t channel) {
            return channel >= peers.size() || peers[channel] < most_peers;
        };
        const auto take = [](Peers& peers, std::uint32_t channel) {
            peers.resize(std::max<std::size_t>(peers.size(), channel + 1));
            ++peers[channel];
        };
        for (NodeId node = 0; node < topology.nodes(); ++node)
            for (Port port = 0; port < topology.ports(node); ++port) {
                if (gpus_[node].blocks[sender_block(port)].steps.empty())
                    continue;
                Peers& from = receivers[node];
                Peers& to = senders[topology.neighbour(node, port)];
                std::uint32_t channel = 0;
                while (!has_room(from, channel) || !has_room(to, channel))
                    ++channel;
                take(from, channel);
                take(to, channel);
                channels[topology.link(node, port)] = channel;
            }
        return channels;
    }

    [[nodiscard]] std::size_t channels() const
    {
        return channels_.empty() ? 1 : *std::ranges::max_element(channels_) + std::size_t{1};
    }

    // The channel of the link that a node's block sends or receives over; 0 for the block that copies.
    [[nodiscard]] std::uint32_t channel(NodeId node, std::size_t block) const
    {
        const Topology& topology = recording_.topology;
        const auto port = static_cast<Port>(block / 2);
        if (!gpus_[node].blocks[block].peer)
            return 0;
        return channels_[block == sender_block(port)
                             ? topology.link(node, port)
                             : topology.link(topology.neighbour(node, port), topology.arrival_port(node, port))];
    }

    void write_gpu(NodeId node, TextWriter& text) const
    {
        const MscclGpu& gpu = gpus_[node];
        text.add("  <gpu id=\"{}\" i_chunks=\"{}\" o_chunks=\"{}\" s_chunks=\"{}\">\n", node, chunks_.inputs(),
                 chunks_.outputs(), gpu.scratch);
        const std::vector<std::size_t> ids = ids_of(gpu);
        for (std::size_t i = 0; i < gpu.blocks.size(); ++i)
            if (!gpu.blocks[i].steps.empty())
                write_block(gpu.blocks[i], channel(node, i), ids[i], ids, text);
        text.add("  </gpu>\n");
    }

    // Blocks that do nothing are not written.
    static std::vector<std::size_t> ids_of(const MscclGpu& gpu)
    {
        std::vector<std::size_t> ids;
        std::size_t next = 0;
        for (const MscclBlock& block : gpu.blocks)
            ids.push_back(block.steps.empty() ? next : next++);
        return ids;
    }

    static void write_block(const MscclBlock& block, std::uint32_t channel, std::size_t id,
                            const std::vector<std::size_t>& ids, TextWriter& text)
    {
        const auto peer = [&](bool sends) {
            return block.peer && does(block, sends) ? fmt::format("{}", *block.peer) : "-1";
        };
        text.add("    <tb id=\"{}\" send=\"{}\" recv=\"{}\" chan=\"{}\">\n", id, peer(true), peer(false), channel);
        if (does(block, true)) {
            std::vector<Step> steps;
            for (const MscclStep& step : block.steps)
                if (step.type == MscclStep::Type::send)
                    steps.push_back(step.sent_in);
            text.add("      <!-- steps {} -->\n", fmt::join(steps, " "));
        }
        for (std::size_t i = 0; i < block.steps.size(); ++i) {
            const MscclStep& step = block.steps[i];
            const std::string waits_for = step.waits_for ? fmt::format("depid=\"{}\" deps=\"{}\"",
                                                                       ids[step.waits_for->block], step.waits_for->step)
                                                         : "depid=\"-1\" deps=\"-1\"";
            text.add(
                "      <step s=\"{}\" type=\"{}\" srcbuf=\"{}\" srcoff=\"{}\" dstbuf=\"{}\" dstoff=\"{}\" cnt=\"{}\" "
                "{} hasdep=\"{}\"/>\n",
                i, type_name(step.type), step.from.buffer, step.from.offset, step.to.buffer, step.to.offset, step.count,
                waits_for, step.waited_for ? 1 : 0);
        }
        text.add("    </tb>\n");
    }

    const Recording& recording_;
    MscclChunks chunks_;
    std::vector<MscclGpu> gpus_;
    std::vector<std::uint32_t> channels_;  // by link, for those that are used
};

}  // namespace

std::unique_ptr<Export> msccl_export(const Recording& recording)
{
    return std::make_unique<Msccl>(recording);
}

}  // namespace dcube
