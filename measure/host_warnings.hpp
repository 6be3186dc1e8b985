#pragma once
// Why what is measured on this host now is not to be trusted.

#include <string>
#include <vector>

namespace dcube::measure {

struct Host;

/// A sentence for each reason there is: other work (load, idle processors), stolen time, throttling, fewer processors
/// than threads, a governor that saves power, a build with asserts or sanitizers. `most_threads` are the most that the
/// measurement has.
std::vector<std::string> warnings(const Host& host, unsigned most_threads);

/// Of what OthersWatch has seen: more than half a processor spoils times. Empty if there is nothing to warn of.
std::string warning_of_others(const std::optional<double>& processors);

}  // namespace dcube::measure
