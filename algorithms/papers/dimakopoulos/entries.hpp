#pragma once
// The catalogue's entries of this folder, all of them all-to-all for the unit model, and how they are made.

#include "algorithms/papers/dimakopoulos/factor_group.hpp"
#include "algorithms/programs/phases.hpp"
#include "algorithms/programs/schedule.hpp"

#include <dcube/catalogue.hpp>

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace dcube::detail {

// An algorithm for one exchange; m packets per message take m exchanges, one after the other.
struct Exchange {
    std::function<Schedule(const Topology&)> schedule;
    std::function<std::uint64_t(const Topology&)> steps;
    std::function<Phases(const Topology&)> phases;
    std::function<std::string(const Topology&)> obstacle = [](const Topology&) { return std::string(); };
};

// Completes an entry: its name, paper, summary, ports and networks are in `head`.
Entry exchange_entry(Entry head, const Exchange& exchange);

// An exchange whose length is known only after the search: one phase. The last few schedules are kept.
Exchange found_by(std::string_view name, PortModel ports, Schedule (*search)(const Topology&), const PhaseText& phase,
                  std::function<std::string(const Topology&)> obstacle);

// Formulas of one network, which have a term for each of its factors: factor i of n_i nodes takes T_i steps alone.
using FormulaTerms = std::vector<std::string>;
// "N T_1/n_1", ..: factor i's steps, once for each node of the product of the others. Adds n_i and T_i to the letters.
FormulaTerms terms_of_factors(const Topology& topology, PortModel ports, CaseFormula& formula);
// "max(A, B)"; for a single term, that term itself.
std::string largest_of(const FormulaTerms& terms);
// All factors' exchanges side by side: m times the largest of these terms.
std::optional<CaseFormula> longest_factor_formula(const Topology& topology, const Problem& problem);

// The phase in a network of one factor.
Phases own_exchange_phase(std::uint64_t steps);

// Rounds back to back in which all copies of some factors exchange at once.
Phases round_phases(const Topology& whole, const Factors& factors, std::uint64_t rounds, std::uint64_t steps);

// Why a network is too large for searches that take long on more than `most` nodes; empty if it is not.
std::string too_large(const Topology& topology, NodeId most);

Entry row_by_row_entry();
Entry factor_by_factor_entry();
Entry mixed_routes_entry();
Entry edge_colouring_entry();
Entry class_matching_entry();
Entry digit_rounds_entry();
Entry homogeneous_entry();
Entry interleaved_entry();
Entry grouped_entry();
Entry farthest_first_entry();

}  // namespace dcube::detail
