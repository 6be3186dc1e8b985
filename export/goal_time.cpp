#include "export/goal_time.hpp"

#include <dcube/error.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <numeric>

namespace dcube {

namespace {

constexpr std::uint64_t most_units = std::numeric_limits<std::int32_t>::max();

// A packet of some bytes being taken in by a node, as LogGOPSim sees it: from its first byte's arrival to its last.
struct Reception {
    NodeId node;
    std::uint64_t first;
    std::uint64_t last;
};

struct Departure {
    NodeId node;
    std::uint64_t time;
};

// Whether a node has more to do while it takes something in.
bool collide(std::vector<Reception> receptions, std::vector<Departure> departures)
{
    const auto by_node = [](const auto& a, const auto& b, std::uint64_t x, std::uint64_t y) {
        return a.node != b.node ? a.node < b.node : x < y;
    };
    std::ranges::sort(receptions,
                      [&](const Reception& a, const Reception& b) { return by_node(a, b, a.first, b.first); });
    std::ranges::sort(departures,
                      [&](const Departure& a, const Departure& b) { return by_node(a, b, a.time, b.time); });
    for (std::size_t i = 1; i < receptions.size(); ++i)
        if (receptions[i - 1].node == receptions[i].node && receptions[i].first < receptions[i - 1].last)
            return true;
    auto next = departures.begin();
    for (const Reception& one : receptions) {
        while (next != departures.end() &&
               (next->node < one.node || (next->node == one.node && next->time < one.first)))
            ++next;
        if (next != departures.end() && next->node == one.node && next->time < one.last)
            return true;
    }
    return false;
}

}  // namespace

GoalParameters goal_parameters(const LinkModel& link)
{
    if (!link.bound())
        return {.latency = 1, .per_byte = 0, .ticks = 1, .unit = "steps"};
    const std::uint64_t scale = link.ticks_per_ns();
    const auto ticks = [&](const Rational& ns) {
        return static_cast<std::uint64_t>(ns.numerator) * (scale / static_cast<std::uint64_t>(ns.denominator));
    };
    const std::uint64_t tau = ticks(link.tau);
    const std::uint64_t beta = ticks(link.beta);
    const std::uint64_t unit = std::max<std::uint64_t>(std::gcd(tau, beta), 1);
    const std::uint64_t common = std::gcd(unit, scale);
    GoalParameters parameters{.latency = tau / unit + beta / unit, .per_byte = tau / unit, .ticks = unit};
    const Rational ns{static_cast<std::int64_t>(unit / common), static_cast<std::int64_t>(scale / common)};
    parameters.unit = ns == Rational{1, 1} ? "ns" : fmt::format("units of {} ns", to_string(ns));
    if (parameters.latency > most_units)
        throw InvalidArgument(fmt::format("LogGOPSim cannot count tau + beta, {} {}: at most {} are possible",
                                          parameters.latency, parameters.unit, most_units));
    return parameters;
}

std::string goal_flags(const GoalParameters& parameters)
{
    return fmt::format("-L {0} -g {0} -G {1} -o 0 -O 0 -S 2000000000", parameters.latency, parameters.per_byte);
}

GoalTime goal_time(const Recording& recording, const Dependencies& dependencies, const GoalParameters& parameters)
{
    const bool one_port = recording.ports == PortModel::one;
    const bool bound = recording.problem.link.bound();
    const Topology& topology = recording.topology;
    const auto& flights = recording.flights;
    std::vector<std::uint64_t> arrived(flights.size());
    std::vector<std::uint64_t> free(one_port ? topology.nodes() : topology.directed_links());
    std::vector<Reception> receptions;
    std::vector<Departure> departures;
    std::uint64_t end = 0;
    bool as_ours = true;  // every packet leaves when ours does
    for (std::size_t i = 0; i < flights.size(); ++i) {
        const Flight& one = flights[i];
        std::uint64_t& sender = free[one_port ? one.from : topology.link(one.from, one.port)];
        std::uint64_t start = sender;
        for (const std::uint32_t before : dependencies.of(i))
            start = std::max(start, arrived[before]);
        sender = arrived[i] = start + parameters.duration(one.bytes);
        end = std::max(end, arrived[i]);
        as_ours = as_ours && start == (bound ? one.start / parameters.ticks : one.step - 1);
        receptions.push_back({one.to, start + parameters.latency, arrived[i]});
        departures.push_back({one.from, start});
    }
    GoalTime time{.ours = bound ? recording.end / parameters.ticks : recording.steps};
    if (one_port ? !as_ours : parameters.per_byte > 0 && collide(std::move(receptions), std::move(departures)))
        time.relation = GoalTime::Relation::one_by_one;
    else if (end != time.ours)
        time.relation = GoalTime::Relation::earlier;
    return time;
}

}  // namespace dcube
