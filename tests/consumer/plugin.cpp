// dcube in a shared object, as in a plugin or an extension of an interpreter.
#include <dcube/dcube.hpp>

unsigned steps_of_an_exchange()
{
    dcube::Machine machine(dcube::Topology::hypercube(3));
    return dcube::run_verified(machine, {.collective = dcube::Collective::all_to_all}).counts.steps;
}
