#pragma once
// The printed forms of a comparison.

#include "base/json.hpp"
#include "bench/peers/comparison.hpp"

#include <string>
#include <vector>

namespace peers {

/// A line for each row: peer, variant, median in ms with its 95 % interval, and its ratio to dcube's first row with the
/// interval of that ratio, and what dcube does in its time and the peer does not; or why there is no time. Below it
/// what else makes the rows unequal, the warnings that say why the times are not to be trusted, and which packages
/// bring the peers that are missing.
std::string table_text(const Question& question, const std::vector<Row>& rows,
                       const std::vector<std::string>& warnings);

/// "size", "settings" and "rows", of which each has all its times; docs/report.md says the rest.
nlohmann::ordered_json rows_document(const Question& question, const std::vector<Row>& rows);

}  // namespace peers
