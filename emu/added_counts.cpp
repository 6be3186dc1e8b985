#include "emu/added_counts.hpp"

#include "emu/byte_stream.hpp"
#include "emu/notes.hpp"

#include <algorithm>
#include <optional>
#include <vector>

namespace dcube::detail {

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

// What is of one size, and told as it lies in memory.
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

std::vector<std::byte> told(const Counts& counts, const Border::Traffic& traffic)
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

OneRanks read(std::span<const std::byte> told)
{
    ValueReader reader(told);
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

Counts added_up(World& world, const Counts& own, const Border::Traffic& traffic)
{
    Counts all;
    all.steps = own.steps;
    Notes notes;
    double least_waiting = 0;
    const std::vector<std::vector<std::byte>> ranks = world.gather_everywhere(told(own, traffic));
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
