#include "bench/peers/known_peers.hpp"

#include <unistd.h>

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

// Ranks that wait give way to others, messages go through shared memory, and root may run this in a container.
std::vector<std::string> mpirun(std::size_t ranks)
{
    std::vector<std::string> words{
        "mpirun", "-n",  std::to_string(ranks), "--oversubscribe", "--bind-to",           "none",
        "--mca",  "btl", "self,vader",          "--mca",           "mpi_yield_when_idle", "1"};
    if (geteuid() == 0)
        words.emplace_back("--allow-run-as-root");
    return words;
}

}  // namespace

const std::vector<KnownPeer>& known_peers()
{
    static const std::vector<KnownPeer> all{
        {"openmp", "loops without channels", {"dimensions", "direct"}, "g++", 0},
        {"goroutines", "Go, buffered channels", {"no-clock", "clock"}, "golang-go", bytes_a_goroutine},
        {"threads", "std::thread, spsc queues", {"spsc"}, "g++ libboost-dev", bytes_a_thread},
        {"simgrid", "SimGrid, S4U actors", {"actors"}, "libsimgrid-dev", bytes_an_actor},
        {"openmpi", "Open MPI, ranks", {"alltoall", "per-block"}, "libopenmpi-dev openmpi-bin", bytes_a_rank}};
    return all;
}

bool is_built(const KnownPeer& peer, const std::string& folder)
{
    return access(path_of(peer, folder).c_str(), X_OK) == 0;
}

std::size_t memory_needed(const KnownPeer& peer, const Size& size)
{
    const std::size_t blocks = size.nodes() * size.nodes();
    return blocks * 2 * size.bytes + blocks * sizeof(void*) * (3 + size.dim) + size.nodes() * peer.bytes_a_node;
}

std::vector<std::string> command_of(const KnownPeer& peer, const std::string& folder, const std::string& variant,
                                    const Size& size, std::size_t repeat)
{
    std::vector<std::string> words;
    if (peer.name == "openmpi")
        words = mpirun(size.nodes());
    for (const std::string& word : {path_of(peer, folder), std::string("--dim"), std::to_string(size.dim),
                                    std::string("--bytes"), std::to_string(size.bytes), std::string("--repeat"),
                                    std::to_string(repeat), std::string("--variant"), variant})
        words.push_back(word);
    return words;
}

}  // namespace peers
