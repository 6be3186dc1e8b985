#pragma once
// A cell of a benchmark: one tuple of independent variables. Two measurements are of the same cell if all of these are
// the same, whatever came out.

#include "base/json.hpp"
#include "inspect/measure/subject.hpp"

#include <string>

namespace dcube::measure {

using Json = nlohmann::ordered_json;

/// The variables that distinguish the setup from others, by the keys of the benchmark's document; null if they do not
/// apply.
Json variables_of(const Setup& setup);

/// Equal for equal cells only. `cell` has all keys that variables_of() gives, among others.
std::string identity(const Json& cell);
/// The same without what is measured against each other: without "threads", or under weak scaling also the topology.
std::string family(const Json& cell, bool weak);

/// The same without what changes nothing of what is achieved: algorithm, threads, channel and pin. Cells of the same
/// work can be measured against each other.
std::string same_work(const Json& cell);

/// "all-to-all, hypercube:8, 64 bytes, 2 threads"; what is usual is not said.
std::string cell_text(const Json& cell);

}  // namespace dcube::measure
