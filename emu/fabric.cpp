#include "emu/fabric.hpp"

#include "base/exact.hpp"
#include "base/names.hpp"
#include "base/numbers.hpp"
#include "emu/network.hpp"

#include <dcube/error.hpp>
#include <dcube/topology.hpp>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <numeric>
#include <optional>
#include <tuple>
#include <utility>

namespace dcube {

namespace {

std::string shown(const TimedLink& link)
{
    return fmt::format("{}-{}", link.a, link.b);
}

// For people: much is only counted.
std::string shown(const Fabric& fabric)
{
    constexpr std::size_t most_named = 8;
    if (fabric.links.size() + fabric.switches.size() <= most_named)
        return to_string(fabric);
    std::string counts;
    if (!fabric.links.empty())
        counts = fmt::format("times of {}", counted(fabric.links.size(), "link"));
    if (!fabric.switches.empty())
        counts += fmt::format("{}{} switch{}", counts.empty() ? "" : " and ", fabric.switches.size(),
                              fabric.switches.size() == 1 ? "" : "es");
    return counts;
}

void require_link(const std::string& name, const std::vector<std::vector<NodeId>>& lists, const TimedLink& link)
{
    if (link.a >= lists.size() || std::ranges::find(lists[link.a], link.b) == lists[link.a].end())
        throw InvalidArgument(fmt::format("{} has no link {}: a link with times of its own is between two neighbours",
                                          name, shown(link)));
    for (const Rational& ns : {link.tau, link.beta})
        if (ns.numerator < 0 || ns.denominator <= 0)
            throw InvalidArgument(
                fmt::format("{}: link {} has a time of {}/{} ns: expected at least 0, over at least 1", name,
                            shown(link), ns.numerator, ns.denominator));
}

TimedLink normal(TimedLink link)
{
    std::tie(link.a, link.b) = std::minmax({link.a, link.b});
    link.tau = detail::to_rational(detail::exact(link.tau));
    link.beta = detail::to_rational(detail::exact(link.beta));
    return link;
}

// "0-1:2:500"
TimedLink parsed_link(std::string_view text)
{
    const std::vector<std::string> parts = split(text, ":");
    const auto ends = parts.size() == 3 ? parsed_ends(parts[0]) : std::nullopt;
    if (!ends)
        throw InvalidArgument(fmt::format("{} is neither a link with its ns per byte and per packet, such as "
                                          "0-1:0.04:1300, nor a switch such as 8",
                                          quoted(text)));
    return prefixed(text, [&] {
        return TimedLink{ends->first, ends->second, parse_rational("", parts[1]), parse_rational("", parts[2])};
    });
}

}  // namespace

Fabric in_order(const std::string& name, const std::vector<std::vector<NodeId>>& lists, Fabric fabric)
{
    for (TimedLink& link : fabric.links) {
        require_link(name, lists, link);
        link = normal(link);
    }
    const auto ends = [](const TimedLink& link) { return std::pair(link.a, link.b); };
    std::ranges::sort(fabric.links, {}, ends);
    if (const auto twice = std::ranges::adjacent_find(fabric.links, {}, ends); twice != fabric.links.end())
        throw InvalidArgument(fmt::format("{}: link {} has times of its own twice", name, shown(*twice)));
    std::ranges::sort(fabric.switches);
    if (const auto twice = std::ranges::adjacent_find(fabric.switches); twice != fabric.switches.end())
        throw InvalidArgument(fmt::format("{}: node {} is named as a switch twice", name, *twice));
    for (const NodeId node : fabric.switches)
        if (node >= lists.size() || lists[node].empty())
            throw InvalidArgument(fmt::format("{} has no node {}, which is to be a switch", name, node));
    const auto there = static_cast<std::size_t>(
        std::ranges::count_if(lists, [](const std::vector<NodeId>& list) { return !list.empty(); }));
    if (!fabric.switches.empty() && there < fabric.switches.size() + 2)
        throw InvalidArgument(fmt::format("{} has {} switches among {} nodes: 2 nodes or more that are none are needed",
                                          name, fabric.switches.size(), there));
    return fabric;
}

Fabric parse_fabric(std::string_view text)
{
    Fabric fabric;
    for (const std::string& part : split(text, ",")) {
        const std::string word = trimmed(part);
        if (const auto node = parsed_number<NodeId>(word))
            fabric.switches.push_back(*node);
        else
            fabric.links.push_back(parsed_link(word));
    }
    return fabric;
}

std::string to_string(const Fabric& fabric)
{
    std::vector<std::string> words;
    for (const TimedLink& link : fabric.links)
        words.push_back(fmt::format("{}:{}:{}", shown(link), to_string(link.tau), to_string(link.beta)));
    for (const NodeId node : fabric.switches)
        words.push_back(std::to_string(node));
    return fmt::format("{}", fmt::join(words, ","));
}

// ---- Of a network ----

const Fabric& Topology::fabric() const
{
    static const Fabric none;
    return is_of_list() ? factor(0).fabric() : none;
}

bool Topology::is_of_list() const
{
    return network_ && dimension_ == 1;
}

bool Topology::is_switch(NodeId node) const
{
    return std::ranges::binary_search(fabric().switches, node);
}

const TimedLink* Topology::timed_link(NodeId node, Port port) const
{
    const std::vector<TimedLink>& links = fabric().links;
    if (links.empty())
        return nullptr;
    const std::pair<NodeId, NodeId> ends = std::minmax({node, neighbour(node, port)});
    const auto found =
        std::ranges::lower_bound(links, ends, {}, [](const TimedLink& link) { return std::pair(link.a, link.b); });
    return found != links.end() && std::pair(found->a, found->b) == ends ? &*found : nullptr;
}

bool Topology::times_all_links() const
{
    return !fabric().links.empty() && 2 * fabric().links.size() == directed_links();
}

std::uint64_t Topology::ticks_per_ns() const
{
    constexpr std::uint64_t most = std::uint64_t{1} << 32;
    std::uint64_t common = 1;
    for (const TimedLink& link : fabric().links)
        for (const Rational& ns : {link.tau, link.beta}) {
            const auto denominator = static_cast<std::uint64_t>(ns.denominator);
            const std::uint64_t factor = denominator / std::gcd(common, denominator);
            if (factor > most / common)
                throw InvalidArgument(fmt::format("the times of the links of {} have no common denominator below 2^32: "
                                                  "expected fewer digits, or fractions such as 1/3",
                                                  title()));
            common *= factor;
        }
    return common;
}

LinkModel Topology::links(LinkModel machine) const
{
    if (!machine.bound()) {
        if (!fabric().links.empty())
            throw InvalidArgument(
                "link_model", dcube::name(machine.kind),
                fmt::format("is not possible: links of {} have times of their own, which differ", title()));
        return machine;
    }
    machine.divisions = ticks_per_ns();
    static_cast<void>(machine.ticks_per_ns());
    return machine;
}

LinkModel Topology::links(LinkModel machine, PortModel ports) const
{
    const auto refuse = [&](std::string_view why) {
        throw InvalidArgument("duplex", dcube::name(machine.duplex), std::string(why));
    };
    if (machine.bound() && ports == PortModel::one && machine.duplex == Duplex::per_link)
        machine.duplex = Duplex::full;
    if (machine.duplex != Duplex::per_link && !machine.bound())
        refuse("is for the link-bound model: on unit links a node with one port sends and receives in the same step");
    if (machine.duplex != Duplex::per_link && ports == PortModel::all)
        refuse(fmt::format("is for one port: give {} one", mention("ports")));
    if (ports == PortModel::one && !is_uniform())
        throw InvalidArgument(
            "ports", dcube::name(ports),
            fmt::format("is not possible on {}, whose nodes or links differ: all ports are allowed", title()));
    return links(machine);
}

namespace {

// The part that the network does not have already.
Fabric news_in(Fabric added, const Fabric& known)
{
    std::erase_if(added.switches, [&](NodeId node) { return std::ranges::binary_search(known.switches, node); });
    std::erase_if(added.links, [&](TimedLink link) {
        std::tie(link.a, link.b) = std::pair(std::minmax({link.a, link.b}));
        return std::ranges::find(known.links, link) != known.links.end();
    });
    return added;
}

}  // namespace

Topology Topology::with(const Fabric& given) const
{
    const Fabric added = news_in(given, fabric());
    if (added.empty())
        return *this;
    if (!faults().empty())
        return whole().with(added).without(faults());
    Fabric all = fabric();
    all.switches.insert(all.switches.end(), added.switches.begin(), added.switches.end());
    for (const TimedLink& link : added.links)  // instead of the times that the link has
        std::erase_if(all.links, [ends = std::minmax({link.a, link.b})](const TimedLink& known) {
            return std::pair(known.a, known.b) == ends;
        });
    all.links.insert(all.links.end(), added.links.begin(), added.links.end());
    std::vector<std::vector<NodeId>> lists(nodes_);
    for (NodeId node = 0; node < nodes_; ++node)
        for (Port port = 0; port < ports(node); ++port)
            lists[node].push_back(neighbour(node, port));
    if (nodes_ > Graph::max_nodes)
        throw InvalidArgument(fmt::format("{} has {} nodes: networks whose nodes or links differ may have up to {}",
                                          title(), nodes_, Graph::max_nodes));
    const std::string called = fmt::format("{} with {}", name(), to_string(added));
    const std::shared_ptr<Network> network =
        network_of({Graph::from_lists(called, std::move(lists), std::move(all))}, called);
    network->title = fmt::format("{} with {}", title(), shown(added));
    return made(network);
}

}  // namespace dcube
