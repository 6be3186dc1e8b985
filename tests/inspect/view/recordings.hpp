#pragma once
// Runs to look at, for tests of what is seen.

#include "run/recording.hpp"

#include <dcube/collective.hpp>

#include <optional>
#include <sstream>
#include <string>

namespace test_support {

/// A problem of every collective that suits the network, or none.
inline dcube::Problem small_problem(dcube::Collective collective, const dcube::Topology& topology)
{
    dcube::Problem problem{collective, 8};
    problem.root = topology.nodes() > 2 ? 2 : 0;
    problem.peer = topology.nodes() - 1;
    for (dcube::NodeId node = 0; dcube::has_permutation(collective) && node < topology.nodes(); ++node)
        problem.permutation.push_back((node + 1) % topology.nodes());
    if (dcube::is_matrix(collective))
        problem.rows = problem.columns = std::size_t{2} * topology.nodes();
    if (collective == dcube::Collective::matrix_relayout)
        problem.to_layout = dcube::MatrixLayout::rows_striped;
    return problem;
}

/// The run of an algorithm ("auto": the best); none if it cannot do it.
inline std::optional<dcube::Recording> recording_of(const dcube::Topology& topology, const dcube::Problem& problem,
                                                    dcube::PortModel ports = dcube::PortModel::all,
                                                    const std::string& algorithm = "auto", unsigned threads = 1)
{
    try {
        dcube::Machine machine(topology, {.ports = ports, .link = problem.link, .threads = threads});
        return dcube::record(machine, dcube::find_algorithm(topology, ports, problem, algorithm), problem);
    } catch (const dcube::InvalidArgument&) {
        return std::nullopt;
    }
}

/// A broadcast in which one of two packets is lost, since its receiver has failed.
inline dcube::Recording recording_with_a_loss()
{
    std::istringstream trace(
        R"({"dcube_trace":1,"collective":"broadcast","topology":"ring:3","bytes":1,"failing":["2@1"]})"
        "\n"
        R"({"step":1,"from":0,"to":1,"pieces":[{}]})"
        "\n"
        R"({"step":1,"from":0,"to":2,"lost":true,"pieces":[{}]})"
        "\n");
    dcube::JudgeOptions how;
    how.question = [](const std::optional<dcube::TraceQuestion>& header) { return *header; };
    return dcube::record_trace(trace, how);
}

}  // namespace test_support
