// MSCCL's XML: schedules for the runtimes MSCCL and RCCL, which ASTRA-sim's collectiveapi reads too.

#include "base/numbers.hpp"
#include "export/exports.hpp"
#include "export/msccl_plan.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace dcube {

namespace {

constexpr std::size_t steps_of_runtimes = 256;  // that they take in a thread block

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
        : recording_(recording), chunks_(recording), gpus_(msccl_plan(recording, chunks_))
    {
    }

    void write(TextWriter& text) const override
    {
        text.add("<algo name=\"{}\" proto=\"Simple\" nchannels=\"1\" nchunksperloop=\"{}\" ngpus=\"{}\" coll=\"{}\" "
                 "inplace=\"0\" outofplace=\"1\" minBytes=\"0\" maxBytes=\"1099511627776\">\n",
                 recording_.algorithm != nullptr ? recording_.algorithm->name : "dcube", chunks_.per_loop(),
                 gpus_.size(), chunks_.collective());
        for (std::size_t node = 0; node < gpus_.size(); ++node)
            write_gpu(node, text);
        text.add("</algo>\n");
    }

    [[nodiscard]] std::vector<std::string> notes() const override
    {
        std::vector<std::string> all{fmt::format("{} on {}: {} a message, of {} here", chunks_.collective(),
                                                 recording_.topology.name(), counted(chunks_.of_message(), "chunk"),
                                                 counted(chunks_.bytes(), "byte"))};
        std::size_t longest = 0;
        for (const MscclGpu& gpu : gpus_)
            for (const MscclBlock& block : gpu.blocks)
                longest = std::max(longest, block.steps.size());
        if (longest > steps_of_runtimes)
            all.push_back(fmt::format("there are thread blocks of {} steps: runtimes take {} unless they are built for "
                                      "more",
                                      longest, steps_of_runtimes));
        return all;
    }

private:
    void write_gpu(std::size_t node, TextWriter& text) const
    {
        const MscclGpu& gpu = gpus_[node];
        text.add("  <gpu id=\"{}\" i_chunks=\"{}\" o_chunks=\"{}\" s_chunks=\"{}\">\n", node, chunks_.inputs(),
                 chunks_.outputs(), gpu.scratch);
        const std::vector<std::size_t> ids = ids_of(gpu);
        for (std::size_t i = 0; i < gpu.blocks.size(); ++i)
            if (!gpu.blocks[i].steps.empty())
                write_block(gpu.blocks[i], ids[i], ids, text);
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

    static void write_block(const MscclBlock& block, std::size_t id, const std::vector<std::size_t>& ids,
                            TextWriter& text)
    {
        const auto peer = [&](bool sends) {
            return block.peer && does(block, sends) ? fmt::format("{}", *block.peer) : "-1";
        };
        text.add("    <tb id=\"{}\" send=\"{}\" recv=\"{}\" chan=\"0\">\n", id, peer(true), peer(false));
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
};

}  // namespace

std::unique_ptr<Export> msccl_export(const Recording& recording)
{
    return std::make_unique<Msccl>(recording);
}

}  // namespace dcube
