#include "inspect/view/words/comparison.hpp"

#include "base/numbers.hpp"
#include "inspect/view/words/titles.hpp"
#include "run/report.hpp"

#include <dcube/faults.hpp>
#include <dcube/topology.hpp>

#include <fmt/format.h>

#include <cstdint>
#include <optional>
#include <string_view>

namespace dcube::view {

namespace {

// "optimal", or where the networks differ "a 4-cube".
std::string told_apart(const Recording& one, const Recording& other)
{
    if (one.topology != other.topology)
        return network_text(one.topology);
    if (one.algorithm == nullptr)
        return "the trace";
    if (other.algorithm != nullptr && one.algorithm->name == other.algorithm->name)
        return fmt::format("{} on {}", one.algorithm->name, one.ports == PortModel::one ? "one port" : "all ports");
    return std::string(one.algorithm->name);
}

// "4 times as many", "1.5 times as many".
std::string times_text(const Rational& less, const Rational& more, std::string_view as_much)
{
    return fmt::format("{:.3g} times as {}", more.to_double() / less.to_double(), as_much);
}

// The dimension of a network that is a cube by another name: a ring of 4 is a square.
std::optional<unsigned> cube_dimension(const Topology& topology)
{
    unsigned dimension = 0;
    for (unsigned i = 0; i < topology.dimension(); ++i) {
        const Graph& factor = topology.factor(i);
        if (factor.nodes() != 2 && (factor.nodes() != 4 || factor.kind() != Graph::Kind::ring))
            return std::nullopt;
        dimension += factor.nodes() / 2;
    }
    return topology.faults().empty() ? std::optional(dimension) : std::nullopt;
}

// " No wonder: a torus of 4x4 is a 4-cube."
std::string no_wonder(const Topology& left, const Topology& right)
{
    const auto dimension = cube_dimension(left);
    if (left == right || !dimension || dimension != cube_dimension(right) ||
        left.is_hypercube() == right.is_hypercube())
        return {};
    return fmt::format(" No wonder: {} is {}.", network_text(left.is_hypercube() ? right : left),
                       network_text(left.is_hypercube() ? left : right));
}

bool uses_all(const Recording& one)
{
    return one.topology.directed_links() > 0 &&
           one.transmissions == std::uint64_t{one.steps} * one.topology.directed_links();
}

double share_used(const Recording& one)
{
    return 100 * link_utilisation(one.topology, one.steps, one.transmissions);
}

// " Both send 96 packets.", " They send 96 and 128 packets."
std::string packets_sent(const Recording& left, const Recording& right)
{
    if (left.transmissions == right.transmissions)
        return fmt::format(" Both send {}.", grouped(left.transmissions, "packet"));
    return fmt::format(" They send {} and {} packets.", grouped(left.transmissions), grouped(right.transmissions));
}

// " Links are busy for 80 % and 33 % of the time."
std::string links_used(const Recording& left, const Recording& right)
{
    const std::string a = fmt::format("{:.0f} %", share_used(left));
    const std::string b = fmt::format("{:.0f} %", share_used(right));
    return a == b ? fmt::format(" Links are busy for {} of the time in both.", a)
                  : fmt::format(" Links are busy for {} and {} of the time.", a, b);
}

std::string amounts(const Recording& left, const Recording& right)
{
    const Rational a = reached(left);
    const Rational b = reached(right);
    if (a == b)
        return fmt::format("both take {}.", amount_text(left, a));
    const std::string both = fmt::format("{} takes {}, {} {}", told_apart(left, right), amount_text(left, a),
                                         told_apart(right, left), amount_text(right, b));
    if (a.numerator == 0 || b.numerator == 0)
        return both + ".";
    const bool timed = left.problem.link.bound();
    return fmt::format("{}: {}.", both, times_text(std::min(a, b), std::max(a, b), timed ? "long" : "many"));
}

}  // namespace

std::string comparison_sentence(const Recording& left, const Recording& right)
{
    const bool same_network = left.topology == right.topology;
    const bool same_ports = left.ports == right.ports;
    std::string text =
        same_network ? (same_ports ? "The same task on the same machine: " : "The same task on the same network: ")
                     : "The same task on two networks: ";
    text += amounts(left, right);
    if (left.problem.link.bound())
        return text;
    if (uses_all(left) && uses_all(right))
        return text + " Every link is in use in every step." + no_wonder(left.topology, right.topology);
    return text + packets_sent(left, right) + links_used(left, right);
}

}  // namespace dcube::view
