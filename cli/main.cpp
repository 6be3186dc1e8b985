// dcube, and dcube-mpi.

#include <dcube/program.hpp>

int main(int argc, char** argv)
{
    return dcube::run_program({argv, argv + argc});
}
