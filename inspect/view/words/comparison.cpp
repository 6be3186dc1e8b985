#include "inspect/view/words/comparison.hpp"

#include "base/numbers.hpp"
#include "inspect/view/words/titles.hpp"
#include "run/report.hpp"

#include <fmt/format.h>

#include <string_view>

namespace dcube::view {

namespace {

// "optimal", or where the networks differ "hypercube:4".
std::string told_apart(const Recording& one, const Recording& other)
{
    if (one.topology != other.topology)
        return one.topology.name();
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

double share_used(const Recording& one)
{
    return 100 * link_utilisation(one.topology, one.steps, one.transmissions);
}

std::string amounts(const Recording& left, const Recording& right)
{
    const Rational a = reached(left);
    const Rational b = reached(right);
    const std::string both = fmt::format("{} takes {}, {} {}", told_apart(left, right), amount_text(left, a),
                                         told_apart(right, left), amount_text(right, b));
    if (a == b || a.numerator == 0 || b.numerator == 0)
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
    return text + fmt::format(" {} and {} packets cross links, which are {:.0f} % and {:.0f} % in use.",
                              grouped(left.transmissions), grouped(right.transmissions), share_used(left),
                              share_used(right));
}

}  // namespace dcube::view
