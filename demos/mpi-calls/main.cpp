// Six calls as MPI programs know them, and what they are here. MPI's are written as comments: in them every rank
// passes its own buffers, here one call passes those of all nodes, node after node.
#include <dcube/dcube.hpp>

#include <cstdint>
#include <cstdio>
#include <vector>

using namespace dcube;

std::span<const std::byte> sent(const std::vector<std::int32_t>& numbers)
{
    return std::as_bytes(std::span(numbers));
}

std::span<std::byte> received(std::vector<std::int32_t>& numbers)
{
    return std::as_writable_bytes(std::span(numbers));
}

int main()
{
    constexpr std::size_t n = 8;                         // MPI_Comm_size(MPI_COMM_WORLD, &n)
    constexpr std::size_t block = sizeof(std::int32_t);  // one element: MPI's count times the size of its type
    const auto sum = Operation::sum;                     // MPI_SUM
    const auto type = ElementType::int32;                // MPI_INT
    Machine machine(Topology::hypercube(3));

    std::vector<std::int32_t> one(n), all(n * n), one_each(n), all_each(n * n);
    for (std::size_t i = 0; i < n * n; ++i)
        all[i] = static_cast<std::int32_t>(i);
    for (std::size_t i = 0; i < n; ++i)
        one[i] = static_cast<std::int32_t>(i + 1);

    // MPI_Bcast(buffer, 1, MPI_INT, 2, comm);
    const std::vector<std::int32_t> message{42};  // node 2's
    broadcast(machine, sent(message), received(one_each), 2, block);
    std::printf("broadcast: node 7 has %d\n", one_each[7]);

    // MPI_Allreduce(sendbuf, recvbuf, 1, MPI_INT, MPI_SUM, comm);
    all_reduce(machine, sent(one), received(one_each), block, sum, type);
    std::printf("all-reduce: node 7 has %d\n", one_each[7]);

    // MPI_Allgather(sendbuf, 1, MPI_INT, recvbuf, 1, MPI_INT, comm);
    all_gather(machine, sent(one), received(all_each), block);
    std::printf("all-gather: node 7 has %d from node 0\n", all_each[7 * n + 0]);

    // MPI_Reduce_scatter_block(sendbuf, recvbuf, 1, MPI_INT, MPI_SUM, comm);
    reduce_scatter(machine, sent(all), received(one_each), block, sum, type);
    std::printf("reduce-scatter: node 7 has %d\n", one_each[7]);

    // MPI_Alltoall(MPI_IN_PLACE, 0, MPI_DATATYPE_NULL, recvbuf, 1, MPI_INT, comm);
    const Report report = all_to_all(machine, sent(all), received(all), block);
    std::printf("all-to-all: node 7 has %d from node 0, after %u steps\n", all[7 * n + 0], report.counts.steps);

    // MPI_Alltoallv(sendbuf, sendcounts, sdispls, MPI_INT, recvbuf, recvcounts, rdispls, MPI_INT, comm);
    std::vector<std::uint32_t> counts;  // node i has i elements for every node
    for (std::uint32_t i = 0; i < n; ++i)
        counts.insert(counts.end(), n, i);
    const std::size_t of_each = n * (n - 1) / 2;  // what a node receives
    std::vector<std::int32_t> few(n * of_each), arrived(n * of_each);
    for (std::size_t i = 0; i < few.size(); ++i)
        few[i] = static_cast<std::int32_t>(i);
    const Report uneven = all_to_all_v(machine, sent(few), received(arrived), counts, block);
    std::printf("all-to-all-v: node 7 has %d first, after %u steps\n", arrived[7 * of_each], uneven.counts.steps);
}
