#pragma once
// Runs on link-bound machines, with every byte verified.

#include <dcube/dcube.hpp>

namespace test_support {

inline dcube::LinkModel link_bound(std::int64_t tau, std::int64_t beta)
{
    return {dcube::LinkKind::link_bound, {tau, 1}, {beta, 1}, dcube::LinkClock::data_driven};
}

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
