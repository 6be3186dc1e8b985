#pragma once
/// @file
/// An algorithm: the part that runs.

#include <dcube/layout.hpp>
#include <dcube/link.hpp>
#include <dcube/node.hpp>
#include <dcube/problem.hpp>
#include <dcube/task.hpp>
#include <dcube/topology.hpp>

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>

#pragma GCC visibility push(default)
namespace dcube {

/// @addtogroup algorithm
/// @{

/// The cost of an algorithm, counted exactly.
struct Cost {
    std::uint64_t steps;          ///< steps of the unit-time model
    std::uint64_t transmissions;  ///< packets that cross a link

    friend bool operator==(const Cost&, const Cost&) = default;
};

/// The networks that algorithms are for.
enum class Networks : std::uint8_t {
    hypercubes,          ///< d-cubes, which lack no link and no node
    products,            ///< any topology
    no_hypercubes,       ///< any but hypercubes, which have better algorithms
    equal_factors,       ///< any graphs of the same number of nodes
    rings_and_complete,  ///< products of rings and complete graphs: tori, generalised hypercubes and mixtures
    groups,              ///< products of Cayley graphs
    fabrics,             ///< networks with switches, or links that differ (Topology::fabric()); only these are
};
/// The name in lists and errors: "hypercubes", "any product", ...
std::string_view name(Networks networks);
/// True if the network is one of them, or is recognised as one (Topology::recognised()).
bool contains(Networks networks, const Topology& topology);
/// The network on which a program for such networks runs: the network itself, or the one it is recognised as if only
/// that one is among them.
const Topology& network_for(Networks networks, const Topology& topology);

/// The program of a collective, which every node runs: it takes the node and the node's own data.
using CollectiveProgram = std::function<Task(Node&, NodeData)>;

/// A way to achieve a collective: the program that every node runs, and all that a run and its check need. Entry
/// (catalogue.hpp) has everything else about the catalogue's algorithms.
///
/// A caller's own algorithm, for run() and run_verified(), needs only its collective, name, networks and
/// Algorithm::prepare; schedule.hpp makes one from a schedule.
struct Algorithm {
    Collective collective;  ///< its task
    std::string_view name;  ///< unique within its collective
    PortModel ports =
        PortModel::all;  ///< it keeps this model's rules; PortModel::one also runs on machines with all ports
    /// It was made for this model. Those for the unit model run under the link-bound one too.
    LinkKind link = LinkKind::unit;
    Networks networks = Networks::hypercubes;  ///< the networks that it is for
    /// Delivers redundantly: tolerates lost packets.
    bool redundant = false;
    /// Reductions: shares are combined in the order of their nodes, 0 first, so that the operation need not commute.
    bool keeps_order = false;
    /// All-reduce: all nodes end with the same bits, whatever the elements, because all combine the shares in the same
    /// order, up to swapping the two operands of an operation. run_verified() checks it. False: not promised, and never
    /// in the catalogue.
    bool same_bits = false;
    /// With one port: it also keeps the rules of half duplex (LinkModel::duplex), where it is asked to.
    bool half_duplex = false;
    /// Its messages can have different numbers of packets (Problem::counts).
    bool uneven = false;
    /// Its program can have input and output in one array (Problem::in_place); see program_of().
    bool in_place = false;

    /// Why the algorithm cannot do this problem on one of its networks; empty if it can. Ask obstacle_of().
    std::function<std::string(const Topology&, const Problem&)> obstacle = [](const Topology&, const Problem&) {
        return std::string();
    };
    /// Exact steps and transmissions.
    std::function<Cost(const Topology&, const Problem&)> cost{};
    /// In-transit storage and plan of all nodes together, in bytes, estimated before anything is allocated.
    std::function<std::uint64_t(const Topology&, const Problem&)> storage{};
    /// Compiles what is common to all nodes and returns the program. Costs time once.
    std::function<CollectiveProgram(const Topology&, const Problem&)> prepare{};
};

/// The problem's program for every node, as the algorithm prepares it. If it runs in place and the algorithm needs
/// input and output apart, every node first copies its input; where moves_nothing() it does nothing.
CollectiveProgram program_of(const Algorithm& algorithm, const Topology& topology, const Problem& problem);
/// Its steps and transmissions: Algorithm::cost, which it must have; of groups the transmissions of all together.
Cost cost_of(const Algorithm& algorithm, const Topology& topology, const Problem& problem);
/// The storage of all nodes for that, in bytes: Algorithm::storage, and in place what the copies take.
std::uint64_t storage_of(const Algorithm& algorithm, const Topology& topology, const Problem& problem);

/// Why the algorithm cannot do this problem on a machine with such nodes, links (problem.link) and ports; empty if it
/// can.
std::string obstacle_of(const Algorithm& algorithm, const Topology& topology, PortModel ports, const Problem& problem);

/// Throws InvalidArgument, saying why, if the algorithm is for another collective, has no program, or obstacle_of()
/// says something; or where validate(const Problem&, const Topology&) does.
void require_suitable(const Algorithm& algorithm, const Topology& topology, PortModel ports, const Problem& problem);

/// A caller's own algorithm, also for networks that are recognised as some that it is for: there its functions are
/// asked about the known network (Recognition::network), and its program sees nodes and ports as they are called there.
/// add_algorithm() does this itself, and the catalogue's algorithms are so.
Algorithm for_recognised(Algorithm own);

/// @}

}  // namespace dcube
#pragma GCC visibility pop
