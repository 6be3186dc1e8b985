#include "bench/peers/known_peers.hpp"

#include <unistd.h>

#include <algorithm>
#include <bit>

namespace peers {

namespace {

// A rank of Open MPI 4.1.4 was measured (Rss of /proc/PID/smaps_rollup, 8 and 16 ranks that exchange 64 bytes) to have
// 14.3 MB, of which 3.2 MB are its own and the rest are libraries. With many ranks each also keeps buffers for every
// other one, which so few do not show: hence more.
constexpr std::size_t bytes_a_rank = 25'000'000;
constexpr std::size_t bytes_a_thread = 64 << 10;  // the touched part of a stack, and the kernel's share
constexpr std::size_t bytes_an_actor = 64 << 10;  // likewise
constexpr std::size_t bytes_a_goroutine = 8 << 10;

std::string path_of(const KnownPeer& peer, const std::string& folder)
{
    return folder + "/peer-" + peer.name;
}

// Ranks that wait give way to others if there are more than cores, messages go through shared memory, and root may run
// this in a container.
std::vector<std::string> mpirun(std::size_t ranks, std::size_t cores)
{
    std::vector<std::string> words{
        "mpirun", "-n",  std::to_string(ranks), "--oversubscribe", "--bind-to",           "none",
        "--mca",  "btl", "self,vader",          "--mca",           "mpi_yield_when_idle", ranks > cores ? "1" : "0"};
    if (geteuid() == 0)
        words.emplace_back("--allow-run-as-root");
    return words;
}

}  // namespace

const std::vector<KnownPeer>& known_peers()
{
    static const std::string by_dimension = "takes d times as many steps: one dimension after the other";
    static const std::string many_ranks = "MPI expects a core for every rank";
    static const std::vector<KnownPeer> all{
        {"openmp",
         "loops without channels",
         {{"hops", {"links", "clock", "rules", "counts"}, "dcube's copies, all blocks of one origin ^ target together"},
          {"direct", {"hops", "links", "clock", "rules", "counts"}, "one copy a block: a transposition in tiles"}},
         "g++",
         0},
        {"goroutines",
         "Go, buffered channels",
         {{"no-clock", {"clock", "rules", "counts"}, "a goroutine a node"},
          {"clock", {"rules", "counts"}, "a goroutine a node; " + by_dimension},
          {"workers", {"rules", "counts"}, "a goroutine a core; " + by_dimension}},
         "golang-go",
         bytes_a_goroutine},
        {"threads",
         "std::thread, spsc queues",
         {{"spsc", {"clock", "rules", "counts"}, "a thread a node: the kernel changes from one to the next"}},
         "g++ libboost-dev",
         bytes_a_thread},
        {"simgrid",
         "SimGrid, S4U actors",
         {{"actors", {"rules", "counts"}, "simulates when each message arrives, on one core; actors made before"}},
         "libsimgrid-dev",
         bytes_an_actor},
        {"openmpi",
         "Open MPI, ranks",
         {{"hops", {"links", "clock", "rules", "counts"}, "a rank a core; a message a dimension between ranks"},
          {"alltoall", {"hops", "links", "clock", "rules", "counts"}, "a rank a core; MPI_Alltoall between ranks"},
          {"node-hops", {"clock", "rules", "counts"}, "a rank a node: " + many_ranks, true},
          {"node-alltoall", {"hops", "links", "clock", "rules", "counts"}, "a rank a node: " + many_ranks, true}},
         "libopenmpi-dev openmpi-bin",
         bytes_a_rank}};
    return all;
}

bool is_built(const KnownPeer& peer, const std::string& folder)
{
    return access(path_of(peer, folder).c_str(), X_OK) == 0;
}

std::size_t ranks_of(const KnownVariant& variant, const Size& size, std::size_t cores)
{
    return variant.is_rank_a_node ? size.nodes() : std::min(size.nodes(), std::bit_floor(cores));
}

std::size_t memory_needed(const KnownPeer& peer, const KnownVariant& variant, const Size& size, std::size_t cores)
{
    const std::size_t blocks = size.nodes() * size.nodes();
    if (peer.name == "openmpi")
        return blocks * (variant.is_rank_a_node ? 2 : 4) * size.bytes +
               ranks_of(variant, size, cores) * peer.bytes_a_node;
    return blocks * 2 * size.bytes + blocks * sizeof(void*) * (3 + size.dim) + size.nodes() * peer.bytes_a_node;
}

std::vector<std::string> command_of(const KnownPeer& peer, const std::string& folder, const KnownVariant& variant,
                                    const Size& size, std::size_t repeat, std::size_t cores)
{
    std::vector<std::string> words;
    if (peer.name == "openmpi")
        words = mpirun(ranks_of(variant, size, cores), cores);
    for (const std::string& word : {path_of(peer, folder), std::string("--dim"), std::to_string(size.dim),
                                    std::string("--bytes"), std::to_string(size.bytes), std::string("--repeat"),
                                    std::to_string(repeat), std::string("--variant"), variant.name})
        words.push_back(word);
    return words;
}

}  // namespace peers
