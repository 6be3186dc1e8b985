#include "collectives/graphs/port_matching.hpp"

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

// Depth first. Paths may be as long as a node has ports, so this is a loop.
bool PortMatching::augment(std::size_t first)
{
    path_.clear();
    // True if the packet finds a port that is free.
    const auto enter = [&](std::size_t packet) {
        const std::span<const Port> all = wanted(packet);
        const auto free = std::ranges::find_if(all, [&](Port port) { return packet_of_[port] == nobody; });
        path_.push_back({packet, free == all.end() ? 0 : static_cast<std::size_t>(free - all.begin())});
        return free != all.end();
    };
    if (enter(first))
        return assign_path();
    while (!path_.empty()) {
        auto& [packet, choice] = path_.back();
        if (choice == wanted(packet).size()) {
            path_.pop_back();
            if (!path_.empty())
                ++path_.back().choice;
            continue;
        }
        const Port port = wanted(packet)[choice];
        if (states_[port] != State::open) {
            ++choice;
            continue;
        }
        states_[port] = State::tried;
        if (enter(packet_of_[port]))
            return assign_path();
    }
    return false;
}

bool PortMatching::assign_path()
{
    ++taken_;
    for (const auto& [packet, choice] : path_) {
        port_of_[packet] = wanted(packet)[choice];
        packet_of_[port_of_[packet]] = packet;
    }
    return true;
}

void PortMatching::settle_tried(State state)
{
    std::ranges::replace(states_, State::tried, state);
}

}  // namespace dcube::detail
