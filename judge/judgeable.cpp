#include "judge/judgeable.hpp"

#include "judge/held_bytes.hpp"
#include "judge/trace_messages.hpp"

#include <dcube/bounds.hpp>
#include <dcube/error.hpp>
#include <dcube/matrix.hpp>
#include <dcube/problem.hpp>

#include <fmt/format.h>

#include <algorithm>

namespace dcube {

namespace {

constexpr double most_ledgers = 8.0 * (1 << 30);  // bytes
constexpr double most_keys = 1e18;

/// Packets of messages at nodes, which ledgers number.
double keys(const Problem& problem, const Topology& topology)
{
    const TraceMessages messages(problem, topology);
    return static_cast<double>(messages.count()) * static_cast<double>(messages.packets()) * topology.nodes();
}

void require_link_model(const LinkModel& link, PortModel ports)
{
    if (link.bound() && ports == PortModel::one)
        throw InvalidArgument("one port under the link-bound model is not possible: expected all ports");
    if (link.tau < Rational{} || link.beta < Rational{})
        throw InvalidArgument(fmt::format("tau {} and beta {} are not possible: expected 0 or more",
                                          to_string(link.tau), to_string(link.beta)));
}

/// Pieces of messages that arrive somewhere if nothing takes a detour; at most.
double arrivals(const Problem& problem, const Topology& topology)
{
    if (!is_matrix(problem.collective))
        return static_cast<double>(transmissions_bound(topology, problem).value);
    const double n = topology.nodes();
    const double targets = std::min(n, static_cast<double>(MatrixMove(problem, topology).before().per_node()));
    return n * targets * topology.diameter();
}

/// What the ledger of a trace without superfluous transmissions needs, at most; an estimate. No problem is too large.
double ledger_bytes(const Problem& problem, const Topology& topology)
{
    const double n = topology.nodes();
    if (is_reduction(problem.collective)) {
        // Few ranges of nodes a sum; the ledger sees to it where there are more.
        const double sums = traits(problem.collective).target == Who::all ? n : 1;
        return n * sums * static_cast<double>(problem.packets) * 400;
    }
    // A table that is three eighths to three quarters full, and half as large again while it grows.
    return arrivals(problem, topology) * 8 / 3 * 1.5 * HeldBytes::bytes_per_slot;
}

}  // namespace

void require_judgeable(const TraceQuestion& question)
{
    const Topology& topology = question.topology;
    const Problem& problem = question.problem;
    validate(problem, topology);
    require_link_model(problem.link, question.ports);
    const double a_link = problem.link.bound() ? 12 : 4;
    const double n = topology.nodes();
    const double links = a_link * static_cast<double>(topology.directed_links()) + 8 * n;
    const double bytes = links + ledger_bytes(problem, topology);
    if (bytes > most_ledgers)
        throw InvalidArgument(fmt::format(
            "judging {} on {} with {} packets takes about {:.0f} GiB: at most {:.0f} GiB are allowed",
            name(problem.collective), topology.title(), problem.packets, bytes / (1 << 30), most_ledgers / (1 << 30)));
    if (keys(problem, topology) > most_keys)
        throw InvalidArgument(
            fmt::format("judging {} on {} with {} packets has to tell apart more than 10^18 packets at "
                        "nodes: fewer are allowed",
                        name(problem.collective), topology.title(), problem.packets));
}

}  // namespace dcube
