// Every link-bound entry of the catalogue over its whole range of small parameters.

#include "tests/support/catch.hpp"
#include "tests/support/link_bound.hpp"
#include "tests/support/schedule_trace.hpp"
#include "tests/support/sizes.hpp"
#include "tests/support/trace_line.hpp"

#include <dcube/dcube.hpp>

#include <fmt/format.h>

#include <numeric>
#include <set>
#include <span>

using namespace dcube;
using namespace test_support;

namespace {

struct Case {
    const Algorithm& algorithm;
    Topology topology;
    Problem problem;
};

std::string words(const Case& one)
{
    const Problem& problem = one.problem;
    return fmt::format("{} {} d={} bytes={} root={} peer={} {}x{} layout={} tau={} beta={} groups={}",
                       name(problem.collective), one.algorithm.name, one.topology.dimension(), problem.bytes,
                       problem.root, problem.peer, problem.rows, problem.columns, name(problem.layout),
                       to_string(problem.link.tau), to_string(problem.link.beta), problem.tuning.groups);
}

// What a collective can be asked for on a cube, with messages of `bytes`.
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
            all.back().to = layout == rows_striped ? rows_blocked : rows_striped;
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

template <class Visit>
void for_each_case(unsigned least, unsigned dimensions, std::initializer_list<std::size_t> sizes, Visit&& visit)
{
    for (const Algorithm& algorithm : catalogue()) {
        if (algorithm.link != LinkKind::link_bound)
            continue;
        for (unsigned d = least; d <= dimensions; ++d) {
            const Topology topology = Topology::hypercube(d);
            for (const std::size_t bytes : sizes) {
                for (Problem& problem : problems(algorithm.collective, topology, bytes)) {
                    for (const LinkModel& link : models_for(d)) {
                        problem.link = link;
                        if (algorithm.obstacle(topology, problem).empty())
                            visit(Case{algorithm, topology, problem});
                    }
                }
            }
        }
    }
}

struct Outcome {
    Report report;
    std::string trace;
};

Outcome run_case(const Case& one, MachineOptions options, bool traced)
{
    options.link = one.problem.link;
    Machine machine(one.topology, options);
    Outcome outcome;
    CallOptions call;
    call.algorithm = one.algorithm.name;
    if (traced)
        call.run.trace = [&](const Transmission& t) { outcome.trace += trace_line(t, one.problem.link); };
    VerifiedRunOptions trial;
    trial.measure_memcpy = false;
    outcome.report = run_verified(machine, one.problem, trial, call);
    return outcome;
}

// A size that every cut of the algorithm divides, for 1 to 3 groups.
std::size_t dividing_bytes(const Case& one, std::size_t groups)
{
    const unsigned d = one.topology.dimension();
    std::size_t multiple = 1;
    for (std::size_t i = 1; i <= d; ++i)
        multiple = std::lcm(multiple, i);
    switch (one.problem.collective) {
    case Collective::broadcast:
    case Collective::reduce: return multiple * groups * one.topology.nodes();
    case Collective::send:
    case Collective::exchange: return multiple * d * groups;
    case Collective::permute: return std::size_t{d} * one.topology.nodes();
    case Collective::all_reduce: return std::size_t{d} * one.topology.nodes();
    case Collective::scatter:
    case Collective::gather:
    case Collective::all_gather:
    case Collective::reduce_scatter:
    case Collective::all_to_all:
    case Collective::matrix_transpose:
    case Collective::matrix_quarter_turn:
    case Collective::matrix_half_turn:
    case Collective::matrix_relayout: break;
    }
    return multiple;
}

// Their closed forms are the most that they take: phases overlap, or what a part gets is no multiple of anything.
bool closed_form_is_a_limit(const Case& one)
{
    return one.algorithm.name == "scatter-all-gather" || one.algorithm.name == "two-halves" ||
           one.algorithm.name == "subcubes-balanced" || one.problem.collective == Collective::matrix_relayout;
}

// Shares of whole bytes may be longer by a byte at every cut.
double rounding(const Case& one)
{
    return one.algorithm.name == "subcubes-balanced" ? one.problem.link.tau.to_double() * one.topology.dimension() : 0;
}

}  // namespace

TEST_CASE("every link-bound algorithm takes exactly the time of its closed form where sizes divide", "[link-bound]")
{
    int cases = 0;
    for_each_case(1, smaller(6U, 4U), {1}, [&](const Case& small) {
        for (const std::size_t groups : {1U, 2U, 3U}) {
            Case one = small;
            one.problem.bytes = dividing_bytes(one, groups);
            one.problem.tuning.groups = one.problem.tuning.extended_groups = groups;
            if (is_matrix(one.problem.collective)) {
                one.problem.rows = one.problem.columns =
                    std::size_t{one.topology.nodes()} * one.topology.dimension() * 2;
                one.problem.type = ElementType::uint32;
                one.problem.tuning.groups = groups * one.topology.dimension();
            }
            INFO(words(one));
            const Report report = run_case(one, {.threads = 1}, false).report;
            const Rational predicted = one.algorithm.time(one.topology, one.problem).value();
            if (closed_form_is_a_limit(one))
                CHECK(report.virtual_time_ns->to_double() <= predicted.to_double() + rounding(one));
            else
                CHECK(to_string(report.virtual_time_ns.value()) == to_string(predicted));
            CHECK(report.time_lower_bound_ns.value() <= *report.virtual_time_ns);
            ++cases;
            if (groups == 1 && one.algorithm.summary.find("group") == std::string_view::npos)
                break;
        }
    });
    CHECK(cases > 400);
}

TEST_CASE("link-bound reports and traces are the same for any number of threads, channel and capacity", "[link-bound]")
{
    for_each_case(1, smaller(4U, 3U), {1, 5, 23}, [&](const Case& one) {
        INFO(words(one));
        const Outcome reference = run_case(one, {.threads = 1}, true);
        for (const ChannelKind channel : {ChannelKind::slots, ChannelKind::spsc}) {
            const Outcome outcome = run_case(
                one, {.threads = 2, .channel = channel, .channel_capacity = 3, .watch_lent_bytes = true}, true);
            CHECK(outcome.trace == reference.trace);
            CHECK(outcome.report.virtual_time_ns == reference.report.virtual_time_ns);
            CHECK(outcome.report.counts.steps == reference.report.counts.steps);
            CHECK(outcome.report.result_digest == reference.report.result_digest);
        }
        const Cost cost = one.algorithm.cost(one.topology, one.problem);
        CHECK(reference.report.counts.transmissions == cost.transmissions);
        CHECK(reference.report.counts.steps <= cost.steps);
        CHECK(judged(one.topology, PortModel::all, one.problem, reference.trace) == "");
    });
}

TEST_CASE("a lockstep machine takes as long where stages are common, and never less", "[link-bound]")
{
    for_each_case(1, smaller(4U, 3U), {12, 23}, [&](const Case& one) {
        INFO(words(one));
        Case lockstep = one;
        lockstep.problem.link.clock = LinkClock::lockstep;
        const Outcome slow = run_case(lockstep, {.threads = 2}, true);
        CHECK(*slow.report.virtual_time_ns >= *run_case(one, {.threads = 1}, false).report.virtual_time_ns);
        CHECK(judged(one.topology, PortModel::all, one.problem, slow.trace) == "");
    });
}

TEST_CASE("the complete exchange is the same from the input directly and through segments", "[link-bound]")
{
    for (unsigned d = 1; d <= smaller(5U, 4U); ++d) {
        const Topology topology = Topology::hypercube(d);
        for (const std::size_t bytes : {1U, 2U, 4U, 7U, 8U, 20U, 40U, 41U, 127U, 128U, 129U, 640U, 643U}) {
            Problem problem{.collective = Collective::all_to_all, .bytes = bytes};
            problem.link = link_bound(1, 10);
            const Case one{find_algorithm(topology, PortModel::all, problem, "rotated"), topology, problem};
            INFO(words(one));
            const Outcome outcome = run_case(one, {.threads = 2, .watch_lent_bytes = true}, true);
            CHECK(judged(topology, PortModel::all, problem, outcome.trace) == "");
            const Outcome untraced = run_case(one, {.threads = 2}, false);
            CHECK(untraced.report.virtual_time_ns == outcome.report.virtual_time_ns);
            CHECK(untraced.report.result_digest == outcome.report.result_digest);
            CHECK(untraced.report.counts.storage_bytes <= one.algorithm.storage(topology, problem));
        }
    }
}
