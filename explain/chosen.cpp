#include "explain/chosen.hpp"

#include "explain/costs.hpp"

#include <dcube/layout.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>

namespace dcube::explain {

namespace {

using detail::Exact;

const Algorithm& entry(Collective collective, std::string_view name, LinkKind link)
{
    for (const Algorithm& algorithm : catalogue())
        if (algorithm.collective == collective && algorithm.name == name && algorithm.link == link)
            return algorithm;
    throw std::logic_error("no entry " + std::string(name));
}

// ---- products ----

std::uint64_t steps_of(std::string_view name, const Topology& topology)
{
    return entry(Collective::all_to_all, name, LinkKind::unit)
        .cost(topology, {.collective = Collective::all_to_all})
        .steps;
}

// What a factor takes alone: of one factor these two are its own exchange.
std::uint64_t steps_alone(const Graph& factor, PortModel ports)
{
    return steps_of(ports == PortModel::one ? "factor-by-factor" : "interleaved", Topology::product({factor}));
}

// "N T_1/n_1" for every factor, with its values.
std::vector<std::string> terms_of_factors(const Topology& topology, PortModel ports, Variables& variables)
{
    std::vector<std::string> terms;
    for (unsigned i = 0; i < topology.dimension(); ++i) {
        terms.push_back(fmt::format("N T_{0}/n_{0}", i + 1));
        variables[fmt::format("T_{}", i + 1)] = Exact(steps_alone(topology.factor(i), ports));
        variables[fmt::format("n_{}", i + 1)] = Exact(topology.of_members().factor(i).nodes());
    }
    return terms;
}

std::string largest_of(const std::vector<std::string>& terms)
{
    return terms.size() == 1 ? terms.front() : fmt::format("max({})", fmt::join(terms, ", "));
}

ChosenFormula row_by_row(const Topology& topology)
{
    Variables variables{{"n_A", Exact(topology.factor(0).nodes())},
                        {"T_A", Exact(steps_alone(topology.factor(0), PortModel::one))}};
    if (topology.dimension() == 1)
        return {"m T_A", variables};
    std::vector<Graph> others;
    for (unsigned i = 1; i < topology.dimension(); ++i)
        others.push_back(topology.factor(i));
    const Topology rest = Topology::product(others);
    variables["n_B"] = Exact(rest.nodes());
    variables["S_B"] = Exact(rest.sum_of_statuses());
    return {"m (n_A S_B + n_B T_A)", variables};
}

// The busiest port of one node: half of a ring's hops go each way.
ChosenFormula edge_colouring(const Topology& topology)
{
    Variables variables;
    std::vector<std::string> terms;
    for (unsigned i = 0; i < topology.dimension(); ++i) {
        const NodeId nodes = topology.factor(i).nodes();
        const std::string n = fmt::format("n_{}", i + 1);
        variables[n] = Exact(nodes);
        if (topology.factor(i).kind() == Graph::Kind::complete || nodes <= 3)
            terms.push_back("N/" + n);
        else
            terms.push_back(nodes % 2 == 0 ? fmt::format("ceil(N {}/8)", n) : fmt::format("N ({0}^2 - 1)/(8 {0})", n));
    }
    return {fmt::format("m {}", largest_of(terms)), variables};
}

ChosenFormula chosen_grouped(const Topology& topology)
{
    Variables variables;
    std::vector<Graph> group;
    std::vector<std::string> terms{"N T_G/n_G"};
    std::vector<std::string> all = terms_of_factors(topology, PortModel::all, variables);
    for (unsigned i = 0; i < topology.dimension(); ++i) {
        const Graph::Kind kind = topology.factor(i).kind();
        if (kind == Graph::Kind::ring || kind == Graph::Kind::complete)
            group.push_back(topology.factor(i));
        else
            terms.push_back(std::move(all[i]));
    }
    const Topology together = Topology::product(group);
    variables["n_G"] = Exact(together.nodes());
    variables["T_G"] = Exact(steps_of("edge-colouring", together));
    return {fmt::format("m {}", largest_of(terms)), variables};
}

std::optional<ChosenFormula> of_products(std::string_view name, const Topology& topology)
{
    Variables variables;
    if (name == "row-by-row")
        return row_by_row(topology);
    if (name == "edge-colouring")
        return edge_colouring(topology);
    if (name == "grouped")
        return chosen_grouped(topology);
    if (name == "factor-by-factor")
        return ChosenFormula{
            fmt::format("m ({})", fmt::join(terms_of_factors(topology, PortModel::one, variables), " + ")),
            variables,
            {}};
    if (name == "interleaved" || name == "homogeneous" || name == "digit-rounds")
        return ChosenFormula{fmt::format("m {}", largest_of(terms_of_factors(topology, PortModel::all, variables))),
                             variables};
    return std::nullopt;
}

// ---- links that take time ----

// Another entry with so many bytes a message.
PartOfFormula part_of(std::string letter, std::string_view name, const Case& one, Collective collective,
                      const Exact& bytes)
{
    PartOfFormula part{std::move(letter), &entry(collective, name, LinkKind::link_bound), one};
    part.one.problem.collective = collective;
    part.one.problem.packets = 1;
    part.one.problem.bytes = numerator(bytes).convert_to<std::size_t>();
    return part;
}

Exact time_of(const PartOfFormula& part)
{
    if (part.one.problem.bytes == 0)
        return 0;
    return detail::exact(part.algorithm->time(part.one.topology, part.one.problem).value());
}

ChosenFormula with_parts(std::string formula, Variables variables, std::vector<PartOfFormula> parts)
{
    for (const PartOfFormula& part : parts)
        variables[part.letter] = time_of(part);
    std::erase_if(parts, [](const PartOfFormula& part) { return part.one.problem.bytes == 0; });
    return {std::move(formula), std::move(variables), std::move(parts)};
}

// The smallest k with d (1 + (d-1) + .. + (d-1)^(k-1)) >= N - 1.
std::uint64_t least_waves(unsigned d)
{
    const std::uint64_t others = (std::uint64_t{1} << d) - 1;
    std::uint64_t k = 0;
    std::uint64_t sum = 0;
    for (std::uint64_t power = 1; d * sum < others; power *= d - 1, ++k)
        sum += power;
    return k;
}

ChosenFormula scatter_in_waves(unsigned d)
{
    return {"(N - 1) tau m/d + k beta", {{"k", Exact(least_waves(d))}}, {}, "but for messages as short as these"};
}

ChosenFormula scatter_all_gather(const Case& one, const Exact& m)
{
    const Exact p = Exact(detail::ceiling(m / one.topology.members()));
    return with_parts("S + (N - 1) tau ceil(p/d) + d beta", {{"p", p}},
                      {part_of("S", "waves", one, Collective::scatter, p)});
}

ChosenFormula send_in_waves(unsigned h, unsigned d)
{
    return {h + 2 <= d ? "(h + g + 1) (tau ceil(m/(d g)) + beta)" : "(d + g - 1) (tau ceil(m/(d g)) + beta)", {}};
}

// a bytes within the subcube, b bytes over each of the d - h detours.
ChosenFormula shared_out(const Case& one, const Exact& inside, const Exact& m, unsigned h)
{
    const unsigned d = one.topology.dimension();
    const Exact b = h == d ? Exact(0) : Exact(detail::ceiling((m - inside) / (d - h)));
    const Collective collective = one.problem.collective;
    return with_parts(
        "max(A, B)", {},
        {part_of("A", "subcube", one, collective, inside), part_of("B", "detour-groups", one, collective, b)});
}

// The more bytes within the subcube, the longer it takes there, and the less outside.
Exact balanced_share(const Case& one, const Exact& m, unsigned h)
{
    const auto times = [&](const Exact& inside) { return shared_out(one, inside, m, h).variables; };
    Exact low = 0;
    Exact high = m;
    while (high - low > 1) {
        const Exact middle = Exact(detail::ceiling((low + high) / 2));
        const Variables there = times(middle);
        (there.at("A") > there.at("B") ? high : low) = middle;
    }
    const auto slower = [&](const Exact& inside) {
        const Variables there = times(inside);
        return std::max(there.at("A"), there.at("B"));
    };
    return slower(low) <= slower(high) ? low : high;
}

ChosenFormula subcubes(const Case& one, const Exact& m, unsigned h, bool balanced)
{
    const unsigned d = one.topology.dimension();
    const Exact whole_parts = Exact(detail::Integer(numerator(m * h / d) / denominator(m * h / d)));
    return shared_out(one, h == d ? m : balanced ? balanced_share(one, m, h) : whole_parts, m, h);
}

// The transpose of m bytes, share "2", or of half of them, share "4".
std::string on_logical_cubes(std::string_view stages, std::string_view packets, std::string_view share)
{
    return fmt::format("{} (tau ceil(m/({} {})) + beta)", stages, share, packets);
}

// X packets a link follow each other if there are 2 c of them or more, for c positions; else every one takes two
// stages.
ChosenFormula logical_cubes(const Case& one, unsigned positions, bool halves, const Exact& time)
{
    const Variables known{{"c", Exact(positions)}};
    const auto whole = [&](std::string_view stages, std::string_view packets) {
        const std::string transpose = on_logical_cubes(stages, packets, halves ? "4" : "2");
        return halves ? fmt::format("2 max(3 (tau m/8 + beta), {})", transpose) : transpose;
    };
    const std::string apart = whole("2 c", "c");
    Variables all = variables_of(one);
    all["c"] = Exact(positions);
    const std::size_t told = one.problem.tuning.groups;
    if (positions == 1 || told >= std::size_t{2} * positions || (told == 0 && Formula(apart).value(all) != time))
        return {whole("(X + 1)", "X"), known};
    return {told == 0 ? apart : whole("2 X", "X"), known};
}

std::optional<ChosenFormula> of_matrices(std::string_view name, const Case& one, const Exact& time)
{
    const unsigned c = one.topology.dimension() / 2;
    if (name == "logical-cubes")
        return logical_cubes(one, c, false, time);
    if (name != "two-halves")
        return std::nullopt;
    return c == 1 ? ChosenFormula{"3 (tau m/4 + beta)", {}} : logical_cubes(one, c - 1, true, time);
}

std::optional<ChosenFormula> of_time(const Algorithm& algorithm, const Case& one)
{
    const std::string_view name = algorithm.name;
    const std::optional<Rational> time = algorithm.time(one.topology, one.problem);
    if (!time)
        return std::nullopt;
    if (is_matrix(algorithm.collective))
        return of_matrices(name, one, detail::exact(*time));
    const Exact m = Exact(Layout(one.problem, one.topology).message);
    const unsigned d = one.topology.dimension();
    if (name == "scatter-all-gather")
        return scatter_all_gather(one, m);
    if (name == "waves" && !has_peer(algorithm.collective))
        return scatter_in_waves(d);
    if (!has_peer(algorithm.collective))
        return std::nullopt;
    const unsigned h = one.topology.distance(one.problem.root, one.problem.peer);
    if (name == "waves")
        return send_in_waves(h, d);
    if (name == "subcubes" || name == "subcubes-balanced")
        return subcubes(one, m, h, name == "subcubes-balanced");
    return std::nullopt;
}

}  // namespace

std::optional<ChosenFormula> chosen_formula(const Algorithm& algorithm, const Case& one)
{
    if (algorithm.link == LinkKind::link_bound)
        return of_time(algorithm, one);
    return algorithm.collective == Collective::all_to_all ? of_products(algorithm.name, one.topology) : std::nullopt;
}

}  // namespace dcube::explain
