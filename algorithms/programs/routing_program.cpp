// The program that carries a routing out, and where the collectives' messages lie.

#include "algorithms/programs/own_block.hpp"
#include "algorithms/programs/routing.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <deque>
#include <map>
#include <memory>
#include <stdexcept>
#include <utility>

namespace dcube::detail {

namespace {

// Storage for bytes under way. What was lent in step t may be written again in step t + 2.
class Transit {
public:
    explicit Transit(Node& me) : me_(me) {}

    std::span<std::byte> take(std::size_t bytes)
    {
        while (!resting_.empty() && resting_.front().free_from <= me_.step()) {
            give_back_now(resting_.front().bytes);
            resting_.pop_front();
        }
        if (const auto found = free_.lower_bound(bytes); found != free_.end() && found->first <= 2 * bytes) {
            const std::span<std::byte> buffer = found->second;
            free_.erase(found);
            return buffer.first(bytes);
        }
        return me_.allocate(bytes);
    }
    void give_back_now(std::span<std::byte> bytes) { free_.emplace(bytes.size(), bytes); }
    void give_back(std::span<std::byte> bytes) { resting_.push_back({me_.step() + 2, bytes}); }

private:
    struct Resting {
        Step free_from;
        std::span<std::byte> bytes;
    };
    Node& me_;
    std::multimap<std::size_t, std::span<std::byte>> free_;
    std::deque<Resting> resting_;
};

// The lists of joined packets are lent like their bytes, so they lie in the node's memory, which outlives its program.
// A list is read in the step after it was sent: each port has two places.
class PartLists {
public:
    explicit PartLists(Node& me) : me_(me), places_(std::size_t{2} * me.ports()) {}

    std::span<const std::span<const std::byte>> lend(Port port, std::span<const std::span<const std::byte>> parts)
    {
        std::span<std::span<const std::byte>>& place = places_[me_.step() % 2 * me_.ports() + port];
        if (place.size() < parts.size()) {
            const std::size_t room = std::max(parts.size(), 2 * place.size());
            place = {reinterpret_cast<std::span<const std::byte>*>(me_.allocate(room * sizeof parts.front()).data()),
                     room};
        }
        std::ranges::uninitialized_copy(parts, place);
        return place.first(parts.size());
    }

private:
    Node& me_;
    std::vector<std::span<std::span<const std::byte>>> places_;
};

// Reads a packet's bytes in order, whatever places they lie in.
class PartReader {
public:
    explicit PartReader(const JoinedPacket& packet) : packet_(packet) {}

    [[nodiscard]] Time usable() const { return packet_.usable; }

    // Calls `use` with the next `bytes` bytes, in as many stretches as they lie in.
    template <class Use>
    void take(std::size_t bytes, const Use& use)
    {
        while (bytes > 0) {
            const std::span<const std::byte> rest = packet_.parts[part_].subspan(at_);
            const std::size_t length = std::min(bytes, rest.size());
            use(rest.first(length));
            bytes -= length;
            at_ += length;
            if (at_ == packet_.parts[part_].size()) {
                ++part_;
                at_ = 0;
            }
        }
    }

private:
    const JoinedPacket& packet_;
    std::size_t part_ = 0;
    std::size_t at_ = 0;
};

// What one node holds: stretches of messages, where they lie, and since when they are usable.
class Holdings {
public:
    Holdings(Node& me, const MessagePlaces& messages, NodeData data, Combine combine)
        : me_(me), messages_(messages), data_(data), combine_(combine), transit_(me), lists_(me)
    {
        for (const Own& own : messages.own(me.id(), data))
            hold(own.message, own.bytes);
    }

    // All-reduce: what a node holds is a sum from the start.
    void begin_sums(bool aside)
    {
        if (aside)
            scratch_ = me_.allocate(data_.output.size());
        const std::span<std::byte> sums = aside ? scratch_ : data_.output;
        me_.copy(sums, data_.input);
        hold(0, sums);
    }

    // The packet made of these fragments, as they lie.
    JoinedPacket collect(Port port, const Fragments& fragments, bool giving)
    {
        parts_.clear();
        Time usable = 0;
        for (const Fragment& fragment : fragments)
            usable = std::max(usable, collect(fragment, giving || messages_.leaves_once(), parts_));
        return {lists_.lend(port, parts_), usable};
    }

    void keep(const JoinedPacket& packet, const Fragments& fragments)
    {
        const std::shared_ptr<Buffer> buffer = buffer_for(fragments);
        PartReader reader(packet);
        for (const Fragment& fragment : fragments)
            keep(reader, fragment, buffer);
    }

    void add(const JoinedPacket& packet, const Fragments& fragments)
    {
        PartReader reader(packet);
        for (const Fragment& fragment : fragments)
            add(reader, fragment);
    }

private:
    struct Buffer {  // of one packet; given back when all of it has been passed on
        std::span<std::byte> bytes;
        std::size_t used = 0;
        std::size_t left = 0;
    };
    struct Key {
        std::uint64_t message;
        std::size_t offset;
        friend auto operator<=>(const Key&, const Key&) = default;
    };
    struct Held {
        std::size_t length;
        const std::byte* bytes;
        Time usable;
        Step lent;  // the step in which it was sent last
        std::shared_ptr<Buffer> buffer;
    };
    using Map = std::map<Key, Held>;

    void hold(std::uint64_t message, std::span<const std::byte> bytes)
    {
        if (!bytes.empty())
            held_[{message, 0}] = {bytes.size(), bytes.data(), 0, 0, nullptr};
    }

    // Makes a stretch begin at `offset` if one lies across it; returns the first at or behind it.
    Map::iterator split(std::uint64_t message, std::size_t offset)
    {
        const auto after = held_.lower_bound({message, offset});
        if (after == held_.begin())
            return after;
        const auto before = std::prev(after);
        const auto& [key, held] = *before;
        if (key.message != message || key.offset + held.length <= offset)
            return after;
        const std::size_t first = offset - key.offset;
        Held rest = held;
        rest.length -= first;
        rest.bytes += first;
        before->second.length = first;
        return held_.emplace_hint(after, Key{message, offset}, std::move(rest));
    }

    using Parts = std::vector<std::span<const std::byte>>;

    // Returns since when the fragment is usable.
    Time collect(const Fragment& fragment, bool giving, Parts& parts)
    {
        Time usable = 0;
        const std::size_t end = fragment.offset + fragment.length;
        split(fragment.message, end);
        auto at = split(fragment.message, fragment.offset);
        std::size_t found = 0;
        while (at != held_.end() && at->first.message == fragment.message && at->first.offset < end) {
            Held& held = at->second;
            found += held.length;
            usable = std::max(usable, held.usable);
            held.lent = me_.step();
            if (!parts.empty() && parts.back().data() + parts.back().size() == held.bytes)
                parts.back() = {parts.back().data(), parts.back().size() + held.length};
            else
                parts.emplace_back(held.bytes, held.length);
            at = giving ? pass_on(at) : std::next(at);
        }
        if (found != fragment.length)
            throw std::logic_error(
                fmt::format("{} of {} bytes at offset {} of message {} are to be sent, but are not held",
                            fragment.length - found, fragment.length, fragment.offset, fragment.message));
        return usable;
    }

    Map::iterator pass_on(Map::iterator at)
    {
        if (Buffer* const buffer = at->second.buffer.get()) {
            buffer->left -= at->second.length;
            if (buffer->left == 0)
                transit_.give_back(buffer->bytes);
        }
        return held_.erase(at);
    }

    // One buffer for all that only passes through here.
    std::shared_ptr<Buffer> buffer_for(const Fragments& fragments)
    {
        std::size_t bytes = 0;
        for (const Fragment& fragment : fragments)
            bytes += messages_.wanted(me_.id(), data_, fragment.message) == nullptr ? fragment.length : 0;
        return bytes == 0 ? nullptr : std::make_shared<Buffer>(Buffer{transit_.take(bytes), 0, bytes});
    }

    // What is held already stays where it is, and is as usable as its first copy.
    void keep(PartReader& packet, const Fragment& fragment, const std::shared_ptr<Buffer>& buffer)
    {
        const std::size_t end = fragment.offset + fragment.length;
        split(fragment.message, end);
        auto at = split(fragment.message, fragment.offset);
        for (std::size_t offset = fragment.offset; offset < end;) {
            const bool more = at != held_.end() && at->first.message == fragment.message;
            if (more && at->first.offset == offset) {
                at->second.usable = std::min(at->second.usable, packet.usable());
                packet.take(at->second.length, [](auto) {});
                offset += at->second.length;
                ++at;
                continue;
            }
            const std::size_t stop = more ? std::min(end, at->first.offset) : end;
            store(packet, {fragment.message, offset, stop - offset}, buffer);
            offset = stop;
        }
    }

    // Held also where it is wanted: a permuted send may pass through its target on the way to the intermediate node.
    void store(PartReader& packet, const Fragment& fragment, const std::shared_ptr<Buffer>& buffer)
    {
        std::byte* const home = messages_.wanted(me_.id(), data_, fragment.message);
        std::byte* into = nullptr;
        if (home == nullptr) {
            into = buffer->bytes.data() + buffer->used;
            buffer->used += fragment.length;
        } else {
            into = home + fragment.offset;
        }
        std::byte* next = into;
        packet.take(fragment.length, [&](std::span<const std::byte> part) {
            me_.copy({next, part.size()}, part);
            next += part.size();
        });
        held_[{fragment.message, fragment.offset}] = {fragment.length, into, packet.usable(), 0,
                                                      home == nullptr ? buffer : nullptr};
    }

    void add(PartReader& packet, const Fragment& fragment)
    {
        const std::size_t end = fragment.offset + fragment.length;
        split(fragment.message, end);
        auto at = split(fragment.message, fragment.offset);
        for (; at != held_.end() && at->first.message == fragment.message && at->first.offset < end; ++at) {
            Held& held = at->second;
            const std::span<std::byte> into = sum_place(at->first, held);
            std::size_t done = 0;
            packet.take(held.length, [&](std::span<const std::byte> part) {
                me_.combine(into.subspan(done, part.size()), {held.bytes + done, part.size()}, part, combine_);
                done += part.size();
            });
            held.bytes = into.data();
            held.usable = std::max(held.usable, packet.usable());
        }
    }

    // Where the sum of a held stretch and what arrived is written.
    std::span<std::byte> sum_place(const Key& key, Held& held)
    {
        if (std::byte* const home = messages_.wanted(me_.id(), data_, key.message)) {
            const bool lent = held.lent != 0 && held.lent + 1 >= me_.step();
            const bool at_home = held.bytes == home + key.offset;
            if (at_home && lent && scratch_.empty())
                scratch_ = me_.allocate(data_.output.size());
            return {at_home == lent ? scratch_.data() + key.offset : home + key.offset, held.length};
        }
        if (!held.buffer) {
            const std::span<std::byte> fresh = transit_.take(held.length);
            held.buffer = std::make_shared<Buffer>(Buffer{fresh, fresh.size(), fresh.size()});
            return fresh;
        }
        const std::size_t at = static_cast<std::size_t>(held.bytes - held.buffer->bytes.data());
        return held.buffer->bytes.subspan(at, held.length);
    }

    Node& me_;
    const MessagePlaces& messages_;
    NodeData data_;
    Combine combine_;
    Transit transit_;
    Map held_;
    PartLists lists_;
    Parts parts_;
    std::span<std::byte> scratch_;  // for sums that cannot be where they are wanted, because what lies there is lent
};

}  // namespace

Task run_routing(Node& me, const Routing& routing, const MessagePlaces& messages, const Problem& problem, NodeData data)
{
    const Combine combine = is_reduction(problem.collective) ? combiner(problem.operation, problem.type) : nullptr;
    Holdings holdings(me, messages, data, combine);
    if (problem.collective == Collective::all_reduce)
        holdings.begin_sums(routing.sums_begin_aside);
    else
        copy_own_block(me, problem, data);
    Fragments fragments;
    for (Step stage = 0; stage < routing.stages; ++stage) {
        for (Port port = 0; port < me.ports(); ++port) {
            fragments.clear();
            routing.packet(stage, me.id(), port, fragments);
            if (!fragments.empty())
                me.send(port, holdings.collect(port, fragments, stage < routing.giving_stages));
        }
        co_await me.next_step();
        for (Port port = 0; port < me.ports(); ++port) {
            fragments.clear();
            routing.packet(stage, me.topology().neighbour(me.id(), port), me.topology().arrival_port(me.id(), port),
                           fragments);
            if (fragments.empty())
                continue;
            if (stage < routing.adding_stages)
                holdings.add(me.receive_joined(port), fragments);
            else
                holdings.keep(me.receive_joined(port), fragments);
        }
    }
}

}  // namespace dcube::detail
