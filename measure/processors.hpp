#pragma once
// What the kernel tells of the processors. `root` is the folder under which proc and sys are; it ends with "/".

#include "measure/host.hpp"

#include <string>
#include <vector>

namespace dcube::measure {

/// "sys/devices/system/cpu/cpu3/" below the root.
std::string processor_folder(const std::string& root, unsigned number);

/// x86 has a model name; ARM tells who designed the core and which one it is; others call it cpu. Empty if none does.
std::string cpu_name(const std::string& root);

/// NUMA nodes; none where the kernel does not list them.
std::vector<unsigned> online_nodes(const std::string& root);

/// Those online, and where they are; what is not known is 0, or for the core the processor itself.
std::vector<Processor> placed_processors(const std::string& root);

/// That this processor sees; none where the kernel does not tell.
std::vector<Cache> caches_of(const std::string& root, unsigned number);

}  // namespace dcube::measure
