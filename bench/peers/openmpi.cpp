// peer-openmpi: MPI, with as many ranks as cores, or with a rank for every node.
//
// Started by mpirun with R ranks, a power of 2, of which each holds 2^D / R nodes, as one writes it for MPI:
//
//   hops            along the dimensions; a hop between nodes of one rank is a copy, and the blocks that leave a rank
//                   along a dimension are one message
//   alltoall        MPI_Alltoall between the ranks, and a transposition within each
//
// Started with 2^D ranks, as on a machine whose nodes are computers:
//
//   node-hops       every block a message of its own, as on a machine that switches packets; all of a dimension's
//                   messages are started before any is waited for
//   node-alltoall   MPI_Alltoall: whatever algorithm the library takes, blocks joined as it likes
//
// Fair: the ranks exist before the time is taken, and meet at a barrier before and after it; messages go through shared
// memory. Unfair to the last two: MPI expects a core for every rank. With more ranks than cores those that wait must
// yield (mpi_yield_when_idle), and even so most of the time is the kernel's, changing from one rank to the next.

#include "bench/peers/holdings.hpp"
#include "bench/peers/hops.hpp"

#include <mpi.h>

#include <array>
#include <bit>
#include <utility>

namespace {

int number_of_ranks()
{
    int ranks = 0;
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    return ranks;
}

std::size_t this_rank()
{
    int rank = 0;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    return static_cast<std::size_t>(rank);
}

// A rank that is one node.
class NodeRank {
public:
    explicit NodeRank(const peer::Arguments& arguments)
        : d_(arguments.dim), nodes_(arguments.nodes()), bytes_(arguments.bytes), send_(nodes_ * bytes_),
          receive_(nodes_ * bytes_), me_(this_rank())
    {
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
    std::vector<std::byte> send_;
    std::vector<std::byte> receive_;
    std::size_t me_;
};

class Datatype {
public:
    Datatype() = default;
    explicit Datatype(MPI_Datatype type) : type_(type) { MPI_Type_commit(&type_); }
    Datatype(Datatype&& other) noexcept : type_(std::exchange(other.type_, MPI_DATATYPE_NULL)) {}
    Datatype& operator=(Datatype&& other) noexcept
    {
        std::swap(type_, other.type_);
        return *this;
    }
    ~Datatype()
    {
        if (type_ != MPI_DATATYPE_NULL)
            MPI_Type_free(&type_);
    }
    [[nodiscard]] MPI_Datatype get() const { return type_; }

private:
    MPI_Datatype type_ = MPI_DATATYPE_NULL;
};

// A rank that holds `here` nodes: those whose upper bits are its number.
class ShareRank {
public:
    explicit ShareRank(const peer::Arguments& arguments)
        : nodes_(arguments.nodes()), ranks_(static_cast<std::size_t>(number_of_ranks())), here_(nodes_ / ranks_),
          bytes_(arguments.bytes), me_(this_rank()), send_(here_ * nodes_ * bytes_),
          receive_(here_ * nodes_ * bytes_), travelling_{peer::Memory(here_ * nodes_ * bytes_),
                                                         peer::Memory(here_ * nodes_ * bytes_)},
          hops_(here_, bytes_), tiles_(here_, here_, bytes_)
    {
        MPI_Datatype type = MPI_DATATYPE_NULL;
        MPI_Type_contiguous(static_cast<int>(bytes_), MPI_BYTE, &type);
        block_ = Datatype(type);
        make_types_for_all_to_all();
        for (std::size_t bit = 1; bit < ranks_; bit *= 2) {
            outgoing_.push_back(type_of_message(bit, 0));
            incoming_.push_back(type_of_message(bit, 1));
        }
    }

    void fill()
    {
        for (std::size_t node = 0; node < here_; ++node)
            for (std::size_t target = 0; target < nodes_; ++target)
                peer::fill(sent(node, target), bytes_, me_ * here_ + node, target);
    }

    // The send buffer's columns for a rank's nodes are what that rank gets; they arrive in one piece, by origin.
    void all_to_all()
    {
        const auto count = static_cast<int>(here_ * here_);
        std::byte* const pieces = travelling_[0].data();
        MPI_Alltoall(send_.data(), 1, columns_.get(), pieces, count, block_.get(), MPI_COMM_WORLD);
        for (std::size_t rank = 0; rank < ranks_; ++rank)
            for (std::size_t row = 0; row < tiles_.tile_rows(); ++row)
                tiles_.in_row(row, [&](std::size_t target, std::size_t origin) {
                    std::memcpy(received(target, rank * here_ + origin),
                                pieces + ((rank * here_ + origin) * here_ + target) * bytes_, bytes_);
                });
    }

    // First the dimensions within a rank, then those between ranks. Between, all blocks with the same upper bits of
    // x = origin ^ target lie together: they travel in one piece.
    void along_dimensions()
    {
        for (std::size_t x = 0; x < nodes_; ++x)
            hops_.take(
                x % here_, [&](std::size_t node) { return sent(node, (me_ * here_ + node) ^ x); },
                [&](std::size_t node) {
                    return x < here_ ? received(node, (me_ * here_ + node) ^ x) : travelling(0, x, node);
                });
        for (std::size_t k = 0; k < outgoing_.size(); ++k) {
            const auto neighbour = static_cast<int>(me_ ^ std::size_t{1} << k);
            MPI_Sendrecv(MPI_BOTTOM, 1, outgoing_[k].get(), neighbour, 0, MPI_BOTTOM, 1, incoming_[k].get(), neighbour,
                         0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        }
        for (std::size_t x = here_; x < nodes_; ++x)
            for (std::size_t node = 0; node < here_; ++node)
                std::memcpy(received(node, (me_ * here_ + node) ^ x),
                            travelling(static_cast<std::size_t>(std::popcount(x / here_)), x, node), bytes_);
    }

    void verify(bool& verified, std::uint64_t& sum)
    {
        sum = 0;
        for (std::size_t node = 0; node < here_; ++node) {
            std::uint64_t hash = peer::hash_of_nothing;
            for (std::size_t origin = 0; origin < nodes_; ++origin) {
                verified = peer::is_right(received(node, origin), bytes_, origin, me_ * here_ + node) && verified;
                hash = peer::hashed(hash, received(node, origin), bytes_);
            }
            sum += hash;
        }
    }

private:
    std::byte* sent(std::size_t node, std::size_t target) { return send_.data() + (node * nodes_ + target) * bytes_; }
    std::byte* received(std::size_t node, std::size_t origin)
    {
        return receive_.data() + (node * nodes_ + origin) * bytes_;
    }
    std::byte* travelling(std::size_t hops, std::size_t x, std::size_t node)
    {
        return travelling_[hops % 2].data() + (x * here_ + node) * bytes_;
    }

    void make_types_for_all_to_all()
    {
        MPI_Datatype columns = MPI_DATATYPE_NULL;
        MPI_Type_vector(static_cast<int>(here_), static_cast<int>(here_), static_cast<int>(nodes_), block_.get(),
                        &columns);
        MPI_Datatype resized = MPI_DATATYPE_NULL;
        MPI_Type_create_resized(columns, 0, static_cast<MPI_Aint>(here_ * bytes_), &resized);
        MPI_Type_free(&columns);
        columns_ = Datatype(resized);
    }

    // The pieces that cross this dimension between ranks, where they lie before that hop, or, with more = 1, after it.
    Datatype type_of_message(std::size_t bit, std::size_t more)
    {
        std::vector<MPI_Aint> addresses;
        for (std::size_t upper = bit; upper < ranks_; upper = (upper + 1) | bit) {
            const auto hops = static_cast<std::size_t>(std::popcount(upper & (bit - 1)));
            MPI_Get_address(travelling(hops + more, upper * here_, 0), &addresses.emplace_back());
        }
        MPI_Datatype type = MPI_DATATYPE_NULL;
        MPI_Type_create_hindexed_block(static_cast<int>(addresses.size()), static_cast<int>(here_ * here_),
                                       addresses.data(), block_.get(), &type);
        return Datatype(type);
    }

    std::size_t nodes_;
    std::size_t ranks_;
    std::size_t here_;
    std::size_t bytes_;
    std::size_t me_;
    peer::Memory send_;                       // by node and target
    peer::Memory receive_;                    // by node and origin
    std::array<peer::Memory, 2> travelling_;  // by x and node; the one or the other by the number of hops between ranks
    peer::Hops hops_;
    peer::Tiles tiles_;
    Datatype block_;
    Datatype columns_;
    std::vector<Datatype> outgoing_;  // by dimension
    std::vector<Datatype> incoming_;
};

// All ranks call it; the result is rank 0's.
template <class Rank>
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

struct Kind {
    peer::Variant variant;
    bool is_node_a_rank;
};

template <class Rank>
Kind kind(const char* name, bool is_node_a_rank, void (Rank::*exchange)())
{
    return {{name, [exchange](const peer::Arguments& arguments) { return measured(arguments, exchange); }},
            is_node_a_rank};
}

// Whether the ranks that mpirun has started are as many as the kind needs.
bool fits(const Kind& kind, const peer::Arguments& arguments)
{
    const auto ranks = static_cast<std::size_t>(number_of_ranks());
    return kind.is_node_a_rank ? ranks == arguments.nodes() : std::has_single_bit(ranks) && ranks <= arguments.nodes();
}

}  // namespace

int main(int argc, char** argv)
{
    const std::vector<Kind> kinds{
        kind("hops", false, &ShareRank::along_dimensions), kind("alltoall", false, &ShareRank::all_to_all),
        kind("node-hops", true, &NodeRank::along_dimensions), kind("node-alltoall", true, &NodeRank::all_to_all)};
    std::vector<peer::Variant> variants;
    for (const Kind& one : kinds)
        variants.push_back(one.variant);
    const peer::Arguments arguments = peer::parsed("openmpi", argc, argv, variants);

    MPI_Init(&argc, &argv);
    bool verified = true;
    bool measured_any = false;
    for (const Kind& one : kinds) {
        const std::string& name = one.variant.name;
        if ((!arguments.variant.empty() && arguments.variant != name) || !fits(one, arguments))
            continue;
        const peer::Result result = one.variant.measure(arguments);
        measured_any = true;
        verified = verified && result.verified;
        if (this_rank() == 0)
            peer::print("openmpi", name, arguments, result);
    }
    if (!measured_any && this_rank() == 0)
        std::fprintf(stderr,
                     "peer-openmpi: --dim %u needs %zu ranks, or a power of 2 below, and mpirun has started %d\n",
                     arguments.dim, arguments.nodes(), number_of_ranks());
    MPI_Finalize();
    return !measured_any ? 2 : verified ? 0 : 1;
}
