// The contributors of sums in traces, for every reduction of the catalogue: compared with a replay that only knows
// senders and receivers, and judged with and without them.

#include "collectives/example.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/error_of.hpp"
#include "tests/support/link_bound.hpp"
#include "tests/support/own_threads.hpp"
#include "tests/support/schedule_trace.hpp"
#include "tests/support/shares_replay.hpp"
#include "tests/support/sizes.hpp"
#include "tests/support/sums_apart.hpp"
#include "tests/support/trace_line.hpp"

#include "judge/trace_line.hpp"

#include <dcube/dcube.hpp>

#include <fmt/format.h>

#include <string>
#include <vector>

using namespace dcube;
using namespace test_support;

namespace {

constexpr unsigned most_dimensions = smaller(4U, 3U);

struct SumCase {
    const Entry& algorithm;
    Topology topology;
    Problem problem;
};

std::string words(const SumCase& one)
{
    return fmt::format("{} {} {} bytes={} packets={} root={}", name(one.problem.collective), one.algorithm.name,
                       one.topology.name(), one.problem.bytes, one.problem.packets, one.problem.root);
}

std::vector<Topology> networks()
{
    std::vector<Topology> all;
    for (unsigned d = 1; d <= most_dimensions; ++d)
        all.push_back(Topology::hypercube(d));
    for (const char* const text : {"torus:3x4", "mesh:2x3", "ring:5*complete:4", "star:3", "petersen"})
        all.push_back(Topology::parse(text));
    return all;
}

template <class Visit>
void for_each_case(const Visit& visit)
{
    Sample sample;
    for (const Entry& algorithm : catalogue()) {
        if (!is_reduction(algorithm.collective))
            continue;
        for (const Topology& topology : networks())
            for (const std::size_t packets : {1U, 3U}) {
                Problem problem = example_problem(algorithm.collective, topology);
                problem.bytes = 4;
                problem.packets = packets;
                problem.type = ElementType::int32;
                if (algorithm.link == LinkKind::link_bound) {
                    problem.bytes = 12 * packets;
                    problem.packets = 1;
                    problem.link = link_bound(3, 100);
                }
                if (has_root(algorithm.collective))
                    problem.root = topology.nodes() / 3;
                if (obstacle_of(algorithm, topology, algorithm.ports, problem).empty() && sample.takes_next())
                    visit(SumCase{algorithm, topology, problem});
            }
    }
}

struct Traced {
    std::string told;
    std::string untold;
    std::string wrong;  // the first line whose contributors are others than the replay's
};

std::string untold_line(const Transmission& t, const LinkModel& link)
{
    std::vector<Piece> pieces(t.pieces.begin(), t.pieces.end());
    for (Piece& piece : pieces)
        piece.sum_of = nullptr;
    Transmission copy = t;
    copy.pieces = pieces;
    return trace_line(copy, link);
}

std::vector<std::string> split_lines(const std::string& text)
{
    std::vector<std::string> lines;
    for (std::size_t at = 0; at < text.size(); at = text.find('\n', at) + 1)
        lines.push_back(text.substr(at, text.find('\n', at) + 1 - at));
    return lines;
}

Record parsed(const std::string& line)
{
    Record record;
    REQUIRE(parse_trace_line(line, record, [](const std::string&) {}).empty());
    REQUIRE(record.pieces.front().sum_of);
    return record;
}

// The line with `node` in the first piece's sum if it was not, and without it if it was.
std::string with_toggled(const std::string& line, NodeId node)
{
    const Piece old = parsed(line).pieces.front();
    Piece fresh = old;
    fresh.sum_of = nodes_of(bits_of(*old.sum_of) ^ std::uint64_t{1} << node);
    std::string changed = line;
    return changed.replace(changed.find(sum_of_text(old)), sum_of_text(old).size(), sum_of_text(fresh));
}

Traced run_sum_case(const SumCase& one, MachineOptions options)
{
    options.ports = one.algorithm.ports;
    options.link = one.problem.link;
    Machine machine(one.topology, options);
    Traced traced;
    SharesReplay shares;
    CallOptions call;
    call.algorithm = one.algorithm.name;
    call.run.trace = [&](const Transmission& t) {
        const std::string line = trace_line(t, one.problem.link);
        for (const Piece& piece : t.pieces)
            for (const std::uint64_t nodes : shares.carry(t.step, t.from, t.to, piece))
                if (traced.wrong.empty() && (!piece.sum_of || bits_of(*piece.sum_of) != nodes))
                    traced.wrong = line;
        traced.told += line;
        traced.untold += untold_line(t, one.problem.link);
    };
    VerifiedRunOptions trial;
    run_verified(machine, one.problem, trial, call);
    return traced;
}

}  // namespace

TEST_CASE("every reduction's trace tells who is in its sums, and is accepted with and without", "[run][sums]")
{
    unsigned cases = 0;
    for_each_case([&](const SumCase& one) {
        CAPTURE(words(one));
        const Traced traced = run_sum_case(one, {.threads = 1});
        CHECK(judged(one.topology, one.algorithm.ports, one.problem, traced.told).empty());
        if (!keeps_sums_apart(one.algorithm)) {
            CHECK(traced.wrong.empty());
            CHECK(judged(one.topology, one.algorithm.ports, one.problem, traced.untold).empty());
        }
        CHECK(contains(traced.told, "sum_of"));
        ++cases;
    });
    CHECK(cases > smaller(40U, 10U));
}

TEST_CASE("every reduction's trace is refused if it tells one node more or less anywhere", "[run][sums][negative]")
{
    for_each_case([&](const SumCase& one) {
        if (one.topology.nodes() > 6 || one.problem.packets > 1)
            return;
        if (keeps_sums_apart(one.algorithm))
            return;  // if a node has several sums, another one may do as well
        CAPTURE(words(one));
        const std::vector<std::string> lines = split_lines(run_sum_case(one, {.threads = 1}).told);
        for (std::size_t i = 0; i < lines.size(); ++i)
            for (NodeId node = 0; node < one.topology.nodes(); ++node) {
                if (one.problem.collective == Collective::all_reduce && node == parsed(lines[i]).to)
                    continue;  // that is legal in the end: the receiver can add its own contribution by itself
                std::string changed;
                for (std::size_t j = 0; j < lines.size(); ++j)
                    changed += j == i ? with_toggled(lines[j], node) : lines[j];
                CAPTURE(lines[i], node);
                CHECK_FALSE(judged(one.topology, one.algorithm.ports, one.problem, changed).empty());
            }
    });
}

TEST_CASE("who is in a sum does not depend on threads or channels", "[run][sums][slow]")
{
    for_each_case([&](const SumCase& one) {
        if (one.topology.nodes() < 6 || one.topology.nodes() > 10)
            return;
        CAPTURE(words(one));
        const std::string told = run_sum_case(one, {.threads = 1}).told;
        for (const ChannelKind channel : {ChannelKind::slots, ChannelKind::spsc}) {
            MachineOptions options{.threads = 3, .channel = channel};
            options.workers = std::make_shared<OwnThreads>(3, OwnThreads::When::always);
            CHECK(run_sum_case(one, options).told == told);
        }
    });
}
