// peer-openmpi: an MPI rank for every node; start it with mpirun and 2^D ranks.
//
//   alltoall    MPI_Alltoall: whatever algorithm the library takes, blocks joined as it likes
//   per-block   along the dimensions, every block a message of its own, as on a machine that switches packets; all of a
//               dimension's messages are started before any is waited for
//
// Fair: the ranks exist before the time is taken, and meet at a barrier before and after it; messages go through shared
// memory. Unfair to it: MPI expects a core for every rank. With more ranks than cores those that wait must yield
// (mpi_yield_when_idle), and even so most of the time is the kernel's, changing from one rank to the next.

#include "bench/peers/holdings.hpp"

#include <mpi.h>

#include <bit>

namespace {

class Rank {
public:
    explicit Rank(const peer::Arguments& arguments)
        : d_(arguments.dim), nodes_(arguments.nodes()), bytes_(arguments.bytes), send_(nodes_ * bytes_),
          receive_(nodes_ * bytes_)
    {
        int rank = 0;
        MPI_Comm_rank(MPI_COMM_WORLD, &rank);
        me_ = static_cast<std::size_t>(rank);
    }

    void fill()
    {
        for (std::size_t target = 0; target < nodes_; ++target)
            peer::fill(&send_[target * bytes_], bytes_, me_, target);
    }

    void all_to_all()
    {
        const auto count = static_cast<int>(bytes_);
        MPI_Alltoall(send_.data(), count, MPI_BYTE, receive_.data(), count, MPI_BYTE, MPI_COMM_WORLD);
    }

    // The block for which origin ^ target = x lies at x ^ me of the one array, or of the other after an odd number of
    // hops, until it has arrived: then it is put where MPI_Alltoall puts it.
    void along_dimensions()
    {
        const auto count = static_cast<int>(bytes_);
        std::vector<MPI_Request> requests;
        for (unsigned k = 0; k < d_; ++k) {
            const std::size_t bit = std::size_t{1} << k;
            const auto neighbour = static_cast<int>(me_ ^ bit);
            requests.clear();
            peer::for_each_crossing(nodes_, k, [&](std::size_t x) {
                const auto tag = static_cast<int>(x);
                MPI_Irecv(at(hops(x, k) + 1, x), count, MPI_BYTE, neighbour, tag, MPI_COMM_WORLD,
                          &requests.emplace_back());
            });
            peer::for_each_crossing(nodes_, k, [&](std::size_t x) {
                const auto tag = static_cast<int>(x);
                MPI_Isend(at(hops(x, k), x), count, MPI_BYTE, neighbour, tag, MPI_COMM_WORLD, &requests.emplace_back());
            });
            MPI_Waitall(static_cast<int>(requests.size()), requests.data(), MPI_STATUSES_IGNORE);
        }
        for (std::size_t x = 0; x < nodes_; ++x)
            if (hops(x, d_) % 2 == 0)
                std::memcpy(at(1, x), at(0, x), bytes_);
    }

    void verify(bool& verified, std::uint64_t& hash) const
    {
        hash = peer::hash_of_nothing;
        for (std::size_t origin = 0; origin < nodes_; ++origin) {
            const std::byte* const block = &receive_[origin * bytes_];
            verified = peer::is_right(block, bytes_, origin, me_) && verified;
            hash = peer::hashed(hash, block, bytes_);
        }
    }

private:
    static std::size_t hops(std::size_t x, unsigned before)
    {
        return static_cast<std::size_t>(std::popcount(x & ((std::size_t{1} << before) - 1)));
    }
    std::byte* at(std::size_t hops, std::size_t x) { return &(hops % 2 == 0 ? send_ : receive_)[(x ^ me_) * bytes_]; }

    unsigned d_;
    std::size_t nodes_;
    std::size_t bytes_;
    std::size_t me_ = 0;
    std::vector<std::byte> send_;
    std::vector<std::byte> receive_;
};

// All ranks call it; the result is rank 0's.
peer::Result measured(const peer::Arguments& arguments, void (Rank::*exchange)())
{
    Rank rank(arguments);
    peer::Result result;
    bool verified = true;
    std::uint64_t hash = 0;
    for (std::size_t time = 0; time <= arguments.repeat; ++time) {
        rank.fill();
        MPI_Barrier(MPI_COMM_WORLD);
        const double began = MPI_Wtime();
        (rank.*exchange)();
        MPI_Barrier(MPI_COMM_WORLD);
        if (time != 0)
            result.seconds.push_back(MPI_Wtime() - began);
        rank.verify(verified, hash);
    }
    MPI_Reduce(&hash, &result.checksum, 1, MPI_UINT64_T, MPI_SUM, 0, MPI_COMM_WORLD);
    const int mine = verified ? 1 : 0;
    int everybodys = 0;
    MPI_Allreduce(&mine, &everybodys, 1, MPI_INT, MPI_LAND, MPI_COMM_WORLD);
    result.verified = everybodys != 0;
    return result;
}

}  // namespace

int main(int argc, char** argv)
{
    const std::vector<peer::Variant> variants{
        {"alltoall", [](const peer::Arguments& arguments) { return measured(arguments, &Rank::all_to_all); }},
        {"per-block", [](const peer::Arguments& arguments) { return measured(arguments, &Rank::along_dimensions); }}};
    const peer::Arguments arguments = peer::parsed("openmpi", argc, argv, variants);

    MPI_Init(&argc, &argv);
    int rank = 0;
    int ranks = 0;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    if (static_cast<std::size_t>(ranks) != arguments.nodes()) {
        if (rank == 0)
            std::fprintf(stderr, "peer-openmpi: --dim %u needs %zu ranks, and mpirun has started %d\n", arguments.dim,
                         arguments.nodes(), ranks);
        MPI_Finalize();
        return 2;
    }
    bool verified = true;
    for (const peer::Variant& variant : variants) {
        if (!arguments.variant.empty() && arguments.variant != variant.name)
            continue;
        const peer::Result result = variant.measure(arguments);
        verified = verified && result.verified;
        if (rank == 0)
            peer::print("openmpi", variant.name, arguments, result);
    }
    MPI_Finalize();
    return verified ? 0 : 1;
}
