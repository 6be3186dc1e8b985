#pragma once
/// Port models: how many of its ports a node may use in a step.

#include <cstdint>
#include <string_view>

namespace dcube {

enum class PortModel : std::uint8_t {
    all,  ///< a node may send and receive on every port in a step
    one,  ///< a node sends at most one packet and receives at most one packet in a step
};

/// "all" (also "multiport", "MLA") and "one" (also "single-port", "SLA"). Parsing throws InvalidArgument.
std::string_view name(PortModel ports);
PortModel parse_ports(std::string_view text);

}  // namespace dcube
