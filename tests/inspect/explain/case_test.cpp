// The case that dcube explain suggests to try next is the case that it has explained.

#include "inspect/explain/case.hpp"
#include "inspect/explain/pages.hpp"
#include "tests/support/catch.hpp"

#include <dcube/dcube.hpp>

#include <string>
#include <vector>

using namespace dcube;
using namespace dcube::explain;

namespace {

std::string run_line(const char* network, Problem problem, PortModel ports = PortModel::all)
{
    const std::vector<std::string> lines = command_lines({"run"}, {Topology::parse(network), ports, problem});
    return lines.empty() ? "" : lines.front();
}

}  // namespace

TEST_CASE("case: the line to try has every option that makes the case another", "[explain]")
{
    CHECK(run_line("hypercube:4", {}) == "dcube run all-to-all --dim 4");
    CHECK(run_line("torus:3x3", {}, PortModel::one) == "dcube run all-to-all --topology \"torus:3x3\" --ports one");
    CHECK(run_line("hypercube:3", {.collective = Collective::reduce,
                                   .bytes = 128,
                                   .packets = 5,
                                   .operation = Operation::max,
                                   .type = ElementType::float32}) ==
          "dcube run reduce --dim 3 --bytes 128 --packets 5 --operation max --type float");
    CHECK(run_line("hypercube:4", {.collective = Collective::scatter, .bytes = 1024, .root = 3}) ==
          "dcube run scatter --dim 4 --bytes 1024 --root 3");
    CHECK(run_line("hypercube:3", {.collective = Collective::broadcast,
                                   .link = {LinkKind::link_bound, {1, 2}, {10, 1}, LinkClock::lockstep}}) ==
          "dcube run broadcast --dim 3 --tau 1/2 --beta 10 --clock lockstep");
}

TEST_CASE("case: the line has every option whose default would be another, or is missing", "[explain]")
{
    CHECK(run_line("hypercube:3", {.collective = Collective::send, .root = 7}) ==
          "dcube run send --dim 3 --root 7 --peer 0");
    CHECK(run_line("hypercube:2", {.collective = Collective::matrix_relayout,
                                   .rows = 8,
                                   .columns = 4,
                                   .layout = MatrixLayout::submatrices}) ==
          "dcube run matrix-relayout --dim 2 --rows 8 --columns 4 --layout submatrices --to-layout rows-blocked");
}

TEST_CASE("case: a permutation is called by its name, and without one there is no line", "[explain]")
{
    const Topology topology = Topology::hypercube(3);
    const auto line = [](std::vector<NodeId> permutation) {
        return run_line("hypercube:3", {.collective = Collective::permute, .permutation = std::move(permutation)});
    };
    for (const char* const known : {"identity", "rotation", "inversion", "bit-reversal", "random", "xor:5"})
        CHECK(line(permutation_by_name(known, topology)) ==
              std::string("dcube run permute --dim 3 --permutation ") + known);
    const std::vector<NodeId> nameless{1, 0, 2, 3, 4, 5, 6, 7};
    CHECK(line(nameless).empty());
    const Case one{topology, PortModel::all, {.collective = Collective::permute, .permutation = nameless}};
    CHECK(collective_page(one).sections.back().blocks.front().lines.size() == 1);
}
