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

}  // namespace dcube::measure
