// exchange: a barrier on a d-cube of N nodes. d steps and d N packets, on all ports or on one.
//
// In step k + 1 neighbours over dimension k signal to each other. Before it a node has heard of all in its subcube over
// dimensions 0 .. k - 1, so after it of all over 0 .. k, and after d steps of all nodes. A node has to hear of its
// antipode, d links away: fewer steps will not do.

#include "algorithms/families.hpp"
#include "algorithms/formulas.hpp"
#include "algorithms/programs/phases.hpp"

#include <fmt/format.h>

#include <cstddef>
#include <span>
#include <utility>

namespace dcube::detail {

namespace {

Task signal_over_all_dimensions(Node& me)
{
    for (Port k = 0; k < me.ports(); ++k) {
        me.send(k, std::span<const std::byte>());
        co_await me.next_step();
        me.receive(k, std::span<std::byte>());
    }
}

Phases phases_of_signals(const Topology& cube, const Problem&)
{
    PhaseLine line;
    for (unsigned k = 0; k < cube.dimension(); ++k)
        line.add(1, text_of_dimension(
                        k, fmt::format("Neighbours over dimension {} signal to each other: each has then heard of the "
                                       "{} nodes of its subcube.",
                                       k, std::uint64_t{2} << k)));
    return line.take();
}

}  // namespace

std::vector<Entry> barrier_family()
{
    Entry head{{.collective = Collective::barrier, .name = "exchange", .ports = PortModel::one},
               {.paper = "textbook: dimension by dimension",
                .origin = Origin::dcube,
                .summary = "neighbours signal to each other, dimension by dimension",
                .idea =
                    "Before step k + 1 a node has heard of all nodes that differ from it in bits 0 to k - 1 only. "
                    "Its neighbour over dimension k has heard of those that differ in that bit, too; they signal to "
                    "each other. After d steps all have heard of all: no barrier is faster.",
                .formula = {.steps = "d", .transmissions = "d N"},
                .paper_note = "None of the papers has a barrier.",
                .phases = phases_of_signals}};
    head = costed_by_formula(std::move(head));
    head.storage = [](const Topology&, const Problem&) { return std::uint64_t{0}; };
    head.prepare = [](const Topology&, const Problem&) -> CollectiveProgram {
        return [](Node& me, NodeData) { return signal_over_all_dimensions(me); };
    };
    return {std::move(head)};
}

}  // namespace dcube::detail
