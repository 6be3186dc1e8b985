#pragma once
/// Collectives: which bytes every node holds before and after. No algorithm in it.

#include <dcube/link.hpp>
#include <dcube/topology.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
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
    send,                 ///< one message, from the root to the peer
    exchange,             ///< two messages, between the root and the peer
    permute,              ///< every node n sends one message to permutation[n]
    matrix_transpose,     ///< element (r, c) goes to (c, r)
    matrix_quarter_turn,  ///< element (r, c) goes to (c, rows - 1 - r)
    matrix_half_turn,     ///< element (r, c) goes to (rows - 1 - r, columns - 1 - c)
    matrix_relayout,      ///< element (r, c) stays (r, c), and its row goes to the node that `to` says
};
inline constexpr Collective all_collectives[] = {
    Collective::broadcast,
    Collective::reduce,
    Collective::scatter,
    Collective::gather,
    Collective::all_gather,
    Collective::reduce_scatter,
    Collective::all_reduce,
    Collective::all_to_all,
    Collective::send,
    Collective::exchange,
    Collective::permute,
    Collective::matrix_transpose,
    Collective::matrix_quarter_turn,
    Collective::matrix_half_turn,
    Collective::matrix_relayout,
};

enum class PortModel : std::uint8_t {
    all,  ///< a node may send and receive on every port in a step
    one,  ///< a node sends at most one packet and receives at most one packet in a step
};

enum class Operation : std::uint8_t { sum, min, max, bit_xor };

/// How a matrix lies on the nodes (Stout & Wagar 1990, section 6; G is the reflected Gray code).
enum class MatrixLayout : std::uint8_t {
    rows_blocked,       ///< node n holds rows n b .. n b + b - 1, with b = rows / N
    rows_striped,       ///< node n holds rows n, n + N, n + 2 N, ...
    rows_blocked_gray,  ///< block x is at node G(x)
    rows_striped_gray,  ///< rows x, x + N, ... are at node G(x)
    submatrices,        ///< d = 2c: block (x, y) of 2^c x 2^c blocks is at node x 2^c + y, row by row
    submatrices_gray,   ///< block (x, y) is at node G(x) 2^c + G(y)
};

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

/// True for send, exchange and permute.
bool is_point_to_point(Collective collective);
/// True for the matrix_ collectives.
bool is_matrix(Collective collective);

/// The choices of a link-bound algorithm that a caller may fix; what is left open is chosen by formula.
struct Tuning {
    std::size_t groups = 0;           ///< g of the pipelined algorithms, X of the transpose of submatrices; 0: the best
    std::size_t extended_groups = 0;  ///< g of the part of ARBITRARY SEND 3 that takes the way round; 0: the best
    std::string waves{};              ///< of DISTRIBUTE 2, such as "432|1"; empty: the best
    std::optional<unsigned> halvings{};  ///< q of all-reduce; empty: the best
};

/// What is to be achieved.
struct Problem {
    Collective collective = Collective::all_to_all;
    std::size_t bytes = 64;                 ///< of one packet, >= 1; a whole number of elements in reductions
    std::size_t packets = 1;                ///< packets a message, >= 1; all-reduce: blocks of the vector
    NodeId root = 0;                        ///< broadcast, reduce, scatter, gather; send, exchange: the one end
    Operation operation = Operation::sum;   ///< reductions
    ElementType type = ElementType::uint8;  ///< reductions and matrices
    NodeId peer = 0;                        ///< send, exchange: the other end
    std::vector<NodeId> permutation{};      ///< permute: where each node's message goes
    std::size_t rows = 0;                   ///< matrices; `bytes` and `packets` say nothing there
    std::size_t columns = 0;
    MatrixLayout layout = MatrixLayout::rows_blocked;  ///< before, and but for matrix_relayout also after
    MatrixLayout to = MatrixLayout::rows_blocked;      ///< matrix_relayout: after
    LinkModel link{};                                  ///< what algorithms may adapt themselves to: the machine's
    Tuning tuning{};
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
/// | send           | the root's message                      | the peer's copy of it                     |
/// | exchange       | two messages: the smaller id's, the other's | the same places: what each has received |
/// | permute        | N messages, one a node                  | N messages, one a node                    |
/// | matrix         | a node's elements, its rows in ascending order, or its block row by row | the same    |
struct Layout {
    Layout(const Problem& problem, const Topology& topology);

    std::size_t message;      ///< bytes of one message; matrices: of one node's elements
    std::size_t input_bytes;  ///< of all nodes together
    std::size_t output_bytes;

    /// Where one node's part begins and how long it is (0 for a node that holds nothing).
    struct Part {
        std::size_t offset;
        std::size_t bytes;
    };
    [[nodiscard]] Part input(NodeId node) const { return part(node, input_per_node, inputs); }
    [[nodiscard]] Part output(NodeId node) const { return part(node, output_per_node, outputs); }

private:
    enum class Holders : std::uint8_t { all, root, peer, both };

    [[nodiscard]] Part part(NodeId node, std::size_t per_node, Holders holders) const
    {
        if (holders == Holders::all)
            return {node * per_node, per_node};
        const bool holds = (node == root && holders != Holders::peer) || (node == peer && holders != Holders::root);
        const bool second = holders == Holders::both && node > std::min(root, peer);
        return {second ? per_node : 0, holds ? per_node : 0};
    }

    NodeId root;
    NodeId peer;
    std::size_t input_per_node;
    std::size_t output_per_node;
    Holders inputs;
    Holders outputs;
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
    std::vector<NodeId> origins_;  // permute: whose message every node gets
};

}  // namespace dcube
