#pragma once
// Costs that are computed from formulas: the formula that a catalogue entry states (CostFormula) is the one evaluated.

#include "base/formula.hpp"

#include <dcube/catalogue.hpp>

namespace dcube::detail {

// The letters of docs/glossary.md in a case, except those that an algorithm chooses itself (g, X, q). For steps: d, N
// and m, packets per message. For times: m, bytes per message, tau and beta, p = m/N, c = d/2, e bytes per element of a
// reduction, and for messages over h hops K, the sum of 1/C(h-1, k).
Letters letters_of(LinkKind link, const Topology& topology, const Problem& problem);

// The head with the cost and the time that its formula gives; both are zero on a machine of one node.
Entry costed_by_formula(Entry head);

}  // namespace dcube::detail
