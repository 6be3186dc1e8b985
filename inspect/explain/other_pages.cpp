#include "base/numbers.hpp"
#include "collectives/example.hpp"
#include "collectives/other_names.hpp"
#include "inspect/explain/arithmetic.hpp"
#include "inspect/explain/pages.hpp"

#include <dcube/bounds.hpp>
#include <dcube/error.hpp>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <utility>

namespace dcube::explain {

namespace {

std::string papers_names(Collective collective)
{
    std::string names;
    for (const std::string_view alias : traits(collective).aliases)
        if (!alias.empty())
            names += fmt::format("{}{}", names.empty() ? "" : ", ", alias);
    std::ranges::replace(names, '-', ' ');
    return names;
}

std::string cost_text(const Entry& algorithm, const Case& one)
{
    if (one.problem.link.bound()) {
        const auto time = predicted_time(algorithm, one.topology, one.problem);
        if (!time)
            return "a time known only after a run";
        return fmt::format("{}{} ns", time->exact ? "" : "at most ", text_of(detail::exact(time->ns)));
    }
    if (!algorithm.automatic)
        return "planned on request";
    return grouped(algorithm.cost(one.topology, one.problem).steps, "step");
}

std::vector<ProofLine> algorithms_for(const Case& one)
{
    std::vector<ProofLine> rows;
    for (const Entry& algorithm : catalogue()) {
        const bool same = algorithm.collective == one.problem.collective &&
                          (algorithm.link == LinkKind::link_bound) == one.problem.link.bound();
        if (same && contains(algorithm.networks, one.topology) &&
            obstacle_of(algorithm, one.topology, one.ports, one.problem).empty())
            rows.push_back(
                {std::string(algorithm.name), fmt::format("{}: {}", cost_text(algorithm, one), algorithm.summary)});
    }
    return rows;
}

Case example_of(const BoundText& bound)
{
    const Topology topology = Topology::parse(bound.network);
    Problem problem = example_problem(bound.collective, topology);
    problem.packets = bound.packets;
    if (bound.link == LinkKind::link_bound)
        problem.link = topology.links(example_links(topology), bound.ports);
    if (is_matrix(bound.collective)) {
        problem.layout = MatrixLayout::submatrices;
        problem.type = ElementType::uint8;
        problem.rows = problem.columns = 64;
    }
    return {topology, bound.ports, std::move(problem)};
}

// The bound's proof in this case, if it applies: bounds of a total exchange and those that take a search have one even
// where another bound binds.
std::optional<Proof> proof_there(const BoundText& bound, const Case& one)
{
    if (one.problem.collective == Collective::all_to_all && !one.problem.link.bound())
        for (Proof& proof : exchange_proofs(one.topology, one.ports))
            if (proof.name == bound.name)
                return std::move(proof);
    if (!one.problem.link.bound())
        for (Proof& proof : searched_proofs(one.topology, one.ports, one.problem))
            if (proof.name == bound.name)
                return std::move(proof);
    Proof binds = proof_of(one);
    return binds.name == bound.name ? std::optional(std::move(binds)) : std::nullopt;
}

std::string steps_or_ns(const Proof& proof, const Case& one)
{
    return one.problem.link.bound() ? text_of(detail::exact(proof.value)) + " ns"
                                    : grouped(static_cast<std::uint64_t>(proof.value.numerator), "step");
}

// Says which bound is the largest in this case: this one or another.
Block binding(const Proof& proof, const Case& one)
{
    const Proof binds = proof_of(one);
    if (binds.name == proof.name)
        return paragraph("This bound binds: no other is larger.");
    return paragraph(fmt::format("Another bound is {}: {}, {}.", binds.value == proof.value ? "as large" : "larger",
                                 binds.name, steps_or_ns(binds, one)));
}

}  // namespace

Page collective_page(const Case& one)
{
    const Collective collective = one.problem.collective;
    const CollectiveTraits& text = traits(collective);
    const std::string names = papers_names(collective);
    const Proof proof = proof_of(one);
    const Bound transmissions = transmissions_bound(one.topology, one.problem);
    Section what{"What it is", {paragraph(std::string(text.idea))}};
    if (!names.empty())
        what.blocks.push_back(paragraph("The papers call it " + names + "."));
    if (const std::vector<std::string_view> calls = library_calls(collective); !calls.empty())
        what.blocks.push_back(paragraph(fmt::format("In MPI and NCCL it is {}.", fmt::join(calls, ", "))));
    Section bound{
        proof.title,
        {paragraph(fmt::format("{}. The bound that binds is {}: {}.", description(one), proof.name, proof.reason)),
         proof_block(proof),
         paragraph(
             fmt::format("Transmissions: {} at least, {}.", grouped(transmissions.value), transmissions.reason))}};
    std::vector<std::string> next = command_lines({"run", "compare"}, one);
    next.push_back(fmt::format("dcube explain {}", proof.name));
    Page page{std::string(name(collective)), {std::move(what), std::move(bound)}};
    if (std::vector<ProofLine> algorithms = algorithms_for(one); !algorithms.empty())
        page.sections.push_back({"The algorithms for that", {rows_block(std::move(algorithms))}});
    page.sections.push_back({"Beware", {paragraph(std::string(text.beware))}});
    page.sections.push_back({"To try next", {lines_block(std::move(next))}});
    return page;
}

std::optional<Proof> example_proof(const BoundText& bound)
{
    return proof_there(bound, example_of(bound));
}

Page bound_page(const BoundText& bound, const std::optional<Case>& given)
{
    const Case one = given ? *given : example_of(bound);
    const std::optional<Proof> proof = proof_there(bound, one);
    if (!proof)
        throw InvalidArgument(
            fmt::format("{} does not bind {}: {} does", bound.name, description(one), proof_of(one).name));
    std::string title = fmt::format("The bound {}: {}", bound.name, bound.title);
    Section numbers{"With the numbers", {paragraph(description(one) + ":"), proof_block(*proof), binding(*proof, one)}};
    std::vector<std::string> next = command_lines({"run"}, one);
    next.push_back(fmt::format("dcube explain {}", name(one.problem.collective)));
    return {std::move(title),
            {{"The argument", {paragraph(std::string(bound.argument)), paragraph(std::string(bound.formula))}},
             std::move(numbers),
             {"To try next", {lines_block(std::move(next))}}}};
}

std::string meaning_of(const WordText& word)
{
    return word.of.empty() ? word.meaning : fmt::format("{}: {}", word.of, word.meaning);
}

Page word_page(const WordText& word)
{
    Page page{word.word, {{"", {paragraph(meaning_of(word) + ".")}}}};
    if (!word.see.empty()) {
        std::string see = word.see;
        std::ranges::replace(see, ' ', '-');  // one argument
        page.sections.push_back({"To try next", {lines_block({"dcube explain " + see})}});
    }
    return page;
}

}  // namespace dcube::explain
