#pragma once
/// Check: what every node must hold in the end.

#include <dcube/elements.hpp>
#include <dcube/layout.hpp>

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace dcube {

/// The expected results of a run: made once for a problem, then used for every node, by any number of threads. It holds
/// one message (the sum) in reduce and all-reduce, and very little otherwise.
class Checker {
public:
    /// With `input` empty the outputs are compared with the data that fill_input makes from `seed`, else with that
    /// input (all nodes', which must outlive the checker). Throws InvalidArgument: a problem that validate refuses, or
    /// an input of another size.
    Checker(const Problem& problem, const Topology& topology, std::uint64_t seed,
            std::span<const std::byte> input = {});

    /// How outputs are compared with the expected ones: byte by byte, but sums of floats from a given input may differ
    /// by the rounding of N additions, and results of the caller's own operation are compared by its own `same`.
    [[nodiscard]] Comparison comparison() const;

    /// Checks `node`'s output. Shares are combined in the order of their nodes. Returns the number of messages checked
    /// (reduce, all-reduce: packets). Throws VerificationError, which names the node, the message, the first wrong
    /// byte, and what was expected and found; InvalidArgument: an output of another size.
    std::uint64_t check(NodeId node, std::span<const std::byte> output) const;

private:
    /// Sums of floats from a given input are compared with the sum in double, allowing for the magnitude of what was
    /// added.
    struct Expectation {
        std::vector<std::byte> exact;
        std::vector<double> value;
        std::vector<double> magnitude;
    };

    [[nodiscard]] Expectation expectation(NodeId target) const;
    [[nodiscard]] NodeId first_origin(NodeId node) const;
    void check_moved(NodeId node, std::span<const std::byte> output) const;
    void check_matrix(NodeId node, std::span<const std::byte> output) const;
    void check_combined(NodeId node, const Expectation& expected, std::span<const std::byte> output) const;

    Problem problem_;
    Topology topology_;
    Layout layout_;
    std::uint64_t seed_;
    std::span<const std::byte> input_;
    Expectation sum_;              // reduce and all-reduce: the same for every node
    std::vector<NodeId> origins_;  // permute: the origin of the message that every node gets
};

}  // namespace dcube
