#pragma once
// A machine that executes MSCCL's XML by its rules, on symbols instead of bytes: simple enough to be obviously correct.

#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <vector>

namespace dcube::test {

/// What a chunk holds: whose input chunks are added up in it (one is a copy).
using Terms = std::multiset<std::pair<std::uint32_t, std::uint64_t>>;  // gpu, offset in its input

struct MscclResult {
    std::map<std::string, std::string> attributes;        ///< of the algo
    std::vector<std::map<std::uint64_t, Terms>> outputs;  ///< of each gpu
    std::vector<std::uint64_t> output_chunks;
};

/// Executes it. `lag` lets a sender run ahead of its receiver by so many packets at most. Throws std::runtime_error: an
/// attribute is missing, a chunk is out of its buffer or read before it is written, a place is written while somebody
/// may still read it, a peer that does not answer, a step that never runs.
MscclResult executed(const std::string& xml, std::size_t lag);

}  // namespace dcube::test
