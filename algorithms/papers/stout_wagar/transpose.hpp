#pragma once
// L.C. INVERSION (Stout & Wagar 1990, section 7.2), which the turns of Gray-coded submatrices use too.

#include "algorithms/papers/stout_wagar/matrix_grid.hpp"
#include "algorithms/programs/link_costs.hpp"
#include "algorithms/programs/phases.hpp"

#include <dcube/catalogue.hpp>

#include <cstddef>
#include <string>
#include <string_view>

namespace dcube::detail {

// With X < 2 positions a node between has not got a packet yet when it should pass it on: every other step is used.
inline bool follow_each_other(unsigned positions, std::size_t x)
{
    return x >= 2 * std::size_t{positions} || positions == 1;
}

// Exchanges the bits of a and b in the positions below `positions`, X packets on every link.
struct LogicalInversion {
    MatrixGrid grid;
    unsigned positions;
    std::size_t x;

    void write(RoutingTable& table, const StringAt& string_at, Step first) const;
    [[nodiscard]] Step pace() const { return follow_each_other(positions, x) ? 1 : 2; }
    [[nodiscard]] NodeId transposed(NodeId node) const;
    // The phases of all packets that go along in the steps 1, 2, ..
    [[nodiscard]] Phases phases() const;

private:
    [[nodiscard]] NodeId differing(NodeId node) const;
    void write_link(RoutingTable& table, const StringAt& string_at, Step first, NodeId node, std::size_t link,
                    unsigned half) const;
};

Exact logical_inversion_time(unsigned positions, const Exact& bytes, std::size_t x, const LinkCosts& costs);
// The same as a formula: `packets_time` makes it of the stages and the packets, "(X + 1)" and "X", which follow each
// other, or "2 c" and "c", which take two stages each.
CaseFormula logical_inversion_formula(unsigned positions, const Exact& bytes, const Problem& problem,
                                      std::string (*packets_time)(std::string_view stages, std::string_view packets));
// X: what the problem asks for, or else the best.
std::size_t packets_for(unsigned positions, const Exact& bytes, const Problem& problem);
// Why there cannot be as many packets, or as few, as the problem asks for; empty if there can.
std::string wrong_packets(unsigned positions, std::size_t bytes, const Problem& problem);

// The transpose, of messages that are packed by target.
Routing logical_cubes(const Topology& topology, const Problem& problem);

}  // namespace dcube::detail
