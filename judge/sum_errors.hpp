#pragma once
// Why a sum cannot be made of those that a node holds, in one line.

#include "judge/disjoint_sums.hpp"
#include "judge/trace_line.hpp"

#include <span>
#include <string>
#include <string_view>

namespace dcube {

/// Of one that a line tells; `held` is what its sender had when the step began, `part` says of which byte.
std::string why_not_made(const Record& record, const Contributors& told, std::span<const HeldSum> held,
                         std::string_view part);

/// Of the complete sum `all` at a node in the end.
std::string why_not_complete(NodeId node, const Contributors& all, std::span<const HeldSum> held,
                             std::string_view part);

}  // namespace dcube
