#pragma once
// Who is in the partial sums that nodes hold, while a reduction is played.

#include <dcube/contributors.hpp>
#include <dcube/graph.hpp>

#include <cstdint>
#include <unordered_map>
#include <vector>

namespace dcube::view {

/// Every node starts with its own contribution to every part of every sum. What arrives is added if nobody is in both;
/// a larger sum takes the place of what it holds, a smaller one changes nothing.
class Sums {
public:
    /// Of `parts` parts of all sums together.
    explicit Sums(std::uint64_t parts) : parts_(parts) {}

    [[nodiscard]] Contributors held(NodeId node, std::uint64_t part) const;
    /// Arrivals count from end_step() on.
    void arrive(NodeId node, std::uint64_t part, const Contributors& sum);
    void end_step();

private:
    struct Arrival {
        std::uint64_t place;
        Contributors sum;
    };

    std::uint64_t parts_;
    std::unordered_map<std::uint64_t, Contributors> held_;  // where anything has arrived
    std::vector<Arrival> arrivals_;
};

}  // namespace dcube::view
