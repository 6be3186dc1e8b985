#pragma once
// Matchings of bipartite graphs: packets with the ports that they may take, senders with receivers.

#include <dcube/topology.hpp>

#include <cstdint>
#include <span>
#include <vector>

namespace dcube::detail {

// Packets matched to ports one by one, the most important first. Who has been matched stays so, perhaps over another
// port: the result is, of all matchings, one with the most important packets.
class PortMatching {
public:
    // Forgets all packets.
    void reset(Port ports);

    // True if every further packet would be refused.
    [[nodiscard]] bool full() const { return taken_ == states_.size(); }
    // True if a packet was matched that may take these ports, of which it likes the first best.
    bool add(std::span<const Port> wanted);

    // The matched packets, as numbered by the order of their adding, and what they got.
    [[nodiscard]] std::size_t packets() const { return first_wanted_.size() - 1; }
    [[nodiscard]] Port port_of(std::size_t packet) const { return port_of_[packet]; }

private:
    // A port is closed if its packet cannot be moved elsewhere: then it never will be.
    enum class State : std::uint8_t { open, tried, closed };

    static constexpr std::size_t nobody = ~std::size_t{0};

    [[nodiscard]] std::span<const Port> wanted(std::size_t packet) const;
    bool augment(std::size_t packet);
    bool assign(std::size_t packet, Port port);
    void settle_tried(State state);

    std::vector<State> states_;
    std::vector<std::size_t> packet_of_;  // port
    std::size_t taken_ = 0;               // ports
    std::vector<Port> wanted_;            // all packets' ports
    std::vector<std::size_t> first_wanted_{0};
    std::vector<Port> port_of_;
};

// Weights of pairs of one left and one right node; pairs of weight 0 are none.
class PairWeights {
public:
    using Weight = std::int64_t;

    explicit PairWeights(std::size_t nodes) : nodes_(nodes), weights_(nodes * nodes) {}

    [[nodiscard]] std::size_t nodes() const { return nodes_; }
    [[nodiscard]] Weight& at(std::size_t left, std::size_t right) { return weights_[left * nodes_ + right]; }
    [[nodiscard]] Weight at(std::size_t left, std::size_t right) const { return weights_[left * nodes_ + right]; }

private:
    std::size_t nodes_;
    std::vector<Weight> weights_;
};

// The right node of every left node in a matching of largest weight (weights are not negative); a pair of weight 0
// means that both stay alone. The Hungarian method, at most nodes^3 steps.
std::vector<std::size_t> heaviest_matching(const PairWeights& weights);

}  // namespace dcube::detail
