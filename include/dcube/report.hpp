#pragma once
/// Report: what one run did, counted.

#include <dcube/collective.hpp>
#include <dcube/topology.hpp>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>

namespace dcube {

/// A directed link and the packets it carried.
struct LinkUse {
    NodeId from = 0;
    Port port = 0;
    std::uint64_t packets = 0;
};

/// What the machine itself counts in a run. All of it but wall_seconds is the same for any number of threads.
struct Counts {
    Step steps = 0;                   ///< ticks of the clock; what is received after the last one costs none
    std::uint64_t transmissions = 0;  ///< packets that crossed a link
    std::uint64_t bytes = 0;          ///< bytes that crossed a link
    Time virtual_time = 0;            ///< link-bound: when the last packet has arrived, in ticks
    std::optional<LinkUse> busiest;   ///< none on a machine without links
    std::optional<LinkUse> idlest;
    std::size_t storage_bytes = 0;          ///< in-transit storage of all nodes (Node::allocate)
    std::size_t largest_storage_bytes = 0;  ///< of the node that took most
    double wall_seconds = 0;
};

/// The report of a collective. What does not apply is empty, and null in JSON.
struct Report {
    Problem problem;
    std::string algorithm;
    std::string paper;
    Topology topology = Topology::hypercube(0);
    PortModel ports = PortModel::all;
    LinkModel link{};
    unsigned threads = 1;
    std::string channel;
    std::size_t channel_capacity = 1;

    Counts counts;
    std::uint64_t steps_lower_bound = 0;  ///< of the unit model, as are the transmissions'
    std::string steps_reason;             ///< why no algorithm needs fewer
    std::uint64_t transmissions_lower_bound = 0;
    std::string transmissions_reason;
    std::optional<Rational> virtual_time_ns;    ///< link-bound: measured
    std::optional<Rational> predicted_time_ns;  ///< the algorithm's closed form, where it has one
    std::optional<Rational> time_lower_bound_ns;
    std::string time_reason;

    bool verified = false;
    std::uint64_t blocks_verified = 0;
    std::optional<double> memcpy_bytes_per_second;  ///< this machine's, over the same memory
    std::optional<std::size_t> peak_memory_bytes;   ///< of the process so far
    std::optional<std::uint64_t> seed;              ///< empty where the data were given
    std::string
        result_digest;  ///< 16 hex digits: XXH3-64 over the XXH3-64 (little endian) of every node's output in turn

    [[nodiscard]] bool steps_optimal() const { return counts.steps == steps_lower_bound; }
    [[nodiscard]] bool transmissions_optimal() const { return counts.transmissions == transmissions_lower_bound; }
    /// Transmissions over steps times directed links; 1 where no step was needed.
    [[nodiscard]] double link_utilisation() const;
    [[nodiscard]] double hops_per_second() const;
    [[nodiscard]] double link_bytes_per_second() const;
};

/// One JSON object, pretty-printed, with the stable keys of schema 1.
std::string to_json(const Report& report);

}  // namespace dcube
