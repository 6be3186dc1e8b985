#include "tests/support/phased_run.hpp"

#include "tests/support/catch.hpp"

#include <algorithm>
#include <charconv>
#include <ostream>

using namespace dcube;

namespace test_support {

std::ostream& operator<<(std::ostream& out, const Steps& steps)
{
    return out << steps.first << " to " << steps.last;
}

Steps PhasedRun::steps_of(std::string_view phase) const
{
    const auto found = std::ranges::find(phases, phase, &AlgorithmPhase::name);
    if (found == phases.end())
        FAIL("no phase is called " << phase);
    return {found->first, found->last};
}

Steps PhasedRun::steps_with(const WhichSent& which) const
{
    Steps steps{0, 0};
    for (const PhasedSend& one : sent)
        if (which(one))
            steps = {steps.first == 0 ? one.step : steps.first, one.step};
    return steps;
}

std::vector<PhasedSend> PhasedRun::during(const AlgorithmPhase& phase) const
{
    std::vector<PhasedSend> during;
    std::ranges::copy_if(sent, std::back_inserter(during),
                         [&phase](const PhasedSend& one) { return one.step >= phase.first && one.step <= phase.last; });
    return during;
}

PhasedRun phased_run(const Case& one)
{
    MachineOptions options;
    options.threads = 1;
    options.ports = one.algorithm.ports;
    options.link = one.problem.link;
    Machine machine(one.topology, options);
    PhasedRun run;
    CallOptions call;
    call.algorithm = one.algorithm.name;
    call.run.trace = [&run](const Transmission& t) {
        run.sent.push_back({t.step, t.from, t.to, t.port, {t.pieces.begin(), t.pieces.end()}, std::string(t.phase)});
    };
    run.phases = one.algorithm.phases(one.topology, one.problem);
    run.report = run_verified(machine, one.problem, {}, call);
    return run;
}

PhasedRun phased_run(const Topology& topology, const Problem& problem, std::string_view algorithm)
{
    for (const PortModel ports : {PortModel::one, PortModel::all})
        for (const Entry& entry : catalogue())
            if (entry.collective == problem.collective && entry.name == algorithm && entry.ports == ports &&
                obstacle_of(entry, topology, ports, problem).empty() && entry.link == problem.link.kind) {
                PhasedRun run = phased_run(Case{entry, topology, problem});
                REQUIRE_FALSE(run.phases.empty());
                REQUIRE_FALSE(run.sent.empty());
                return run;
            }
    FAIL(algorithm << " cannot do that");
    return {};
}

std::optional<unsigned> number_after(std::string_view name, std::string_view before)
{
    if (const std::size_t part = name.rfind(": "); part != std::string_view::npos)
        name.remove_prefix(part + 2);
    if (!name.starts_with(before))
        return std::nullopt;
    name.remove_prefix(before.size());
    unsigned number = 0;
    if (std::from_chars(name.data(), name.data() + name.size(), number).ec != std::errc())
        return std::nullopt;
    return number;
}

void follow_sums(const PhasedRun& run, const Topology& topology, std::size_t bytes, const VisitSum& visit)
{
    using Terms = std::set<NodeId>;
    std::vector<std::vector<Terms>> held(topology.nodes());
    for (NodeId node = 0; node < topology.nodes(); ++node)
        held[node].assign(bytes, Terms{node});
    struct Arrival {
        NodeId to;
        std::size_t byte;
        Terms terms;
    };
    for (auto next = run.sent.begin(); next != run.sent.end();) {
        std::vector<Arrival> arrivals;
        const Step step = next->step;
        for (; next != run.sent.end() && next->step == step; ++next)
            for (const Piece& piece : next->pieces) {
                visit(*next, held[next->from][piece.offset]);
                for (std::size_t byte = piece.offset; byte < piece.offset + piece.length; ++byte)
                    arrivals.push_back({next->to, byte, held[next->from][byte]});
            }
        for (const Arrival& arrival : arrivals) {
            Terms& terms = held[arrival.to][arrival.byte];
            if (arrival.terms.size() == topology.nodes())
                terms = arrival.terms;
            else
                terms.insert(arrival.terms.begin(), arrival.terms.end());
        }
    }
}

}  // namespace test_support
