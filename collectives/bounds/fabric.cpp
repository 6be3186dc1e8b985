// Lower bounds of the virtual time where nodes or links differ (docs/optimality.md). In a time T a link carries as many
// bytes for a node as fit after the earliest moment at which any byte can have come to it, and before the last at which
// a byte can still get from it to that node, less one start-up. So T is at least the least time in which
//
//   cuts      those capacities allow a flow of all bytes that a node must get (or, read backwards, must give)
//   prices    the bytes can pay for their cheapest paths, whatever the links' prices are
//
// All times are whole ticks, so both are found by bisection.

#include "collectives/bounds/fabric.hpp"

#include "base/numbers.hpp"
#include "base/planning.hpp"
#include "collectives/graphs/arcs.hpp"
#include "collectives/graphs/capacity_flow.hpp"
#include "collectives/graphs/link_ticks.hpp"
#include "collectives/of_members.hpp"

#include <dcube/layout.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <functional>
#include <limits>
#include <optional>
#include <queue>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

namespace dcube {

namespace {

using detail::ArcId;
using detail::Arcs;
using detail::CapacityFlow;
using detail::Integer;
using detail::LinkTicks;
using Kind = Argument::Kind;
__extension__ using Wide = unsigned __int128;

constexpr Time never = std::numeric_limits<Time>::max();
constexpr Time latest = Time{1} << 62;  // later bounds are not looked for

// The nodes that hold bytes for one node, and how many each.
struct Need {
    std::vector<std::pair<NodeId, std::uint64_t>> from;
    NodeId to;
};

// The least T from `least` on for which enough(T): what is enough stays enough. Nothing if it never is.
std::optional<Time> least_time(Time least, const std::function<bool(Time)>& enough)
{
    if (enough(least))
        return least;
    Time low = least;  // not enough
    Time step = 1;
    while (!enough(low + step)) {
        low += step;
        step *= 2;
        if (low > latest)
            return std::nullopt;
    }
    Time high = low + step;
    while (high - low > 1) {
        const Time middle = low + (high - low) / 2;
        (enough(middle) ? high : low) = middle;
    }
    return high;
}

// How long a byte that is a packet of its own takes from the nearest of these nodes to every node, and back, since
// links take as long in both directions.
std::vector<Time> earliest(const Arcs& arcs, const std::vector<LinkTicks>& links, const std::vector<NodeId>& starts)
{
    using Entry = std::pair<Time, NodeId>;
    std::vector<Time> since(arcs.nodes(), never);
    std::priority_queue<Entry, std::vector<Entry>, std::greater<>> next;
    for (const NodeId node : starts) {
        since[node] = 0;
        next.emplace(0, node);
    }
    while (!next.empty()) {
        const auto [time, node] = next.top();
        next.pop();
        if (time != since[node])
            continue;
        for_each_out(arcs, node, [&](ArcId arc) {
            const Time there = time + links[arc].tau + links[arc].beta;
            if (there < since[arcs.to(arc)]) {
                since[arcs.to(arc)] = there;
                next.emplace(there, arcs.to(arc));
            }
        });
    }
    return since;
}

class FabricBounds {
public:
    FabricBounds(const Topology& topology, const Problem& problem)
        : topology_(topology), problem_(problem), link_(topology.links(problem.link)), arcs_(topology),
          links_(detail::link_ticks(topology, link_)), message_(Layout(problem, topology).message)
    {
    }

    TimeArgument operator()()
    {
        bound_.argument = nothing_to_do("nothing has to move");
        bound_.unit = 1;
        for (const Need& need : needs())
            if (looks_ < most_looks)
                add_cut(need);
        if (problem_.collective == Collective::all_reduce)
            add_arrivals();
        if (const auto sent = messages(); !sent.empty())
            add_prices(sent);
        bound_.value = detail::Exact(Integer(best_)) / link_.ticks_per_ns();
        return std::move(bound_);
    }

private:
    static constexpr std::uint64_t most_looks = 40'000'000;  // at arcs: about a second
    static constexpr unsigned rounds = 200;
    static constexpr std::uint64_t dearest = std::uint64_t{1} << 40;

    using Messages = std::vector<std::pair<NodeId, NodeId>>;  // of message_ bytes each

    // From all hosts to each, from one host to each, or between the ends of messages. Links are alike both ways, so
    // what is read backwards needs as long.
    [[nodiscard]] std::vector<Need> needs() const
    {
        const std::vector<NodeId> all = detail::member_list(topology_);
        std::vector<Need> needs;
        const auto one_to_each = [&](NodeId root) {
            for (const NodeId node : all)
                if (node != root)
                    needs.push_back({{{root, message_}}, node});
        };
        const auto all_to = [&](NodeId node) {
            Need need{{}, node};
            for (const NodeId other : all)
                if (other != node)
                    need.from.emplace_back(other, message_);
            needs.push_back(std::move(need));
        };
        switch (pattern_of(problem_.collective)) {
        case Pattern::one_to_all: one_to_each(problem_.root); break;
        case Pattern::one_to_each: all_to(problem_.root); break;
        case Pattern::each_to_all:
        case Pattern::each_to_each: std::ranges::for_each(all, all_to); break;
        case Pattern::sums_to_all:
        case Pattern::prefix_sums: one_to_each(all.front()); break;
        case Pattern::pairs:
            detail::for_each_message(problem_, topology_, [&](NodeId from, NodeId to, std::uint64_t) {
                if (from != to)
                    needs.push_back({{{from, message_}}, to});
            });
            break;
        case Pattern::signals:          // which have no bytes
        case Pattern::elements: break;  // none is known
        }
        return needs;
    }

    [[nodiscard]] Messages messages() const
    {
        Messages all;
        const Pattern pattern = pattern_of(problem_.collective);
        if (pattern == Pattern::each_to_each)
            for (const NodeId from : detail::member_list(topology_))
                for (const NodeId to : detail::member_list(topology_))
                    if (from != to)
                        all.emplace_back(from, to);
        if (pattern == Pattern::pairs)
            detail::for_each_message(problem_, topology_, [&](NodeId from, NodeId to, std::uint64_t) {
                if (from != to)
                    all.emplace_back(from, to);
            });
        return all;
    }

    // The bytes that a link can carry between these times.
    [[nodiscard]] std::uint64_t capacity(ArcId arc, Time begin, Time end, std::uint64_t most) const
    {
        const auto& [tau, beta] = links_[arc];
        if (begin == never || end < begin || end - begin < beta)
            return 0;
        return tau == 0 ? most : std::min(most, (end - begin - beta) / tau);
    }

    // ---- Cuts ----

    void add_cut(const Need& need)
    {
        std::uint64_t bytes = 0;
        std::vector<NodeId> starts;
        for (const auto& [node, amount] : need.from) {
            starts.push_back(node);
            bytes += amount;
        }
        if (bytes == 0)
            return;
        const std::vector<Time> before = earliest(arcs_, links_, starts);
        const std::vector<Time> after = earliest(arcs_, links_, {need.to});
        std::vector<bool> inside;
        const auto enough = [&](Time time) {
            detail::planning("lower bound", 0);
            looks_ += 8 * std::uint64_t{arcs_.size()};
            CapacityFlow flow(arcs_.nodes() + std::size_t{1});
            const std::size_t source = arcs_.nodes();
            for (const auto& [node, amount] : need.from)
                flow.add(source, node, amount);
            for (ArcId arc = 0; arc < arcs_.size(); ++arc)
                if (after[arcs_.to(arc)] <= time)
                    flow.add(arcs_.from(arc), arcs_.to(arc),
                             capacity(arc, before[arcs_.from(arc)], time - after[arcs_.to(arc)], bytes));
            if (flow.largest(source, need.to, bytes) == bytes)
                return true;
            inside.assign(arcs_.nodes(), false);
            for (NodeId node = 0; node < arcs_.nodes(); ++node)
                inside[node] = flow.before_cut(node);
            return false;
        };
        const std::optional<Time> time = least_time(best_, enough);
        if (!time || *time == best_)
            return;
        std::ignore = enough(*time - 1);  // for its cut
        keep(*time, cut_of(need, before, after, *time, std::move(inside)));
    }

    [[nodiscard]] Argument cut_of(const Need& need, const std::vector<Time>& before, const std::vector<Time>& after,
                                  Time time, std::vector<bool> inside) const
    {
        std::uint64_t bytes = 0;
        for (const auto& [node, amount] : need.from)
            bytes += inside[node] ? amount : 0;
        std::uint64_t carried = 0;
        std::uint64_t links = 0;
        for (ArcId arc = 0; arc < arcs_.size(); ++arc)
            if (inside[arcs_.from(arc)] && !inside[arcs_.to(arc)]) {
                ++links;
                if (after[arcs_.to(arc)] < time)
                    carried += capacity(arc, before[arcs_.from(arc)], time - 1 - after[arcs_.to(arc)], bytes);
            }
        const bool outwards = is_outwards();
        const std::string whose =
            outwards ? fmt::format("must leave node {}", need.to) : fmt::format("must reach node {}", need.to);
        if (outwards)
            inside.flip();
        return {.kind = Kind::timed_cut,
                .name = "timed-cut",
                .reason = fmt::format("{} {} over {}, which in any less time carry {}", grouped(bytes, "byte"), whose,
                                      grouped(links, "link"), grouped(carried)),
                .factors = {bytes},
                .per_step = links,
                .node = need.to,
                .cut = {.inside = std::move(inside)},
                .outwards = outwards,
                .carried = carried};
    }

    // Whether what is said of bytes for a node holds, read backwards, of what it sends.
    [[nodiscard]] bool is_outwards() const
    {
        const bool reversed = is_reversed(problem_.collective);
        return pattern_of(problem_.collective) == Pattern::one_to_each ? !reversed : reversed;
    }

    // ---- Prices ----

    // All-reduce: of every byte 2 (n-1) copies come to nodes that are no switches, however sums are formed.
    void add_arrivals()
    {
        const Wide bytes = Wide{2} * (topology_.members() - 1) * message_;
        const auto enough = [&](Time time) {
            Wide all = 0;
            for (ArcId arc = 0; arc < arcs_.size(); ++arc)
                if (!topology_.is_switch(arcs_.to(arc)))
                    all += capacity(arc, 0, time, never);
            return all >= bytes;
        };
        if (const auto time = least_time(best_, enough); time && *time > best_)
            keep(*time, {.kind = Kind::timed_prices,
                         .name = "timed-arrivals",
                         .reason = "2 (N-1) partial or whole sums of every byte must come to nodes, over all links "
                                   "into them together",
                         .factors = {2, topology_.members() - std::uint64_t{1}, message_}});
    }

    // Links get dearer by what the cheapest paths of all messages carry over them. Every round's prices give a bound.
    void add_prices(const Messages& sent)
    {
        std::vector<std::uint64_t> prices = first_prices();
        for (unsigned round = 0; round < rounds && looks_ < 2 * most_looks; ++round) {
            const auto [paid, carried] = cheapest(sent, prices);
            const Wide bytes = paid * message_;
            const auto enough = [&](Time time) {
                Wide all = 0;
                for (ArcId arc = 0; arc < arcs_.size(); ++arc)
                    all += Wide{capacity(arc, 0, time, never)} * prices[arc];
                return all >= bytes;
            };
            if (const auto time = least_time(best_, enough); time && *time > best_)
                keep(*time, {.kind = Kind::timed_prices,
                             .name = "timed-prices",
                             .reason = "links have prices, and all bytes together pay at least their cheapest paths",
                             .factors = {sent.size(), message_}});
            raise(prices, carried);
        }
    }

    [[nodiscard]] std::vector<std::uint64_t> first_prices() const
    {
        Time most = 1;
        for (const LinkTicks& link : links_)
            most = std::max(most, link.tau);
        std::vector<std::uint64_t> prices;
        for (const LinkTicks& link : links_)  // a link that takes no time per byte costs nothing
            prices.push_back(static_cast<std::uint64_t>(Wide{dearest} * link.tau / most));
        return prices;
    }

    struct Paths {
        Wide paid = 0;
        std::vector<std::uint64_t> carried;  // messages, by arc
    };
    [[nodiscard]] Paths cheapest(const Messages& sent, const std::vector<std::uint64_t>& prices)
    {
        Paths paths{0, std::vector<std::uint64_t>(arcs_.size())};
        std::vector<LinkTicks> costs;
        for (const std::uint64_t price : prices)
            costs.push_back({price, 0});
        std::vector<Time> cost;
        std::optional<NodeId> source;
        for (const auto& [from, to] : sent) {  // those of one node stand side by side
            if (source != from) {
                detail::planning("lower bound", 0);
                looks_ += 8 * std::uint64_t{arcs_.size()};
                cost = earliest(arcs_, costs, {from});
                source = from;
            }
            paths.paid += cost[to];
            note_path(paths.carried, prices, cost, from, to);
        }
        return paths;
    }

    // Goes back along arcs that lie on a cheapest path. Where prices are 0 it may stop short, which only makes the next
    // prices other ones.
    void note_path(std::vector<std::uint64_t>& carried, const std::vector<std::uint64_t>& prices,
                   const std::vector<Time>& cost, NodeId from, NodeId to) const
    {
        while (to != from) {
            std::optional<ArcId> last;
            for (const ArcId arc : arcs_.in(to))
                if (cost[arcs_.from(arc)] < cost[to] && cost[arcs_.from(arc)] + prices[arc] == cost[to])
                    last = arc;
            if (!last)
                return;
            ++carried[*last];
            to = arcs_.from(*last);
        }
    }

    void raise(std::vector<std::uint64_t>& prices, const std::vector<std::uint64_t>& carried) const
    {
        Wide busiest = 1;
        for (ArcId arc = 0; arc < arcs_.size(); ++arc)
            busiest = std::max(busiest, Wide{carried[arc]} * links_[arc].tau);
        constexpr unsigned slowness = 8;  // so that prices settle where several paths are as good
        std::uint64_t most = 1;
        for (ArcId arc = 0; arc < arcs_.size(); ++arc) {
            prices[arc] +=
                static_cast<std::uint64_t>(Wide{carried[arc]} * links_[arc].tau * prices[arc] / busiest / slowness);
            most = std::max(most, prices[arc]);
        }
        for (std::uint64_t& price : prices)
            price = static_cast<std::uint64_t>(Wide{price} * dearest / most);
    }

    void keep(Time time, Argument argument)
    {
        best_ = time;
        bound_.argument = std::move(argument);
    }

    const Topology& topology_;
    const Problem& problem_;
    LinkModel link_;
    Arcs arcs_;
    std::vector<LinkTicks> links_;
    std::uint64_t message_;
    std::uint64_t looks_ = 0;
    Time best_ = 0;
    TimeArgument bound_{};
};

}  // namespace

TimeArgument time_on_fabric(const Topology& topology, const Problem& problem)
{
    if (std::string why = why_nothing_moves(topology, problem); !why.empty())
        return {nothing_to_do(std::move(why))};
    return FabricBounds(topology, problem)();
}

Argument steps_on_fabric(const Topology& topology, const Problem& problem)
{
    if (std::string why = why_nothing_moves(topology, problem); !why.empty())
        return nothing_to_do(std::move(why));
    Argument farthest{.kind = Kind::distance, .name = "distance", .far = 0};
    const auto add = [&](NodeId from, NodeId to) {
        if (const unsigned far = topology.distance(from, to); far > farthest.far)
            std::tie(farthest.far, farthest.node, farthest.other) = std::tuple(std::uint64_t{far}, from, to);
    };
    for (NodeId number = 0; number < topology.members(); ++number)
        if (has_root(problem.collective))
            add(problem.root, topology.member(number));
        else if (!is_point_to_point(problem.collective))
            for (NodeId other = 0; other < topology.members(); ++other)
                add(topology.member(number), topology.member(other));
    detail::for_each_message(problem, topology, [&](NodeId from, NodeId to, std::uint64_t) { add(from, to); });
    if (farthest.far == 0)
        return nothing_to_do("no message has to leave its node");
    farthest.reason = fmt::format("node {} is {} links away from node {}", farthest.other, farthest.far, farthest.node);
    return farthest;
}

}  // namespace dcube
