#pragma once
// Runs of the catalogue as recordings, and exports as texts.

#include "inspect/export/exports.hpp"
#include "run/recording.hpp"
#include "tests/support/catalogue_cases.hpp"

#include <dcube/dcube.hpp>

#include <string>
#include <string_view>

namespace test_support {

inline dcube::Recording recorded(const dcube::Topology& topology, const dcube::Problem& problem,
                                 const dcube::Entry& algorithm)
{
    const bool bound = problem.link.bound();
    dcube::MachineOptions options{.ports = bound ? dcube::PortModel::all : algorithm.ports, .threads = 1};
    options.link = problem.link;
    dcube::Machine machine(topology, options);
    return dcube::record(machine, algorithm, problem);
}

inline dcube::Recording recorded(const Case& one)
{
    return recorded(one.topology, one.problem, one.algorithm);
}

inline dcube::Recording recorded(std::string_view network, const dcube::Problem& problem,
                                 std::string_view algorithm = "auto", dcube::PortModel ports = dcube::PortModel::all)
{
    const dcube::Topology topology = dcube::Topology::parse(network);
    return recorded(topology, problem, dcube::find_algorithm(topology, ports, problem, algorithm));
}

inline std::string text_of(const dcube::Export& what)
{
    std::string all;
    dcube::TextWriter text([&](std::string_view piece) { all += piece; });
    what.write(text);
    text.flush();
    return all;
}

}  // namespace test_support
