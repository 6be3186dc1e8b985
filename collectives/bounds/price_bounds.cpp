// The cost of messages on their cheapest paths if links, or nodes, have prices (docs/optimality.md, best-prices). A
// step pays no more than all prices together, so T >= m (cost of all cheapest paths) / (sum of all prices). True for
// any prices; a search only finds good ones.

#include "collectives/bounds/prices.hpp"
#include "collectives/bounds/searches.hpp"

#include "base/bytes.hpp"
#include "base/memo.hpp"
#include "base/numbers.hpp"
#include "base/planning.hpp"
#include "collectives/graphs/network_bytes.hpp"
#include "collectives/graphs/prices.hpp"
#include "collectives/of_members.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <memory>
#include <numeric>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace dcube {

namespace {

using detail::Arcs;
using detail::Message;

// About half a second. With fewer rounds of searching than that prices are not worth it.
constexpr std::uint64_t most_price_work = 200'000'000;
constexpr std::uint64_t least_rounds = 8;

// The number of rounds that there is time for; 0 for as many as suit the network.
std::optional<unsigned> rounds_affordable(const Arcs& arcs, std::uint64_t sources)
{
    if (detail::priced_bound_work(arcs.nodes(), arcs.size(), sources) <= most_price_work)
        return 0;
    const std::uint64_t rounds = most_price_work / detail::priced_bound_work(arcs.nodes(), arcs.size(), sources, 1);
    return rounds < least_rounds ? std::nullopt : std::optional(static_cast<unsigned>(rounds));
}

WholePrices counted(const Arcs& arcs, PortModel ports, std::span<const Message> messages,
                    const std::vector<std::uint64_t>& prices)
{
    WholePrices all{.step = std::reduce(prices.begin(), prices.end())};
    CheapestCosts cheapest(arcs, ports, prices);
    const std::vector<std::uint64_t>* costs = nullptr;
    for (const Message& message : messages) {  // a node's messages are side by side
        if (&message == messages.data() || message.from != (&message - 1)->from) {
            detail::planning("prices", 1);
            costs = &cheapest.from(message.from);
        }
        all.paid += (*costs)[message.to] * message.packets;
    }
    return all;
}

struct Priced {
    Topology topology;
    PortModel ports;
    std::vector<NodeId> ends;              // of messages, two each; empty for a total exchange
    std::vector<std::uint64_t> amounts{};  // of messages that are not all as long: how many of the shortest

    friend bool operator==(const Priced&, const Priced&) = default;
};

// Nodes that have messages; at most.
std::uint64_t sources_of(const Priced& key, const Arcs& arcs)
{
    const std::uint64_t nodes = arcs.members().size();
    return key.ends.empty() ? nodes : std::min<std::uint64_t>(nodes, key.ends.size() / 2);
}

std::string bytes_of(const Priced& key)
{
    detail::ByteWriter bytes;
    write_network(bytes, key.topology);
    bytes.number(static_cast<std::uint64_t>(key.ports));
    for (const NodeId end : key.ends)
        bytes.number(end);
    bytes.number(key.amounts.size());
    for (const std::uint64_t amount : key.amounts)
        bytes.number(amount);
    return bytes.take();
}

std::vector<Message> messages_of(const Priced& key)
{
    std::vector<Message> messages;
    for (std::size_t i = 0; i < key.ends.size(); i += 2)
        messages.push_back({key.ends[i], key.ends[i + 1], key.amounts.empty() ? 1 : key.amounts[i / 2]});
    if (!key.ends.empty())
        return messages;
    for (NodeId from = 0; from < key.topology.nodes(); ++from)
        for (NodeId to = 0; to < key.topology.nodes(); ++to)
            if (from != to)
                messages.push_back({from, to, 1});
    return messages;
}

std::shared_ptr<const std::vector<WholePrices>> prices_of(const Priced& key, const Arcs& arcs)
{
    static detail::Memo<Priced, std::vector<WholePrices>> memo(16);
    return memo.get(key, [&]() -> std::vector<WholePrices> {
        const std::uint64_t sources = sources_of(key, arcs);
        const std::optional<unsigned> rounds = rounds_affordable(arcs, sources);
        if (!rounds)
            return {};
        const std::vector<Message> messages = messages_of(key);
        const std::vector<double> best = kept_prices(
            "prices", detail::priced_bound_work(arcs.nodes(), arcs.size(), sources), [&] { return bytes_of(key); },
            key.ports == PortModel::all ? arcs.size() : std::size_t{2} * arcs.nodes(),
            [&] { return detail::priced_bound(arcs, key.ports, messages, *rounds).prices; });
        return whole_prices(
            best, [&](const std::vector<std::uint64_t>& prices) { return counted(arcs, key.ports, messages, prices); });
    });
}

// Whether the bound that is already known is at least as large as any that prices could give.
bool cannot_help(const Priced& key, const Arcs& arcs, std::uint64_t packets, std::uint64_t known)
{
    if (known == 0 || !rounds_affordable(arcs, sources_of(key, arcs)))
        return false;
    static detail::Memo<Priced, double> memo(16);
    const double load = *memo.get(key, [&] { return detail::load_in_parts(arcs, key.ports, messages_of(key)); });
    return load * static_cast<double>(packets) <= static_cast<double>(known);
}

std::optional<Argument> priced(const Priced& key, const Arcs& arcs, std::uint64_t packets)
{
    const auto all = prices_of(key, arcs);
    if (all->empty())
        return std::nullopt;
    const WholePrices& best = simplest_of_best(*all, packets);
    return Argument{.kind = Argument::Kind::priced,
                    .name = "best-prices",
                    .reason = fmt::format("with prices of {} from 0 to {} the cheapest paths of all messages cost {} a "
                                          "packet, and a step can pay {}",
                                          key.ports == PortModel::all ? "links" : "nodes", grouped(best.dearest),
                                          grouped(best.paid), grouped(best.step)),
                    .factors = {best.paid},
                    .per_step = best.step,
                    .prices = Argument::Prices::best_of_paths,
                    .dearest = best.dearest};
}

// Whether equal prices are best: if all links, or nodes, are alike. The bound is then the count of hops, along one
// factor or along all.
bool has_equal_prices(const Topology& topology, PortModel ports)
{
    if (!topology.symmetric() || ports == PortModel::one)
        return topology.symmetric();
    for (unsigned i = 0; i < topology.dimension(); ++i)
        if (topology.factor(i).kind() == Graph::Kind::group)
            return false;
    return true;
}

}  // namespace

void search_prices(const SearchCase& one, LargestArgument& most)
{
    Priced key{one.topology, one.ports, {}};
    detail::for_each_message(one.problem, one.topology, [&](NodeId from, NodeId to, std::uint64_t amount) {
        if (from == to || amount == 0)
            return;
        key.ends.insert(key.ends.end(), {from, to});
        if (!one.problem.counts.empty())
            key.amounts.push_back(amount);
    });
    if (key.ends.empty() || cannot_help(key, one.arcs, one.problem.packets, most.value()))
        return;
    if (std::optional<Argument> found = priced(key, one.arcs, one.problem.packets)) {
        found->factors.push_back(one.problem.packets);
        most.add(*std::move(found));
    }
}

std::optional<Argument> exchange_prices(const Topology& topology, PortModel ports, std::uint64_t packets)
{
    if (topology.directed_links() > most_arcs_searched || has_equal_prices(topology, ports))
        return std::nullopt;
    return priced({topology, ports, {}}, *arcs_of(topology), packets);
}

}  // namespace dcube
