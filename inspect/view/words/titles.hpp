#pragma once
// A film's titles, and its report, in rows.

#include "inspect/view/film/film.hpp"

#include <string>
#include <utility>
#include <vector>

namespace dcube::view {

/// A program of one's own of which only the trace is known: not what its nodes had to begin with.
bool is_program_alone(const Recording& recording);

/// "Total exchange on a 4-cube"
std::string title_of(const Recording& recording);
/// "16 nodes, all ports: every node sends a different block of 64 bytes to each of the 15 others."
std::string subtitle_of(const Recording& recording);
/// "optimal (Bertsekas et al. 1991, section 4)"
std::string name_of(const Recording& recording);
/// "optimal: all ports, 8 steps"
std::string label_of(const Recording& recording);
/// "a 4-cube", "a torus of 4x4 without node 9"
std::string network_text(const Topology& topology);
/// The same above a stage: "4-cube".
std::string stage_name(const Topology& topology);

/// The run's report, or the verdict on a trace, in rows for people: what, and how much.
std::vector<std::pair<std::string, std::string>> report_rows(const Recording& recording);

/// The steps or time that was reached, in the unit of the bound: steps, or ns on links that take time.
Rational reached(const Recording& recording);
Rational lower_bound(const Recording& recording);
/// "601.5 ns": rounded down, so that a lower bound stays one.
std::string tenths_of_ns(const Rational& amount);
/// "8 steps", "33 410 ns", "601.5 ns".
std::string amount_text(const Recording& recording, const Rational& amount);

}  // namespace dcube::view
