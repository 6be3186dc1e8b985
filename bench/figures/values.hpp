#pragma once
// The sources of the claims' values.

#include "base/json.hpp"
#include "bench/figures/claims.hpp"

#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace figures {

/// Values by the names of the claims.
using Values = std::map<std::string_view, double>;

/// A measurement in this process: of a few claims at a time, which are compared with each other.
struct Measurement {
    bool large;  ///< takes minutes, or 10 GB
    std::function<Values()> measure;
};
const std::vector<Measurement>& measurements();

/// The programs that the claims' commands name, by their paths.
struct Programs {
    std::string dcube;
    std::string gbench;
};

/// Runs the claim's command, as JSON. Throws dcube::Error if it fails, or prints something else.
nlohmann::json output_of(const Programs& programs, std::string_view command);

/// The claim's value in what its command has printed. Throws dcube::Error if it is not in there.
double value_in(const nlohmann::json& output, const Claim& claim);

/// Measured with the program itself: a process from its start to a verified result, and, if it is `large`, how fast a
/// trace is judged. Throws dcube::Error if it fails.
Values whole_processes(const std::string& dcube, bool large);

}  // namespace figures
