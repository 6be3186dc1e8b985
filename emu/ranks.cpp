#include "emu/ranks.hpp"

#include "emu/byte_stream.hpp"
#include "emu/host_name.hpp"
#include "emu/lent_bytes.hpp"
#include "emu/notes.hpp"
#include "emu/remote_error.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <optional>
#include <span>
#include <utility>

namespace dcube::detail {

namespace {

// This host's name, and the processors to which a rank's threads would keep.
std::vector<std::byte> encoded_pins(const Pinning& pinning)
{
    ValueWriter message;
    message.put_text(host_name());
    for (const unsigned processor : pinned_processors(pinning))
        message.put(processor);
    return message.bytes();
}

struct RankPins {
    std::string host;
    std::vector<unsigned> processors;
};

RankPins pins_in(std::span<const std::byte> message)
{
    ValueReader reader(message);
    RankPins pins{reader.get_text(), {}};
    while (!reader.ended())
        pins.processors.push_back(reader.get<unsigned>());
    return pins;
}

}  // namespace

Ranks::Ranks(const Topology& topology, const MachineOptions& options)
    : topology_(topology), world_(options.world ? options.world : world_alone()), own_(own_nodes(topology, options))
{
}

NodeRange Ranks::own_nodes(const Topology& topology, const MachineOptions& options)
{
    const World* const world = options.world.get();
    return world ? nodes_of_rank(world->rank(), world->ranks(), topology.nodes()) : NodeRange{0, topology.nodes()};
}

// A rank knows nothing of the others' threads; its processors are those that the launcher leaves it.
void Ranks::require_own_processors(const Pinning& pinning) const
{
    std::map<std::pair<std::string, unsigned>, unsigned> taken;
    const std::vector<std::vector<std::byte>> all = world_->gather_everywhere(encoded_pins(pinning));
    for (unsigned rank = 0; rank < all.size(); ++rank) {
        const RankPins pins = pins_in(all[rank]);
        for (const unsigned processor : pins.processors)
            if (const auto [one, first] = taken.insert({{pins.host, processor}, rank}); !first)
                throw InvalidArgument("pin",
                                      fmt::format("ranks {} and {} would both pin threads to processor {} of {}: have "
                                                  "the launcher bind each rank to its own processors, or choose none",
                                                  one->second, rank, processor, pins.host));
    }
}

// Different networks may have the same name, so more than the name is compared.
void Ranks::require_same_machine(const MachineOptions& options) const
{
    if (world_->ranks() > topology_.nodes())
        throw InvalidArgument("ranks", std::to_string(world_->ranks()),
                              fmt::format("is too many for the {} nodes of {}: 1 to {} are allowed", topology_.nodes(),
                                          topology_.title(), topology_.nodes()));
    if (options.unchecked)
        throw InvalidArgument("an unchecked machine counts nothing: it cannot be spread over several ranks");
    // The time of a receiver's port is known where that node is.
    if (options.link.one_port() && options.link.clock == LinkClock::data_driven)
        throw InvalidArgument("ranks", std::to_string(world_->ranks()),
                              fmt::format("is not possible with one port on links that take time: expected 1, or {} {}",
                                          mention("clock"), name(LinkClock::lockstep)));
    require_same(*world_, "the machine",
                 fmt::format("{} {} {} {} {} {} {} {} {} {} {} {}", topology_.title(), topology_.nodes(),
                             topology_.directed_links(), to_string(topology_.fabric()), name(options.ports),
                             name(options.link.kind), to_string(options.link.tau), to_string(options.link.beta),
                             name(options.link.clock), name(options.link.duplex), name(options.channel),
                             options.channel_capacity));
    require_same(*world_, "pinning", name(options.pinning));
    if (options.pinning != Pinning::none)
        require_own_processors(options.pinning);
    require_same(*world_, "whether lent bytes are watched", LentBytes::watched(options) ? "yes" : "no");
}

void Ranks::agree_on(const RunOptions& options, bool watched)
{
    if (!border_) {
        traced_ = static_cast<bool>(options.trace);
        told_of_steps_ = static_cast<bool>(options.on_step);
        return;
    }
    ValueWriter message;
    message.put(static_cast<bool>(options.trace));
    message.put(static_cast<bool>(options.on_step));
    message.put(options.seed);
    for (const Failing& one : options.failing)
        message.put(one);
    traced_ = told_of_steps_ = false;
    const std::vector<std::vector<std::byte>> all = world_->gather_everywhere(message.bytes());
    for (unsigned rank = 0; rank < all.size(); ++rank) {
        ValueReader reader(all[rank]);
        traced_ = reader.get<bool>() || traced_;
        told_of_steps_ = reader.get<bool>() || told_of_steps_;
        if (!std::ranges::equal(std::span(all[rank]).subspan(2), std::span(all[0]).subspan(2)))
            throw InvalidArgument(
                fmt::format("ranks 0 and {} disagree about the seed, or what fails in the run", rank));
    }
    settles_ = watched || traced_ || told_of_steps_;
}

namespace {

struct FailureKey {
    Step step;
    NodeId node;
    Port port;
};

}  // namespace

// The first of all ranks' failures; of equal ones, the lowest rank's.
Failure Ranks::first_of_all(const Failure& own)
{
    if (!border_)
        return own;
    if (!border_->exchange_notes({.failed = own.error != nullptr}).failed)
        return {};
    ValueWriter message;
    message.put(FailureKey{own.step, own.node, own.port});
    const std::vector<std::byte> error = encoded(own.error);
    message.bytes().insert(message.bytes().end(), error.begin(), error.end());
    const std::vector<std::vector<std::byte>> all = world_->gather_everywhere(message.bytes());
    Failure first;
    for (unsigned rank = 0; rank < all.size(); ++rank) {
        ValueReader reader(all[rank]);
        const auto key = reader.get<FailureKey>();
        const auto theirs = std::span(all[rank]).subspan(sizeof key);
        first.keep_first({key.step, key.node, rank == world_->rank() ? own.error : decoded(theirs), key.port});
    }
    return first;
}

Failure Ranks::of_lowest_rank(const Failure& own)
{
    if (!border_)
        return own;
    Failure mine = own;
    mine.step = mine.node = mine.port = 0;
    return first_of_all(mine);
}

void Ranks::agree_on_failure(const Failure& own)
{
    const Failure failure = first_of_all(own);
    if (failure.error)
        std::rethrow_exception(failure.error);
}

void Ranks::settle(Failure& failure, StepNote& all, const RunOptions& options)
{
    if (!border_)
        return;
    if (settles_) {
        const StepNote late =
            border_->exchange_notes({.failed = failure.error != nullptr, .stop = options.stop.stop_requested()});
        all.failed = late.failed;
        all.stop = late.stop;
    }
    if (all.failed)
        failure = first_of_all(failure);
}

// The collectives that the ranks have begun, in the order of ranks. Across ranks, a start is identified by its name and
// meaning. A start that its own rank distinguishes from its first one stays a different start, even if it means the
// same.
CollectiveStarts Ranks::starts_everywhere(const CollectiveStarts& own)
{
    if (!border_)
        return own;
    ValueWriter message;
    for (const auto& one : {own.first(), own.different()})
        if (one) {
            message.put(one->node);
            message.put(one->meaning);
            message.put(one->what != own.first()->what && one->meaning == own.first()->meaning);
            message.put_text(one->name);
        }
    start_names_.clear();
    CollectiveStarts all;
    const std::vector<std::vector<std::byte>> ranks = world_->gather_everywhere(message.bytes());
    for (unsigned rank = 0; rank < ranks.size(); ++rank)
        for (ValueReader reader(ranks[rank]); !reader.ended();) {
            const auto node = reader.get<NodeId>();
            const auto meaning = reader.get<std::uint64_t>();
            const auto other = reader.get<bool>();
            const NamedStart& what = *start_names_.insert({reader.get_text(), meaning, other}).first;
            all.note({&what, what.name, node, meaning});
        }
    return all;
}

bool Ranks::any_under_way(std::uint64_t own)
{
    return border_ ? border_->exchange_notes({.under_way = own}).under_way != 0 : own != 0;
}

bool Ranks::any_finds_room(bool own)
{
    return border_ ? border_->exchange_notes({.rung = own}).rung : own;
}

// Ids stay in ascending order.
Waiting Ranks::who_waits_everywhere(const Waiting& own)
{
    if (!border_)
        return own;
    ValueWriter message;
    for (const auto& [key, ids] : own) {
        const auto& [since, port, what] = key;
        message.put(since);
        message.put(port);
        message.put_text(what);
        message.put_text({reinterpret_cast<const char*>(ids.data()), ids.size() * sizeof(NodeId)});
    }
    Waiting waiting;
    for (const std::vector<std::byte>& rank : world_->gather_everywhere(message.bytes()))
        for (ValueReader reader(rank); !reader.ended();) {
            const auto since = reader.get<Step>();
            const auto port = reader.get<Port>();
            std::vector<NodeId>& ids = waiting[{since, port, reader.get_text()}];
            const std::string more = reader.get_text();
            const std::size_t before = ids.size();
            ids.resize(before + more.size() / sizeof(NodeId));
            std::memcpy(ids.data() + before, more.data(), more.size());
        }
    return waiting;
}

std::vector<NodeId> Ranks::nodes_everywhere(const std::vector<NodeId>& own)
{
    if (!border_)
        return own;
    std::vector<NodeId> nodes;
    for (const std::vector<std::byte>& rank : world_->gather_everywhere(std::as_bytes(std::span(own))))
        for (ValueReader reader(rank); !reader.ended();)
            nodes.push_back(reader.get<NodeId>());
    return nodes;
}

void add(Counts& counts, const Counts& part)
{
    counts.transmissions += part.transmissions;
    counts.bytes += part.bytes;
    counts.virtual_time = std::max(counts.virtual_time, part.virtual_time);
    counts.lost += part.lost;
    if (part.first_lost && (!counts.first_lost || comes_before(*part.first_lost, *counts.first_lost)))
        counts.first_lost = part.first_lost;
    counts.storage_bytes += part.storage_bytes;
    counts.largest_storage_bytes = std::max(counts.largest_storage_bytes, part.largest_storage_bytes);
    if (part.busiest && (!counts.busiest || part.busiest->packets > counts.busiest->packets))
        counts.busiest = part.busiest;
    if (part.idlest && (!counts.idlest || part.idlest->packets < counts.idlest->packets))
        counts.idlest = part.idlest;
}

namespace {

// The counts of fixed size, which are sent as they lie in memory.
struct Numbers {
    std::uint64_t transmissions;
    std::uint64_t bytes;
    Time virtual_time;
    std::uint64_t lost;
    std::optional<LostPacket> first_lost;
    std::optional<LinkUse> busiest;
    std::optional<LinkUse> idlest;
    std::size_t storage_bytes;
    std::size_t largest_storage_bytes;
    double wall_seconds;
    Border::Traffic traffic;
};

std::vector<std::byte> encoded(const Counts& counts, const Border::Traffic& traffic)
{
    ValueWriter writer;
    writer.put(Numbers{counts.transmissions, counts.bytes, counts.virtual_time, counts.lost, counts.first_lost,
                       counts.busiest, counts.idlest, counts.storage_bytes, counts.largest_storage_bytes,
                       counts.wall_seconds, traffic});
    writer.put(counts.phases.size());
    for (const Phase& phase : counts.phases) {
        writer.put_text(phase.name);
        writer.put(phase.first);
        writer.put(phase.last);
    }
    writer.put(counts.counters.size());
    for (const Counter& counter : counts.counters) {
        writer.put_text(counter.name);
        writer.put(counter.value);
    }
    return writer.bytes();
}

struct OneRanks {
    Counts counts;
    Border::Traffic traffic;
};

OneRanks read(std::span<const std::byte> message)
{
    ValueReader reader(message);
    const auto of = reader.get<Numbers>();
    Counts counts;
    counts.transmissions = of.transmissions;
    counts.bytes = of.bytes;
    counts.virtual_time = of.virtual_time;
    counts.lost = of.lost;
    counts.first_lost = of.first_lost;
    counts.busiest = of.busiest;
    counts.idlest = of.idlest;
    counts.storage_bytes = of.storage_bytes;
    counts.largest_storage_bytes = of.largest_storage_bytes;
    counts.wall_seconds = of.wall_seconds;
    counts.phases.resize(reader.get<std::size_t>());
    for (Phase& phase : counts.phases) {
        phase.name = reader.get_text();
        phase.first = reader.get<Step>();
        phase.last = reader.get<Step>();
    }
    counts.counters.resize(reader.get<std::size_t>());
    for (Counter& counter : counts.counters) {
        counter.name = reader.get_text();
        counter.value = reader.get<std::uint64_t>();
    }
    return {counts, of.traffic};
}

}  // namespace

Counts Ranks::added_up(const Counts& own) const
{
    if (!border_)
        return own;
    Counts all;
    all.steps = own.steps;
    Notes notes;
    double least_waiting = 0;
    const std::vector<std::vector<std::byte>> ranks = world_->gather_everywhere(encoded(own, border_->traffic()));
    for (unsigned rank = 0; rank < ranks.size(); ++rank) {
        const auto [counts, border] = read(ranks[rank]);
        add(all, counts);
        notes.add(counts);
        all.wall_seconds = std::max(all.wall_seconds, counts.wall_seconds);
        all.cross_rank_packets += border.packets;
        all.cross_rank_bytes += border.bytes;
        all.cross_rank_messages += border.messages;
        all.communication_seconds = std::max(all.communication_seconds, border.seconds);
        if (rank == 0 || border.waiting < least_waiting) {
            all.slowest_rank = rank;
            least_waiting = border.waiting;
        }
    }
    notes.write(all);
    return all;
}

}  // namespace dcube::detail
