// Ten lines with which each way to link dcube is tried.
#include <dcube/dcube.hpp>

#include <cstdio>

int main()
{
    dcube::Machine machine(dcube::Topology::hypercube(8));
    const dcube::Report report = dcube::run_verified(machine, {.collective = dcube::Collective::all_to_all});
    std::printf("all-to-all on %s: %u steps\n", report.topology.name().c_str(), report.counts.steps);
}
