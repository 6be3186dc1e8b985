#include "algorithms/beyond/any_network/transports.hpp"

#include "base/exact.hpp"
#include "base/planning.hpp"

#include <algorithm>
#include <functional>
#include <queue>
#include <utility>

namespace dcube::detail {

TimedArcs::TimedArcs(const Topology& topology, const LinkModel& link)
    : topology_(topology), arcs_(topology), links_(link_ticks(topology, topology.links(link)))
{
}

Time TimedArcs::duration(ArcId arc, std::size_t bytes) const
{
    Time time = 0;
    if (__builtin_mul_overflow(links_[arc].tau, bytes, &time) || __builtin_add_overflow(time, links_[arc].beta, &time))
        throw_time_overflow();
    return time;
}

Time later(Time time, Time duration)
{
    if (__builtin_add_overflow(time, duration, &time))
        throw_time_overflow();
    return time;
}

namespace {

// A run of the transports, moment by moment.
class Clockwork {
public:
    Clockwork(const TimedArcs& arcs, std::span<const Transport> transports, std::span<const Time> urgency)
        : arcs_(arcs), transports_(transports), urgency_(urgency), waits_(arcs.arcs().size()),
          busy_(arcs.arcs().size()), next_stage_(arcs.arcs().size()), earliest_(transports.size()),
          missing_(transports.size()), next_(transports.size())
    {
        for (std::uint32_t i = 0; i < transports.size(); ++i) {
            table_.stage.emplace_back(transports[i].arcs.size());
            missing_[i] = static_cast<std::uint32_t>(transports[i].after.size());
            for (const std::uint32_t before : transports[i].after)
                next_[before].push_back(i);
        }
    }

    Timetable operator()()
    {
        for (std::uint32_t i = 0; i < transports_.size(); ++i)
            if (missing_[i] == 0)
                wait({i, 0});
        start_all(0);
        while (!ends_.empty()) {
            const Time now = ends_.top().time;
            planning("timetable", 0);
            for (; !ends_.empty() && ends_.top().time == now; ends_.pop())
                arrive(ends_.top().leg);
            start_all(now);
        }
        return std::move(table_);
    }

private:
    struct Leg {
        std::uint32_t transport;
        std::uint32_t number;
    };
    struct End {
        Time time;
        Leg leg;
        friend bool operator>(const End& a, const End& b)
        {
            return std::tuple(a.time, a.leg.transport) > std::tuple(b.time, b.leg.transport);
        }
    };
    struct Waiting {
        Time urgency;
        Leg leg;
        friend bool operator<(const Waiting& a, const Waiting& b)
        {
            return a.urgency != b.urgency ? a.urgency < b.urgency : a.leg.transport > b.leg.transport;
        }
    };

    [[nodiscard]] ArcId arc_of(const Leg& leg) const { return transports_[leg.transport].arcs[leg.number]; }

    void wait(const Leg& leg)
    {
        waits_[arc_of(leg)].push({urgency_[leg.transport], leg});
        touched_.push_back(arc_of(leg));
    }

    void start_all(Time now)
    {
        std::ranges::sort(touched_);
        for (const ArcId arc : touched_)
            if (!busy_[arc] && !waits_[arc].empty())
                start(arc, now);
        touched_.clear();
    }

    void start(ArcId arc, Time now)
    {
        const Leg leg = waits_[arc].top().leg;
        waits_[arc].pop();
        const Step stage = std::max(next_stage_[arc], earliest_[leg.transport]);
        table_.stage[leg.transport][leg.number] = stage;
        table_.stages = std::max(table_.stages, stage + 1);
        next_stage_[arc] = earliest_[leg.transport] = stage + 1;
        busy_[arc] = true;
        const Time end = later(now, arcs_.duration(arc, length(transports_[leg.transport].fragments)));
        table_.finish = std::max(table_.finish, end);
        ends_.push({end, leg});
    }

    void arrive(const Leg& leg)
    {
        busy_[arc_of(leg)] = false;
        touched_.push_back(arc_of(leg));
        if (leg.number + 1 < transports_[leg.transport].arcs.size())
            return wait({leg.transport, leg.number + 1});
        for (const std::uint32_t next : next_[leg.transport]) {
            earliest_[next] = std::max(earliest_[next], earliest_[leg.transport]);
            if (--missing_[next] == 0)
                wait({next, 0});
        }
    }

    const TimedArcs& arcs_;
    std::span<const Transport> transports_;
    std::span<const Time> urgency_;
    std::vector<std::priority_queue<Waiting>> waits_;  // by arc
    std::vector<bool> busy_;                           // by arc
    std::vector<Step> next_stage_;                     // by arc
    std::vector<Step> earliest_;                       // by transport: the first stage of its next leg
    std::vector<std::uint32_t> missing_;               // by transport: those that it waits for
    std::vector<std::vector<std::uint32_t>> next_;     // by transport: those that wait for it
    std::priority_queue<End, std::vector<End>, std::greater<>> ends_;
    std::vector<ArcId> touched_;
    Timetable table_;
};

// Packets by stage, node and port, and how those that switches send came to them.
class TransportTable {
public:
    explicit TransportTable(const TimedArcs& arcs)
        : topology_(arcs.topology()), arcs_(arcs.arcs()), table_(topology_), came_(std::make_shared<Came>())
    {
    }

    // Its stage 0 becomes stage `first`.
    void add(const TransportPlan& plan, Direction direction, Step first)
    {
        for (std::size_t i = 0; i < plan.transports.size(); ++i) {
            const Transport& transport = plan.transports[i];
            const std::size_t legs = transport.arcs.size();
            for (std::size_t leg = 0; leg < legs; ++leg)
                if (direction == Direction::forwards)
                    add(transport, transport.arcs[leg], first + plan.table.stage[i][leg]);
                else
                    add(transport, arcs_.opposite(transport.arcs[legs - 1 - leg]),
                        first + plan.table.stages - 1 - plan.table.stage[i][legs - 1 - leg]);
        }
    }

    Routing routing(Step stages) &&
    {
        Routing routing = std::move(table_).routing();
        routing.stages = stages;
        routing.came = [came = std::shared_ptr<const Came>(came_)](Step stage, NodeId from, Port port) {
            return came->at({stage, from, port});
        };
        return routing;
    }

private:
    using Came = std::map<std::tuple<Step, NodeId, Port>, CameIn>;

    void add(const Transport& transport, ArcId arc, Step stage)
    {
        const NodeId from = arcs_.from(arc);
        const Port port = arcs_.port(arc);
        table_.add(stage, from, port, transport.fragments);
        if (topology_.is_switch(from))
            (*came_)[{stage, from, port}] = last_;
        last_ = {stage, topology_.arrival_port(from, port)};
    }

    const Topology& topology_;
    const Arcs& arcs_;
    RoutingTable table_;
    std::shared_ptr<Came> came_;
    CameIn last_{};  // how the transport came to where it is
};

}  // namespace

Timetable timetable(const TimedArcs& arcs, std::span<const Transport> transports, std::span<const Time> urgency)
{
    return Clockwork(arcs, transports, urgency)();
}

std::vector<Time> times_to_go(const TimedArcs& arcs, std::span<const Transport> transports)
{
    std::vector<Time> times(transports.size());
    for (std::size_t i = transports.size(); i-- > 0;) {
        for (const ArcId arc : transports[i].arcs)
            times[i] = later(times[i], arcs.duration(arc, length(transports[i].fragments)));
        for (const std::uint32_t before : transports[i].after)
            times[before] = std::max(times[before], times[i]);
    }
    return times;
}

Routing routing_of(const TimedArcs& arcs, const TransportPlan& plan, Direction direction, Arrival arrival)
{
    TransportTable table(arcs);
    table.add(plan, direction, 0);
    Routing routing = std::move(table).routing(plan.table.stages);
    if (arrival == Arrival::added)
        routing.adding_stages = routing.giving_stages = routing.stages;
    return routing;
}

Routing backwards_and_forwards(const TimedArcs& arcs, const TransportPlan& plan)
{
    const Step half = plan.table.stages;
    TransportTable table(arcs);
    table.add(plan, Direction::backwards, 0);
    table.add(plan, Direction::forwards, half);
    Routing routing = std::move(table).routing(2 * half);
    routing.adding_stages = routing.giving_stages = half;
    return routing;
}

}  // namespace dcube::detail
