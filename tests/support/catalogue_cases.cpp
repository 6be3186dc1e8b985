#include "tests/support/catalogue_cases.hpp"

#include "collectives/example.hpp"
#include "tests/support/link_bound.hpp"
#include "tests/support/sizes.hpp"

#include <fmt/format.h>

#include <set>
#include <span>
#include <string_view>
#include <utility>

using namespace dcube;

namespace test_support {

namespace {

// Three bytes per packet; sends go half round the network from the root; permutations without an order.
Problem small_problem(Collective collective, const Topology& topology, std::size_t packets, NodeId root)
{
    Problem problem = example_problem(collective, topology);
    problem.bytes = 3;
    problem.packets = packets;
    problem.root = root;
    problem.peer = (root + problem.peer) % topology.nodes();
    if (has_permutation(collective))
        problem.permutation = permutation_by_name("random", topology, 3);
    return problem;
}

bool is_valid(const Problem& problem, const Topology& topology)
{
    try {
        validate(problem, topology);
    } catch (const InvalidArgument&) {
        return false;  // a send from a node to itself
    }
    return true;
}

// The problems of a collective on a cube, with messages of `bytes`.
std::vector<Problem> problems(Collective collective, const Topology& topology, std::size_t bytes)
{
    const NodeId n = topology.nodes();
    const Problem plain{.collective = collective, .bytes = bytes};
    std::vector<Problem> all;
    if (has_root(collective)) {
        for (const NodeId root : std::set<NodeId>{0, n - 1}) {
            all.push_back(plain);
            all.back().root = root;
        }
    } else if (has_peer(collective)) {
        for (const NodeId difference : std::set<NodeId>{1, 3 % n, n / 2, n - 1}) {
            if (difference == 0)
                continue;
            all.push_back(plain);
            all.back().root = n / 3;
            all.back().peer = n / 3 ^ difference;
        }
    } else if (has_permutation(collective)) {
        for (const char* const name :
             {"identity", "rotation", "inversion", "reflection", "bit-reversal", "shuffle", "transpose", "random"}) {
            if (topology.dimension() % 2 == 1 && std::string_view(name) == "transpose")
                continue;
            all.push_back(plain);
            all.back().permutation = permutation_by_name(name, topology);
        }
    } else if (is_matrix(collective)) {
        using enum MatrixLayout;
        for (const MatrixLayout layout :
             {rows_blocked, rows_striped, rows_blocked_gray, rows_striped_gray, submatrices, submatrices_gray}) {
            const bool rows = layout != submatrices && layout != submatrices_gray;
            if (!rows && (topology.dimension() % 2 == 1 || collective == Collective::matrix_relayout))
                continue;
            all.push_back(plain);
            all.back().rows = n * (1 + bytes % 3);
            all.back().columns = n * 2;
            all.back().type = ElementType::uint16;
            all.back().layout = layout;
            all.back().to_layout = layout == rows_striped ? rows_blocked : rows_striped;
        }
    } else {
        all.push_back(plain);
    }
    return all;
}

const LinkModel models[] = {link_bound(1, 10),
                            link_bound(3, 100),
                            {LinkKind::link_bound, {5, 2}, {7, 3}, LinkClock::data_driven},
                            link_bound(2, 0),
                            link_bound(0, 5)};

// All models on small cubes, from four dimensions on the second (whole numbers) and the third (fractions).
std::span<const LinkModel> models_for(unsigned dimension)
{
    return dimension < 4 ? std::span(models) : std::span(models).subspan(1, 2);
}

}  // namespace

std::string words(const Case& one)
{
    const Problem& problem = one.problem;
    if (one.algorithm.link == LinkKind::unit)
        return fmt::format("{} {} {} bytes={} packets={} root={}", name(problem.collective), one.algorithm.name,
                           one.topology.name(), problem.bytes, problem.packets, problem.root);
    return fmt::format("{} {} d={} bytes={} root={} peer={} {}x{} layout={} tau={} beta={} groups={}",
                       name(problem.collective), one.algorithm.name, one.topology.dimension(), problem.bytes,
                       problem.root, problem.peer, problem.rows, problem.columns, name(problem.layout),
                       to_string(problem.link.tau), to_string(problem.link.beta), problem.tuning.groups);
}

std::vector<Topology> networks(unsigned dimensions)
{
    std::vector<Topology> all;
    for (unsigned d = 0; d <= dimensions; ++d)
        all.push_back(Topology::hypercube(d));
    for (const char* const text : {"torus:3x4", "mesh:2x3", "ring:5*path:2", "complete:4", "star:3", "petersen"})
        all.push_back(Topology::parse(text));
    return all;
}

void for_each_unit_case(unsigned dimensions, std::size_t usually, const VisitCase& visit)
{
    Sample sample(23, usually);
    for (const Entry& algorithm : catalogue()) {
        if (algorithm.link != LinkKind::unit)
            continue;
        bool tried = false;  // on several nodes: one such case of each algorithm is always tried
        for (const Topology& topology : networks(dimensions)) {
            const unsigned d = topology.dimension();
            const NodeId n = topology.nodes();
            for (const std::size_t packets : std::set<std::size_t>{1, 2, d + 1U, 2 * d + 1U, n, n + n / 2 + 1}) {
                for (const NodeId root : std::set<NodeId>{0, n / 3, n - 1}) {
                    if (root != 0 && !has_root(algorithm.collective))
                        continue;
                    if (packets > 16 && algorithm.collective != Collective::all_reduce)
                        continue;  // many packets are for the test below
                    if (packets > 1 && is_matrix(algorithm.collective))
                        continue;
                    const Problem problem = small_problem(algorithm.collective, topology, packets, root);
                    if (!is_valid(problem, topology))
                        continue;
                    if (!obstacle_of(algorithm, topology, algorithm.ports, problem).empty())
                        continue;
                    const bool first = n > 1 && !std::exchange(tried, true);
                    if (sample.takes_next() || first)
                        visit(Case{algorithm, topology, problem});
                }
            }
        }
    }
}

void for_each_link_bound_case(unsigned least, unsigned dimensions, std::initializer_list<std::size_t> sizes,
                              std::size_t usually, const VisitCase& visit)
{
    Sample sample(23, usually);
    for (const Entry& algorithm : catalogue()) {
        if (algorithm.link != LinkKind::link_bound)
            continue;
        bool tried = false;  // one case of each algorithm is always tried
        for (unsigned d = least; d <= dimensions; ++d) {
            const Topology topology = Topology::hypercube(d);
            for (const std::size_t bytes : sizes) {
                for (Problem& problem : problems(algorithm.collective, topology, bytes)) {
                    for (const LinkModel& link : models_for(d)) {
                        problem.link = link;
                        if (!algorithm.obstacle(topology, problem).empty())
                            continue;
                        const bool first = !std::exchange(tried, true);
                        if (sample.takes_next() || first)
                            visit(Case{algorithm, topology, problem});
                    }
                }
            }
        }
    }
}

}  // namespace test_support
