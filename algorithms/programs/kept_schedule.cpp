#include "algorithms/programs/kept_schedule.hpp"

#include "base/plan_files.hpp"
#include "collectives/graphs/network_bytes.hpp"

#include <dcube/error.hpp>

#include <fmt/format.h>

#include <algorithm>

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

std::string key_of(const UnitQuestion& question)
{
    ByteWriter key;
    write_network(key, question.topology);
    key.number(static_cast<std::uint64_t>(question.ports));
    key.text(name(question.collective));
    key.number(question.packets);
    key.number(question.root);
    key.number(question.peer);
    key.number(question.permutation.size());
    for (const NodeId node : question.permutation)
        key.number(node);
    key.number(question.counts.size());
    for (const std::uint32_t count : question.counts)
        key.number(count);
    return key.take();
}

Schedule read_schedule_for(ByteReader& bytes, const UnitQuestion& question)
{
    Schedule schedule = read_schedule(bytes);
    const auto last = std::ranges::max_element(schedule.hops, {}, &Hop::step);
    require_step_count(schedule.steps, last == schedule.hops.end() ? 0 : last->step, schedule.hops.size());
    require_possible(schedule, question.topology, problem_of(question));
    return schedule;
}

void require_step_count(Step claimed, Step last, std::size_t hops)
{
    if (claimed != last)
        throw InvalidArgument(fmt::format("it claims {} steps but takes {}", claimed, last));
    if (last > hops)
        throw InvalidArgument(fmt::format("it has {} hops, which cannot take {} steps", hops, last));
}

Schedule kept_schedule(std::string_view kind, std::uint64_t work, const UnitQuestion& question,
                       const std::function<Schedule()>& make)
{
    const auto to_bytes = [](const Schedule& schedule) {
        ByteWriter bytes;
        write_schedule(bytes, schedule);
        return bytes.take();
    };
    const auto from_bytes = [&](std::string_view plan) {
        ByteReader bytes(plan);
        Schedule schedule = read_schedule_for(bytes, question);
        bytes.end();
        return schedule;
    };
    return kept_in_file(
        kind, work, [&] { return key_of(question); }, make, to_bytes, from_bytes);
}

}  // namespace dcube::detail
