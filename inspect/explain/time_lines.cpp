// The arithmetic of bounds on links that take time.

#include "base/names.hpp"
#include "base/numbers.hpp"
#include "inspect/explain/arithmetic.hpp"
#include "inspect/explain/binding.hpp"
#include "inspect/explain/lines.hpp"

#include <fmt/format.h>

namespace dcube::explain {

namespace {

using detail::Exact;
using detail::Integer;
using Kind = Argument::Kind;
using Lines = std::vector<ProofLine>;

std::string ns(const Exact& value)
{
    return text_of(value) + " ns";
}

// "15 x 192 = 2 880"
std::string bytes_text(const TimeArgument& bound)
{
    std::vector<std::uint64_t> factors = bound.argument.factors;
    factors.push_back(bound.unit.convert_to<std::uint64_t>());
    return product_text(factors);
}

std::string places(const Argument& argument)
{
    if (argument.name == "through-ports")
        return fmt::format("over the ports of {}, one of which carries at least", grouped(argument.per_step, "node"));
    if (argument.name == "through-port")
        return "over its one port";
    const std::string links = grouped(argument.per_step, "link");
    if (argument.kind == Kind::cut)
        return fmt::format("over the {} that lead{} across", links, argument.per_step == 1 ? "s" : "");
    if (argument.kind == Kind::priced)
        return fmt::format("A byte on every link costs {}, so one of them carries at least",
                           argument.prices == Argument::Prices::four_cycles ? "4 N" : grouped(argument.per_step));
    if (argument.kind == Kind::hops)
        return fmt::format("over {}, one of which carries at least", links);
    return fmt::format("over its {}", links);
}

Lines through_links(const Topology& topology, const TimeArgument& bound, const Problem& problem)
{
    const Exact tau = detail::exact(problem.link.tau);
    const Exact beta = detail::exact(problem.link.beta);
    const Argument& argument = bound.argument;
    const Integer bytes = argument.packets() * bound.unit;
    const Integer on_one = (bytes + argument.per_step - 1) / argument.per_step;
    const Exact across = tau * Exact(on_one) + beta;
    Lines lines{
        {subject(topology, PortModel::all, argument, problem, Counted::bytes), bytes_text(bound)},
        {places(argument), quotient_text(bytes, argument.per_step)},
        {fmt::format("{} ns per byte", text_of(tau)),
         fmt::format("{} x {} = {}", text_of(on_one), text_of(tau), ns(tau * Exact(on_one)))},
        {"and a start-up", fmt::format("{} + {} = {}", text_of(tau * Exact(on_one)), text_of(beta), ns(across))}};
    if (argument.far > 1)
        lines.push_back({fmt::format("and {}, of tau + beta each for a byte", grouped(argument.far - 1, "more link")),
                         fmt::format("{} + {} x {} = {}", text_of(across), grouped(argument.far - 1),
                                     text_of(tau + beta), ns(bound.value))});
    return lines;
}

Lines along_a_path(const TimeArgument& bound, const Problem& problem)
{
    const Exact tau = detail::exact(problem.link.tau);
    const Exact beta = detail::exact(problem.link.beta);
    const Argument& argument = bound.argument;
    const Exact hop = is_barrier(problem.collective) ? beta : tau + beta;
    const ProofLine on_one = is_barrier(problem.collective)
                                 ? ProofLine{"An empty packet on one of them: beta", ns(beta)}
                                 : ProofLine{"A byte on one of them, with its start-up: tau + beta",
                                             fmt::format("{} + {} = {}", text_of(tau), text_of(beta), ns(hop))};
    return {{fmt::format("Links between node {} and node {}", argument.node, argument.other), grouped(argument.far)},
            on_one,
            {"One after the other", fmt::format("{} x {} = {}", grouped(argument.far), text_of(hop), ns(bound.value))}};
}

// One port.
Lines by_doubling(const Topology& topology, const TimeArgument& bound)
{
    const std::uint64_t doublings = bound.argument.far;
    const Exact one = bound.value / Exact(doublings);
    return {{fmt::format("With one port the nodes that know of one at most double while a packet is sent. Doublings "
                         "from 1 to {}",
                         grouped(topology.members())),
             grouped(doublings)},
            {"Each takes as long as a packet of one byte, or an empty one", ns(one)},
            {"One after the other", fmt::format("{} x {} = {}", grouped(doublings), text_of(one), ns(bound.value))}};
}

// Links that differ.
Lines through_cut(const Topology& topology, const TimeArgument& bound, const Problem& problem)
{
    const Argument& argument = bound.argument;
    return {{subject(topology, PortModel::all, argument, problem, Counted::bytes), product_text(argument.factors)},
            {fmt::format("In any less time the {} that lead{} across bring{}, each with its own times, at most",
                         grouped(argument.per_step, "link"), argument.per_step == 1 ? "s" : "",
                         argument.per_step == 1 ? "s" : ""),
             grouped(argument.carried)},
            {"That is too few, so at least", ns(bound.value)}};
}

Lines by_prices(const TimeArgument& bound)
{
    return {
        {with_capital(bound.argument.reason), product_text(bound.argument.factors)},
        {"In any less time the links, each with its own times, cannot carry as much, so at least", ns(bound.value)}};
}

}  // namespace

std::vector<ProofLine> time_lines(const Topology& topology, const TimeArgument& bound, const Problem& problem)
{
    switch (bound.argument.kind) {
    case Kind::nothing: return {{bound.argument.reason, "0 ns"}};
    case Kind::distance: return along_a_path(bound, problem);
    case Kind::doubling: return by_doubling(topology, bound);
    case Kind::timed_cut: return through_cut(topology, bound, problem);
    case Kind::timed_prices: return by_prices(bound);
    case Kind::leaving:
    case Kind::arriving:
    case Kind::hops:
    case Kind::cut:
    case Kind::priced:
    case Kind::detours:
    case Kind::paths:
    case Kind::entering:
    case Kind::senders:
    case Kind::dissemination:
    case Kind::junction:
    case Kind::unrolled:
    case Kind::passing: break;
    }
    return through_links(topology, bound, problem);
}

}  // namespace dcube::explain
