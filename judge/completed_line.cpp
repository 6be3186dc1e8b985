#include "judge/completed_line.hpp"

#include <dcube/judge.hpp>

#include <fmt/format.h>

namespace dcube {

namespace {

constexpr Step most_steps = 0x7ffffffe;

void complete_link(Record& record, const Topology& topology)
{
    if (!record.has_to && !record.has_port)
        throw TraceFormatError(record.line, "the transmission has neither \"to\" nor \"port\": one of them is needed");
    if (record.from >= topology.nodes())
        return;
    const Port ports = topology.ports(record.from);
    if (!record.has_to) {
        record.to = record.port < ports ? topology.neighbour(record.from, record.port) : 0;
        return;
    }
    if (record.has_port || record.to >= topology.nodes())
        return;
    for (record.port = 0; record.port < ports; ++record.port)
        if (topology.neighbour(record.from, record.port) == record.to)
            return;
    throw TraceError(record.line, fmt::format("node {} has no link to node {}", record.from, record.to));
}

}  // namespace

void complete_line(Record& record, const Topology& topology, const TraceMessages& messages)
{
    if (record.step > most_steps)
        throw TraceError(record.line, fmt::format("step {}: a run has at most {} steps", record.step, most_steps));
    complete_link(record, topology);
    for (Piece& piece : record.pieces)
        messages.complete(piece);
    if (record.bytes != Record::left_out)
        return;
    record.bytes = 0;
    for (const Piece& piece : record.pieces)
        record.bytes += piece.length;
}

}  // namespace dcube
