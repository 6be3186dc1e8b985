#pragma once
/// Collectives: which bytes every node holds before and after. No algorithm in it.

#include <dcube/topology.hpp>

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

namespace dcube {

enum class Collective : std::uint8_t {
    broadcast,
    reduce,
    scatter,
    gather,
    all_gather,
    reduce_scatter,
    all_reduce,
    all_to_all,
};
inline constexpr Collective all_collectives[] = {
    Collective::broadcast,  Collective::reduce,         Collective::scatter,    Collective::gather,
    Collective::all_gather, Collective::reduce_scatter, Collective::all_reduce, Collective::all_to_all,
};

enum class PortModel : std::uint8_t {
    all,  ///< a node may send and receive on every port in a step
    one,  ///< a node sends at most one packet and receives at most one packet in a step
};

enum class Operation : std::uint8_t { sum, min, max, bit_xor };

enum class ElementType : std::uint8_t { int8, int16, int32, int64, uint8, uint16, uint32, uint64, float32, float64 };

/// Names as the command line and the reports spell them ("all-to-all", "bit-xor", "float"), and back.
/// parse_collective also takes the papers' names ("total exchange" or "total-exchange"). Parsing throws
/// InvalidArgument.
std::string_view name(Collective collective);
std::string_view name(PortModel ports);
std::string_view name(Operation operation);
std::string_view name(ElementType type);
Collective parse_collective(std::string_view text);
PortModel parse_ports(std::string_view text);
Operation parse_operation(std::string_view text);
ElementType parse_element_type(std::string_view text);
std::size_t size_of(ElementType type);

/// True for reduce, reduce-scatter and all-reduce.
bool is_reduction(Collective collective);
/// True for broadcast, reduce, scatter and gather.
bool has_root(Collective collective);

/// What is to be achieved.
struct Problem {
    Collective collective = Collective::all_to_all;
    std::size_t bytes = 64;                 ///< of one packet, >= 1; a whole number of elements in reductions
    std::size_t packets = 1;                ///< packets a message, >= 1; all-reduce: blocks of the vector
    NodeId root = 0;                        ///< broadcast, reduce, scatter, gather
    Operation operation = Operation::sum;   ///< reductions
    ElementType type = ElementType::uint8;  ///< reductions
};

/// Throws InvalidArgument (what was given, what is allowed).
void validate(const Problem& problem, const Topology& topology);

/// How the data of all nodes lie in memory. A message is `packets` packets of `bytes` each, one after the other.
///
/// | collective     | input, node after node                  | output, node after node                   |
/// | -------------- | --------------------------------------- | ----------------------------------------- |
/// | broadcast      | the root's message                      | N copies of it                            |
/// | reduce         | N messages                              | the root's: their sum                     |
/// | scatter        | the root's N messages, by target        | N messages, one a node                    |
/// | gather         | N messages, one a node                  | the root's N messages, by origin          |
/// | all-gather     | N messages, one a node                  | N x N messages: node, origin              |
/// | reduce-scatter | N x N messages: node, target            | N messages: node n's is the sum of all for n |
/// | all-reduce     | N vectors (`packets` blocks of `bytes`) | N times their sum                         |
/// | all-to-all     | N x N messages: origin, target          | N x N messages: target, origin            |
struct Layout {
    Layout(const Problem& problem, const Topology& topology);

    std::size_t message;      ///< bytes of one message
    std::size_t input_bytes;  ///< of all nodes together
    std::size_t output_bytes;

    /// Where one node's part begins and how long it is (0 for a node that holds nothing).
    struct Part {
        std::size_t offset;
        std::size_t bytes;
    };
    [[nodiscard]] Part input(NodeId node) const { return part(node, input_per_node, input_rooted); }
    [[nodiscard]] Part output(NodeId node) const { return part(node, output_per_node, output_rooted); }

private:
    [[nodiscard]] Part part(NodeId node, std::size_t per_node, bool rooted) const
    {
        if (rooted)
            return {0, node == root ? per_node : 0};
        return {node * per_node, per_node};
    }

    NodeId root;
    std::size_t input_per_node;
    std::size_t output_per_node;
    bool input_rooted;   // only the root has an input
    bool output_rooted;  // only the root has an output
};

/// One node's view of its data.
struct NodeData {
    std::span<const std::byte> input;
    std::span<std::byte> output;
};
NodeData node_data(const Layout& layout, std::span<const std::byte> input, std::span<std::byte> output, NodeId node);

/// into[i] = a[i] op b[i] over whole elements; `into` may be `a` or `b`. Integers wrap around (signed sums too), sums
/// and xors modulo 2^bits; min and max of floats with a NaN are unspecified.
using Combine = void (*)(std::byte* into, const std::byte* a, const std::byte* b, std::size_t bytes);
/// Throws InvalidArgument for bit-xor of floats.
Combine combiner(Operation operation, ElementType type);

/// Fills `input`, which is node `node`'s part, with values that tell seed, origin, target and offset. Floating-point
/// values are small integers, so that their sums are exact in any order.
void fill_input(const Problem& problem, const Topology& topology, std::uint64_t seed, NodeId node,
                std::span<std::byte> input);

/// What the nodes must hold after a run: made once for a problem, then asked for every node, by any number of threads.
/// It holds one message (the sum) in reduce and all-reduce, and nothing of note otherwise.
class Checker {
public:
    /// With `input` empty the outputs are compared with what fill_input gives for `seed`, else with that input (all
    /// nodes', which must outlive the checker). Throws InvalidArgument: a problem that validate refuses, or an input of
    /// another size.
    Checker(const Problem& problem, const Topology& topology, std::uint64_t seed,
            std::span<const std::byte> input = {});

    /// Checks `node`'s output, byte by byte, but sums of floats from a given input may differ by the rounding of N
    /// additions. Returns the number of messages checked (reduce, all-reduce: packets). Throws VerificationError, which
    /// names the node, the message, the first wrong byte, and what was expected and found; InvalidArgument: an output
    /// of another size.
    std::uint64_t check(NodeId node, std::span<const std::byte> output) const;

private:
    /// Sums of floats from a given input are compared with the sum in double, allowing for the magnitude of what was
    /// added.
    struct Expectation {
        std::vector<std::byte> exact;
        std::vector<double> value;
        std::vector<double> magnitude;
    };

    [[nodiscard]] bool rounds() const;
    [[nodiscard]] Expectation expectation(NodeId target) const;
    void check_moved(NodeId node, std::span<const std::byte> output) const;
    void check_combined(NodeId node, const Expectation& expected, std::span<const std::byte> output) const;

    Problem problem_;
    Topology topology_;
    Layout layout_;
    std::uint64_t seed_;
    std::span<const std::byte> input_;
    Expectation sum_;  // reduce and all-reduce: the same for every node
};

}  // namespace dcube
