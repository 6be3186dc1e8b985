#include "judge/link_rules.hpp"

#include <dcube/judge.hpp>

#include <fmt/format.h>

namespace dcube {

namespace {

std::uint64_t largest_packet(const Problem& problem)
{
    return problem.link.bound() || is_matrix(problem.collective) ? ~std::uint64_t{0} : problem.bytes;
}

}  // namespace

std::string out_of_order(Step step, Step before)
{
    return fmt::format("the lines are not sorted by step: step {} stands after step {}", step, before);
}

LinkRules::LinkRules(const Topology& topology, PortModel ports, const Problem& problem)
    : topology_(topology), ports_(ports), packet_(largest_packet(problem)), link_used_(topology.directed_links()),
      sent_(ports == PortModel::one ? topology.nodes() : 0), received_(sent_.size())
{
}

void LinkRules::require_kept(const Record& record)
{
    require_order(record);
    require_link(record);
    require_size(record);
    require_free(record);
}

void LinkRules::require_order(const Record& record)
{
    if (record.step == 0)
        throw TraceError(record.line, "step 0: steps begin at 1");
    if (record.step < step_)
        throw TraceError(record.line, out_of_order(record.step, step_));
    step_ = record.step;
}

void LinkRules::require_link(const Record& record) const
{
    require_node(record, "from", record.from);
    require_node(record, "to", record.to);
    if (record.port >= topology_.ports(record.from))
        throw TraceError(record.line, fmt::format("node {} has no port {}: it has {} ports, counted from 0",
                                                  record.from, record.port, topology_.ports(record.from)));
    if (const NodeId neighbour = topology_.neighbour(record.from, record.port); record.to != neighbour)
        throw TraceError(record.line, fmt::format("port {} of node {} leads to node {}, not to node {}", record.port,
                                                  record.from, neighbour, record.to));
}

void LinkRules::require_node(const Record& record, std::string_view what, NodeId node) const
{
    if (node >= topology_.nodes())
        throw TraceError(record.line, fmt::format("\"{}\" is {}: a node from 0 to {} is allowed", what, node,
                                                  topology_.nodes() - 1));
}

/// A step is the time of one packet; whoever sends more at once would beat the lower bounds.
void LinkRules::require_size(const Record& record) const
{
    std::uint64_t left = record.bytes;
    for (const Piece& piece : record.pieces) {
        if (piece.length > left)
            throw TraceError(record.line, fmt::format("\"bytes\" is {}, but the pieces have more", record.bytes));
        left -= piece.length;
    }
    if (left != 0)
        throw TraceError(record.line, fmt::format("\"bytes\" is {}, but the pieces have {} fewer", record.bytes, left));
    if (record.bytes == 0)
        throw TraceError(record.line, "the transmission carries nothing");
    if (record.bytes > packet_)
        throw TraceError(record.line, fmt::format("{} bytes at once: a packet has at most {}", record.bytes, packet_));
}

void LinkRules::require_free(const Record& record)
{
    Step& link = link_used_[topology_.link(record.from, record.port)];
    if (link == record.step)
        throw TraceError(record.line, fmt::format("a second packet from node {} over port {} in step {}", record.from,
                                                  record.port, record.step));
    link = record.step;
    if (ports_ == PortModel::all)
        return;
    if (sent_[record.from] == record.step)
        throw TraceError(record.line, fmt::format("a second packet is sent by node {} in step {}, which has one port",
                                                  record.from, record.step));
    sent_[record.from] = record.step;
    if (record.lost)
        return;
    if (received_[record.to] == record.step)
        throw TraceError(record.line,
                         fmt::format("a second packet is received by node {} in step {}, which has one port", record.to,
                                     record.step));
    received_[record.to] = record.step;
}

}  // namespace dcube
