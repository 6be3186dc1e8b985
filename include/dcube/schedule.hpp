#pragma once
/// @file
/// Schedules: who sends which packet over which port in which step. A schedule is a whole algorithm: dcube compiles it
/// to node programs, runs them on real bytes, verifies and counts them.
///
///     // Broadcast along a path of n nodes, from node 0.
///     Schedule along_path(const Topology& path, const Problem&)
///     {
///         Schedule schedule{.symmetry = Symmetry::none, .steps = path.nodes() - 1};
///         for (NodeId node = 0; node + 1 < path.nodes(); ++node)
///             schedule.hops.push_back({.step = node + 1, .from = node, .port = path.ports(node) - 1,
///                                      .packet = {.origin = 0}});
///         return schedule;
///     }
///
///     const Algorithm mine = algorithm_of({.collective = Collective::broadcast, .name = "along-path"}, along_path);
///     const Report report = run_verified(machine, mine, {.collective = Collective::broadcast});
///
/// A packet has `bytes` bytes of one message, so the matrix collectives have no schedules: they need programs. Nor have
/// the scans, whose packets are sums of some nodes' shares only: they have schedules in pieces.

#include <dcube/algorithm.hpp>
#include <dcube/problem.hpp>
#include <dcube/topology.hpp>
#include <dcube/trace.hpp>

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#pragma GCC visibility push(default)
namespace dcube {

/// @addtogroup algorithm
/// @{

/// A packet's name: copy 0 .. packets - 1 of the message from origin to target. If all nodes get it, target has no
/// meaning; a partial sum is named by its target, the node that the block belongs to (reduce: the root), and origin has
/// no meaning. All-reduce assigns the blocks of the vector round-robin: block b is copy b / N of node b mod N, as a
/// partial sum its target, and where the sum is passed on its origin.
struct PacketName {
    NodeId origin = 0;       ///< the node that has it first
    NodeId target = 0;       ///< the node that it is for
    std::uint32_t copy = 0;  ///< the packet's index in its message

    friend bool operator==(const PacketName&, const PacketName&) = default;
};

/// How the receiver treats an arriving packet: it is kept as it is, or it is a partial sum and is added to the
/// receiver's (which comes first: see Operation).
enum class Arrival : std::uint8_t {
    kept,   ///< as it is
    added,  ///< to the receiver's partial sum
};

/// One packet over one link in one step.
struct Hop {
    Step step = 1;  ///< 1, 2, ...; what arrives in a step can be sent on in the next
    /// In a translated schedule the kind of node (0 if it does not alternate), and names are as seen from node 0.
    NodeId from = 0;
    Port port = 0;                    ///< the sender's
    PacketName packet{};              ///< the packet that is sent
    Arrival arrival = Arrival::kept;  ///< how the receiver treats it
};

/// The hops that are stored; symmetry gives the others (Bertsekas et al. 1991, section 1).
enum class Symmetry : std::uint8_t {
    /// The hops of node 0: if node 0 sends packet (origin, target), node i sends their images under the translation
    /// that takes 0 to i (Topology::translate; on a hypercube XOR).
    translated,
    rooted,  ///< the hops of all nodes for root 0; for root r every node is relabelled
    none,    ///< the hops of all nodes, as they are
};

/// A list of hops, in any order.
struct Schedule {
    Symmetry symmetry = Symmetry::none;  ///< which hops the list has, and which follow
    Step steps = 0;                      ///< how many steps it takes
    std::vector<Hop> hops{};             ///< the hops
    /// A translated schedule may alternate: nodes that are even in a digit have other hops than those that are odd
    /// there. Bit i of a node's kind is 1 if digit alternating[i] is odd.
    std::vector<unsigned> alternating{};
};

/// Time reversal: the same hops backwards, in opposite order. Scatter becomes gather; with sums that are added on
/// arrival broadcast becomes reduce, and all-gather reduce-scatter. Counts stay. Throws InvalidArgument for a schedule
/// that alternates.
Schedule reversed(const Topology& topology, const Schedule& schedule, Arrival arrival);

/// One schedule after another: `first`, then `second`.
Schedule followed_by(Schedule first, const Schedule& second);

/// Throws InvalidArgument, naming the first impossible hop: a step, node, port or packet that does not exist, a packet
/// that the collective does not have, or one that is sent before it is there. A run reports the other errors: two
/// packets on a link (RuleViolation), and packets that are not delivered or added twice (VerificationError).
void require_possible(const Schedule& schedule, const Topology& topology, const Problem& problem);

/// The program of every node that carries out the schedule. Throws what require_possible() throws.
CollectiveProgram program_of(const Schedule& schedule, const Topology& topology, const Problem& problem);

/// An algorithm that is a schedule, for run() and run_verified(). The head says what it is; its networks are any
/// (unless `head.obstacle` has something against one), and its program and storage come from the schedule. So does its
/// cost, if the head has none: all hops, also those of blocks that an all-reduce of fewer blocks leaves out.
Algorithm algorithm_of(Algorithm head, std::function<Schedule(const Topology&, const Problem&)> schedule);

/// Schedules in pieces of messages: a trace's transmissions as an executable program. Packets may have any size and
/// carry stretches of any messages, so that every trace can be run, those of links that take time too.
///
/// Who sends which stretches of messages over which port in which step. Pieces mean what they mean in a trace: a piece
/// of a reduction carries all that its sender holds of that sum when the step begins; at the receiver a partial sum is
/// added, and a complete one takes the place of what is there. A sender keeps what it sends. If `sum_of` shows that
/// some piece is another sum, all nodes keep sums apart, and make what they send of disjoint ones.
class PieceSchedule {
public:
    /// One packet of it.
    struct Hop {
        Step step;                ///< 1, 2, ...
        NodeId from;              ///< the sender
        Port port;                ///< the sender's port
        std::size_t first_piece;  ///< see pieces()
    };

    /// Appends a packet. Throws InvalidArgument: step 0, 2^31-1 or more, or less than the last one's.
    void add(Step step, NodeId from, Port port, std::span<const Piece> pieces);
    /// Appends a transmission of a trace.
    void add(const Transmission& one) { add(one.step, one.from, one.port, one.pieces); }

    /// All packets, by step.
    [[nodiscard]] std::span<const Hop> hops() const { return hops_; }
    /// The pieces that are joined in packet number `hop`.
    [[nodiscard]] std::span<const Piece> pieces(std::size_t hop) const;
    /// Pieces of all packets together.
    [[nodiscard]] std::size_t all_pieces() const { return pieces_.size(); }

private:
    std::vector<Hop> hops_;
    std::vector<Piece> pieces_;
};

/// Appends transmissions to the schedule, for JudgeOptions::accepted: what is judged is what is run. It throws
/// InvalidArgument where the schedule gets larger than memory is.
std::function<void(const Transmission&)> collected_in(PieceSchedule& schedule);

/// The program of every node that carries it out. Throws InvalidArgument, naming the packet (0, 1, ...): a link or
/// message that does not exist, or bytes that are sent before they are there. A run reports the other errors.
CollectiveProgram program_of(const PieceSchedule& schedule, const Topology& topology, const Problem& problem);

/// An algorithm that is such a schedule, for run() and run_verified(). The head says what it is. The schedule is of one
/// problem on one network.
Algorithm algorithm_of(Algorithm head, PieceSchedule schedule);

/// @}

}  // namespace dcube
#pragma GCC visibility pop
