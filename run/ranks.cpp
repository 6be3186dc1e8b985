#include "run/ranks.hpp"

#include "base/planning.hpp"
#include "collectives/problem_fields.hpp"
#include "run/report.hpp"

#include <fmt/format.h>
#include <xxhash.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <numeric>
#include <vector>

namespace dcube {

namespace {

std::vector<std::uint64_t> numbers_of_ranks(World& world, std::uint64_t own)
{
    std::vector<std::uint64_t> all;
    for (const std::vector<std::byte>& bytes : world.gather_everywhere(std::as_bytes(std::span(&own, 1)))) {
        std::uint64_t number = 0;
        std::memcpy(&number, bytes.data(), sizeof number);
        all.push_back(number);
    }
    return all;
}

std::string words_of(const LinkModel& link)
{
    return fmt::format("{} {} {} {} {}", name(link.kind), to_string(link.tau), to_string(link.beta), name(link.clock),
                       name(link.duplex));
}

std::string words_of(const RunOptions& options)
{
    std::string failing;
    for (const Failing& one : options.failing)
        failing += to_string(one) + ' ';
    return fmt::format("{} {} {}", options.trace ? "traced" : "not traced", options.seed, failing);
}

}  // namespace

Report with_chosen(Machine& machine, const Problem& asked, const CallOptions& options,
                   const std::function<Report(const Entry&)>& work)
{
    const detail::PlanningScope planning(options.run.stop);
    const Stopwatch choosing;
    const Entry* algorithm = nullptr;
    together(machine.world(), [&] {
        algorithm =
            &find_algorithm(machine.topology(), machine.ports(), on_links_of(machine, asked), options.algorithm);
    });
    const double chosen = choosing.seconds();
    Report report = work(*algorithm);
    report.planning_seconds += chosen;
    return report;
}

bool overlap(NodeData data)
{
    const std::less<const std::byte*> before;
    return !data.input.empty() && !data.output.empty() &&
           before(data.input.data(), data.output.data() + data.output.size()) &&
           before(data.output.data(), data.input.data() + data.input.size());
}

std::uint64_t sum_of_ranks(World& world, std::uint64_t own)
{
    const std::vector<std::uint64_t> all = numbers_of_ranks(world, own);
    return std::accumulate(all.begin(), all.end(), std::uint64_t{0});
}

std::uint64_t largest_of_ranks(World& world, std::uint64_t own)
{
    return std::ranges::max(numbers_of_ranks(world, own));
}

std::string words_of(const Problem& problem)
{
    std::string words(name(problem.collective));
    for (const ProblemField& field : problem_fields())
        words += fmt::format(" | {}", to_string(field.get(problem)));
    const auto& operation = problem.own_operation;
    return fmt::format("{} | {} {} | {} | {}", words, element_size(problem), operation ? operation->commutative : true,
                       problem.in_place ? "in place" : "apart", words_of(problem.link));
}

void require_same_run(Machine& machine, const Problem& problem, const Algorithm& algorithm, const RunOptions& options)
{
    World& world = machine.world();
    if (world.ranks() == 1)
        return;
    require_same(world, "the problem", words_of(problem));
    require_same(world, "the algorithm", algorithm.name);
    require_same(world, "the run's trace, seed or failing links", words_of(options));
}

std::span<const std::byte> own_input(const Layout& whole, const Layout& own, std::span<const std::byte> input)
{
    if (own.input_bytes == 0)
        return {};
    if (input.size() != whole.input_bytes)
        throw InvalidArgument(
            fmt::format("the input of all nodes has {} bytes: {} are allowed", input.size(), whole.input_bytes));
    return input.subspan(own.first_input, own.input_bytes);
}

namespace {

using Digest = std::array<std::byte, 8>;  // little endian on every machine

Digest digest_of(std::span<const std::byte> output)
{
    std::uint64_t hash = XXH3_64bits(output.data(), output.size());
    Digest digest{};
    for (std::byte& byte : digest) {
        byte = static_cast<std::byte>(hash);
        hash >>= 8;
    }
    return digest;
}

// All nodes' digests, by node, on rank 0. They are sent in rounds, so that no message is large.
std::vector<Digest> gathered(Machine& machine, const std::vector<Digest>& own)
{
    World& world = machine.world();
    constexpr std::size_t most_bytes = std::size_t{64} << 20;
    const NodeId nodes = machine.topology().nodes();
    const std::size_t most = std::max<std::size_t>(1, most_bytes / sizeof(Digest) / world.ranks());
    const std::size_t longest = (nodes + world.ranks() - 1) / world.ranks();
    std::vector<Digest> all(world.rank() == 0 ? nodes : 0);
    for (std::size_t begin = 0; begin < longest; begin += most) {
        const auto here = std::span(own).subspan(std::min(begin, own.size()));
        const auto parts = world.gather(std::as_bytes(here.first(std::min(most, here.size()))));
        for (unsigned rank = 0; rank < parts.size(); ++rank) {
            const NodeId first = nodes_of_rank(rank, world.ranks(), nodes).first;
            if (!parts[rank].empty())
                std::ranges::copy(parts[rank], all[first + begin].data());
        }
    }
    return all;
}

std::string hash_of(const std::vector<Digest>& digests)
{
    return fmt::format("{:016x}", XXH3_64bits(digests.data(), digests.size() * sizeof(Digest)));
}

// All nodes' digests on rank 0, and nothing on the others. `digest` is called for every node of this rank.
std::vector<Digest> digests_of_all(Machine& machine, const std::function<Digest(NodeId)>& digest)
{
    const NodeRange nodes = machine.own_nodes();
    std::vector<Digest> digests(nodes.size());
    machine.for_each_node([&](NodeId node) { digests[node - nodes.first] = digest(node); });
    return machine.world().ranks() == 1 ? digests : gathered(machine, digests);
}

bool lacks_messages(const Problem& problem, const Topology& topology)
{
    return topology.lacks_nodes() && problem.counts.empty() &&
           traits(problem.collective).after.share == Share::message_per_node;
}

}  // namespace

bool is_left_alone(const Problem& problem, const Topology& topology, NodeId node)
{
    if (const auto groups = groups_of(problem, topology))
        return is_left_alone(in_group(problem), groups->network(), groups->rank(node));
    return traits(problem.collective).terms == Terms::before && node == topology.member(0);
}

void clear_unused(const Problem& problem, const Topology& topology, NodeId node, std::span<std::byte> output)
{
    if (const auto groups = groups_of(problem, topology))
        return clear_unused(in_group(problem), groups->network(), groups->rank(node), output);
    if (is_left_alone(problem, topology, node))
        std::ranges::fill(output, std::byte{0});
    if (output.empty() || !lacks_messages(problem, topology))
        return;
    const std::size_t message = output.size() / topology.nodes();
    for (NodeId other = 0; other < topology.nodes(); ++other)
        if (!topology.is_member(other))
            std::ranges::fill(output.subspan(other * message, message), std::byte{0});
}

std::string result_digest(Machine& machine, const Problem& problem, const Layout& own,
                          std::span<const std::byte> output)
{
    const Topology& topology = machine.topology();
    const bool some_lack = lacks_messages(problem, topology);
    const std::vector<Digest> all = digests_of_all(machine, [&](NodeId node) {
        const auto [offset, bytes] = own.output(node);
        const std::span<const std::byte> here = output.subspan(offset, bytes);
        if (!some_lack && !is_left_alone(problem, topology, node))
            return digest_of(here);
        std::vector<std::byte> used(here.begin(), here.end());
        clear_unused(problem, topology, node, used);
        return digest_of(used);
    });
    World& world = machine.world();
    const std::string hash = world.rank() == 0 ? hash_of(all) : "";
    const std::vector<std::byte> told = world.broadcast(std::as_bytes(std::span(hash)), 0);
    return {reinterpret_cast<const char*>(told.data()), told.size()};
}

std::optional<Difference> first_difference(Machine& machine, const Layout& own, std::span<const std::byte> output,
                                           const std::function<bool(NodeId)>& counts)
{
    const std::vector<Digest> all = digests_of_all(machine, [&](NodeId node) {
        const auto [offset, bytes] = own.output(node);
        return digest_of(output.subspan(offset, bytes));
    });
    Difference found{0, 0};
    while (found.first < all.size() && !counts(found.first))
        ++found.first;
    for (found.node = found.first; found.node < all.size(); ++found.node)
        if (counts(found.node) && all[found.node] != all[found.first])
            break;
    const std::vector<std::byte> told = machine.world().broadcast(std::as_bytes(std::span(&found, 1)), 0);
    std::memcpy(&found, told.data(), sizeof found);
    return found.node < machine.topology().nodes() ? std::optional(found) : std::nullopt;
}

}  // namespace dcube
