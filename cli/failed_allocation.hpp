#pragma once
// How much memory was asked for when there was no more.

#include <string>

namespace dcube::cli {

/// "out of memory: 1 073 741 824 bytes more were asked for". In sanitized builds, whose allocator is not ours, without
/// the number.
std::string out_of_memory_text();

}  // namespace dcube::cli
