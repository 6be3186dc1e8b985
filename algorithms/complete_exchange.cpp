#include "algorithms/complete_exchange.hpp"

#include "algorithms/rotation.hpp"
#include "algorithms/split.hpp"

#include <algorithm>
#include <bit>
#include <cstring>
#include <map>

namespace dcube::detail {

namespace {

// Places in storage: taken, and given back for later use.
class Arena {
public:
    std::size_t take(std::size_t bytes)
    {
        for (auto gap = gaps_.begin(); gap != gaps_.end(); ++gap) {
            const auto [offset, length] = *gap;
            if (length < bytes)
                continue;
            gaps_.erase(gap);
            if (length > bytes)
                gaps_[offset + bytes] = length - bytes;
            return offset;
        }
        const std::size_t offset = size_;
        size_ += bytes;
        return offset;
    }
    void give_back(std::size_t offset, std::size_t bytes)
    {
        if (bytes == 0)
            return;
        auto gap = gaps_.emplace(offset, bytes).first;
        if (const auto next = std::next(gap); next != gaps_.end() && offset + bytes == next->first) {
            gap->second += next->second;
            gaps_.erase(next);
        }
        if (gap != gaps_.begin())
            if (const auto before = std::prev(gap); before->first + before->second == gap->first) {
                before->second += gap->second;
                gaps_.erase(gap);
            }
    }
    [[nodiscard]] std::size_t size() const { return size_; }

private:
    std::map<std::size_t, std::size_t> gaps_;
    std::size_t size_ = 0;
};

// One rotation's segments, while they are laid out.
class Rotation {
public:
    Rotation(unsigned d, unsigned i, std::size_t message) : d_(d), offsets_((d + 1) * (d + 1))
    {
        lengths_.reserve(bit(d));
        for (NodeId name = 0; name < bit(d); ++name) {
            const NodeId relative = rotated(name, i, d);
            lengths_.push_back(part(message, d, i, stagger(relative, d)).length);
        }
        for (unsigned arrived = 0; arrived <= d; ++arrived)
            for (unsigned leaves = arrived; leaves <= d; ++leaves)
                lay_out(arrived, leaves);
    }

    [[nodiscard]] std::size_t bytes(unsigned arrived, unsigned leaves) const
    {
        return offsets(arrived, leaves).empty() ? 0 : offsets(arrived, leaves).back();
    }
    // Where the parts from `name` on begin in a segment.
    [[nodiscard]] std::size_t offset(unsigned arrived, unsigned leaves, NodeId name) const
    {
        return offsets(arrived, leaves)[index(arrived, leaves, name)];
    }
    [[nodiscard]] std::size_t length(NodeId name) const { return lengths_[name]; }

    // The segments that a part is in: where it begins, after stage k, at last.
    [[nodiscard]] unsigned next_stage(NodeId name, unsigned from) const
    {
        const NodeId rest = name >> from;
        return rest == 0 ? d_ : from + static_cast<unsigned>(std::countr_zero(rest));
    }

private:
    // Parts of a segment with the same bits above: 2^s, or one if they are the node's own.
    [[nodiscard]] static NodeId group(unsigned arrived) { return arrived == 0 ? 1 : bit(arrived - 1); }

    [[nodiscard]] NodeId index(unsigned arrived, unsigned leaves, NodeId name) const
    {
        const NodeId high = leaves == d_ ? 0 : name >> (leaves + 1);
        return high * group(arrived) + (name & (group(arrived) - 1));
    }

    // Prefix sums of the lengths in the segment's order; the last one is its size.
    void lay_out(unsigned arrived, unsigned leaves)
    {
        if (arrived == 0 && leaves == d_)
            return;  // only D = 0 stays
        std::vector<std::size_t>& at = offsets(arrived, leaves);
        const NodeId highs = leaves == d_ ? 1 : bit(d_ - 1 - leaves);
        std::size_t sum = 0;
        for (NodeId high = 0; high < highs; ++high) {
            for (NodeId low = 0; low < group(arrived); ++low) {
                at.push_back(sum);
                sum += lengths_[name_of(arrived, leaves, high, low)];
            }
        }
        at.push_back(sum);
    }

    [[nodiscard]] NodeId name_of(unsigned arrived, unsigned leaves, NodeId high, NodeId low) const
    {
        const NodeId top = leaves == d_ ? 0 : high << (leaves + 1) | bit(leaves);
        return top | (arrived == 0 ? 0 : bit(arrived - 1)) | low;
    }

    [[nodiscard]] std::vector<std::size_t>& offsets(unsigned arrived, unsigned leaves)
    {
        return offsets_[arrived * (d_ + 1) + leaves];
    }
    [[nodiscard]] const std::vector<std::size_t>& offsets(unsigned arrived, unsigned leaves) const
    {
        return offsets_[arrived * (d_ + 1) + leaves];
    }

    unsigned d_;
    std::vector<std::size_t> lengths_;               // by D'
    std::vector<std::vector<std::size_t>> offsets_;  // by s + 1 and k
};

}  // namespace

ExchangePlan::ExchangePlan(unsigned d, std::size_t message)
    : d_(d), message_(message), packets_(std::size_t{d} * d), begins_((bit(d) - 1) * std::size_t{d}), ends_(begins_)
{
    std::vector<Rotation> rotations;
    for (unsigned i = 0; i < d; ++i)
        rotations.emplace_back(d, i, message);

    // Segments are placed stage by stage, all rotations together. What is sent in a stage is still read while the
    // stage's packets arrive, so its place is free for those of the next one.
    Arena arena;
    std::vector<std::size_t> places(std::size_t{d} * (d + 1) * (d + 1));
    const auto place = [&](unsigned i, unsigned arrived, unsigned leaves) -> std::size_t& {
        return places[(i * (d + 1) + arrived) * (d + 1) + leaves];
    };
    const auto take_places = [&](unsigned arrived) {
        for (unsigned i = 0; i < d; ++i)
            for (unsigned leaves = arrived; leaves <= d; ++leaves)
                place(i, arrived, leaves) = arena.take(rotations[i].bytes(arrived, leaves));
    };
    take_places(0);
    for (unsigned k = 0; k < d; ++k) {
        if (k > 0)
            for (unsigned i = 0; i < d; ++i)
                for (unsigned arrived = 0; arrived < k; ++arrived)
                    arena.give_back(place(i, arrived, k - 1), rotations[i].bytes(arrived, k - 1));
        take_places(k + 1);
    }
    storage_ = arena.size();

    for (unsigned i = 0; i < d; ++i) {
        const Rotation& rotation = rotations[i];
        for (unsigned k = 0; k < d; ++k) {
            for (unsigned arrived = 0; arrived <= k; ++arrived) {
                Segment segment{{place(i, arrived, k), rotation.bytes(arrived, k)}, arrived, runs_.size(), 0};
                const NodeId low = arrived == 0 ? 0 : bit(arrived - 1);
                for (NodeId high = 0; high < bit(d - 1 - k); ++high) {
                    const NodeId first = high << (k + 1) | bit(k) | low;
                    const unsigned next = rotation.next_stage(first, k + 1);
                    std::size_t length = 0;
                    for (NodeId name = first; name < first + std::max<NodeId>(1, low); ++name)
                        length += rotation.length(name);
                    if (length != 0)
                        runs_.push_back({place(i, k + 1, next) + rotation.offset(k + 1, next, first), length});
                }
                segment.end_run = runs_.size();
                if (segment.stretch.length != 0)
                    packets_[i * d + k].push_back(segment);
            }
        }
        for (NodeId relative = 1; relative < bit(d); ++relative) {
            const NodeId name = rotated(relative, (d - i) % d, d);
            const unsigned first = rotation.next_stage(name, 0);
            const auto last = static_cast<unsigned>(std::bit_width(name));  // s + 1
            const std::size_t at = (relative - 1) * std::size_t{d} + i;
            begins_[at] = {place(i, 0, first) + rotation.offset(0, first, name), rotation.length(name)};
            ends_[at] = {place(i, last, d) + rotation.offset(last, d, name), rotation.length(name)};
        }
    }
}

namespace {

// Parts may be of a few bytes, and a call of memcpy for each would take longer than the rest.
inline void copy_short(std::byte* into, const std::byte* from, std::size_t bytes)
{
    const auto twice = [=]<class Word>(Word) {  // from both ends, overlapping
        Word first;
        Word last;
        std::memcpy(&first, from, sizeof first);
        std::memcpy(&last, from + bytes - sizeof last, sizeof last);
        std::memcpy(into, &first, sizeof first);
        std::memcpy(into + bytes - sizeof last, &last, sizeof last);
    };
    if (bytes > 16)
        std::memcpy(into, from, bytes);
    else if (bytes >= 8)
        twice(std::uint64_t{});
    else if (bytes >= 4)
        twice(std::uint32_t{});
    else
        for (std::size_t at = 0; at < bytes; ++at)
            into[at] = from[at];
}

// One node's storage, and its copying: the trace wants to see it, and a run without a trace does not wait for it.
class Mover {
public:
    Mover(Node& me, std::byte* storage) : me_(me), storage_(storage), traced_(me.traced()) {}

    [[nodiscard]] std::byte* at(std::size_t offset) const { return storage_ + offset; }
    [[nodiscard]] std::span<const std::byte> bytes(const ExchangePlan::Stretch& stretch) const
    {
        return {storage_ + stretch.offset, stretch.length};
    }
    void copy(std::byte* into, const std::byte* from, std::size_t bytes) const
    {
        if (traced_) [[unlikely]]
            me_.copy({into, bytes}, {from, bytes});
        else
            copy_short(into, from, bytes);
    }

private:
    Node& me_;
    std::byte* storage_;
    bool traced_;
};

void pack(const Node& me, const ExchangePlan& plan, const Mover& mover, std::span<const std::byte> input)
{
    const ExchangePlan::Stretch* part = plan.begins().data();
    for (NodeId relative = 1; relative < me.topology().nodes(); ++relative) {
        const std::byte* from = input.data() + me.topology().translate(relative, me.id()) * plan.message();
        for (unsigned i = 0; i < plan.dimension(); ++i, ++part) {
            mover.copy(mover.at(part->offset), from, part->length);
            from += part->length;
        }
    }
}

void unpack(const Node& me, const ExchangePlan& plan, const Mover& mover, std::span<std::byte> output)
{
    const ExchangePlan::Stretch* part = plan.ends().data();
    for (NodeId relative = 1; relative < me.topology().nodes(); ++relative) {
        std::byte* into = output.data() + me.topology().translate(relative, me.id()) * plan.message();
        for (unsigned i = 0; i < plan.dimension(); ++i, ++part) {
            mover.copy(into, mover.at(part->offset), part->length);
            into += part->length;
        }
    }
}

void spread_out(const ExchangePlan& plan, const Mover& mover, std::span<const ExchangePlan::Segment> segments,
                const JoinedPacket& packet)
{
    for (std::size_t at = 0; at < segments.size(); ++at) {
        const std::byte* from = packet.parts[at].data();
        for (const auto& [offset, length] : plan.runs(segments[at])) {
            mover.copy(mover.at(offset), from, length);
            from += length;
        }
    }
}

// Asks the cache for a packet while the one before it is copied: its parts are many, and in another node's memory.
void fetch(const JoinedPacket& packet)
{
    constexpr std::size_t line = 64;
    constexpr std::size_t most = 64;  // lines of a part; longer ones are streams that the cache foresees
    for (const std::span<const std::byte> part : packet.parts)
        for (std::size_t at = 0; at < std::min(part.size() + line - 1, most * line); at += line)
            __builtin_prefetch(part.data() + at);
}

}  // namespace

Task exchange_completely(Node& me, const ExchangePlan& plan, NodeData data)
{
    const unsigned d = plan.dimension();
    const Mover mover(me, me.allocate(plan.storage()).data());
    // The lists of parts are lent like the bytes; those of one stage are read while those of the next are written.
    using Part = std::span<const std::byte>;
    auto* const lists = reinterpret_cast<Part*>(me.allocate(2 * std::size_t{d} * d * sizeof(Part)).data());
    std::vector<Time> usable(std::size_t{d} * (d + 1));  // by rotation and s + 1
    std::vector<JoinedPacket> arrived(d);

    const std::size_t own = me.id() * plan.message();
    std::copy_n(data.input.data() + own, plan.message(), data.output.data() + own);
    pack(me, plan, mover, data.input);
    for (unsigned k = 0; k < d; ++k) {
        for (unsigned i = 0; i < d; ++i) {
            const std::span<const ExchangePlan::Segment> segments = plan.packet(i, k);
            Part* const list = lists + (k % 2 * d + i) * d;
            Time latest = 0;
            for (std::size_t at = 0; at < segments.size(); ++at) {
                std::construct_at(list + at, mover.bytes(segments[at].stretch));
                latest = std::max(latest, usable[i * (d + 1) + segments[at].arrived]);
            }
            if (!segments.empty())
                me.send((i + k) % d, JoinedPacket{{list, segments.size()}, latest});
        }
        co_await me.next_step();
        for (unsigned i = 0; i < d; ++i) {
            arrived[i] = plan.packet(i, k).empty() ? JoinedPacket{} : me.receive_joined((i + k) % d);
            usable[i * (d + 1) + k + 1] = arrived[i].usable;
            __builtin_prefetch(arrived[i].parts.data());
        }
        fetch(arrived[0]);
        for (unsigned i = 0; i < d; ++i) {
            if (i + 1 < d)
                fetch(arrived[i + 1]);
            spread_out(plan, mover, plan.packet(i, k), arrived[i]);
        }
    }
    unpack(me, plan, mover, data.output);
}

}  // namespace dcube::detail
