#include "algorithms/any_network/port_pairs.hpp"

#include <span>
#include <utility>

namespace dcube::detail {

PortPairs::PortPairs(const Arcs& arcs, std::vector<std::uint8_t> usable, std::vector<ArcId> in_order)
    : arcs_(arcs), usable_(std::move(usable)), in_order_(std::move(in_order)), sends_(arcs.nodes(), no_arc),
      receives_(arcs.nodes(), no_arc), closed_senders_(arcs.nodes()), closed_receivers_(arcs.nodes())
{
}

void PortPairs::pair_sender(NodeId sender)
{
    if (sends_[sender] == no_arc)
        finish(closed_receivers_, augment_sender(sender));
}

void PortPairs::pair_receiver(NodeId receiver)
{
    if (receives_[receiver] == no_arc)
        finish(closed_senders_, augment_receiver(receiver));
}

std::vector<ArcId> PortPairs::chosen() const
{
    std::vector<ArcId> all;
    for (const NodeId node : arcs_.members())
        if (sends_[node] != no_arc)
            all.push_back(sends_[node]);
    return all;
}

void PortPairs::finish(std::vector<bool>& closed, bool found)
{
    if (found)
        for (const NodeId node : seen_)
            closed[node] = false;
    seen_.clear();
}

void PortPairs::take(ArcId arc)
{
    sends_[arcs_.from(arc)] = arc;
    receives_[arcs_.to(arc)] = arc;
}

bool PortPairs::augment_sender(NodeId sender)
{
    for (const ArcId arc : std::span(in_order_).subspan(arcs_.first_out(sender), arcs_.degree(sender))) {
        const NodeId receiver = arcs_.to(arc);
        if (usable_[arc] == 0 || closed_receivers_[receiver])
            continue;
        closed_receivers_[receiver] = true;
        seen_.push_back(receiver);
        if (receives_[receiver] == no_arc || augment_sender(arcs_.from(receives_[receiver]))) {
            take(arc);
            return true;
        }
    }
    return false;
}

bool PortPairs::augment_receiver(NodeId receiver)
{
    for (const ArcId arc : arcs_.in(receiver)) {
        const NodeId sender = arcs_.from(arc);
        if (usable_[arc] == 0 || closed_senders_[sender])
            continue;
        closed_senders_[sender] = true;
        seen_.push_back(sender);
        if (sends_[sender] == no_arc || augment_receiver(arcs_.to(sends_[sender]))) {
            take(arc);
            return true;
        }
    }
    return false;
}

}  // namespace dcube::detail
