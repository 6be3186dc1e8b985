// A user's program over the ranks of MPI: mpirun -n 4 over_mpi. Rank 0 prints the result.

#include <dcube/dcube.hpp>
#include <dcube/mpi.hpp>

#include <exception>
#include <iostream>
#include <memory>

int main()
try {
    const std::shared_ptr<dcube::World> world = dcube::world_of_mpi();
    dcube::MachineOptions options;
    options.world = world;
    dcube::Machine machine(dcube::Topology::hypercube(4), options);
    const dcube::Report report = dcube::run_verified(machine, dcube::Problem{});
    if (world->rank() == 0)
        std::cout << "all-to-all in " << report.counts.steps << " steps over " << world->ranks() << " ranks\n";
    return report.verified ? 0 : 1;
} catch (const std::exception& error) {
    std::cerr << error.what() << '\n';
    return 1;
}
