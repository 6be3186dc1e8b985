#pragma once
// Links: the tables of all directed links: the channel of each, its virtual time, and how many packets it has carried.
// LinkNumbers says where in the tables a link stands.

#include "emu/link_numbers.hpp"
#include "emu/link_times.hpp"
#include "emu/node_state.hpp"
#include "emu/queues.hpp"
#include "emu/wires.hpp"

#include <dcube/machine.hpp>

#include <cstddef>
#include <cstdint>
#include <span>

namespace dcube::detail {

class Links {
public:
    // For the links at these nodes, a rank's own. The tables themselves are made later, when it is known that there is
    // memory for them.
    Links(const Topology& topology, const MachineOptions& options, NodeRange own);
    void make_tables();
    // Of the links that leave these nodes, whose numbers are known by now.
    void note_own_times(NodeRange own);

    static std::size_t bytes_per_link(const Topology& topology, const MachineOptions& options);

    [[nodiscard]] const LinkNumbers& numbers() const { return numbers_; }
    [[nodiscard]] LinkNumbers& numbers() { return numbers_; }
    [[nodiscard]] const LinkTimes& times() const { return times_; }
    [[nodiscard]] LinkTimes& times() { return times_; }
    [[nodiscard]] Wires& wires() { return wires_; }
    [[nodiscard]] Queues& queues() { return queues_; }
    // The number of places in all channels together.
    [[nodiscard]] std::uint64_t places() const { return numbers_.count() * places_; }
    // The number of packets that each link has carried in this run.
    [[nodiscard]] std::uint32_t* packets() { return packets_.data(); }
    [[nodiscard]] std::span<const std::uint32_t> packets() const { return packets_; }

    // Calls function(link) for those that enter the nodes from `first` to below `last`.
    template <class Function>
    void for_each_into(NodeId first, NodeId last, const Function& function) const
    {
        for (NodeId id = first; id < last; ++id)
            for (Port port = 0; port < topology_.ports(id); ++port)
                function(numbers_.in(id, port));
    }

    // A link belongs to its receiver, whose worker makes it: memory pages, which may be of 2 MiB, lie near the
    // processor that touches them first. Counters and times are touched here. Wires are touched here only if workers
    // keep to their processors; otherwise when they are first used, because most runs do not use all of them.
    enum class Touch : std::uint8_t { counters, wires_too };
    void make(std::uint32_t link, Touch touch);
    void reset(std::uint32_t link, bool wire_is_empty);

    // For a node that waits and has found nothing: puts its bells out at every port where the awaited packet, or room,
    // could come (chunk.hpp).
    void put_bells_out(const NodeState& node, Step step);

    // The state of a channel's ends, for channels of either kind; for the end of a step and for diagnosis.
    [[nodiscard]] Inlet inlet(NodeId node, Port port, Step step) const;
    [[nodiscard]] bool was_sent_to(NodeId node, Port port, Step step) const;
    [[nodiscard]] bool has_room(NodeId sender, Port port, Step step) const;

private:
    [[nodiscard]] bool of_wires() const { return kind_ == ChannelKind::slots; }

    const Topology& topology_;
    ChannelKind kind_;
    std::size_t capacity_;
    std::size_t places_;  // per channel (wires.hpp)
    LinkNumbers numbers_;
    LinkTimes times_;
    Wires wires_;  // a machine uses one of the two kinds of channel
    Queues queues_;
    Memory packet_memory_;
    std::span<std::uint32_t> packets_;
};

}  // namespace dcube::detail
