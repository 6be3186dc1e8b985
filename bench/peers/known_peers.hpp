#pragma once
// The peers that there may be beside dcube, what brings them, and how each is started.

#include <cstddef>
#include <string>
#include <vector>

namespace peers {

/// A total exchange between 2^dim nodes; every node sends every node `bytes` bytes.
struct Size {
    unsigned dim = 0;
    std::size_t bytes = 0;

    [[nodiscard]] std::size_t nodes() const { return std::size_t{1} << dim; }
};

struct KnownVariant {
    std::string name;
    /// What dcube does in its time and this does not: some of hops, links, clock, rules, counts.
    std::vector<std::string> without{};
    std::string remark{};         ///< what else makes the comparison unequal
    bool is_rank_a_node = false;  ///< of MPI: a rank for each node, not for each core
};

struct KnownPeer {
    std::string name;                    ///< the program is peer-NAME
    std::string about;                   ///< in two or three words
    std::vector<KnownVariant> variants;  ///< each measured by itself
    std::string packages;                ///< Debian's, with spaces between them
    std::size_t bytes_a_node;            ///< bytes of memory, beside the blocks; of MPI: a rank
};

const std::vector<KnownPeer>& known_peers();

/// Whether it was built into `folder`.
bool is_built(const KnownPeer& peer, const std::string& folder);

/// The ranks that mpirun starts of a variant: as many as nodes, or the greatest power of 2 for which there are cores.
std::size_t ranks_of(const KnownVariant& variant, const Size& size, std::size_t cores);

/// The most memory needed, by a rough estimate: blocks twice (four times where ranks of MPI share the nodes), pointers
/// to them in tables and queues, and the nodes' own.
std::size_t memory_needed(const KnownPeer& peer, const KnownVariant& variant, const Size& size, std::size_t cores);

/// The command line that measures one variant `repeat` times.
std::vector<std::string> command_of(const KnownPeer& peer, const std::string& folder, const KnownVariant& variant,
                                    const Size& size, std::size_t repeat, std::size_t cores);

}  // namespace peers
