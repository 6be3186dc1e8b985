// One machine over all ranks that an MPI launcher has started, each with a part of the nodes. Rank 0 prints.
#include <dcube/dcube.hpp>
#include <dcube/mpi.hpp>

#include <cstdio>
#include <memory>

using namespace dcube;

int main()
{
    const std::shared_ptr<MpiWorld> world = world_of_mpi();
    Machine machine(Topology::hypercube(6), {.world = world});
    const Report report = run_verified(machine, {.collective = Collective::all_to_all});
    if (world->rank() == 0)
        std::printf("all-to-all on %u nodes: %u steps, %u packets, every byte checked\n", report.topology.nodes(),
                    report.counts.steps, static_cast<unsigned>(report.counts.transmissions));
    return report.verified ? 0 : 1;
}
