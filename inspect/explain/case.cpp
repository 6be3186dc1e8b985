#include "inspect/explain/case.hpp"

#include "base/numbers.hpp"
#include "collectives/example.hpp"
#include "run/question.hpp"

#include <dcube/error.hpp>
#include <dcube/layout.hpp>
#include <dcube/permutation.hpp>

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace dcube::explain {

namespace {

// Problems of one collective that differ in what algorithms are choosy about.
std::vector<Problem> examples(Collective collective, const Topology& topology, LinkKind link, Size size)
{
    Problem problem = example_problem(collective, topology);
    if (!is_matrix(collective))
        problem.bytes = link == LinkKind::unit ? 64 : size == Size::small ? 24 : 192;
    if (link == LinkKind::link_bound)
        problem.link = example_links(topology);
    if (has_permutation(collective) && !topology.is_hypercube())
        problem.permutation = permutation_by_name("rotation", topology, 1);
    std::vector<Problem> all{problem};
    if (collective == Collective::all_reduce || is_scan(collective)) {
        all.push_back(problem);
        all.back().packets = topology.members();
    }
    if (has_peer(collective))
        for (NodeId number = topology.members() - 1; number > 0; number /= 2) {
            all.push_back(problem);
            all.back().peer = topology.member(number);
        }
    if (has_permutation(collective))
        for (const char* const name : {"inversion", "identity"})
            if (topology.is_hypercube()) {
                all.push_back(problem);
                all.back().permutation = permutation_by_name(name, topology, 1);
            }
    if (is_matrix(collective))
        for (const MatrixLayout layout : {MatrixLayout::submatrices, MatrixLayout::submatrices_gray}) {
            all.push_back(problem);
            all.back().layout = layout;
            all.back().type = ElementType::uint8;
            all.back().rows = all.back().columns = std::size_t{4} * topology.members();
        }
    return all;
}

std::vector<Topology> networks(const Entry& algorithm, Size size)
{
    if (algorithm.networks == Networks::fabrics)
        return {Topology::parse("dgx-1")};
    std::vector<Topology> all;
    if (size == Size::usual)
        all.push_back(Topology::parse(algorithm.networks == Networks::hypercubes ? "hypercube:4" : "torus:6x6"));
    for (const char* const name : {"hypercube:3", "hypercube:2", "ring:3*ring:3", "path:3*path:3", "ring:5",
                                   "circulant:7,1,2", "ring:3*path:3", "petersen"})
        all.push_back(Topology::parse(name));
    all.push_back(Topology::hypercube(4));  // where nothing smaller will do
    all.push_back(Topology::hypercube(5));
    all.push_back(Topology::parse("path:3"));
    all.push_back(Topology::parse("complete:4"));
    return all;
}

std::optional<Case> possible_case(const Entry& algorithm, const Topology& topology, Size size)
{
    if (!contains(algorithm.networks, topology))
        return std::nullopt;
    for (Problem& problem : examples(algorithm.collective, topology, algorithm.link, size)) {
        try {
            problem.link = topology.links(problem.link, algorithm.ports);
            validate(problem, topology);
            if (obstacle_of(algorithm, topology, algorithm.ports, problem).empty())
                return Case{topology, algorithm.ports, std::move(problem)};
        } catch (const InvalidArgument&) {
            continue;  // a layout that this network does not have
        }
    }
    return std::nullopt;
}

}  // namespace

LinkModel example_links(const Topology& topology)
{
    if (topology.times_all_links())
        return topology.links({.kind = LinkKind::link_bound});
    return topology.links({.kind = LinkKind::link_bound, .tau = {1, 1}, .beta = {10, 1}});
}

Case example_case(const Entry& algorithm, Size size)
{
    for (const Topology& topology : networks(algorithm, size))
        if (std::optional<Case> found = possible_case(algorithm, topology, size))
            return *std::move(found);
    throw InvalidArgument(fmt::format("there is no small example of {}", algorithm.name));
}

Case example_case(const Entry& algorithm, const Topology& topology, Size size)
{
    if (std::optional<Case> found = possible_case(algorithm, topology, size))
        return *std::move(found);
    Problem problem = examples(algorithm.collective, topology, algorithm.link, size).front();
    problem.link = topology.links(problem.link, algorithm.ports);
    return {topology, algorithm.ports, std::move(problem)};
}

std::string description(const Case& one)
{
    const Problem& problem = one.problem;
    std::string text = fmt::format("{} on {}, {}", name(problem.collective), one.topology.title(),
                                   one.ports == PortModel::all ? "all ports" : "one port");
    if (is_matrix(problem.collective))
        text += fmt::format(", {} x {} {} elements in {}", problem.rows, problem.columns, name(problem.type),
                            name(problem.layout));
    else if (!is_barrier(problem.collective))
        text += fmt::format(", {} of {}",
                            problem.counts.empty() ? grouped(problem.packets, "packet") : "uneven messages, packets",
                            size_text(problem.bytes));
    if (has_root(problem.collective) && problem.root != 0)
        text += fmt::format(", root {}", problem.root);
    if (has_peer(problem.collective))
        text += fmt::format(", node {} and node {}", problem.root, problem.peer);
    if (problem.link.bound() && !one.topology.times_all_links())
        text += fmt::format(", tau {}, beta {} ns", to_string(problem.link.tau), to_string(problem.link.beta));
    if (problem.link.duplex == Duplex::half)
        text += ", half duplex";
    return text;
}

namespace {

// The name that stands for the permutation on this network, if there is one.
std::optional<std::string> permutation_name(const Problem& problem, const Topology& topology)
{
    for (const std::string_view known : permutation_names()) {
        const std::string mask = known.ends_with(':') ? std::to_string(problem.permutation.front()) : "";
        try {
            if (permutation_by_name(std::string(known) + mask, topology) == problem.permutation)
                return std::string(known) + mask;
        } catch (const InvalidArgument&) {
            continue;  // there is none of that name on this network
        }
    }
    return std::nullopt;
}

// The fields that dcube run would not choose like that itself: it never chooses where to send, and a layout afterwards
// by the one before.
std::string options_of(const Problem& problem)
{
    const Problem usual{.collective = problem.collective};
    std::string text;
    for (const ProblemField& field : problem_fields()) {
        const FieldValue value = value_of(field, problem);
        const bool chosen = field.key == "peer" || field.key == "to_layout" || value != value_of(field, usual);
        if ((field.is_number() || field.is_name()) && value != FieldValue() && chosen)
            text += fmt::format(" {} {}", option_of(field.key), to_string(value));
    }
    return text;
}

constexpr std::size_t most_counts_in_words = 64;

std::optional<std::string> arguments_of(const Case& one)
{
    const Problem& problem = one.problem;
    std::string text = std::string(name(problem.collective));
    text += one.topology.is_hypercube() ? fmt::format(" --dim {}", one.topology.dimension())
                                        : fmt::format(" --topology \"{}\"", one.topology.name());
    if (has_permutation(problem.collective)) {
        const std::optional<std::string> permutation = permutation_name(problem, one.topology);
        if (!permutation)
            return std::nullopt;
        text += " --permutation " + *permutation;
    }
    if (!problem.counts.empty()) {
        if (problem.counts.size() > most_counts_in_words)
            return std::nullopt;
        text += fmt::format(" --counts \"{}\"", fmt::join(problem.counts, " "));
    }
    text += options_of(problem);
    if (problem.link.bound() && !one.topology.times_all_links())
        text += fmt::format(" --tau {} --beta {}", to_string(problem.link.tau), to_string(problem.link.beta));
    if (problem.link.clock != LinkClock::data_driven)
        text += fmt::format(" --clock {}", name(problem.link.clock));
    if (one.ports == PortModel::one)
        text += " --ports one";
    if (problem.link.duplex == Duplex::half)
        text += " --duplex half";
    return text;
}

}  // namespace

std::vector<std::string> command_lines(std::initializer_list<std::string_view> commands, const Case& one,
                                       const Entry* algorithm)
{
    std::vector<std::string> lines;
    if (const std::optional<std::string> arguments = arguments_of(one))
        for (const std::string_view command : commands)
            lines.push_back(fmt::format("dcube {} {}{}", command, *arguments,
                                        algorithm != nullptr ? fmt::format(" --algorithm {}", algorithm->name) : ""));
    return lines;
}

}  // namespace dcube::explain
