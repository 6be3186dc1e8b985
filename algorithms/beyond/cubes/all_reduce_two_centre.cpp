// two-centre: every block is summed up at two neighbours, its centres, which exchange what they have, and is spread
// again along the same links. dcube's; d-cubes of N nodes with (N-1) mod d = 1, N blocks, q = ceil((N-1)/d).
//
// Steps: 2q - 1. Transmissions: 2N(N-1). Both are optimal. Planning: the search for a table of N - 2 links, which says
// how block 0 spreads from its centres 0 and 1.
//
// Let par(x) = bit 0 of x xor bit 1 of x, and sw(x) = x with these two bits swapped. Block r's copy of the table is
// relabelled by f(x) = x ^ r if par(r) = 0, else sw(x) ^ r. For every link (s, x, k), with y = x ^ 2^k:
//   step q - s: f(y) sends its sum of block r to f(x), which adds it;
//   step q    : r and r ^ 2^par(r) send each other what they have; both keep and add;
//   step q + s: f(x) sends the whole sum to f(y).

#include "algorithms/beyond/cubes/all_reduce_two_centre.hpp"

#include "algorithms/programs/cube.hpp"

#include "emu/arrival_times.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <random>
#include <stdexcept>

namespace dcube::detail {

// The search for a spread table, stage by stage: first the links on ports 0 and 1, then a matching of ports 2..d-1 to
// new nodes, preferring nodes with few reached neighbours, which are the hardest to reach later. Ties are broken at
// random, and a dead end starts over with the next seed. A try takes time O(N^2 log N), because the links to new nodes
// are sorted anew in each of N/d stages, and memory O(d N).

namespace {

unsigned par(NodeId x)
{
    return (x ^ x >> 1) & 1;
}

class Search {
public:
    Search(unsigned d, std::uint64_t seed) : d_(d), random_(seed), reached_(bit(d)), urgency_(bit(d))
    {
        reached_[0] = reached_[1] = true;
    }

    std::optional<SpreadTable> run()
    {
        const auto stages = static_cast<Step>((bit(d_) - 2) / d_);
        for (Step s = 1; s <= stages; ++s)
            if (!append_stage(s))
                return std::nullopt;
        return table_;
    }

private:
    using Links = std::vector<CentreLink>;

    // The links over port k to new nodes, the most urgent first.
    [[nodiscard]] std::vector<NodeId> targets(Port k) const
    {
        std::vector<NodeId> nodes;
        for (NodeId y = 0; y < bit(d_); ++y)
            if (!reached_[y] && reached_[y ^ bit(k)])
                nodes.push_back(y);
        std::sort(nodes.begin(), nodes.end(), [this](NodeId a, NodeId b) { return urgency_[a] < urgency_[b]; });
        return nodes;
    }

    void weigh()
    {
        for (NodeId y = 0; y < bit(d_); ++y) {
            std::uint64_t neighbours = 0;
            for (Port k = 0; k < d_; ++k)
                neighbours += reached_[y ^ bit(k)];
            urgency_[y] = neighbours << 32 | (random_() >> 32);
        }
    }

    bool append_stage(Step s)
    {
        weigh();
        candidates_.clear();
        for (Port k = 0; k < d_; ++k)
            candidates_.push_back(targets(k));
        for (const Links& pair : pairs_on_first_ports(s)) {
            std::optional<Links> rest = match_other_ports(s, pair);
            if (!rest)
                continue;
            rest->insert(rest->begin(), pair.begin(), pair.end());
            for (const CentreLink& link : *rest) {
                table_.push_back(link);
                reached_[link.x ^ bit(link.k)] = true;
            }
            return true;
        }
        return false;
    }

    // Ports 0 and 1: once each from starts of equal par, or one of them twice from starts of different par.
    [[nodiscard]] std::vector<Links> pairs_on_first_ports(Step s) const
    {
        constexpr std::size_t most = 16;  // candidates per port
        std::vector<std::pair<std::uint64_t, Links>> pairs;
        for (const auto& [k, l] : {std::pair{0U, 1U}, {0U, 0U}, {1U, 1U}}) {
            for (std::size_t i = 0; i < std::min(most, candidates_[k].size()); ++i) {
                for (std::size_t j = k == l ? i + 1 : 0; j < std::min(most, candidates_[l].size()); ++j) {
                    const NodeId y = candidates_[k][i];
                    const NodeId z = candidates_[l][j];
                    const bool equal_par = par(y) == par(z);  // the ends'; the starts', too
                    if (y != z && equal_par == (k != l))
                        pairs.push_back({urgency_[y] + urgency_[z], {{s, y ^ bit(k), k}, {s, z ^ bit(l), l}}});
                }
            }
        }
        std::sort(pairs.begin(), pairs.end(), [](const auto& a, const auto& b) { return a.first < b.first; });
        std::vector<Links> links;
        for (auto& [urgency, pair] : pairs)
            links.push_back(std::move(pair));
        return links;
    }

    // A bipartite matching of ports to new nodes by augmenting paths.
    [[nodiscard]] std::optional<Links> match_other_ports(Step s, const Links& pair) const
    {
        std::vector<Port> port_of(bit(d_), no_port);
        for (const CentreLink& link : pair)
            port_of[link.x ^ bit(link.k)] = link.k;
        for (Port k = 2; k < d_; ++k) {
            std::vector<bool> tried(bit(d_));
            if (!augment(k, port_of, tried))
                return std::nullopt;
        }
        Links links;
        for (NodeId y = 0; y < bit(d_); ++y)
            if (port_of[y] != no_port && port_of[y] >= 2)
                links.push_back({s, y ^ bit(port_of[y]), port_of[y]});
        return links;
    }

    bool augment(Port k, std::vector<Port>& port_of, std::vector<bool>& tried) const
    {
        for (const NodeId y : candidates_[k]) {
            if (tried[y] || port_of[y] < 2)
                continue;
            tried[y] = true;
            if (port_of[y] == no_port || augment(port_of[y], port_of, tried)) {
                port_of[y] = k;
                return true;
            }
        }
        return false;
    }

    static constexpr Port no_port = ~Port{0};

    unsigned d_;
    std::mt19937_64 random_;
    std::vector<bool> reached_;
    std::vector<std::uint64_t> urgency_;  // the number of reached neighbours, then chance; smaller is more urgent
    std::vector<std::vector<NodeId>> candidates_;
    SpreadTable table_;
};

}  // namespace

SpreadTable spread_table(unsigned d)
{
    constexpr std::uint64_t seeds = 1000;
    for (std::uint64_t seed = 1; seed <= seeds; ++seed)
        if (std::optional<SpreadTable> table = Search(d, seed).run())
            return *table;
    throw std::logic_error("no spread table was found");
}

namespace {

NodeId sw(NodeId x)
{
    return (x & ~NodeId{3}) | (x & 1) << 1 | (x >> 1 & 1);
}

// The block in whose copy of the table `node` plays the part of `label`, and a table's port in that copy.
NodeId block_of(NodeId node, NodeId label)
{
    return node ^ (par(node) == par(label) ? label : sw(label));
}
Port port_in(NodeId block, Port k)
{
    return par(block) == 1 && k < 2 ? 1 - k : k;
}

struct Sums {
    const Problem& problem;
    NodeData data;
    std::span<std::byte> centre;  // the whole sums of the two blocks of which this node is a centre
    NodeId first_block;
    NodeId second_block;
    std::vector<bool> begun;

    [[nodiscard]] std::span<std::byte> partial(NodeId block) const
    {
        return data.output.subspan(block * problem.bytes, problem.bytes);
    }
    [[nodiscard]] std::span<const std::byte> so_far(NodeId block) const
    {
        return begun[block] ? partial(block) : data.input.subspan(block * problem.bytes, problem.bytes);
    }
    [[nodiscard]] std::span<const std::byte> whole(NodeId block) const
    {
        if (block != first_block && block != second_block)
            return partial(block);
        return centre.subspan(block == first_block ? 0 : problem.bytes, problem.bytes);
    }
};

std::span<const CentreLink> stage(const SpreadTable& table, unsigned d, Step s)
{
    return std::span(table).subspan(std::size_t{s - 1} * d, d);
}

}  // namespace

std::string two_centre_obstacle(const Topology& topology, const Problem& problem)
{
    const unsigned d = topology.dimension();
    if (d < 2 || (topology.nodes() - 1) % d != 1)
        return "it is for dimensions d with (N-1) mod d = 1, as 2, 3, 5, 7, 11 and 13 are";
    if (problem.packets != topology.nodes())
        return fmt::format("it is for vectors of exactly N = {} blocks", topology.nodes());
    return {};
}

Task two_centre(Node& me, const SpreadTable& table, const Problem& problem, NodeData data)
{
    const unsigned d = me.ports();
    const NodeId v = me.id();
    const Port first_port = par(v);
    const Port second_port = 1 - first_port;
    const auto last_stage = static_cast<Step>(table.size() / d);
    const Combine combine = combiner(problem);
    Sums sums{problem,
              data,
              me.allocate(2 * problem.bytes),
              v,
              v ^ bit(second_port),
              std::vector<bool>(me.topology().nodes())};
    ArrivalTimes since(me);

    me.phase(to_centres);
    for (Step s = last_stage; s >= 1; --s) {
        for (const auto& [at, x, k] : stage(table, d, s)) {
            const NodeId block = block_of(v, x ^ bit(k));
            me.send(port_in(block, k), since.packet(sums.so_far(block)));
        }
        co_await me.next_step();
        for (const auto& [at, x, k] : stage(table, d, s)) {
            const NodeId block = block_of(v, x);
            const std::span<const std::byte> base = sums.so_far(block);
            since.set_sum(me.receive(port_in(block, k), sums.partial(block), base, combine), base);
            sums.begun[block] = true;
        }
    }

    me.phase(between_centres);
    const std::span<const std::byte> first = sums.so_far(sums.first_block);
    const std::span<const std::byte> second = sums.so_far(sums.second_block);
    me.send(first_port, since.packet(first));
    me.send(second_port, since.packet(second));
    co_await me.next_step();
    since.set_sum(me.receive(first_port, sums.centre.first(problem.bytes), first, combine), first);
    since.set_sum(me.receive(second_port, sums.centre.last(problem.bytes), second, combine), second);

    me.phase(from_centres);
    for (Step s = 1; s <= last_stage; ++s) {
        for (const auto& [at, x, k] : stage(table, d, s)) {
            const NodeId block = block_of(v, x);
            me.send(port_in(block, k), since.packet(sums.whole(block)));
        }
        co_await me.next_step();
        for (const auto& [at, x, k] : stage(table, d, s)) {
            const NodeId block = block_of(v, x ^ bit(k));
            since.set(me.receive(port_in(block, k), sums.partial(block)));
        }
    }
    std::ranges::copy(sums.whole(sums.first_block), sums.partial(sums.first_block).begin());
    std::ranges::copy(sums.whole(sums.second_block), sums.partial(sums.second_block).begin());
}

}  // namespace dcube::detail
