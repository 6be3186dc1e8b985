// Every link-bound entry of the catalogue over its whole range of small parameters.

#include "tests/support/catalogue_cases.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/link_bound.hpp"
#include "tests/support/schedule_trace.hpp"
#include "tests/support/sizes.hpp"
#include "tests/support/trace_line.hpp"

#include <dcube/dcube.hpp>

#include <numeric>

using namespace dcube;
using namespace test_support;

namespace {

struct TimedOutcome {
    Report report;
    std::string trace;
};

TimedOutcome run_timed_case(const Case& one, MachineOptions options, bool traced)
{
    options.link = one.problem.link;
    Machine machine(one.topology, options);
    TimedOutcome outcome;
    CallOptions call;
    call.algorithm = one.algorithm.name;
    if (traced)
        call.run.trace = [&](const Transmission& t) { outcome.trace += trace_line(t, one.problem.link); };
    VerifiedRunOptions trial;
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
    switch (pattern_of(one.problem.collective)) {
    case Pattern::one_to_all: return multiple * groups * one.topology.nodes();
    case Pattern::sums_to_all: return std::size_t{d} * one.topology.nodes();
    case Pattern::pairs:
        return has_permutation(one.problem.collective) ? std::size_t{d} * one.topology.nodes() : multiple * d * groups;
    case Pattern::prefix_sums:
    case Pattern::signals:
    case Pattern::one_to_each:
    case Pattern::each_to_all:
    case Pattern::each_to_each:
    case Pattern::elements: break;
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

TEST_CASE("every link-bound algorithm takes exactly the time of its closed form where sizes divide",
          "[link-bound][long]")
{
    int cases = 0;
    for_each_link_bound_case(1, smaller(6U, 4U), {1}, [&](const Case& small) {
        for (const std::size_t groups : {1U, 2U, 3U}) {
            Case one = small;
            one.problem.bytes = dividing_bytes(one, groups);
            one.problem.tuning.groups = one.problem.tuning.detour_groups = groups;
            if (is_matrix(one.problem.collective)) {
                one.problem.rows = one.problem.columns =
                    std::size_t{one.topology.nodes()} * one.topology.dimension() * 2;
                one.problem.type = ElementType::uint32;
                one.problem.tuning.groups = groups * one.topology.dimension();
            }
            INFO(words(one));
            const Report report = run_timed_case(one, {.threads = 1}, false).report;
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
    CHECK(cases > smaller(400, 200));
}

TEST_CASE("link-bound reports and traces are the same for any number of threads, channel and capacity",
          "[link-bound][slow]")
{
    std::size_t cases = 0;
    for_each_link_bound_case(1, smaller(4U, 3U, 2U), {1, 5, 23}, [&](const Case& one) {
        INFO(words(one));
        const TimedOutcome reference = run_timed_case(one, {.threads = 1}, true);
        const ChannelKind channel = ++cases % 2 == 0 ? ChannelKind::slots : ChannelKind::spsc;
        const TimedOutcome outcome = run_timed_case(
            one, {.threads = 2, .channel = channel, .channel_capacity = 3, .watch_lent_bytes = true}, true);
        CHECK(outcome.trace == reference.trace);
        CHECK(outcome.report.virtual_time_ns == reference.report.virtual_time_ns);
        CHECK(outcome.report.counts.steps == reference.report.counts.steps);
        CHECK(outcome.report.result_digest == reference.report.result_digest);
        const Cost cost = one.algorithm.cost(one.topology, one.problem);
        CHECK(reference.report.counts.transmissions == cost.transmissions);
        CHECK(reference.report.counts.steps <= cost.steps);
        CHECK(judged(one.topology, PortModel::all, one.problem, reference.trace) == "");
    });
}

TEST_CASE("a lockstep machine takes as long where stages are common, and never less", "[link-bound][slow]")
{
    for_each_link_bound_case(1, smaller(4U, 3U, 2U), {12, 23}, 5, [&](const Case& one) {
        INFO(words(one));
        Case lockstep = one;
        lockstep.problem.link.clock = LinkClock::lockstep;
        const TimedOutcome slow = run_timed_case(lockstep, {.threads = 2}, true);
        CHECK(*slow.report.virtual_time_ns >= *run_timed_case(one, {.threads = 1}, false).report.virtual_time_ns);
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
            const TimedOutcome outcome = run_timed_case(one, {.threads = 2, .watch_lent_bytes = true}, true);
            CHECK(judged(topology, PortModel::all, problem, outcome.trace) == "");
            const TimedOutcome untraced = run_timed_case(one, {.threads = 2}, false);
            CHECK(untraced.report.virtual_time_ns == outcome.report.virtual_time_ns);
            CHECK(untraced.report.result_digest == outcome.report.result_digest);
            CHECK(untraced.report.counts.storage_bytes <= one.algorithm.storage(topology, problem));
        }
    }
}
