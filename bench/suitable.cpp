#include "bench/suitable.hpp"

#include "collectives/example.hpp"

#include <fmt/format.h>

#include <stdexcept>
#include <utility>

using namespace dcube;

namespace bench {

namespace {

// The example, and what some entries want instead.
std::vector<Problem> problems(Collective collective, const Topology& topology)
{
    Problem example = example_problem(collective, topology);
    example.bytes = 64;
    if (collective == Collective::all_reduce)
        example.packets = topology.nodes();
    std::vector<Problem> all{example};
    const auto add = [&](auto Problem::*member, auto value) {
        all.push_back(example);
        all.back().*member = std::move(value);
    };
    if (has_peer(collective)) {
        for (NodeId peer = topology.nodes() - 1; peer > 1; peer /= 2)  // all distances
            add(&Problem::peer, peer);
    } else if (collective == Collective::permute) {
        add(&Problem::permutation, permutation_by_name("identity", topology));
    } else if (is_matrix(collective) && topology.dimension() % 2 == 0) {
        for (const MatrixLayout layout : {MatrixLayout::submatrices, MatrixLayout::submatrices_gray}) {
            add(&Problem::layout, layout);
            all.back().columns = all.back().rows;
        }
    }
    return all;
}

LinkModel link_for(LinkKind kind)
{
    switch (kind) {
    case LinkKind::unit: return {};
    case LinkKind::link_bound: return {LinkKind::link_bound, {1, 1}, {1000, 1}, LinkClock::data_driven};
    }
    return {};
}

}  // namespace

Task suitable_task(const Algorithm& algorithm, const std::vector<std::string>& networks)
{
    std::string obstacle = "it is for other networks";
    for (const std::string& network : networks) {
        const Topology topology = Topology::parse(network);
        if (!contains(algorithm.networks, topology))
            continue;
        for (Problem& problem : problems(algorithm.collective, topology)) {
            problem.link = link_for(algorithm.link);
            obstacle = obstacle_of(algorithm, topology, algorithm.ports, problem);
            if (obstacle.empty())
                return {topology, problem};
        }
    }
    throw std::logic_error(
        fmt::format("{} by {} has no benchmark: {}", name(algorithm.collective), algorithm.name, obstacle));
}

}  // namespace bench
