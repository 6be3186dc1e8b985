#pragma once
/// Check: what every node must hold in the end.

#include <dcube/elements.hpp>
#include <dcube/layout.hpp>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

namespace dcube {

/// The expected results of a run: made once for a problem, then used for every node, by any number of threads. It holds
/// one message (the sum) in reduce and all-reduce, about sqrt(N) of them in scans, and very little otherwise.
class Checker {
public:
    /// With `input` empty the outputs are compared with the data that fill_input makes from `seed`, else with that
    /// input (all nodes', which must outlive the checker). Throws InvalidArgument: a problem that validate refuses, or
    /// an input of another size.
    Checker(const Problem& problem, const Topology& topology, std::uint64_t seed,
            std::span<const std::byte> input = {});

    /// How outputs are compared with the expected ones: byte by byte, but sums and products of floats from a given
    /// input, and of 16-bit floats, may differ by the rounding of N additions, and results of the caller's own
    /// operation are compared by its own `same`.
    [[nodiscard]] Comparison comparison() const;

    /// Checks `node`'s output. Shares are combined in the order of their nodes. Returns the number of messages checked
    /// (reduce, all-reduce, scans: packets; none where an exscan leaves the output alone). Throws VerificationError,
    /// which names the node, the message, the first wrong byte, and what was expected and found; InvalidArgument: an
    /// output of another size.
    std::uint64_t check(NodeId node, std::span<const std::byte> output) const;

private:
    /// Sums (products) of floats from a given input are compared with those in double, allowing for the magnitude of
    /// what was added.
    struct Expectation {
        std::vector<std::byte> exact;
        std::vector<double> value;
        std::vector<double> magnitude;
    };

    void split_up();
    [[nodiscard]] std::vector<std::byte> input_of_group(NodeId number) const;
    std::uint64_t check_in_group(NodeId node, std::span<const std::byte> output) const;
    [[nodiscard]] Expectation expectation(NodeId target) const;
    [[nodiscard]] Expectation prefix(NodeId terms) const;
    void keep_prefixes();
    void add_up(Expectation& sum, NodeId target, NodeId first, NodeId end) const;
    void add_floats(Expectation& sum, NodeId target, NodeId first, NodeId end) const;
    [[nodiscard]] NodeId first_origin(NodeId node) const;
    /// The bytes of the sum that `target` must hold.
    [[nodiscard]] std::size_t bytes_of_sum(NodeId target) const;
    /// A message in an input that was given.
    [[nodiscard]] std::span<const std::byte> given_message(NodeId origin, NodeId target) const;
    std::uint64_t check_moved(NodeId node, std::span<const std::byte> output) const;
    void check_matrix(NodeId node, std::span<const std::byte> output) const;
    void check_combined(NodeId node, const Expectation& expected, std::span<const std::byte> output) const;

    Problem problem_;
    Topology topology_;
    Layout layout_;
    std::uint64_t seed_;
    std::span<const std::byte> input_;
    Expectation sum_;  // reduce and all-reduce: the same for every node
    // Scans: the sum of the first k times `stride_` members at k, from which others are not far.
    std::vector<Expectation> prefixes_;
    NodeId stride_ = 1;
    std::vector<NodeId> origins_;  // permute: the origin of the message that every node gets
    std::shared_ptr<const Group>
        split_;  // the groups, each of which has a checker of its own, and nothing else is used
    std::vector<Checker> of_groups_;
    std::vector<std::shared_ptr<const std::vector<std::byte>>> inputs_;  // theirs, where one is given
};

}  // namespace dcube
