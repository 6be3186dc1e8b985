// Matrices: transpose, turns, and from blocked rows to striped ones and back. Stout & Wagar 1990, section 6. A message
// is all that one node has for another; m bytes. Local work is free: elements are packed by target, moved, and
// unpacked.
//
//   rows          all-to-all         transpose, quarter turn: the complete exchange. Relayout, where pairs have unequal
//                                    amounts: at most the largest packet of every stage, one after the other
//                 inversion          half turn; a reflection if the layout is through the Gray code
//   submatrices   logical-cubes      transpose: (X+1)(tau m/(2X) + beta)
//                 one-way            quarter turn: tau m + c beta
//                 three-to-one       quarter turn: 3/4 tau m + 3c beta
//                 two-halves         quarter turn, Gray: at most 2 max((X+1)(tau m/(4X) + beta), 3/8 tau m + 3 beta)
//                 inversion          half turn; Gray: two dimensions

#include "algorithms/stout_wagar/matrices.hpp"

#include "algorithms/any_network/shortest_path_trees.hpp"
#include "algorithms/families.hpp"
#include "algorithms/programs/cube.hpp"
#include "algorithms/programs/entry.hpp"
#include "algorithms/stout_wagar/complete.hpp"

#include "base/arithmetic.hpp"

#include <dcube/layout.hpp>
#include <dcube/matrix.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <numeric>

namespace dcube::detail {

namespace {

// What a problem moves, in bytes, and where messages lie once they are packed: by target before, by origin after.
class Packing final : public MessagePlaces {
public:
    Packing(const Problem& problem, const Topology& topology)
        : move_(problem, topology), nodes_(topology.nodes()), element_(size_of(problem.type))
    {
    }

    [[nodiscard]] const MatrixMove& move() const { return move_; }
    [[nodiscard]] std::size_t element() const { return element_; }
    [[nodiscard]] std::size_t bytes(NodeId origin, NodeId target) const
    {
        return move_.elements(origin, target) * element_;
    }

    [[nodiscard]] std::vector<Own> own(NodeId node, NodeData data) const override
    {
        std::vector<Own> all;
        std::size_t at = 0;
        for (NodeId target = 0; target < nodes_; ++target) {
            const std::size_t length = bytes(node, target);
            if (target != node && length != 0)
                all.push_back({node * std::uint64_t{nodes_} + target, data.input.subspan(at, length)});
            at += length;
        }
        return all;
    }

    [[nodiscard]] std::byte* wanted(NodeId node, NodeData data, std::uint64_t message) const override
    {
        if (message % nodes_ != node)
            return nullptr;
        std::size_t at = 0;
        for (NodeId origin = 0; origin < message / nodes_; ++origin)
            at += bytes(origin, node);
        return data.output.data() + at;
    }

    [[nodiscard]] bool leaves_once() const override { return true; }

    void pack(Node& me, std::span<const std::byte> input, std::span<std::byte> packed) const
    {
        std::vector<std::size_t> next(nodes_);
        for (NodeId target = 1; target < nodes_; ++target)
            next[target] = next[target - 1] + bytes(me.id(), target - 1);
        for (std::size_t index = 0; index < move_.before().per_node(); ++index) {
            std::size_t& at = next[move_.target({me.id(), index}).node];
            me.copy(packed.subspan(at, element_), input.subspan(index * element_, element_));
            at += element_;
        }
    }

    // Elements come packed by origin, in the order of their places there.
    void unpack(Node& me, std::span<const std::byte> packed, std::span<std::byte> output) const
    {
        struct Arrived {
            MatrixShape::Place source;
            std::size_t index;
        };
        std::vector<Arrived> order(move_.after().per_node());
        for (std::size_t index = 0; index < order.size(); ++index)
            order[index] = {move_.source({me.id(), index}), index};
        std::ranges::sort(order, [](const Arrived& a, const Arrived& b) {
            return std::pair(a.source.node, a.source.index) < std::pair(b.source.node, b.source.index);
        });
        std::size_t at = 0;
        for (const Arrived& arrived : order) {
            me.copy(output.subspan(arrived.index * element_, element_), packed.subspan(at, element_));
            at += element_;
        }
    }

    // What stays where it is.
    void keep(Node& me, NodeData packed) const
    {
        std::size_t from = 0;
        for (NodeId target = 0; target < me.id(); ++target)
            from += bytes(me.id(), target);
        const std::size_t length = bytes(me.id(), me.id());
        if (length != 0)
            me.copy({wanted(me.id(), packed, me.id() * std::uint64_t{nodes_} + me.id()), length},
                    packed.input.subspan(from, length));
    }

private:
    MatrixMove move_;
    NodeId nodes_;
    std::size_t element_;
};

Task rearrange(Node& me, const Routing& routing, const Packing& packing, const Problem& problem, NodeData data)
{
    const std::span<std::byte> outgoing = me.allocate(data.input.size());
    const NodeData packed{outgoing, me.allocate(data.output.size())};
    packing.pack(me, data.input, outgoing);
    packing.keep(me, packed);
    Task carrying = run_routing(me, routing, packing, problem, packed);
    co_await carrying;
    packing.unpack(me, packed.output, data.output);
}

// ---- Routings ----

Routing exchange(const Topology& topology, const Problem& problem)
{
    const auto packing = std::make_shared<const Packing>(problem, topology);
    return rotated_exchange(topology, [packing, n = std::uint64_t{topology.nodes()}](NodeId source, NodeId target) {
        return Fragment{source * n + target, 0, packing->bytes(source, target)};
    });
}

NodeId only_target(const MatrixMove& move, NodeId origin)
{
    return move.target({origin, 0}).node;
}

// A half turn sends every node's elements to one other, and the difference is the same everywhere.
Routing inversion(const Topology& topology, const Problem& problem)
{
    const MatrixMove move(problem, topology);
    const NodeId mask = only_target(move, 0);
    const std::size_t bytes = move.before().per_node() * size_of(problem.type);
    return rotated_exchange(topology, one_positions(mask), {mask},
                            [n = std::uint64_t{topology.nodes()}, bytes](NodeId source, NodeId target) {
                                return Fragment{source * n + target, 0, bytes};
                            });
}

// The square grid of submatrices: node a 2^c + b. A position p is bit p of both a and b: dimension p is b's, c + p is
// a's.
struct Grid {
    unsigned c;

    [[nodiscard]] NodeId upper(NodeId node) const { return node >> c; }
    [[nodiscard]] NodeId lower(NodeId node) const { return node & (bit(c) - 1); }
    [[nodiscard]] NodeId both(unsigned p) const { return bit(p) | bit(c + p); }
    // The dimension that leads one hop forward on the 4-cycle 00 -> 01 -> 11 -> 10 of position p, or back.
    [[nodiscard]] Port along(NodeId node, unsigned p, bool forward) const
    {
        const bool equal = has_bit(node, p) == has_bit(node, c + p);
        return equal == forward ? p : c + p;
    }
};

// Whose bytes lie at a node when a movement begins.
using StringAt = std::function<Fragments(NodeId)>;

Fragments packet_of(const Fragments& string, std::size_t p, std::size_t i)
{
    const auto [offset, bytes] = balanced_part(length(string), p, i);
    return substring(string, offset, bytes);
}

// L.C. INVERSION: exchanges the bits of a and b in the positions below `positions`. Nodes with the same k differing
// positions, and the same bits of a elsewhere, form a logical k-cube, whose links are two 2-paths each. X packets on
// every own link; the node between forwards each a step later. X < 2k breaks that rhythm: then every other step is
// used.
void transpose_positions(RoutingTable& table, const Grid& grid, unsigned positions, NodeId nodes, std::size_t x,
                         const StringAt& string_at, Step first)
{
    const Step pace = x >= 2 * std::size_t{positions} || positions == 1 ? 1 : 2;
    for (NodeId node = 0; node < nodes; ++node) {
        const std::vector<Port> moving = one_positions((grid.upper(node) ^ grid.lower(node)) & (bit(positions) - 1));
        const std::size_t k = moving.size();
        for (std::size_t l = 0; l < k; ++l) {
            for (unsigned half = 0; half < 2; ++half) {
                const Port near = half == 0 ? moving[l] : grid.c + moving[l];
                const Port far = half == 0 ? grid.c + moving[l] : moving[l];
                Step t = 0;
                for (std::size_t s = 0; s < k; ++s) {
                    const std::size_t i = (l + k - s) % k;
                    NodeId origin = node;
                    for (std::size_t undone = 0; undone < s; ++undone)
                        origin ^= grid.both(moving[(i + undone) % k]);
                    const Fragments string = string_at(origin);
                    const Stretch share = balanced_part(x, k, i);
                    for (std::size_t packet = 0; packet < share.length; ++packet, ++t) {
                        const std::size_t number = 2 * share.offset + half * share.length + packet;
                        const Fragments fragments = packet_of(string, 2 * x, number);
                        table.add(first + pace * t, node, near, fragments);
                        table.add(first + pace * t + 1, node ^ bit(near), far, fragments);
                    }
                }
            }
        }
    }
}

// One hop forward in every position, part i in position i, i + 1, ..
void turn_one_way(RoutingTable& table, const Grid& grid, NodeId nodes, const StringAt& string_at)
{
    for (NodeId node = 0; node < nodes; ++node) {
        for (unsigned i = 0; i < grid.c; ++i) {
            NodeId at = node;
            for (unsigned s = 0; s < grid.c; ++s) {
                const Port port = grid.along(at, (i + s) % grid.c, true);
                table.add(s, at, port, packet_of(string_at(node), grid.c, i));
                at ^= bit(port);
            }
        }
    }
}

// Three quarters of a string go one hop forward in position p, the last one three hops back, in three steps.
NodeId turn_position(RoutingTable& table, const Grid& grid, NodeId node, unsigned p, const Fragments& string,
                     Step first)
{
    const Port forward = grid.along(node, p, true);
    for (Step quarter = 0; quarter < 3; ++quarter)
        table.add(first + quarter, node, forward, packet_of(string, 4, quarter));
    NodeId at = node;
    for (Step hop = 0; hop < 3; ++hop) {
        const Port back = grid.along(at, p, false);
        table.add(first + hop, at, back, packet_of(string, 4, 3));
        at ^= bit(back);
    }
    return node ^ bit(forward);
}

void turn_three_to_one(RoutingTable& table, const Grid& grid, NodeId nodes, const StringAt& string_at)
{
    for (NodeId node = 0; node < nodes; ++node) {
        for (unsigned i = 0; i < grid.c; ++i) {
            NodeId at = node;
            for (unsigned s = 0; s < grid.c; ++s)
                at = turn_position(table, grid, at, (i + s) % grid.c, packet_of(string_at(node), grid.c, i), 3 * s);
        }
    }
}

// (a, b) -> (b, a ^ top): half of the message transposes the lower positions and then turns the top one, the other half
// does it in the other order.
void turn_in_halves(RoutingTable& table, const Grid& grid, NodeId nodes, std::size_t x, const StringAt& string_at)
{
    const unsigned top = grid.c - 1;
    const auto half_at = [&](unsigned half) {
        return [&string_at, half](NodeId node) { return packet_of(string_at(node), 2, half); };
    };
    const auto transposed = [&](NodeId node) {
        const NodeId moving = (grid.upper(node) ^ grid.lower(node)) & (bit(top) - 1);
        return node ^ moving ^ moving << grid.c;
    };
    const Step pace = x >= 2 * std::size_t{top} || top == 1 ? 1 : 2;
    const Step second = std::max<Step>(3, pace * static_cast<Step>(x) + 1);
    const auto turn_all = [&](const StringAt& string, Step first) {
        for (NodeId node = 0; node < nodes; ++node)
            turn_position(table, grid, node, top, string(node), first);
    };

    transpose_positions(table, grid, top, nodes, x, half_at(0), 0);
    turn_all([&](NodeId node) { return half_at(0)(transposed(node)); }, second);  // transposing undoes itself
    turn_all(half_at(1), 0);
    transpose_positions(
        table, grid, top, nodes, x, [&](NodeId node) { return half_at(1)(node ^ bit(grid.along(node, top, false))); },
        second);
}

// ---- Times ----

bool in_rows(MatrixLayout layout)
{
    return layout != MatrixLayout::submatrices && layout != MatrixLayout::submatrices_gray;
}

bool through_gray(MatrixLayout layout)
{
    return layout == MatrixLayout::rows_blocked_gray || layout == MatrixLayout::rows_striped_gray ||
           layout == MatrixLayout::submatrices_gray;
}

std::size_t node_bytes(const Topology& topology, const Problem& problem)
{
    return problem.rows * problem.columns / topology.nodes() * size_of(problem.type);
}

Exact logical_cubes_time(unsigned c, const Exact& bytes, std::size_t x, const LinkCosts& costs)
{
    if (x >= 2 * std::size_t{c} || c == 1)
        return costs.packets(x + 1, Exact(ceiling(bytes / (2 * x))));
    return costs.packets(2 * x, Exact(ceiling(bytes / (2 * x))));
}

// The smallest X >= 2c with X (X + 1) >= tau m / (2 beta), or c packets without a pipeline if that is faster.
std::size_t best_packets(unsigned c, const Exact& bytes, const LinkCosts& costs)
{
    const std::size_t most = std::max<std::size_t>(1, Integer(ceiling(bytes / 2)).convert_to<std::size_t>());
    std::size_t pipelined = costs.beta == 0 ? most : std::min(most, least_groups(costs.tau * bytes / (2 * costs.beta)));
    pipelined = std::max<std::size_t>(pipelined, c == 1 ? 1 : 2 * c);
    return logical_cubes_time(c, bytes, c, costs) < logical_cubes_time(c, bytes, pipelined, costs) ? c : pipelined;
}

std::size_t packets_for(unsigned c, const Exact& bytes, const Problem& problem)
{
    return problem.tuning.groups != 0 ? problem.tuning.groups : best_packets(c, bytes, LinkCosts(problem.link));
}

Exact two_halves_time(unsigned c, const Exact& bytes, const Problem& problem, const LinkCosts& costs)
{
    const Exact turn = costs.packets(3, bytes / 8);
    if (c == 1)
        return costs.packets(3, bytes / 4);
    const Exact transpose = logical_cubes_time(c - 1, bytes / 2, packets_for(c - 1, bytes / 2, problem), costs);
    return 2 * std::max(turn, transpose);
}

// The largest packet of every stage: what a lockstep machine takes, and a data-driven one at most.
Exact stage_by_stage(const Topology& topology, const Routing& routing, const LinkCosts& costs)
{
    Exact time = 0;
    Fragments fragments;
    for (Step stage = 0; stage < routing.stages; ++stage) {
        std::size_t largest = 0;
        for (NodeId node = 0; node < topology.nodes(); ++node) {
            for (Port port = 0; port < topology.ports(node); ++port) {
                fragments.clear();
                routing.packet(stage, node, port, fragments);
                largest = std::max(largest, length(fragments));
            }
        }
        if (largest > 0)
            time += costs.packet(largest);
    }
    return time;
}

// ---- Entries ----

using Obstacle = std::function<std::string(const Problem&)>;
using MatrixTime = std::function<Exact(const Topology&, const Problem&, const LinkCosts&)>;
using MakeRouting = std::function<Routing(const Topology&, const Problem&)>;

Algorithm entry(Collective collective, std::string_view name, std::vector<std::string_view> aliases,
                std::string_view summary, const Obstacle& obstacle, const MatrixTime& time, const MakeRouting& route)
{
    Algorithm head = titled(collective, name, std::move(aliases), "Stout & Wagar 1990, matrices", summary);
    head.obstacle = [obstacle](const Topology&, const Problem& problem) { return obstacle(problem); };
    head.time = in_ns([time](const Topology& topology, const Problem& problem) {
        return time(topology, problem, LinkCosts(problem.link));
    });
    Algorithm algorithm = routed(std::move(head), route);
    algorithm.prepare = [route](const Topology& topology, const Problem& problem) {
        return rearranging(topology, problem, route(topology, problem));
    };
    return algorithm;
}

// On any network: what a node has for another goes a shortest way in one packet, the longest ways first.
Routing shortest_ways(const Topology& topology, const Problem& problem, PortModel ports)
{
    const Packing packing(problem, topology);
    Router router(topology, ports, Symmetry::none);
    std::vector<Route> routes;
    for (NodeId origin = 0; origin < topology.nodes(); ++origin)
        for (NodeId target = 0; target < topology.nodes(); ++target)
            if (origin != target && packing.bytes(origin, target) != 0)
                routes.push_back(router.path(origin, target, {origin, target, 0}));
    RoutingTable table(topology);
    for (const Hop& hop : schedule_routes(topology, ports, Symmetry::none, routes).hops) {
        const auto [origin, target, copy] = hop.packet;
        table.add(hop.step - 1, hop.from, hop.port,
                  Fragment{origin * std::uint64_t{topology.nodes()} + target, 0, packing.bytes(origin, target)});
    }
    return std::move(table).routing();
}

Algorithm on_shortest_ways(Collective collective, PortModel ports)
{
    const MakeRouting route = [ports](const Topology& topology, const Problem& problem) {
        return shortest_ways(topology, problem, ports);
    };
    Algorithm algorithm = routed(titled(collective, ports == PortModel::all ? "shortest-paths" : "shortest-paths-one",
                                        {}, "well known: shortest ways, list scheduling",
                                        "all that one node has for another in one packet, on a shortest way"),
                                 route);
    algorithm.link = LinkKind::unit;
    algorithm.ports = ports;
    algorithm.networks = Networks::products;
    algorithm.prepare = [route](const Topology& topology, const Problem& problem) {
        return rearranging(topology, problem, route(topology, problem));
    };
    return algorithm;
}

std::string only_rows(const Problem& problem)
{
    return in_rows(problem.layout) ? "" : "it is for layouts by rows";
}
std::string only_submatrices(const Problem& problem)
{
    return in_rows(problem.layout) ? "it is for layouts by submatrices" : "";
}
std::string only_plain_submatrices(const Problem& problem)
{
    return problem.layout == MatrixLayout::submatrices ? "" : "it is for the layout submatrices";
}
std::string only_gray_submatrices(const Problem& problem)
{
    return problem.layout == MatrixLayout::submatrices_gray ? "" : "it is for the layout submatrices-gray";
}

Routing table_of(const Topology& topology, const Problem& problem,
                 const std::function<void(RoutingTable&, const Grid&, const StringAt&)>& fill)
{
    if (topology.nodes() == 1)
        return RoutingTable(topology).routing();
    const MatrixMove move(problem, topology);
    const std::size_t bytes = node_bytes(topology, problem);
    const StringAt string_at = [&](NodeId origin) {
        return Fragments{{origin * std::uint64_t{topology.nodes()} + only_target(move, origin), 0, bytes}};
    };
    RoutingTable table(topology);
    fill(table, Grid{topology.dimension() / 2}, string_at);
    return std::move(table).routing();
}

Algorithm exchanging(Collective collective)
{
    return entry(
        collective, "all-to-all", {"COMPLETE EXCHANGE"}, "every pair of nodes exchanges what it has to", only_rows,
        [](const Topology& topology, const Problem& problem, const LinkCosts& costs) {
            const MatrixMove move(problem, topology);
            const std::size_t elements = move.elements(0, 1);
            for (NodeId a = 0; a < topology.nodes(); ++a)
                for (NodeId b = 0; b < topology.nodes(); ++b)
                    if (a != b && move.elements(a, b) != elements)
                        return stage_by_stage(topology, exchange(topology, problem), costs);
            if (elements == 0)
                return Exact(0);
            return Exact(costs.tau * elements * size_of(problem.type) * bit(topology.dimension() - 1) +
                         costs.beta * topology.dimension());
        },
        exchange);
}

Algorithm half_turn()
{
    return entry(
        Collective::matrix_half_turn, "inversion", {"INV", "reflection"},
        "every node has one partner, the same XOR away", [](const Problem&) { return std::string(); },
        [](const Topology& topology, const Problem& problem, const LinkCosts& costs) {
            const unsigned d = topology.dimension();
            const unsigned n = !through_gray(problem.layout) ? d : in_rows(problem.layout) ? 1 : 2;
            return costs.packets(n, ceil_div(node_bytes(topology, problem), n));
        },
        inversion);
}

// L.C. INVERSION deals X packets out to the parts of a message, one for each position that moves.
Algorithm with_packets_for(Algorithm algorithm, unsigned positions_less)
{
    algorithm.obstacle = [before = std::move(algorithm.obstacle), positions_less](const Topology& topology,
                                                                                  const Problem& problem) {
        const unsigned c = topology.dimension() / 2;
        const std::size_t least = c > positions_less ? c - positions_less : 0;
        if (problem.tuning.groups != 0 && problem.tuning.groups < least)
            return fmt::format("it needs {} or more packets a link here, and --groups says {}", least,
                               problem.tuning.groups);
        return before(topology, problem);
    };
    return algorithm;
}

Algorithm transpose_submatrices()
{
    Algorithm algorithm = entry(
        Collective::matrix_transpose, "logical-cubes", {"TS", "L.C. INVERSION"},
        "two 2-paths for every logical link, packets in a pipeline", only_submatrices,
        [](const Topology& topology, const Problem& problem, const LinkCosts& costs) {
            const unsigned c = topology.dimension() / 2;
            const std::size_t bytes = node_bytes(topology, problem);
            return logical_cubes_time(c, bytes, packets_for(c, bytes, problem), costs);
        },
        logical_cubes);
    return with_packets_for(std::move(algorithm), 0);
}

std::vector<Algorithm> quarter_turns()
{
    const auto turn = [](std::string_view name, std::string_view summary, unsigned steps,
                         void (*fill)(RoutingTable&, const Grid&, NodeId, const StringAt&)) {
        return entry(
            Collective::matrix_quarter_turn, name, {}, summary, only_plain_submatrices,
            [steps](const Topology& topology, const Problem& problem, const LinkCosts& costs) {
                const unsigned c = topology.dimension() / 2;
                const std::size_t parts = steps == 1 ? c : 4 * c;
                return costs.packets(steps * c, ceil_div(node_bytes(topology, problem), parts));
            },
            [fill](const Topology& topology, const Problem& problem) {
                return table_of(topology, problem,
                                [&](RoutingTable& table, const Grid& grid, const StringAt& string_at) {
                                    fill(table, grid, topology.nodes(), string_at);
                                });
            });
    };
    Algorithm halves = entry(
        Collective::matrix_quarter_turn, "two-halves", {}, "transpose and turn of the top position, in both orders",
        only_gray_submatrices,
        [](const Topology& topology, const Problem& problem, const LinkCosts& costs) {
            return two_halves_time(topology.dimension() / 2, node_bytes(topology, problem), problem, costs);
        },
        [](const Topology& topology, const Problem& problem) {
            return table_of(topology, problem, [&](RoutingTable& table, const Grid& grid, const StringAt& string_at) {
                if (grid.c == 1)
                    turn_three_to_one(table, grid, topology.nodes(), string_at);
                else
                    turn_in_halves(table, grid, topology.nodes(),
                                   packets_for(grid.c - 1, Exact(node_bytes(topology, problem)) / 2, problem),
                                   string_at);
            });
        });
    return {turn("one-way", "one hop forward in every position", 1, turn_one_way),
            turn("three-to-one", "three quarters one hop forward, one quarter three hops back", 3, turn_three_to_one),
            with_packets_for(std::move(halves), 1)};
}

}  // namespace

CollectiveProgram rearranging(const Topology& topology, const Problem& problem, Routing routing)
{
    const auto shared = std::make_shared<const Routing>(std::move(routing));
    const auto packing = std::make_shared<const Packing>(problem, topology);
    return [=](Node& me, NodeData data) { return rearrange(me, *shared, *packing, problem, data); };
}

Routing logical_cubes(const Topology& topology, const Problem& problem)
{
    return table_of(topology, problem, [&](RoutingTable& table, const Grid& grid, const StringAt& string_at) {
        const std::size_t x = packets_for(grid.c, node_bytes(topology, problem), problem);
        transpose_positions(table, grid, grid.c, topology.nodes(), x, string_at, 0);
    });
}

std::vector<Algorithm> routed_matrix_family()
{
    std::vector<Algorithm> all;
    for (const Collective collective : {Collective::matrix_transpose, Collective::matrix_quarter_turn,
                                        Collective::matrix_half_turn, Collective::matrix_relayout})
        for (const PortModel ports : {PortModel::all, PortModel::one})
            all.push_back(on_shortest_ways(collective, ports));
    return all;
}

std::vector<Algorithm> matrix_family()
{
    std::vector<Algorithm> all{exchanging(Collective::matrix_transpose), transpose_submatrices(),
                               exchanging(Collective::matrix_quarter_turn)};
    for (Algorithm& algorithm : quarter_turns())
        all.push_back(std::move(algorithm));
    all.push_back(half_turn());
    all.push_back(exchanging(Collective::matrix_relayout));
    return all;
}

}  // namespace dcube::detail
