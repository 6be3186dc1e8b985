#include "algorithms/programs/schedule_bytes.hpp"

namespace dcube::detail {

void write_schedule(ByteWriter& bytes, const Schedule& schedule)
{
    bytes.number(static_cast<std::uint64_t>(schedule.symmetry));
    bytes.number(schedule.steps);
    bytes.number(schedule.alternating.size());
    for (const unsigned digit : schedule.alternating)
        bytes.number(digit);
    bytes.number(schedule.hops.size());
    for (const auto& [step, from, port, packet, arrival] : schedule.hops) {
        bytes.number(step);
        bytes.number(from);
        bytes.number(std::uint64_t{port} << 1 | static_cast<std::uint64_t>(arrival));
        bytes.number(packet.origin);
        bytes.number(packet.target);
        bytes.number(packet.copy);
    }
}

Schedule read_schedule(ByteReader& bytes)
{
    constexpr std::uint64_t most_digits = 30;
    constexpr std::size_t numbers_of_a_hop = 6;
    Schedule schedule;
    schedule.symmetry = static_cast<Symmetry>(bytes.number_to(static_cast<std::uint64_t>(Symmetry::none)));
    schedule.steps = bytes.number_to<Step>();
    schedule.alternating.resize(bytes.number_to(most_digits));
    for (unsigned& digit : schedule.alternating)
        digit = bytes.number_to<unsigned>();
    schedule.hops.resize(bytes.count(numbers_of_a_hop));
    for (Hop& hop : schedule.hops) {
        hop.step = bytes.number_to<Step>();
        hop.from = bytes.number_to<NodeId>();
        const std::uint64_t port = bytes.number_to<std::uint64_t>(std::uint64_t{2} * Graph::max_nodes);
        hop.port = static_cast<Port>(port >> 1);
        hop.arrival = static_cast<Arrival>(port & 1);
        hop.packet.origin = bytes.number_to<NodeId>();
        hop.packet.target = bytes.number_to<NodeId>();
        hop.packet.copy = bytes.number_to<std::uint32_t>();
    }
    return schedule;
}

}  // namespace dcube::detail
