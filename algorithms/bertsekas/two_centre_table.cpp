// The search for a spread table, stage by stage: first the links on ports 0 and 1, then a matching of ports 2..d-1 to
// new nodes, preferring nodes with few reached neighbours, which are the hardest to reach later. Ties are broken at
// random, and a dead end starts over with the next seed. A try takes time O(N^2 log N), because the links to new nodes
// are sorted anew in each of N/d stages, and memory O(d N).

#include "algorithms/bertsekas/all_reduce_two_centre.hpp"

#include "algorithms/programs/cube.hpp"

#include <algorithm>
#include <optional>
#include <random>
#include <stdexcept>

namespace dcube::detail {

namespace {

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
        constexpr std::size_t most = 16;  // of the candidates on a port
        std::vector<std::pair<std::uint64_t, Links>> pairs;
        for (const auto& [k, l] : {std::pair{0U, 1U}, {0U, 0U}, {1U, 1U}}) {
            for (std::size_t i = 0; i < std::min(most, candidates_[k].size()); ++i) {
                for (std::size_t j = k == l ? i + 1 : 0; j < std::min(most, candidates_[l].size()); ++j) {
                    const NodeId y = candidates_[k][i];
                    const NodeId z = candidates_[l][j];
                    const bool equal_par = ((y ^ y >> 1 ^ z ^ z >> 1) & 1) == 0;  // of the ends; of the starts, too
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

}  // namespace dcube::detail
