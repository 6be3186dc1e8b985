// Networks that lack links and nodes.

#include <dcube/faults.hpp>

#include "base/lines.hpp"
#include "base/names.hpp"
#include "base/numbers.hpp"
#include "emu/network.hpp"

#include <dcube/error.hpp>
#include <dcube/random.hpp>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <memory>
#include <optional>
#include <tuple>

namespace dcube {

namespace {

using Lists = std::vector<std::vector<NodeId>>;
using Link = std::pair<NodeId, NodeId>;

constexpr std::size_t most_named = 8;  // in messages and titles

Link ascending(Link link)
{
    return std::minmax(link.first, link.second);
}

std::string shown(Link link)
{
    return fmt::format("{}-{}", link.first, link.second);
}

// "node 5", "nodes 0, 1, 2", "nodes 0, 1, 2, .. (17 nodes)"
std::string shown(std::span<const NodeId> nodes)
{
    const std::string some = fmt::format("{}", fmt::join(nodes.first(std::min(nodes.size(), most_named)), ", "));
    if (nodes.size() > most_named)
        return fmt::format("nodes {}, .. ({} nodes)", some, nodes.size());
    return plural(nodes.size(), "node") + " " + some;
}

// ---- What is missing ----

void require_there(const Topology& network, NodeId node)
{
    if (node >= network.nodes())
        throw InvalidArgument(
            fmt::format("{} has no node {}: nodes are 0 to {}", network.title(), node, network.nodes() - 1));
    if (std::ranges::binary_search(network.faults().nodes, node))
        throw InvalidArgument(fmt::format("{} lacks node {} already", network.title(), node));
}

void require_there(const Topology& network, Link link)
{
    require_there(network, link.first);
    require_there(network, link.second);
    if (!linked(link.first, link.second, network))
        throw InvalidArgument(fmt::format("{} has no link {}", network.title(), shown(link)));
}

template <class Fault>
void require_once(std::vector<Fault>& faults, std::string_view what, const auto& show)
{
    std::ranges::sort(faults);
    if (const auto twice = std::ranges::adjacent_find(faults); twice != faults.end())
        throw InvalidArgument(fmt::format("{} {} is to be missing twice: once is allowed", what, show(*twice)));
}

// The faults in ascending order, without links of nodes that are missing themselves.
Faults in_order(const Topology& network, Faults faults)
{
    for (Link& link : faults.links) {
        require_there(network, link);
        link = ascending(link);
    }
    for (const NodeId node : faults.nodes)
        require_there(network, node);
    require_once(faults.links, "link", [](Link link) { return shown(link); });
    require_once(faults.nodes, "node", [](NodeId node) { return std::to_string(node); });
    return faults;
}

void forget_links_of_missing_nodes(Faults& faults)
{
    const auto is_missing = [&](NodeId node) { return std::ranges::binary_search(faults.nodes, node); };
    std::erase_if(faults.links, [&](Link link) { return is_missing(link.first) || is_missing(link.second); });
}

// ---- What is left ----

Lists links_left(const Topology& whole, const Faults& faults)
{
    std::vector<bool> missing(whole.nodes());
    for (const NodeId node : faults.nodes)
        missing[node] = true;
    Lists lists(whole.nodes());
    for (NodeId node = 0; node < whole.nodes(); ++node)
        for (Port port = 0; port < whole.ports(node) && !missing[node]; ++port)
            if (const NodeId far = whole.neighbour(node, port);
                !missing[far] && !std::ranges::binary_search(faults.links, ascending({node, far})))
                lists[node].push_back(far);
    return lists;
}

// What the links and nodes that are left have of their own.
Fabric fabric_left(Fabric fabric, const Lists& lists)
{
    std::erase_if(fabric.switches, [&](NodeId node) { return lists[node].empty(); });
    std::erase_if(fabric.links, [&](const TimedLink& link) {
        return std::ranges::find(lists[link.a], link.b) == lists[link.a].end();
    });
    return fabric;
}

std::vector<NodeId> nodes_left(const Topology& whole, const Faults& faults)
{
    std::vector<NodeId> left;
    for (NodeId node = 0; node < whole.nodes(); ++node)
        if (!std::ranges::binary_search(faults.nodes, node))
            left.push_back(node);
    return left;
}

// The nodes that can be reached from `from`.
std::vector<bool> part_of(NodeId from, const Lists& lists)
{
    std::vector<bool> reached(lists.size());
    std::vector<NodeId> next{from};
    reached[from] = true;
    while (!next.empty()) {
        const NodeId node = next.back();
        next.pop_back();
        for (const NodeId far : lists[node])
            if (!reached[far]) {
                reached[far] = true;
                next.push_back(far);
            }
    }
    return reached;
}

// The smallest part is what the complaint names.
void require_connected(const std::string& title, const Lists& lists, std::span<const NodeId> members)
{
    std::vector<NodeId> smallest;
    std::vector<bool> seen(lists.size());
    for (const NodeId node : members) {
        if (seen[node])
            continue;
        const std::vector<bool> reached = part_of(node, lists);
        std::vector<NodeId> part;
        for (const NodeId other : members)
            if (reached[other]) {
                seen[other] = true;
                part.push_back(other);
            }
        if (smallest.empty() || part.size() < smallest.size())
            smallest = std::move(part);
    }
    if (smallest.size() != members.size())
        throw InvalidArgument(fmt::format("{} is disconnected: no path leads from {} to the other {}", title,
                                          shown(smallest), members.size() - smallest.size()));
}

std::string titled(const std::string& name, const Faults& faults)
{
    if (faults.empty())
        return name;
    if (faults.links.size() + faults.nodes.size() <= most_named)
        return fmt::format("{} without {}", name, to_string(faults));
    std::string counts;
    if (!faults.links.empty())
        counts = counted(faults.links.size(), "link");
    if (!faults.nodes.empty())
        counts += (counts.empty() ? "" : " and ") + counted(faults.nodes.size(), "node");
    return fmt::format("{} without {}", name, counts);
}

void require_possible(const Topology& whole, const Faults& faults, const Lists& lists, std::span<const NodeId> members)
{
    const std::string title = titled(whole.name(), faults);
    if (whole.nodes() > Graph::max_nodes)
        throw InvalidArgument(fmt::format("{} has {} nodes: networks that lack something may have up to {}", title,
                                          whole.nodes(), Graph::max_nodes));
    if (members.size() < 2)
        throw InvalidArgument(
            fmt::format("{} has {} left: 2 or more are needed", title, members.empty() ? "no node" : "one node"));
    require_connected(title, lists, members);
}

}  // namespace

Faults random_faults(const Topology& topology, double rate, std::uint64_t seed)
{
    if (!(rate >= 0 && rate <= 1))
        throw InvalidArgument(fmt::format("a fault rate of {} is not possible: expected 0 to 1", rate));
    Random random(seed);
    Faults faults;
    for (NodeId node = 0; node < topology.nodes(); ++node)
        for (Port port = 0; port < topology.ports(node); ++port)
            if (const NodeId far = topology.neighbour(node, port); far > node && random.uniform() < rate)
                faults.links.emplace_back(node, far);
    return faults;
}

Topology Topology::without(const Faults& more) const
{
    Faults faults = in_order(*this, more);
    if (faults.empty())
        return *this;
    faults.add(this->faults());
    faults = in_order(whole(), std::move(faults));
    forget_links_of_missing_nodes(faults);
    const std::vector<NodeId> members = nodes_left(whole(), faults);
    Lists lists = links_left(whole(), faults);
    require_possible(whole(), faults, lists, members);

    const std::string name = fmt::format("{} without {}", whole().name(), to_string(faults));
    Fabric fabric = fabric_left(whole().fabric(), lists);
    const bool has_switches = !fabric.switches.empty();
    const std::shared_ptr<Network> network =
        network_of({Graph::from_lists(name, std::move(lists), std::move(fabric))}, name);
    network->whole = whole();
    network->faults = std::move(faults);
    Topology rest = made(network);
    if (!has_switches && members.size() < nodes_) {
        network->set_members(members);
        Lists among_members(members.size());
        for (std::size_t number = 0; number < members.size(); ++number)
            for (Port port = 0; port < rest.ports(members[number]); ++port)
                among_members[number].push_back(network->numbers[rest.neighbour(members[number], port)]);
        Fabric numbered = rest.fabric();
        for (TimedLink& link : numbered.links)
            std::tie(link.a, link.b) = std::pair(network->numbers[link.a], network->numbers[link.b]);
        const std::shared_ptr<Network> alone =
            network_of({Graph::from_lists(name, std::move(among_members), std::move(numbered))}, name);
        alone->originals = members;
        network->of_members = made(alone);
    }
    return rest;
}

void Topology::Network::set_members(std::vector<NodeId> all)
{
    members = std::move(all);
    numbers.assign(first_links.size() - 1, no_member);
    for (std::size_t number = 0; number < members.size(); ++number)
        numbers[members[number]] = static_cast<NodeId>(number);
}

NodeId Topology::original(NodeId node) const
{
    return network_ && !network_->originals.empty() ? network_->originals[node] : node;
}

NodeId Topology::all_members() const
{
    return network_->members.empty() ? nodes_ : static_cast<NodeId>(network_->members.size());
}

bool Topology::is_there(NodeId node) const
{
    return network_->members.empty() || network_->numbers[node] != Network::no_member;
}

NodeId Topology::numbered_member(NodeId number) const
{
    return network_->members.empty() ? number : network_->members[number];
}

NodeId Topology::number_of(NodeId node) const
{
    return network_->members.empty() ? node : network_->numbers[node];
}

const Topology& Topology::of_members() const
{
    return network_ && network_->of_members ? *network_->of_members : *this;
}

const Faults& Topology::faults() const
{
    static const Faults none;
    return network_ ? network_->faults : none;
}

const Topology& Topology::whole() const
{
    return network_ && network_->whole ? *network_->whole : *this;
}

std::string Topology::title() const
{
    const Topology& all = whole();
    return titled(all.network_ && !all.network_->title.empty() ? all.network_->title : all.name(), faults());
}

std::optional<std::pair<NodeId, NodeId>> parsed_ends(std::string_view text)
{
    const std::size_t dash = text.find('-');
    if (dash == std::string_view::npos)
        return std::nullopt;
    const auto first = parsed_number<std::uint32_t>(text.substr(0, dash));
    const auto second = parsed_number<std::uint32_t>(text.substr(dash + 1));
    if (!first || !second)
        return std::nullopt;
    return std::pair(*first, *second);
}

namespace {

bool is_between(char c)
{
    return c == ',' || c == ' ' || (c >= '\t' && c <= '\r');
}

// The words of one line.
void read_line(std::string_view line, const std::string& where, Faults& faults)
{
    line = line.substr(0, line.find('#'));
    while (!line.empty()) {
        const auto begin = static_cast<std::size_t>(std::ranges::find_if_not(line, is_between) - line.begin());
        line.remove_prefix(begin);
        const auto size = static_cast<std::size_t>(std::ranges::find_if(line, is_between) - line.begin());
        const std::string_view word = line.substr(0, size);
        line.remove_prefix(size);
        if (const auto between = parsed_ends(word))
            faults.links.push_back(*between);
        else if (const auto node = parsed_number<std::uint32_t>(word))
            faults.nodes.push_back(*node);
        else if (!word.empty())
            throw InvalidArgument(
                fmt::format("{}{} is neither a link such as 0-1 nor a node such as 5", where, quoted(word)));
    }
}

}  // namespace

void Faults::add(const Faults& others)
{
    links.insert(links.end(), others.links.begin(), others.links.end());
    nodes.insert(nodes.end(), others.nodes.begin(), others.nodes.end());
}

Faults parse_faults(std::string_view text)
{
    text = without_byte_order_mark(text);
    const bool several = text.find('\n') != std::string_view::npos;
    Faults faults;
    for (std::size_t number = 1; !text.empty(); ++number) {
        const std::size_t end = std::min(text.find('\n'), text.size());
        read_line(text.substr(0, end), several ? fmt::format("line {}: ", number) : "", faults);
        text.remove_prefix(std::min(end + 1, text.size()));
    }
    return faults;
}

std::pair<NodeId, NodeId> parse_link_between(std::string_view text)
{
    const auto between = parsed_ends(text);
    if (!between)
        throw InvalidArgument(fmt::format("{} is not a link: expected two neighbours, e.g. 0-1", quoted(text)));
    return *between;
}

NodeId parse_node_id(std::string_view text)
{
    const auto node = parsed_number<std::uint32_t>(text);
    if (!node)
        throw InvalidArgument(fmt::format("{} is not a node: expected a whole number, e.g. 5", quoted(text)));
    return *node;
}

std::string to_string(const Faults& faults)
{
    std::string text;
    for (const auto& [a, b] : faults.links)
        text += fmt::format("{}{}-{}", text.empty() ? "" : ",", a, b);
    for (const NodeId node : faults.nodes)
        text += fmt::format("{}{}", text.empty() ? "" : ",", node);
    return text;
}

}  // namespace dcube
