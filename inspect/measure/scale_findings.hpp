#pragma once
// What a benchmark of `dcube scale` says about a machine, in sentences that its numbers hold; and what a reader has to
// know of the machine besides.

#include "base/json.hpp"

#include <string>
#include <vector>

namespace dcube::measure {

struct Host;

/// The conclusion from a benchmark's document: the best speed-up that no doubt concerns, where threads begin to gain,
/// what pinning does, and how much of it is doubtful. Every sentence follows from 95 % intervals; there is always one.
std::vector<std::string> scale_findings(const nlohmann::ordered_json& benchmark);

/// The surroundings as a document: schema, kind ("environment"), program, host, and affinity, cgroups, transparent huge
/// pages, microcode and the libraries as they are loaded. What cannot be read is null.
nlohmann::ordered_json environment_document(const Host& host, const std::string& root = "/");

}  // namespace dcube::measure
