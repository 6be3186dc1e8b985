#include "collectives/graphs/prices.hpp"

#include "base/planning.hpp"
#include "collectives/graphs/cheapest_paths.hpp"

#include <algorithm>
#include <cstddef>
#include <limits>
#include <numeric>

namespace dcube::detail {

namespace {

using Price = CheapestPaths::Cost;

// The dearest price is that many; the cheapest is 1.
constexpr int price_bits = 24;
// The precision of the logarithms of prices, in bits below power_of_two's exponents.
constexpr int logarithm_bits = 10;

unsigned price_rounds(NodeId nodes)
{
    return nodes < 100 ? 1000 : nodes <= 500 ? 400 : 20;
}

// All messages of one node, and where they would go.
struct PricedSource {
    CheapestPaths paths;
    std::vector<std::pair<NodeId, std::uint64_t>> messages;  // target and packets
};

std::vector<PricedSource> by_source(const Arcs& arcs, std::span<const Message> messages)
{
    constexpr std::uint32_t none = ~std::uint32_t{0};
    std::vector<PricedSource> sources;
    std::vector<std::uint32_t> number(arcs.nodes(), none);
    for (const Message& message : messages) {
        if (message.from == message.to || message.packets == 0)
            continue;
        std::uint32_t& known = number[message.from];
        if (known == none) {
            known = static_cast<std::uint32_t>(sources.size());
            sources.push_back({CheapestPaths(arcs, message.from), {}});
        }
        sources[known].messages.emplace_back(message.to, message.packets);
    }
    return sources;
}

class Market {
public:
    Market(const Arcs& arcs, PortModel ports, std::span<const Message> messages)
        : arcs_(arcs), ports_(ports), sources_(by_source(arcs, messages)),
          logarithms_(ports == PortModel::all ? arcs.size() : std::size_t{2} * arcs.nodes()),
          prices_(logarithms_.size()), load_(logarithms_.size()), best_prices_(logarithms_.size()),
          passing_(arcs.nodes())
    {
    }

    PriceBound best(unsigned rounds)
    {
        search(rounds, {2, 10});
        constexpr double margin = 1e-9;
        return {best_ * (1 - margin), {best_prices_.begin(), best_prices_.end()}};
    }

    double load(unsigned rounds)
    {
        search(rounds, {0, 0});          // all rounds weigh the same
        constexpr double margin = 1e-3;  // logarithms are rounded down
        return sources_.empty() ? 0 : static_cast<double>(std::ranges::max(logarithms_)) / weights_ * (1 + margin);
    }

private:
    // The growth of prices: 2 to the first exponent, which falls by `fall` in all rounds together.
    struct Growth {
        int first;
        int fall;
    };

    void search(unsigned rounds, const Growth& growth)
    {
        for (unsigned round = 0; round < rounds && !sources_.empty() && !met_; ++round) {
            done_ = static_cast<double>(round) / rounds;
            planning("prices", done_);
            set_prices();
            route_all();
            raise_prices(growth.first - growth.fall * done_);
        }
    }

    void set_prices()
    {
        const std::int64_t top = std::ranges::max(logarithms_);
        for (std::size_t i = 0; i < prices_.size(); ++i)
            prices_[i] = std::max<Price>(1, power_of_two((logarithms_[i] - top) >> logarithm_bits, price_bits));
    }

    void route_all()
    {
        std::ranges::fill(load_, 0);
        std::uint64_t paid = 0;
        std::size_t routed = 0;
        for (PricedSource& source : sources_) {
            paid += ports_ == PortModel::all ? route_by_arcs(source) : route_by_nodes(source);
            if (++routed % 64 == 0)
                planning("prices", done_);
        }
        const double value =
            static_cast<double>(paid) / static_cast<double>(std::reduce(prices_.begin(), prices_.end()));
        if (value > best_) {
            best_ = value;
            best_prices_ = prices_;
        }
    }

    std::uint64_t route_by_arcs(PricedSource& source)
    {
        source.paths.search([&](NodeId, ArcId arc, NodeId) { return prices_[arc]; });
        return carry(source, [&](ArcId arc, NodeId, std::uint64_t packets) { load_[arc] += packets; });
    }

    std::uint64_t route_by_nodes(PricedSource& source)
    {
        const Price* const sending = prices_.data();
        const Price* const receiving = sending + arcs_.nodes();
        source.paths.search([&](NodeId from, ArcId, NodeId to) { return sending[from] + receiving[to]; });
        return carry(source, [&](ArcId arc, NodeId to, std::uint64_t packets) {
            load_[arcs_.from(arc)] += packets;
            load_[std::size_t{arcs_.nodes()} + to] += packets;
        });
    }

    // Calls use(arc, to, packets) for what goes over each arc of the tree; returns what all pay.
    template <class Use>
    std::uint64_t carry(const PricedSource& source, const Use& use)
    {
        std::uint64_t paid = 0;
        std::ranges::fill(passing_, 0);
        for (const auto& [target, packets] : source.messages) {
            passing_[target] += packets;
            paid += packets * source.paths.distance(target);
        }
        const std::span<const NodeId> order = source.paths.order();
        for (std::size_t i = order.size() - 1; i != 0; --i)
            if (const std::uint64_t packets = passing_[order[i]]; packets != 0) {
                const ArcId arc = source.paths.arc_to(order[i]);
                passing_[arcs_.from(arc)] += packets;
                use(arc, order[i], packets);
            }
        return paid;
    }

    // Multiplies by e^(growth load / top): for the best prices growth falls from 4 to 1/256, so that they first find
    // their sizes, and then settle. All rounds' loads together, each weighted by its growth / top, are a routing in
    // parts, whose top load no bound can exceed: where the two meet, nothing is left to find.
    void raise_prices(double exponent_of_growth)
    {
        const auto exponent = static_cast<std::int64_t>(exponent_unit * exponent_of_growth);
        const auto growth = static_cast<std::int64_t>(power_of_two(exponent, logarithm_bits + 12)) * natural_exponent /
                            natural_exponent_unit;
        const auto top = static_cast<std::int64_t>(std::ranges::max(load_));
        for (std::size_t i = 0; i < logarithms_.size(); ++i)
            logarithms_[i] += growth * static_cast<std::int64_t>(load_[i]) / top;
        weights_ += static_cast<double>(growth) / static_cast<double>(top);
        constexpr double close = 1.0001;
        met_ = static_cast<double>(std::ranges::max(logarithms_)) <= weights_ * best_ * close;
    }

    const Arcs& arcs_;
    PortModel ports_;
    std::vector<PricedSource> sources_;
    std::vector<std::int64_t> logarithms_;  // of prices
    std::vector<Price> prices_;
    std::vector<std::uint64_t> load_;
    std::vector<Price> best_prices_;
    std::vector<std::uint64_t> passing_;  // packets that a node passes on or keeps
    double best_ = 0;
    double weights_ = 0;
    bool met_ = false;
    double done_ = 0;  // share of the rounds
};

}  // namespace

PriceBound priced_bound(const Arcs& arcs, PortModel ports, std::span<const Message> messages, unsigned rounds)
{
    return Market(arcs, ports, messages).best(rounds == 0 ? price_rounds(arcs.nodes()) : rounds);
}

double load_in_parts(const Arcs& arcs, PortModel ports, std::span<const Message> messages)
{
    constexpr unsigned rounds = 12;
    if (price_rounds(arcs.nodes()) < 8 * rounds)
        return std::numeric_limits<double>::infinity();
    return Market(arcs, ports, messages).load(rounds);
}

std::uint64_t priced_bound_work(NodeId nodes, std::uint64_t arcs, std::uint64_t sources, unsigned rounds)
{
    constexpr std::uint64_t looks = 3;  // at every arc and node
    return (rounds == 0 ? price_rounds(nodes) : rounds) * sources * looks * (arcs + nodes);
}

}  // namespace dcube::detail
