#include "tests/support/msccl_machine.hpp"

#include "tests/support/files.hpp"

#include <deque>
#include <stdexcept>
#include <tuple>

namespace dcube::test {

namespace {

using Attributes = std::map<std::string, std::string>;

[[noreturn]] void wrong_machine(const std::string& what)
{
    throw std::runtime_error("MSCCL: " + what);
}

// The attributes of a tag that stands on a line of its own.
Attributes attributes_of(const std::string& line)
{
    Attributes all;
    for (std::size_t at = line.find(' ', line.find('<')); at != std::string::npos;) {
        const std::size_t equals = line.find("=\"", at);
        if (equals == std::string::npos)
            break;
        const std::size_t end = line.find('"', equals + 2);
        all[line.substr(at + 1, equals - at - 1)] = line.substr(equals + 2, end - equals - 2);
        at = end + 1;
    }
    return all;
}

std::int64_t number(const Attributes& of, const std::string& name)
{
    const auto found = of.find(name);
    if (found == of.end())
        wrong_machine(name + " is missing");
    return std::stoll(found->second);
}

struct MscclStep {
    std::string type;
    char source;
    std::int64_t source_offset;
    char target;
    std::int64_t target_offset;
    std::int64_t count;
    std::int64_t block;  // the one that it waits for
    std::int64_t step;
    bool has_dependent;
};

struct Block {
    std::int64_t send;
    std::int64_t receive;
    std::int64_t channel;
    std::vector<MscclStep> steps{};
    std::size_t next = 0;
};

struct Packet {
    MscclStep sent;
    std::vector<TermSet> chunks;
};

struct Gpu {
    std::map<char, std::int64_t> chunks{};
    std::vector<Block> blocks{};
    std::map<std::pair<char, std::int64_t>, TermSet> memory{};
};

class Runtime {
public:
    Runtime(const std::string& xml, std::size_t lag) : lag_(lag)
    {
        for (const std::string& line : lines_of(xml))
            read(line, attributes_of(line));
        for (std::uint32_t gpu = 0; gpu < gpus_.size(); ++gpu)
            for (std::int64_t i = 0; i < gpus_[gpu].chunks['i']; ++i)
                gpus_[gpu].memory[{'i', i}] = {{gpu, static_cast<std::uint64_t>(i)}};
    }

    MscclResult run()
    {
        for (bool more = true; more;) {
            more = false;
            for (std::size_t gpu = 0; gpu < gpus_.size(); ++gpu)
                for (Block& block : gpus_[gpu].blocks)
                    while (block.next < block.steps.size() && done(gpu, block, block.steps[block.next])) {
                        ++block.next;
                        more = true;
                    }
        }
        MscclResult result{algo_, {}, {}};
        for (Gpu& gpu : gpus_) {
            for (const Block& block : gpu.blocks)
                if (block.next != block.steps.size())
                    wrong_machine("a step never runs");
            result.output_chunks.push_back(static_cast<std::uint64_t>(gpu.chunks['o']));
            result.outputs.emplace_back();
            for (const auto& [place, terms] : gpu.memory)
                if (place.first == 'o')
                    result.outputs.back()[static_cast<std::uint64_t>(place.second)] = terms;
        }
        for (const auto& [link, packets] : links_)
            if (!packets.empty())
                wrong_machine("something is sent that nobody receives");
        return result;
    }

private:
    void read(const std::string& line, const Attributes& of)
    {
        if (line.find("<algo ") != std::string::npos) {
            algo_ = of;
        } else if (line.find("<gpu ") != std::string::npos) {
            if (number(of, "id") != static_cast<std::int64_t>(gpus_.size()))
                wrong_machine("gpus out of order");
            gpus_.push_back(
                {{{'i', number(of, "i_chunks")}, {'o', number(of, "o_chunks")}, {'s', number(of, "s_chunks")}}});
        } else if (line.find("<tb ") != std::string::npos) {
            std::vector<Block>& blocks = gpus_.back().blocks;
            if (number(of, "id") != static_cast<std::int64_t>(blocks.size()))
                wrong_machine("thread blocks out of order");
            blocks.push_back({number(of, "send"), number(of, "recv"), number(of, "chan")});
            require_few_peers(blocks);
        } else if (line.find("<step ") != std::string::npos) {
            std::vector<MscclStep>& steps = gpus_.back().blocks.back().steps;
            if (number(of, "s") != static_cast<std::int64_t>(steps.size()))
                wrong_machine("steps out of order");
            steps.push_back({of.at("type"), of.at("srcbuf").at(0), number(of, "srcoff"), of.at("dstbuf").at(0),
                             number(of, "dstoff"), number(of, "cnt"), number(of, "depid"), number(of, "deps"),
                             number(of, "hasdep") == 1});
        }
    }

    // A channel of a GPU has at most 32 senders and 32 receivers.
    void require_few_peers(const std::vector<Block>& blocks) const
    {
        const std::int64_t channel = blocks.back().channel;
        std::size_t senders = 0;
        std::size_t receivers = 0;
        for (const Block& block : blocks) {
            senders += block.channel == channel && block.send >= 0 ? 1 : 0;
            receivers += block.channel == channel && block.receive >= 0 ? 1 : 0;
        }
        if (channel < 0 || channel >= number(algo_, "nchannels") || senders > 32 || receivers > 32)
            wrong_machine("too many peers in a channel, or a channel that there is not");
    }

    TermSet& at(std::size_t gpu, char buffer, std::int64_t offset)
    {
        if (!gpus_[gpu].chunks.contains(buffer) || offset < 0 || offset >= gpus_[gpu].chunks[buffer])
            wrong_machine("a chunk out of its buffer");
        return gpus_[gpu].memory[{buffer, offset}];
    }

    const TermSet& readable(std::size_t gpu, char buffer, std::int64_t offset)
    {
        const TermSet& terms = at(gpu, buffer, offset);
        if (terms.empty())
            wrong_machine("a chunk is read before it is written");
        return terms;
    }

    // No place is ever written twice, so that no block can read the wrong value.
    void write(std::size_t gpu, char buffer, std::int64_t offset, TermSet terms)
    {
        TermSet& place = at(gpu, buffer, offset);
        if (!place.empty())
            wrong_machine("a chunk is written twice");
        place = std::move(terms);
    }

    // Executes the step if it can run now.
    bool done(std::size_t gpu, const Block& block, const MscclStep& step)
    {
        if (step.block >= 0) {
            const Block& other = gpus_[gpu].blocks.at(static_cast<std::size_t>(step.block));
            if (!other.steps.at(static_cast<std::size_t>(step.step)).has_dependent)
                wrong_machine("a step waits for one that does not say so");
            if (static_cast<std::int64_t>(other.next) <= step.step)
                return false;
        }
        if (step.count > 71)
            wrong_machine("too many chunks in a step");
        if (step.type == "s")
            return sent(gpu, block, step);
        if (step.type == "r" || step.type == "rrc")
            return received(gpu, block, step);
        if (step.type == "cpy")
            for (std::int64_t i = 0; i < step.count; ++i)
                write(gpu, step.target, step.target_offset + i, readable(gpu, step.source, step.source_offset + i));
        else if (step.type != "nop")
            wrong_machine("an unknown type");
        return true;
    }

    bool sent(std::size_t gpu, const Block& block, const MscclStep& step)
    {
        if (block.send < 0)
            wrong_machine("a send without a peer");
        auto& link = links_[{gpu, block.send, block.channel}];
        if (link.size() == lag_)
            return false;
        Packet packet{step, {}};
        for (std::int64_t i = 0; i < step.count; ++i)
            packet.chunks.push_back(readable(gpu, step.source, step.source_offset + i));
        link.push_back(std::move(packet));
        return true;
    }

    bool received(std::size_t gpu, const Block& block, const MscclStep& step)
    {
        if (block.receive < 0)
            wrong_machine("a receive without a peer");
        auto& link = links_[{static_cast<std::size_t>(block.receive), static_cast<std::int64_t>(gpu), block.channel}];
        if (link.empty())
            return false;
        const MscclStep& sent = link.front().sent;
        if (sent.count != step.count)
            wrong_machine("a packet of another size");
        const bool same_source = sent.source == step.source && sent.source_offset == step.source_offset;
        if (sent.target != step.target || sent.target_offset != step.target_offset ||
            (step.type == "r" && !same_source))
            wrong_machine("both ends of a transfer name different places");
        for (std::int64_t i = 0; i < step.count; ++i) {
            TermSet terms = link.front().chunks[static_cast<std::size_t>(i)];
            if (step.type == "rrc")
                terms.merge(TermSet(readable(gpu, step.source, step.source_offset + i)));
            write(gpu, step.target, step.target_offset + i, std::move(terms));
        }
        link.pop_front();
        return true;
    }

    std::size_t lag_;
    Attributes algo_;
    std::vector<Gpu> gpus_;
    std::map<std::tuple<std::size_t, std::int64_t, std::int64_t>, std::deque<Packet>> links_;  // from, to, channel
};

}  // namespace

MscclResult executed(const std::string& xml, std::size_t lag)
{
    return Runtime(xml, lag).run();
}

}  // namespace dcube::test
