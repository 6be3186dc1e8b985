#pragma once
// A machine that executes MSCCL's XML by its rules, on symbols instead of bytes: simple enough to be obviously correct.

#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <vector>

namespace dcube::test {

/// A chunk's content: the input chunks that are added up in it (one is a copy).
using TermSet = std::multiset<std::pair<std::uint32_t, std::uint64_t>>;  // gpu, offset in its input

struct MscclResult {
    std::map<std::string, std::string> attributes;          ///< the algo's
    std::vector<std::map<std::uint64_t, TermSet>> outputs;  ///< by gpu
    std::vector<std::uint64_t> output_chunks;
};

/// Executes it. `lag` lets a sender run ahead of its receiver by at most this many packets. Throws std::runtime_error:
/// an attribute is missing, a chunk is out of its buffer or read before it is written, a place is written while another
/// block may still read it, a peer that does not answer, a step that never runs.
MscclResult executed(const std::string& xml, std::size_t lag);

}  // namespace dcube::test
