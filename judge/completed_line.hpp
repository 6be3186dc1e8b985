#pragma once
// What a line leaves out, where the rest says it.

#include "judge/trace_line.hpp"
#include "judge/trace_messages.hpp"

#include <dcube/topology.hpp>

namespace dcube {

/// Fills it in, as far as the line makes sense; what does not is for the rules to say. Throws TraceFormatError where
/// neither "to" nor "port" is there, TraceError where no link leads to the node that is named, and for a step that no
/// run reaches.
void complete_line(Record& record, const Topology& topology, const TraceMessages& messages);

}  // namespace dcube
