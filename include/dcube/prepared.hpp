#pragma once
/// Prepared: a collective that node programs await, as often as they like.

#include <dcube/catalogue.hpp>
#include <dcube/machine.hpp>
#include <dcube/node.hpp>
#include <dcube/problem.hpp>
#include <dcube/task.hpp>
#include <dcube/values.hpp>

#include <cstddef>
#include <memory>
#include <span>
#include <string_view>

namespace dcube {

/// A collective made ready for a network, once for all nodes and runs; it is const and outlives the runs.
///
///     const Prepared all_gather(machine, {Collective::all_gather, sizeof(double)});
///
///     Task program(Node& me, const Prepared& all_gather, const double& mine, std::span<double> everything)
///     {
///         co_await all_gather(me, mine, everything);  // all nodes, in the same step
///         ...                                             // and go on in the same step
///     }
///
/// A collective begins in the step in which it is awaited and takes steps() steps: all nodes go on together, in the
/// step in which the last packets are received. Input and output are lent, and lie apart: until the end of that step
/// leave them unchanged (the output may be read), because neighbours may still read what was sent last.
///
/// What it needs for packets under way it takes anew each time, as Node::allocate does, until the end of the run; plans
/// take theirs once.
///
/// Under the link-bound model a node's data are usable from the latest arrival of all that it has received so far.
class Prepared {
public:
    /// For the machine's network, ports and links. Throws InvalidArgument as find_algorithm does, and if what it needs
    /// does not fit in memory.
    Prepared(const Machine& machine, const Problem& problem, std::string_view algorithm = "auto");
    Prepared(const Topology& topology, PortModel ports, const Problem& problem, std::string_view algorithm = "auto");
    /// With an algorithm that need not be in the catalogue.
    Prepared(const Topology& topology, PortModel ports, const Problem& problem, const Algorithm& algorithm);

    [[nodiscard]] const Problem& problem() const;
    /// The name in the catalogue.
    [[nodiscard]] std::string_view algorithm() const;
    [[nodiscard]] Step steps() const;

    /// What every node awaits, with its own data: its part of what Layout says, which is empty where it holds nothing.
    /// Throws InvalidArgument: another network, other ports or links than the machine's, sizes that do not fit, an
    /// input and an output that overlap. RuleViolation not_together: not all nodes begin it in this step; stray_packet:
    /// a packet waits at one of this node's ports.
    Task operator()(Node& me, std::span<const std::byte> input, std::span<std::byte> output) const;

    /// The same for a value, or values side by side.
    template <Lendable Input, Fillable Output>
    Task operator()(Node& me, Input&& input, Output&& output) const
    {
        return (*this)(me, std::as_bytes(detail::as_span(input)), std::as_writable_bytes(detail::as_span(output)));
    }

private:
    struct State;
    std::shared_ptr<const State> state_;
};

}  // namespace dcube
