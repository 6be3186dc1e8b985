#pragma once
// Runs on link-bound machines, with every byte verified.

#include "tests/support/links.hpp"

#include <dcube/dcube.hpp>

namespace test_support {

inline dcube::Report run_link_bound(unsigned d, const dcube::Problem& problem, const std::string& algorithm,
                                    unsigned threads = 1)
{
    dcube::MachineOptions options;
    options.threads = threads;
    options.link = problem.link;
    options.watch_lent_bytes = true;
    dcube::Machine machine(dcube::Topology::hypercube(d), options);
    return dcube::run_verified(machine, problem, {}, {.algorithm = algorithm});
}

inline dcube::Rational virtual_time(unsigned d, const dcube::Problem& problem, const std::string& algorithm)
{
    return run_link_bound(d, problem, algorithm).virtual_time_ns.value();
}

}  // namespace test_support
