#include "graphs/port_matching.hpp"

#include <algorithm>

namespace dcube::detail {

void PortMatching::reset(Port ports)
{
    states_.assign(ports, State::open);
    packet_of_.assign(ports, nobody);
    taken_ = 0;
    wanted_.clear();
    first_wanted_.resize(1);
    port_of_.clear();
}

std::span<const Port> PortMatching::wanted(std::size_t packet) const
{
    return std::span(wanted_).subspan(first_wanted_[packet], first_wanted_[packet + 1] - first_wanted_[packet]);
}

bool PortMatching::add(std::span<const Port> wanted)
{
    if (std::ranges::all_of(wanted, [this](Port port) { return states_[port] == State::closed; }))
        return false;
    wanted_.insert(wanted_.end(), wanted.begin(), wanted.end());
    first_wanted_.push_back(wanted_.size());
    port_of_.push_back(0);
    if (augment(packets() - 1)) {
        settle_tried(State::open);
        return true;
    }
    first_wanted_.pop_back();
    wanted_.resize(first_wanted_.back());
    port_of_.pop_back();
    settle_tried(State::closed);
    return false;
}

bool PortMatching::augment(std::size_t packet)
{
    for (const Port port : wanted(packet))
        if (packet_of_[port] == nobody) {
            ++taken_;
            return assign(packet, port);
        }
    for (const Port port : wanted(packet)) {
        if (states_[port] != State::open)
            continue;
        states_[port] = State::tried;
        if (augment(packet_of_[port]))
            return assign(packet, port);
    }
    return false;
}

bool PortMatching::assign(std::size_t packet, Port port)
{
    packet_of_[port] = packet;
    port_of_[packet] = port;
    return true;
}

void PortMatching::settle_tried(State state)
{
    std::ranges::replace(states_, State::tried, state);
}

}  // namespace dcube::detail
