#pragma once
// What can be judged: the memory that it takes is estimated before a trace is read.

#include <dcube/judge.hpp>

namespace dcube {

/// Throws InvalidArgument: a problem that is not valid, a link model that ports or numbers rule out, or more to keep
/// account of than there is memory.
void require_judgeable(const TraceQuestion& question);

}  // namespace dcube
