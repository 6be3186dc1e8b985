#pragma once
#include <dcube/topology.hpp>

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace dcube::detail {

// Packets matched to ports one by one, the most important first. A packet that has been matched stays matched, perhaps
// over another port: the result is, of all matchings, one with the most important packets.
class PortMatching {
public:
    // Forgets all packets.
    void reset(Port ports);

    // True if every further packet would be refused.
    [[nodiscard]] bool full() const { return taken_ == states_.size(); }
    // True if every packet that may take this port only would be refused.
    [[nodiscard]] bool closed(Port port) const { return states_[port] == State::closed; }
    // Matches a packet that may take these ports and prefers the first of them; returns true if it was matched.
    bool add(std::span<const Port> wanted);

    // The matched packets, as numbered by the order of their adding, and what they got.
    [[nodiscard]] std::size_t packets() const { return first_wanted_.size() - 1; }
    [[nodiscard]] Port port_of(std::size_t packet) const { return port_of_[packet]; }

private:
    // A port is closed if its packet cannot be moved elsewhere: then it never will be.
    enum class State : std::uint8_t { open, tried, closed };

    static constexpr std::size_t nobody = ~std::size_t{0};

    [[nodiscard]] std::span<const Port> wanted(std::size_t packet) const;
    bool augment(std::size_t first);
    bool assign_path();
    void settle_tried(State state);

    struct Change {
        std::size_t packet;
        std::size_t choice;  // its new port's, of wanted()
    };

    std::vector<State> states_;
    std::vector<std::size_t> packet_of_;  // port
    std::size_t taken_ = 0;               // ports
    std::vector<Port> wanted_;            // all packets' ports
    std::vector<std::size_t> first_wanted_{0};
    std::vector<Port> port_of_;
    std::vector<Change> path_;  // used by augment()
};

}  // namespace dcube::detail
