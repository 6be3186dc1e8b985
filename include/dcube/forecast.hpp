#pragma once
/// Forecasts: what a run would take.

#include <dcube/catalogue.hpp>
#include <dcube/machine.hpp>
#include <dcube/report.hpp>

#include <cstdint>
#include <optional>
#include <string>

namespace dcube {

/// What a run would take, without running it.
struct Forecast {
    Report report;                            ///< of it, all that can be told before: counts, bounds, predicted time
    Cost cost;                                ///< its steps and transmissions
    std::optional<std::uint64_t> link_bytes;  ///< bytes that cross links; empty if known only after a run
    std::size_t memory_bytes;                 ///< data, in-transit storage, plan, channels and nodes
    std::optional<double> seconds;            ///< from a short calibration on this machine; empty as link_bytes is
};

/// `algorithm` is a name or "auto". Throws InvalidArgument where find_algorithm() does.
Forecast forecast(const Topology& topology, const MachineOptions& machine, const Problem& problem,
                  const std::string& algorithm = "auto");

}  // namespace dcube
