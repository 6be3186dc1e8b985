#include "inspect/explain/proof.hpp"

#include "base/numbers.hpp"
#include "inspect/explain/arithmetic.hpp"
#include "inspect/explain/binding.hpp"
#include "inspect/explain/lines.hpp"

#include <fmt/format.h>

#include <limits>

namespace dcube::explain {

namespace {

using detail::Integer;

// More partial sums arrive somewhere than have to: which of them count depends on their contributors, and a tally does
// not look at those.
std::optional<Tally> tally_of(const Topology& topology, const Argument& argument, const Problem& problem,
                              const Integer& total, Counted unit)
{
    if (is_reduction(problem.collective) && argument.kind == Argument::Kind::arriving)
        return std::nullopt;
    std::string words = tally_words(topology, argument, unit);
    if (words.empty() || total > std::numeric_limits<std::uint64_t>::max())
        return std::nullopt;
    return Tally{std::move(words), total.convert_to<std::uint64_t>()};
}

// The first lines say which packets there are and how far they go, the others over which links: `packets` is the number
// of the line that counts them.
void say_about(Proof& proof, std::size_t packets)
{
    for (std::size_t i = 0; i < proof.lines.size(); ++i)
        if (i <= packets)
            proof.lines[i].about = ProofLine::About::nodes;
        else if (!proof.links.empty())
            proof.lines[i].about = ProofLine::About::links;
}

Proof proof_of(const Argument& argument)
{
    Proof proof;
    proof.title = "Nothing has to move";
    proof.name = argument.name;
    proof.reason = argument.reason;
    return proof;
}

Proof proof_of_steps(const Topology& topology, PortModel ports, const Problem& problem, const Argument& argument)
{
    Proof proof = proof_of(argument);
    const std::uint64_t steps = argument.value();
    if (steps > 0)
        proof.title = "Why no algorithm needs fewer than " + grouped(steps, "step");
    proof.value = {static_cast<std::int64_t>(steps), 1};
    proof.lines = step_lines(topology, ports, argument, problem);
    proof.picture = picture_of(topology, argument, problem);
    proof.packets = argument.packets().convert_to<double>();
    return proof;
}

// The proof of one group, which is that of all: its links are those of the first one. Its picture would show a network
// that is not there.
Proof of_groups(Proof proof, const Group& groups)
{
    for (BindingLink& link : proof.links) {
        const NodeId node = groups.node(0, link.node);
        link = {node, groups.ports(node)[link.port]};
    }
    proof.picture.reset();
    proof.tally.reset();
    return proof;
}

}  // namespace

Proof steps_proof(const Topology& topology, PortModel ports, const Problem& problem)
{
    if (const auto groups = groups_of(problem, topology)) {
        Proof proof = of_groups(steps_proof(groups->network(), ports, in_group(problem)), *groups);
        proof.reason = steps_bound(topology, ports, problem).reason;
        return proof;
    }
    const Argument argument = steps_argument(topology, ports, problem);
    Proof proof = proof_of_steps(topology, ports, problem, argument);
    proof.links = binding_links(topology, argument);
    say_about(proof, argument.kind == Argument::Kind::arriving && argument.far > 1 ? 1 : 0);
    proof.tally = tally_of(topology, argument, problem, argument.packets(), Counted::packets);
    return proof;
}

std::vector<Proof> exchange_proofs(const Topology& topology, PortModel ports)
{
    std::vector<Proof> proofs;
    for (const Argument& argument : exchange_arguments(topology, ports))
        proofs.push_back(proof_of_steps(topology, ports, {.collective = Collective::all_to_all}, argument));
    return proofs;
}

std::vector<Proof> searched_proofs(const Topology& topology, PortModel ports, const Problem& problem)
{
    std::vector<Proof> proofs;
    for (const Argument& argument : searched_arguments(topology, ports, problem))
        proofs.push_back(proof_of_steps(topology, ports, problem, argument));
    return proofs;
}

Proof time_proof(const Topology& topology, const Problem& problem)
{
    if (const auto groups = groups_of(problem, topology)) {
        Proof proof = of_groups(time_proof(groups->network(), in_group(problem)), *groups);
        proof.reason = time_bound(topology, problem).reason;
        return proof;
    }
    const TimeArgument bound = time_argument(topology, problem);
    Proof proof = proof_of(bound.argument);
    proof.links = binding_links(topology, bound.argument);
    if (bound.value > 0)
        proof.title = fmt::format("Why no algorithm needs less than {} ns", text_of(bound.value));
    proof.value = detail::to_rational(bound.value);
    proof.lines = time_lines(topology, bound, problem);
    proof.picture = picture_of(bound, problem);
    proof.packets = (bound.argument.packets() * bound.unit).convert_to<double>();
    say_about(proof, 0);
    proof.tally = tally_of(topology, bound.argument, problem, bound.argument.packets() * bound.unit, Counted::bytes);
    return proof;
}

}  // namespace dcube::explain
