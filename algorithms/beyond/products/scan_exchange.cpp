// exchange, exchange-one: scan and exscan of m blocks on a product whose factors' nodes stand in rows, each linked to
// the next (paths, rings, complete graphs, hypercubes), in the order of the node ids. All ports, or with one port a
// single row. m + n_1 + n_2 + .. - k - 1 steps for k factors of n_i nodes: on a d-cube m + d - 1, where one block is
// optimal. m (N (d - 1) + 1) transmissions there; in general for every factor and block (n - 1)/n N up its rows, and as
// many down but for the last of them.
//
// Factor by factor, the last digit first, so that the nodes that agree in the digits from a factor on have consecutive
// ids. Up a row of the factor goes the sum of all before the next node, which stands in front of what precedes that
// node in the factors before; down the row goes the sum of all after it. Both together are the sum for the next factor.
// No node comes after the last of a factor's rows: nobody needs its sum, and nothing goes down there. Block j follows
// block j - 1 a step later, over all links. On hypercubes it is the well-known exchange of sums over one dimension
// after the other; without what nobody needs, and on longer rows, it is ours.
//
// Planning: none.

#include "algorithms/families.hpp"
#include "algorithms/programs/members.hpp"
#include "algorithms/programs/ordered_sums.hpp"
#include "algorithms/programs/phases.hpp"
#include "algorithms/programs/scan_moves.hpp"
#include "collectives/coordinates.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace dcube::detail {

namespace {

std::optional<Port> port_between(const Graph& factor, NodeId from, NodeId to)
{
    for (Port port = 0; port < factor.ports(from); ++port)
        if (factor.neighbour(from, port) == to)
            return port;
    return std::nullopt;
}

// A factor's row of nodes, as one of them sees it.
struct ScanRow {
    NodeId nodes;
    NodeId at;          // its place among them
    Port up;            // where it is not the last one
    Port down;          // where it is not the first one
    std::size_t begin;  // block j comes to the row in step j + begin, counted from 0
    bool is_first;      // in all factors before this one
    bool has_sum;       // some node comes after the row, and needs its sum

    // What goes up (down) is sent so many steps after the block has come to the row.
    [[nodiscard]] std::size_t up_after() const { return begin + at; }
    [[nodiscard]] std::size_t down_after() const { return begin + (nodes - 1 - at); }
    // What the node before (after) sends to this one.
    [[nodiscard]] std::size_t from_below_after() const { return begin + at - 1; }
    [[nodiscard]] std::size_t from_above_after() const { return begin + (nodes - 2 - at); }

    [[nodiscard]] bool sends_up() const { return at + 1 < nodes; }
    [[nodiscard]] bool sends_down() const { return has_sum && at > 0; }
    [[nodiscard]] bool hears_from_below() const { return at > 0; }
    [[nodiscard]] bool hears_from_above() const { return has_sum && at + 1 < nodes; }
    // Whether the sum of the row is complete when the sum of the nodes before this one comes.
    [[nodiscard]] bool completes_from_below() const
    {
        return at > 0 && (at + 1 == nodes || from_above_after() < from_below_after());
    }
};

// The rows of a node, the last factor's first.
std::vector<ScanRow> rows_of(const Topology& topology, NodeId node)
{
    std::vector<ScanRow> rows;
    std::size_t begin = 0;
    bool is_first = true;
    for (unsigned i = topology.dimension(); i-- > 0;) {
        const Graph& factor = topology.factor(i);
        const NodeId at = topology.digit(node, i);
        const Port first_port = topology.first_port(node, i);
        const NodeId after_rows = topology.stride(i) * factor.nodes();
        const auto port = [&](bool is_there, NodeId to) {
            return is_there ? first_port + port_between(factor, at, to).value_or(0) : 0;
        };
        rows.push_back({factor.nodes(), at, port(at + 1 < factor.nodes(), at + 1), port(at > 0, at - 1), begin,
                        is_first, node / after_rows + 1 < topology.nodes() / after_rows});
        begin += factor.nodes() - 1;
        is_first = is_first && at == 0;
    }
    return rows;
}

// The blocks that are somewhere in this factor's rows, and in those of the next one.
std::size_t blocks_in_rows(const Topology& topology, unsigned factor)
{
    return topology.factor(factor).nodes() + (factor == 0 ? 0 : topology.factor(factor - 1).nodes());
}

// One node at work.
class ScanExchange {
public:
    ScanExchange(Node& me, const Problem& problem, NodeData data)
        : me_(me), blocks_(problem.packets), sums_(me, problem, data)
    {
        const Topology& topology = me.topology().of_members();
        for (const ScanRow& row : rows_of(topology, me.topology().member_number(me.id()))) {
            const auto factor = static_cast<unsigned>(topology.dimension() - 1 - rows_.size());
            const std::size_t lanes = std::min<std::size_t>(blocks_, blocks_in_rows(topology, factor));
            Places places{row, lanes};
            if (row.sends_up() && row.at > 0)
                places.up = sums_.storage(lanes);
            if (row.sends_down() && row.at + 1 < row.nodes)
                places.down = sums_.storage(lanes);
            if (row.has_sum)
                places.sum = sums_.storage(lanes);
            rows_.push_back(places);
            steps_ += row.nodes - 1;
        }
        steps_ += steps_ == 0 ? 0 : blocks_ - 1;
    }

    [[nodiscard]] std::size_t steps() const { return steps_; }

    void send(std::size_t step)
    {
        for (std::size_t i = 0; i < rows_.size(); ++i) {
            const ScanRow& row = rows_[i].row;
            if (const auto block = in_flight(step, row.up_after()); block && row.sends_up())
                sums_.send(row.up, up_to_here(i, *block));
            if (const auto block = in_flight(step, row.down_after()); block && row.sends_down())
                sums_.send(row.down, from_here_on(i, *block));
        }
    }

    void receive(std::size_t step)
    {
        for (std::size_t i = 0; i < rows_.size(); ++i) {
            const ScanRow& row = rows_[i].row;
            if (row.hears_from_below())
                if (const auto block = in_flight(step, row.from_below_after()))
                    receive_from_below(i, *block);
            if (row.hears_from_above())
                if (const auto block = in_flight(step, row.from_above_after()))
                    receive_from_above(i, *block);
        }
    }

    void finish() { sums_.finish(); }

private:
    struct Places {
        ScanRow row;
        std::size_t lanes;            // blocks that are under way
        std::span<std::byte> up{};    // the sums of the row's nodes up to this one
        std::span<std::byte> down{};  // from this one on
        std::span<std::byte> sum{};   // of all of them
    };

    [[nodiscard]] std::optional<std::size_t> in_flight(std::size_t step, std::size_t after) const
    {
        return step >= after && step - after < blocks_ ? std::optional(step - after) : std::nullopt;
    }

    [[nodiscard]] std::span<std::byte> place(std::size_t i, std::span<std::byte> storage, std::size_t block) const
    {
        return sums_.place(storage, block % rows_[i].lanes);
    }
    // The sum with which this node comes to its row.
    [[nodiscard]] std::span<const std::byte> own(std::size_t i, std::size_t block) const
    {
        return i == 0 ? sums_.own(block) : place(i - 1, rows_[i - 1].sum, block);
    }
    [[nodiscard]] std::span<const std::byte> up_to_here(std::size_t i, std::size_t block) const
    {
        return rows_[i].row.at == 0 ? own(i, block) : place(i, rows_[i].up, block);
    }
    [[nodiscard]] std::span<const std::byte> from_here_on(std::size_t i, std::size_t block) const
    {
        return rows_[i].row.at + 1 == rows_[i].row.nodes ? own(i, block) : place(i, rows_[i].down, block);
    }

    void receive_from_below(std::size_t i, std::size_t block)
    {
        const auto& [row, lanes, up, down, sum] = rows_[i];
        const BorrowedPacket packet = me_.receive(row.down);
        if (row.is_first)
            sums_.keep(sums_.result(block), packet);
        else
            sums_.join(sums_.result(block), packet, sums_.result(block));
        if (row.sends_up())
            sums_.join(place(i, up, block), packet, own(i, block));
        if (row.has_sum && row.completes_from_below())
            sums_.join(place(i, sum, block), packet, from_here_on(i, block));
    }

    void receive_from_above(std::size_t i, std::size_t block)
    {
        const auto& [row, lanes, up, down, sum] = rows_[i];
        const BorrowedPacket packet = me_.receive(row.up);
        if (row.sends_down())
            sums_.join(place(i, down, block), own(i, block), packet);
        if (!row.completes_from_below())
            sums_.join(place(i, sum, block), up_to_here(i, block), packet);
    }

    Node& me_;
    std::size_t blocks_;
    OrderedSums sums_;
    std::vector<Places> rows_{};
    std::size_t steps_ = 0;
};

Task scan_exchange(Node& me, const Problem& problem, NodeData data)
{
    ScanExchange work(me, problem, data);
    for (std::size_t step = 0; step < work.steps(); ++step) {
        work.send(step);
        co_await me.next_step();
        work.receive(step);
    }
    work.finish();
}

std::string row_obstacle(const Topology& topology, const Problem&)
{
    for (unsigned i = 0; i < topology.dimension(); ++i) {
        const Graph& factor = topology.factor(i);
        for (NodeId node = 0; node + 1 < factor.nodes(); ++node)
            if (!port_between(factor, node, node + 1))
                return fmt::format("it needs a link from each node of a factor to the next one, and {} has none from "
                                   "node {} to node {}",
                                   factor.name(), node, node + 1);
    }
    return "";
}

Cost cost_of_rows(const Topology& topology, const Problem& problem)
{
    const std::uint64_t n = topology.nodes();
    Cost cost{0, 0};
    for (unsigned i = 0; i < topology.dimension(); ++i) {
        const std::uint64_t others = topology.factor(i).nodes() - 1;
        const std::uint64_t rows = n / (others + 1);
        cost.steps += others;
        cost.transmissions += others * (2 * rows - topology.stride(i));
    }
    if (n > 1)
        cost.steps += problem.packets - 1;
    cost.transmissions *= problem.packets;
    return cost;
}

std::vector<ScanMove> moves_of_rows(const Topology& topology, std::size_t blocks)
{
    std::vector<ScanMove> moves;
    for (NodeId node = 0; node < topology.nodes(); ++node) {
        NodeId stride = 1;
        for (const ScanRow& row : rows_of(topology, node)) {
            const NodeId first = node / stride * stride;   // of those that this node has the sum of
            const NodeId begin = first - row.at * stride;  // of the row
            const NodeId last = begin + row.nodes * stride - 1;
            for (std::size_t block = 0; block < blocks; ++block) {
                if (row.sends_up())
                    moves.push_back({static_cast<Step>(block + row.up_after() + 1), node, row.up, block, begin,
                                     first + stride - 1});
                if (row.sends_down())
                    moves.push_back(
                        {static_cast<Step>(block + row.down_after() + 1), node, row.down, block, first, last});
            }
            stride *= row.nodes;
        }
    }
    std::ranges::stable_sort(moves, {}, &ScanMove::step);
    return moves;
}

std::uint64_t storage_of_rows(const Topology& topology, const Problem& problem)
{
    std::uint64_t blocks = 0;
    for (unsigned i = 0; i < topology.dimension(); ++i)
        blocks += 3 * std::min<std::uint64_t>(problem.packets, blocks_in_rows(topology, i));
    return topology.nodes() * blocks * problem.bytes;
}

// "dimension 3" where its links alone are used, else "bit 3", or "rows of coordinate 2".
PhaseText text_of_rows(const Topology& topology, unsigned factor, bool alone)
{
    const unsigned k = topology.dimension() - 1 - factor;
    const NodeId nodes = topology.stride(factor);
    const std::string sums = nodes == 1 ? "what they have" : fmt::format("their sums of {} nodes", nodes);
    if (topology.is_hypercube()) {
        std::string sentence = fmt::format("Partners across dimension {} swap {}; the higher one puts the lower one's "
                                           "in front of its own.",
                                           k, sums);
        return alone ? text_of_dimension(k, std::move(sentence))
                     : PhaseText{fmt::format("bit {}", k), std::move(sentence)};
    }
    const std::string rows = topology.dimension() == 1 ? "nodes" : coordinate_words(factor);
    return {topology.dimension() == 1 ? "the row" : "rows of " + rows,
            fmt::format("Up the rows of {} go the sums of all nodes before the next one, and down those of all after "
                        "it, each node adding {}.",
                        rows, sums)};
}

Phases phases_of_rows(const Topology& topology, const Problem& problem)
{
    Phases phases;
    Step begin = 0;
    for (unsigned i = topology.dimension(); i-- > 0;) {
        const PhaseText text = text_of_rows(topology, i, problem.packets == 1);
        const auto others = static_cast<Step>(topology.factor(i).nodes() - 1);
        if (others > 0)
            phases.push_back({begin + 1, static_cast<Step>(begin + others + problem.packets - 1), text.name,
                              text.sentence, text.dimension});
        begin += others;
    }
    return phases;
}

std::string single_row_obstacle(const Topology& topology, const Problem& problem)
{
    return topology.dimension() > 1 ? "with one port it is for one row of nodes" : row_obstacle(topology, problem);
}

Entry scan_exchange_entry(Collective collective, PortModel ports)
{
    const bool all = ports == PortModel::all;
    Entry entry{
        {.collective = collective,
         .name = all ? "exchange" : "exchange-one",
         .ports = ports,
         .networks = Networks::products,
         .keeps_order = true,
         .obstacle = all ? row_obstacle : single_row_obstacle,
         .cost = cost_of_rows,
         .storage = storage_of_rows,
         .prepare = [](const Topology&, const Problem& problem) -> CollectiveProgram {
             return [problem](Node& me, NodeData data) { return scan_exchange(me, problem, data); };
         }},
        {.paper = "textbook: dimension by dimension",
         .origin = Origin::dcube,
         .summary = "factor by factor, the last digit first: sums go up the rows, and down for the next factor",
         .idea = "Nodes that agree in all digits from one on have consecutive ids. Partners in a dimension swap "
                 "the sums of such nodes: the lower one's precedes the higher one. On a factor of more than two "
                 "nodes sums go up and down its rows. Block follows block a step later. What nobody needs is "
                 "not sent: the sum of nodes after which none comes.",
         .formula = {.words = "m + d - 1 steps and m (N (d - 1) + 1) transmissions on a d-cube; in general m - 1 "
                              "steps and, of every factor, one less than it has nodes"},
         .paper_note = "None of the papers has a scan. On hypercubes this is the well-known prefix sum, without "
                       "the packets that nobody needs.",
         .phases = phases_of_rows}};
    return cutting_scan(restricted_to_members(std::move(entry)), moves_of_rows);
}

}  // namespace

std::vector<Entry> scan_exchange_family()
{
    std::vector<Entry> family;
    for (const Collective collective : {Collective::scan, Collective::exscan})
        for (const PortModel ports : {PortModel::all, PortModel::one})
            family.push_back(scan_exchange_entry(collective, ports));
    return family;
}

}  // namespace dcube::detail
