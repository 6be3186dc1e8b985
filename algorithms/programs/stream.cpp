#include "algorithms/programs/stream.hpp"

#include "algorithms/programs/cube.hpp"
#include "algorithms/programs/own_block.hpp"

#include <algorithm>

namespace dcube::detail {

namespace {

// Sends by a rule; what arrives is what the neighbour sends.
class WavePipeline final : public Pipeline {
public:
    WavePipeline(unsigned d, NodeId label, const WaveRule& rule) : d_(d), label_(label), rule_(rule) {}

    [[nodiscard]] std::optional<std::uint32_t> arrival(Port port, Step step) const override
    {
        return rule_(d_, label_ ^ bit(port), port, step - 1);
    }
    [[nodiscard]] std::optional<std::uint32_t> departure(Port port, Step step) const override
    {
        return rule_(d_, label_, port, step - 1);
    }

private:
    unsigned d_;
    NodeId label_;
    const WaveRule& rule_;  // the stream's
};

}  // namespace

std::unique_ptr<Pipeline> wave_pipeline(unsigned d, NodeId label, const WaveRule& rule)
{
    return std::make_unique<WavePipeline>(d, label, rule);
}

namespace {

// The packets of a message that a node holds, and since when they are usable. Times are kept from the first one that is
// not the program's beginning: the unit link model has no others.
class HeldPackets {
public:
    HeldPackets(std::uint32_t packets, bool all, Usable begun) : held_(packets, all), begun_(begun) {}

    [[nodiscard]] bool holds(std::uint32_t packet) const { return held_[packet]; }
    [[nodiscard]] Usable since(std::uint32_t packet) const { return since_.empty() ? begun_ : since_[packet]; }
    void note(std::uint32_t packet, Usable usable)
    {
        held_[packet] = true;
        if (since_.empty() && usable != begun_)
            since_.resize(held_.size(), begun_);
        if (!since_.empty())
            since_[packet] = usable;
    }

private:
    std::vector<bool> held_;
    Usable begun_;
    std::vector<Usable> since_;
};

}  // namespace

Task run_broadcast_stream(Node& me, const Stream& stream, const Problem& problem, NodeData data)
{
    const NodeId label = me.topology().untranslate(me.id(), problem.root);
    const auto pipeline = stream.make(me.ports(), label);
    if (problem.collective == Collective::broadcast)
        copy_own_block(me, problem, data);
    const std::span<std::byte> output =
        data.output.empty() && label != 0 ? me.allocate(Layout(problem, me.topology()).message) : data.output;
    const std::span<const std::byte> source = label == 0 ? data.input : output;
    HeldPackets held(stream.cut.packets(), label == 0, me.usable_now());
    const Step before = me.step() - 1;
    for (Step step = pipeline->next(0); step <= stream.steps; step = pipeline->next(step)) {
        co_await me.until(before + step);
        for (Port port = 0; port < me.ports(); ++port) {
            if (const auto packet = pipeline->departure(port, step)) {
                const auto [offset, length] = stream.cut(*packet);
                if (length != 0)
                    me.send(port, {source.subspan(offset, length), 0, held.since(*packet)});
            }
        }
        co_await me.next_step();
        for (Port port = 0; port < me.ports(); ++port) {
            if (const auto packet = pipeline->arrival(port, step)) {
                const auto [offset, length] = stream.cut(*packet);
                if (length == 0)
                    continue;
                if (held.holds(*packet))  // the earlier of two copies counts
                    held.note(*packet, std::min(held.since(*packet), me.receive(port).usable));
                else
                    held.note(*packet, me.receive(port, output.subspan(offset, length)).usable);
            }
        }
    }
}

// Backwards: what arrived in step s leaves in step steps + 1 - s. The root adds up in its output, the others in storage
// of their own; a packet that nothing was added to leaves from the input.
Task run_reduce_stream(Node& me, const Stream& stream, const Problem& problem, NodeData data)
{
    const NodeId label = me.topology().untranslate(me.id(), problem.root);
    const auto pipeline = stream.make(me.ports(), label);
    const Combine combine = combiner(problem);
    std::span<std::byte> sums = data.output;
    HeldPackets begun(stream.cut.packets(), false, me.usable_now());  // sums
    copy_own_block(me, problem, data);
    for (Step step = stream.steps; step >= 1; --step) {
        for (Port port = 0; port < me.ports(); ++port) {
            if (const auto packet = pipeline->arrival(port, step)) {
                const auto [offset, length] = stream.cut(*packet);
                const std::span<const std::byte> source = begun.holds(*packet) ? sums : data.input;
                if (length != 0)
                    me.send(port, {source.subspan(offset, length), 0, begun.since(*packet)});
            }
        }
        co_await me.next_step();
        for (Port port = 0; port < me.ports(); ++port) {
            if (const auto packet = pipeline->departure(port, step)) {
                const auto [offset, length] = stream.cut(*packet);
                if (length == 0)
                    continue;
                if (sums.empty())
                    sums = me.allocate(data.input.size());
                const std::span<std::byte> sum = sums.subspan(offset, length);
                const std::span<const std::byte> base = begun.holds(*packet) ? sum : data.input.subspan(offset, length);
                begun.note(*packet, std::max(begun.since(*packet), me.receive(port, sum, base, combine).usable));
            }
        }
    }
}

}  // namespace dcube::detail
