#include "collectives/unit_question.hpp"

namespace dcube::detail {

UnitQuestion question_of(const Topology& topology, PortModel ports, const Problem& problem)
{
    const bool has_ends = has_peer(problem.collective);
    return {topology,
            ports,
            problem.collective,
            problem.packets,
            has_ends || has_root(problem.collective) ? problem.root : 0,
            has_ends ? problem.peer : 0,
            has_permutation(problem.collective) ? problem.permutation : std::vector<NodeId>{},
            problem.counts};
}

Problem problem_of(const UnitQuestion& question)
{
    Problem problem{question.collective};
    problem.packets = question.packets;
    problem.root = question.root;
    problem.peer = question.peer;
    problem.permutation = question.permutation;
    problem.counts = question.counts;
    return problem;
}

}  // namespace dcube::detail
