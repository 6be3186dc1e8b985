// The program that carries out the all-to-all plan: a packet per stage and link, made of the segments that leave
// together.

#include "algorithms/papers/stout_wagar/all_to_all_plan.hpp"

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstring>
#include <span>
#include <vector>

namespace dcube::detail {

namespace {

// A few bytes, in two words that may overlap: from Word to 2 Word bytes. A call of memcpy would take longer.
template <class Word>
void copy_words(std::byte* into, const std::byte* from, std::size_t bytes)
{
    Word first;
    Word last;
    std::memcpy(&first, from, sizeof first);
    std::memcpy(&last, from + bytes - sizeof last, sizeof last);
    std::memcpy(into, &first, sizeof first);
    std::memcpy(into + bytes - sizeof last, &last, sizeof last);
}

// One node's data and storage, and its copying. The trace wants to see every copy; a run without one does not wait.
class Mover {
public:
    Mover(Node& me, const AllToAllPlan& plan, NodeData data, std::byte* storage)
        : me_(me), plan_(plan), data_(data), storage_(storage), traced_(me.traced())
    {
    }

    // Calls work(copy), where copy(into, from, bytes) suits stretches of word to 2 word bytes.
    template <class Work>
    void with_copy(std::uint8_t word, const Work& work) const
    {
        if (traced_)
            work([this](std::byte* into, const std::byte* from, std::size_t bytes) {
                me_.copy({into, bytes}, {from, bytes});
            });
        else if (word == 4)
            work(copy_words<std::uint32_t>);
        else if (word == 8)
            work(copy_words<std::uint64_t>);
        else if (word == 16)
            work(copy_words<std::array<std::uint64_t, 2>>);
        else if (word == 32)
            work(copy_words<std::array<std::uint64_t, 4>>);
        else
            work([](std::byte* into, const std::byte* from, std::size_t bytes) { std::memcpy(into, from, bytes); });
    }

    [[nodiscard]] std::byte* place(const AllToAllPlan::Extent& extent) const
    {
        return (extent.message == 0 ? storage_ : output(extent.message)) + extent.offset;
    }
    [[nodiscard]] const std::byte* input(NodeId relative) const
    {
        return data_.input.data() + me_.topology().translate(relative, me_.id()) * plan_.message();
    }
    [[nodiscard]] std::byte* output(NodeId relative) const
    {
        return data_.output.data() + me_.topology().translate(relative, me_.id()) * plan_.message();
    }

    // Not direct: all of the node's messages to their first segments, and from their last ones.
    void pack() const
    {
        for_each_end(plan_.begins(), [this](const auto& copy, const AllToAllPlan::Extent& end, std::size_t at) {
            copy(storage_ + end.offset, input(end.message) + at, end.length);
        });
    }
    void unpack() const
    {
        for_each_end(plan_.ends(), [this](const auto& copy, const AllToAllPlan::Extent& end, std::size_t at) {
            copy(output(end.message) + at, storage_ + end.offset, end.length);
        });
    }

    // Copies a packet's parts to the segments in which they go on.
    void spread_out(std::span<const AllToAllPlan::Segment> segments, const BorrowedParts& packet) const
    {
        std::size_t part = 0;
        for (const AllToAllPlan::Segment& segment : segments) {
            with_copy(segment.word, [&](auto copy) {
                const std::byte* from = packet[part].data();
                for (const AllToAllPlan::Extent& run : plan_.runs(segment)) {
                    if (segment.in_input)
                        from = packet[part++].data();
                    copy(place(run), from, run.length);
                    from += run.length;
                }
            });
            if (!segment.in_input)
                ++part;
        }
    }

    // Writes a packet's list of parts; returns how many there are.
    std::size_t list(std::span<const AllToAllPlan::Segment> segments, std::span<const std::byte>* list) const
    {
        std::span<const std::byte>* next = list;
        for (const AllToAllPlan::Segment& segment : segments) {
            if (!segment.in_input)
                std::construct_at(next++, storage_ + segment.extent.offset, segment.extent.length);
            else
                for (const AllToAllPlan::Extent& own : plan_.in_input(segment))
                    std::construct_at(next++, input(own.message) + own.offset, own.length);
        }
        return static_cast<std::size_t>(next - list);
    }

private:
    // Calls move(copy, extent, where it begins in the message).
    template <class Move>
    void for_each_end(const AllToAllPlan::Ends& ends, const Move& move) const
    {
        with_copy(plan_.message_word(), [&](const auto& copy) {
            for (const AllToAllPlan::Extent& end : ends.of_messages)
                move(copy, end, 0);
        });
        with_copy(0, [&](const auto& copy) {
            NodeId message = 0;
            std::size_t at = 0;
            for (const AllToAllPlan::Extent& end : ends.of_parts) {
                at = end.message == message ? at : 0;
                message = end.message;
                move(copy, end, at);
                at += end.length;
            }
        });
    }

    Node& me_;
    const AllToAllPlan& plan_;
    NodeData data_;
    std::byte* storage_;
    bool traced_;
};

}  // namespace

Task run_all_to_all_plan(Node& me, const AllToAllPlan& plan, NodeData data)
{
    const unsigned d = plan.dimension();
    const Mover mover(me, plan, data, me.allocate(plan.storage()).data());
    // The lists of parts are lent like the bytes; those of one stage are read while those of the next are written.
    using Part = std::span<const std::byte>;
    Part* const lists = me.allocate_parts(2 * d * plan.most_parts()).data();
    std::vector<Usable> usable(std::size_t{d} * (d + 1), me.usable_now());  // by rotation and s + 1

    const std::size_t own = me.id() * plan.message();
    std::copy_n(data.input.data() + own, plan.message(), data.output.data() + own);
    if (!plan.direct())
        mover.pack();
    for (unsigned k = 0; k < d; ++k) {
        for (unsigned i = 0; i < d; ++i) {
            const std::span<const AllToAllPlan::Segment> segments = plan.packet(i, k);
            if (segments.empty())
                continue;
            Part* const list = lists + (k % 2 * d + i) * plan.most_parts();
            Usable latest = usable_at(0);
            for (const AllToAllPlan::Segment& segment : segments)
                latest = std::max(latest, usable[i * (d + 1) + segment.arrived]);
            me.send((i + k) % d, JoinedPacket{{list, mover.list(segments, list)}, latest});
        }
        co_await me.next_step();
        for (unsigned i = 0; i < d; ++i) {
            const std::span<const AllToAllPlan::Segment> segments = plan.packet(i, k);
            if (segments.empty())
                continue;
            const BorrowedParts packet = me.receive_joined((i + k) % d);
            usable[i * (d + 1) + k + 1] = packet.usable;
            mover.spread_out(segments, packet);
        }
    }
    if (!plan.direct())
        mover.unpack();
}

}  // namespace dcube::detail
