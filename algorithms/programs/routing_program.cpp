// The program that carries a routing out.

#include "algorithms/programs/held_stretches.hpp"
#include "algorithms/programs/own_block.hpp"
#include "algorithms/programs/packet_parts.hpp"
#include "algorithms/programs/routing.hpp"

#include <dcube/elements.hpp>
#include <dcube/layout.hpp>
#include <dcube/node.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <stdexcept>
#include <vector>

namespace dcube::detail {

namespace {

// Storage for bytes under way. Bytes that were lent in step t may be written again in step t + 2.
class TransitBuffers {
public:
    explicit TransitBuffers(Node& me) : me_(me) {}

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

// One node's stretches of messages, their places, and since when they are usable.
class Holdings {
public:
    Holdings(Node& me, const MessagePlaces& messages, NodeData data, Combine combine);

    // All-reduce: what a node holds is a sum from the start. Sums are double-buffered; with an odd number of exchanges
    // they start in the spare buffer.
    void begin_sums(bool aside);

    // The packet made of these fragments, as they lie. Fragments that are given away are no longer held.
    JoinedPacket collect(Port port, const Fragments& fragments, bool giving);
    // Stores fragments that are not held yet.
    void keep(const BorrowedParts& packet, const Fragments& fragments);
    // Adds to fragments that are held.
    void add(const BorrowedParts& packet, const Fragments& fragments);

private:
    struct Buffer {  // of one packet; given back when all of it has been passed on
        std::span<std::byte> bytes;
        std::size_t used = 0;
        std::size_t left = 0;
    };
    struct Held {
        std::size_t length;
        const std::byte* bytes;
        Usable usable;
        Step lent;  // the step in which it was sent last
        std::shared_ptr<Buffer> buffer;

        void drop(std::size_t first)
        {
            length -= first;
            bytes += first;
        }
    };
    using Key = HeldStretches<Held>::Key;
    using Parts = std::vector<std::span<const std::byte>>;

    [[nodiscard]] std::byte* home(std::uint64_t message) const;
    void hold(std::uint64_t message, std::span<const std::byte> bytes);
    // Returns since when the fragment is usable.
    Usable collect(const Fragment& fragment, bool giving, Parts& parts);
    // It has been given away.
    void pass_on(const Held& held);
    // One buffer for all that only passes through here.
    std::shared_ptr<Buffer> buffer_for(const Fragments& fragments);
    void keep(PartReader& packet, const Fragment& fragment, const std::shared_ptr<Buffer>& buffer);
    Held store(PartReader& packet, const Fragment& fragment, const std::shared_ptr<Buffer>& buffer);
    void add(PartReader& packet, const Fragment& fragment);
    // The place where the sum of a held stretch and an arriving one is written.
    std::span<std::byte> sum_place(const Key& key, Held& held);

    Node& me_;
    const MessagePlaces& messages_;
    NodeData data_;
    Combine combine_;
    TransitBuffers transit_;
    HeldStretches<Held> held_;
    PartLists lists_;
    Parts parts_;
    std::span<std::byte> scratch_;  // for sums that cannot be where they are wanted, because what lies there is lent
};

Holdings::Holdings(Node& me, const MessagePlaces& messages, NodeData data, Combine combine)
    : me_(me), messages_(messages), data_(data), combine_(combine), transit_(me), lists_(me)
{
    for (const Own& own : messages.own(me.id()))
        hold(own.message, own.summed_at_home ? data.output : data.input.subspan(own.offset, own.length));
}

// Null if the node only passes the message on.
std::byte* Holdings::home(std::uint64_t message) const
{
    const std::optional<std::size_t> offset = messages_.wanted(me_.id(), message);
    return offset ? data_.output.data() + *offset : nullptr;
}

void Holdings::begin_sums(bool aside)
{
    if (aside)
        scratch_ = me_.allocate(data_.output.size());
    const std::span<std::byte> sums = aside ? scratch_ : data_.output;
    me_.copy(sums, data_.input);
    hold(0, sums);
}

void Holdings::hold(std::uint64_t message, std::span<const std::byte> bytes)
{
    if (!bytes.empty())
        held_.hold({message, 0}, {bytes.size(), bytes.data(), me_.usable_now(), 0, nullptr});
}

JoinedPacket Holdings::collect(Port port, const Fragments& fragments, bool giving)
{
    parts_.clear();
    Usable usable = usable_at(0);
    for (const Fragment& fragment : fragments)
        usable = std::max(usable, collect(fragment, giving || messages_.leaves_once(), parts_));
    return {lists_.lend(port, parts_), usable};
}

Usable Holdings::collect(const Fragment& fragment, bool giving, Parts& parts)
{
    Usable usable = usable_at(0);
    std::size_t found = 0;
    const auto collect_one = [&](const Key&, Held& held) {
        found += held.length;
        usable = std::max(usable, held.usable);
        held.lent = me_.step();
        if (!parts.empty() && parts.back().data() + parts.back().size() == held.bytes)
            parts.back() = {parts.back().data(), parts.back().size() + held.length};
        else
            parts.emplace_back(held.bytes, held.length);
    };
    if (giving)
        held_.give_away(fragment, [&](const Key& key, Held& held) {
            collect_one(key, held);
            pass_on(held);
        });
    else
        held_.for_each(fragment, collect_one);
    if (found != fragment.length)
        throw std::logic_error(fmt::format("{} of {} bytes at offset {} of message {} are to be sent, but are not held",
                                           fragment.length - found, fragment.length, fragment.offset,
                                           fragment.message));
    return usable;
}

void Holdings::pass_on(const Held& held)
{
    if (Buffer* const buffer = held.buffer.get()) {
        buffer->left -= held.length;
        if (buffer->left == 0)
            transit_.give_back(buffer->bytes);
    }
}

std::shared_ptr<Holdings::Buffer> Holdings::buffer_for(const Fragments& fragments)
{
    std::size_t bytes = 0;
    for (const Fragment& fragment : fragments)
        bytes += home(fragment.message) == nullptr ? fragment.length : 0;
    return bytes == 0 ? nullptr : std::make_shared<Buffer>(Buffer{transit_.take(bytes), 0, bytes});
}

void Holdings::keep(const BorrowedParts& packet, const Fragments& fragments)
{
    const std::shared_ptr<Buffer> buffer = buffer_for(fragments);
    PartReader reader(packet);
    for (const Fragment& fragment : fragments)
        keep(reader, fragment, buffer);
}

// Bytes that are held already keep their place and the earlier arrival time.
void Holdings::keep(PartReader& packet, const Fragment& fragment, const std::shared_ptr<Buffer>& buffer)
{
    held_.fill(
        fragment,
        [&](const Key&, Held& held) {
            held.usable = std::min(held.usable, packet.usable());
            packet.take(held.length, [](const BorrowedBytes&) {});
        },
        [&](const Fragment& part) { return store(packet, part, buffer); });
}

// Held also where it is wanted: a permuted send may pass through its target on the way to the intermediate node.
Holdings::Held Holdings::store(PartReader& packet, const Fragment& fragment, const std::shared_ptr<Buffer>& buffer)
{
    std::byte* const wanted = home(fragment.message);
    std::byte* into = nullptr;
    if (wanted == nullptr) {
        into = buffer->bytes.data() + buffer->used;
        buffer->used += fragment.length;
    } else {
        into = wanted + fragment.offset;
    }
    std::byte* next = into;
    packet.take(fragment.length, [&](const BorrowedBytes& part) {
        me_.copy({next, part.size()}, part);
        next += part.size();
    });
    return {fragment.length, into, packet.usable(), 0, wanted == nullptr ? buffer : nullptr};
}

void Holdings::add(const BorrowedParts& packet, const Fragments& fragments)
{
    PartReader reader(packet);
    for (const Fragment& fragment : fragments)
        add(reader, fragment);
}

void Holdings::add(PartReader& packet, const Fragment& fragment)
{
    held_.for_each(fragment, [&](const Key& key, Held& held) {
        const std::span<std::byte> into = sum_place(key, held);
        std::size_t done = 0;
        packet.take(held.length, [&](const BorrowedBytes& part) {
            me_.combine(into.subspan(done, part.size()), {held.bytes + done, part.size()}, part, combine_);
            done += part.size();
        });
        held.bytes = into.data();
        held.usable = std::max(held.usable, packet.usable());
    });
}

std::span<std::byte> Holdings::sum_place(const Key& key, Held& held)
{
    if (std::byte* const wanted = home(key.message)) {
        const bool lent = held.lent != 0 && held.lent + 1 >= me_.step();
        const bool at_home = held.bytes == wanted + key.offset;
        if (at_home && lent && scratch_.empty())
            scratch_ = me_.allocate(data_.output.size());
        return {at_home == lent ? scratch_.data() + key.offset : wanted + key.offset, held.length};
    }
    if (!held.buffer) {
        const std::span<std::byte> fresh = transit_.take(held.length);
        held.buffer = std::make_shared<Buffer>(Buffer{fresh, fresh.size(), fresh.size()});
        return fresh;
    }
    const std::size_t at = static_cast<std::size_t>(held.bytes - held.buffer->bytes.data());
    return held.buffer->bytes.subspan(at, held.length);
}

}  // namespace

Task run_routing(Node& me, const Routing& routing, const MessagePlaces& messages, const Problem& problem, NodeData data)
{
    const Combine combine = is_reduction(problem.collective) ? combiner(problem) : nullptr;
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

Task pass_on(Node& me, const Routing& routing)
{
    struct Passing {
        std::span<std::byte> bytes;
        Usable usable;
    };
    std::map<CameIn, Passing> passing;
    TransitBuffers buffers(me);
    PartLists lists(me);
    Fragments fragments;
    const auto sent = [&](Step stage, NodeId from, Port port) -> const Fragments& {
        fragments.clear();
        routing.packet(stage, from, port, fragments);
        return fragments;
    };
    for (Step stage = 0; stage < routing.stages; ++stage) {
        for (Port port = 0; port < me.ports(); ++port) {
            if (sent(stage, me.id(), port).empty())
                continue;
            const auto packet = passing.find(routing.came(stage, me.id(), port));
            const std::span<const std::byte> part = packet->second.bytes;
            const JoinedPacket joined{lists.lend(port, {&part, 1}), packet->second.usable};
            me.send(port, joined);
            buffers.give_back(packet->second.bytes);
            passing.erase(packet);
        }
        co_await me.next_step();
        for (Port port = 0; port < me.ports(); ++port) {
            const std::size_t bytes =
                length(sent(stage, me.topology().neighbour(me.id(), port), me.topology().arrival_port(me.id(), port)));
            if (bytes == 0)
                continue;
            const std::span<std::byte> into = buffers.take(bytes);
            const Packet packet = me.receive(port, into);
            passing[{stage, port}] = {into, packet.usable};
        }
    }
}

}  // namespace dcube::detail
