#include "emu/links.hpp"

#include "base/sizes.hpp"

namespace dcube::detail {

Links::Links(const Topology& topology, const MachineOptions& options, NodeRange own)
    : topology_(topology), kind_(options.channel), capacity_(options.channel_capacity), places_(capacity_ + 1),
      numbers_(topology, own), times_(options.link)
{
}

std::size_t Links::bytes_per_link(const Topology& topology, const MachineOptions& options)
{
    const std::size_t capacity = options.channel_capacity;
    return (options.channel == ChannelKind::slots ? Wires::bytes_per_link(capacity)
                                                  : Queues::bytes_per_link(capacity)) +
           sizeof(std::uint32_t) + LinkNumbers::bytes_per_link(topology) +
           (options.link.bound() ? LinkTimes::bytes_per_link(topology, capacity + 1) : 0);
}

void Links::make_tables()
{
    const std::uint64_t links = numbers_.count();
    if (of_wires())
        wires_ = Wires(links, capacity_);
    else
        queues_ = Queues(links, capacity_);
    packet_memory_ = Memory(links * sizeof(std::uint32_t));
    packets_ = {reinterpret_cast<std::uint32_t*>(packet_memory_.bytes().data()), as_size(links)};
    times_.make_tables(topology_, links, places());
}

void Links::note_own_times(NodeRange own)
{
    if (topology_.fabric().links.empty())
        return;
    for (NodeId node = own.first; node < own.last; ++node)
        for (Port port = 0; port < topology_.ports(node); ++port)
            if (const TimedLink* const times = topology_.timed_link(node, port))
                times_.set(numbers_.out(node, port), *times);
}

void Links::make(std::uint32_t link, Touch touch)
{
    packets_[link] = 0;
    times_.make(link, places_);
    if (!of_wires())
        queues_.make(link);
    else if (touch == Touch::wires_too)
        wires_.reset(link);
}

void Links::reset(std::uint32_t link, bool wire_is_empty)
{
    packets_[link] = 0;
    times_.reset(link);
    if (!of_wires())
        queues_.reset(link);
    else if (!wire_is_empty)
        wires_.reset(link);
}

void Links::put_bells_out(const NodeState& node, Step step)
{
    if (node.awaits_room)
        return times_.put_bell(numbers_.out(node.id(), node.awaited_port));
    const auto put_bell = [&](Port port) {
        const std::uint32_t link = numbers_.in(node.id(), port);
        of_wires() ? wires_.put_bell(link, step) : queues_.put_bell(link, step);
    };
    if (!node.awaited_any)
        return put_bell(node.awaited_port);
    for (std::size_t i = 0; i < node.awaited_any->count; ++i)
        put_bell(node.awaited_any->port_of_machine(i));
}

Inlet Links::inlet(NodeId node, Port port, Step step) const
{
    const std::uint32_t link = numbers_.in(node, port);
    return of_wires() ? wires_.inlet(link, step) : queues_.inlet(link, step);
}

bool Links::was_sent_to(NodeId node, Port port, Step step) const
{
    const std::uint32_t link = numbers_.in(node, port);
    return of_wires() ? wires_.outlet(link, step).busy : queues_.outlet(link, step).busy;
}

bool Links::has_room(NodeId sender, Port port, Step step) const
{
    const std::uint32_t link = numbers_.out(sender, port);
    return of_wires() ? wires_.has_room(link, step) : queues_.has_room(link, step);
}

}  // namespace dcube::detail
