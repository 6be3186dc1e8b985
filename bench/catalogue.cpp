// Every entry of the catalogue, at a size where each takes a few milliseconds.

#include "bench/benchmarks.hpp"
#include "bench/counters.hpp"
#include "bench/prepared.hpp"
#include "collectives/example.hpp"

#include <dcube/dcube.hpp>

#include <fmt/format.h>

#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

using namespace dcube;

namespace {

using Names = std::vector<std::string>;

// An entry runs on the first network on which it can do something. Two-centre all-reduce needs 3 or 7 dimensions,
// submatrices need an even number, and entries with long searches run on at most 64 nodes.
Names networks_for(Networks networks, bench::Scale scale)
{
    switch (networks) {
    case Networks::hypercubes:
        return at(scale, Names{"hypercube:7", "hypercube:6"}, {"hypercube:3", "hypercube:4", "hypercube:5"});
    case Networks::products:
        return at(scale, Names{"mesh:8x16", "mesh:8x8", "ring:8*path:16", "ring:128", "path:64"},
                  {"mesh:2x3", "ring:5", "path:4"});
    case Networks::no_hypercubes:
        return at(scale, Names{"torus:8x16", "torus:8x8", "ring:128", "complete:64"},
                  {"torus:3x4", "ring:5", "complete:5"});
    case Networks::equal_factors: return at(scale, Names{"mesh:11x11", "mesh:8x8"}, {"mesh:3x3"});
    case Networks::rings_and_complete:
        return at(scale, Names{"ring:8*complete:16", "ring:8*complete:8", "torus:8x16", "torus:8x8"},
                  {"ring:4*complete:3", "torus:3x4"});
    case Networks::groups: return at(scale, Names{"star:5", "star:4"}, {"star:3"});
    case Networks::fabrics: return at(scale, Names{"dgx-a100:2"}, {"dgx-1"});
    }
    return {};
}

// The example, and what some entries want instead.
std::vector<Problem> problems(Collective collective, const Topology& topology)
{
    Problem example = example_problem(collective, topology);
    example.bytes = 64;
    if (collective == Collective::all_reduce || is_scan(collective))
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

struct Suitable {
    Topology topology;
    Problem problem;
};

// The first of the networks that the entry is for, with an example of its collective, or else one of the special cases
// that some entries are for: opposite corners, the identity, layouts by submatrices. Throws std::logic_error if the
// entry can do none of them.
Suitable suitable_for(const Entry& algorithm, const Names& networks)
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

void run_entry(benchmark::State& state, const Entry& algorithm, const Suitable& task, unsigned threads)
{
    MachineOptions options{.ports = algorithm.ports, .link = task.problem.link, .threads = threads};
    bench::Prepared prepared(task.topology, options, task.problem, std::string(algorithm.name));
    Counts counts;
    for (auto _ : state)
        counts = prepared.run();
    prepared.check();
    bench::count_hops(state, counts);
}

}  // namespace

void bench::add_catalogue(Scale scale)
{
    for (const Entry& algorithm : catalogue()) {
        const Suitable task = suitable_for(algorithm, networks_for(algorithm.networks, scale));
        for (const unsigned threads : worker_counts())
            add(
                scale,
                fmt::format("catalogue/{}/{}/{}/{}/workers:{}", name(algorithm.collective), algorithm.name,
                            name(algorithm.link), task.topology.name(), threads),
                [&algorithm, task, threads](benchmark::State& state) { run_entry(state, algorithm, task, threads); },
                benchmark::kMicrosecond);
    }
}
