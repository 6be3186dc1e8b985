// The choices of "auto" on links that take time, against all others that were possible: by runs.

#include "collectives/example.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/link_bound.hpp"
#include "tests/support/random_draw.hpp"
#include "tests/support/seeds.hpp"
#include "tests/support/sizes.hpp"

#include <dcube/dcube.hpp>

#include <fmt/format.h>

#include <optional>
#include <string>
#include <vector>

using namespace dcube;
using namespace test_support;

namespace {

struct Question {
    Topology topology;
    Problem problem;
};

Topology random_network(Draw& draw)
{
    static const std::vector<std::string> others{"torus:3x4", "mesh:2x3",  "ring:5*path:2", "complete:5", "star:3",
                                                 "petersen",  "torus:4x4", "ring:7",        "path:6"};
    if (draw.chance(25))
        return Topology::parse(draw.one_of(others));
    return Topology::hypercube(static_cast<unsigned>(1 + draw.below(5)));
}

LinkModel random_links(Draw& draw)
{
    if (draw.chance(40)) {
        const MachinePreset& preset = machine_presets()[draw.below(machine_presets().size())];
        return {LinkKind::link_bound, preset.tau, preset.beta, LinkClock::data_driven};
    }
    return link_bound(static_cast<std::int64_t>(draw.below(4)),
                      static_cast<std::int64_t>(draw.below(1U << draw.below(14))));
}

void draw_matrix(Draw& draw, const Topology& topology, Problem& problem)
{
    static const std::vector<MatrixLayout> layouts{MatrixLayout::rows_blocked,      MatrixLayout::rows_striped,
                                                   MatrixLayout::rows_blocked_gray, MatrixLayout::rows_striped_gray,
                                                   MatrixLayout::submatrices,       MatrixLayout::submatrices_gray};
    problem.rows = topology.nodes() * (1 + draw.below(3));
    problem.columns = topology.nodes() * (1 + draw.below(3));
    problem.layout = draw.one_of(layouts);
    problem.to_layout = draw.one_of(layouts);
}

// A random question; none if the one drawn is not possible.
std::optional<Question> random_question(Draw& draw)
{
    const std::vector<Entry> all(catalogue().begin(), catalogue().end());
    const Topology topology = random_network(draw);
    Problem problem = example_problem(draw.one_of(all).collective, topology);
    problem.bytes = 1 + draw.below(std::size_t{1} << draw.below(11));
    problem.packets = draw.chance(75) ? 1 : 1 + draw.below(6);
    problem.root = static_cast<NodeId>(draw.below(topology.nodes()));
    problem.peer = static_cast<NodeId>(draw.below(topology.nodes()));
    if (has_permutation(problem.collective) && topology.is_hypercube())
        problem.permutation =
            permutation_by_name(draw.one_of(std::vector<std::string>{"rotation", "inversion", "reflection",
                                                                     "bit-reversal", "shuffle", "random", "xor:1"}),
                                topology, draw.below(1000));
    if (is_matrix(problem.collective))
        draw_matrix(draw, topology, problem);
    problem.link = random_links(draw);
    try {
        validate(problem, topology);
    } catch (const InvalidArgument&) {
        return std::nullopt;
    }
    return Question{topology, problem};
}

std::string words(const Question& question)
{
    const Problem& problem = question.problem;
    return fmt::format("{} on {}: {} bytes, {} packets, {} to {}, {} x {} {} {}, tau {} beta {}",
                       name(problem.collective), question.topology.name(), problem.bytes, problem.packets, problem.root,
                       problem.peer, problem.rows, problem.columns, name(problem.layout), name(problem.to_layout),
                       to_string(problem.link.tau), to_string(problem.link.beta));
}

Rational measured(const Entry& algorithm, const Question& question)
{
    MachineOptions options;
    options.threads = 1;
    options.link = question.problem.link;
    options.watch_lent_bytes = false;
    Machine machine(question.topology, options);
    return run_verified(machine, algorithm, question.problem).virtual_time_ns.value();
}

// The least time of all that can run, but for those that are never taken.
void check_choice(const Question& question)
{
    const auto& [topology, problem] = question;
    const Entry& chosen = find_algorithm(topology, PortModel::all, problem);
    const Rational time = measured(chosen, question);
    CHECK(time >= time_bound(topology, problem).value);
    for (const Entry& other : catalogue()) {
        if (&other == &chosen || other.collective != problem.collective || !other.automatic ||
            !obstacle_of(other, topology, PortModel::all, problem).empty())
            continue;
        INFO(words(question) << ": " << chosen.name << " (" << name(chosen.link) << "), and " << other.name << " ("
                             << name(other.link) << ")");
        CHECK_FALSE(measured(other, question) < time);
    }
}

}  // namespace

TEST_CASE("auto is as fast as all that it could have taken, in hundreds of random cases", "[link-bound][random][long]")
{
    std::size_t asked = 0;
    for (const std::uint64_t seed : seeds(smaller(500U, 150U, 40U))) {
        Draw draw(seed);
        if (const std::optional<Question> question = random_question(draw)) {
            CAPTURE(seed);
            check_choice(*question);
            ++asked;
        }
    }
    CHECK(asked > 0);
}
