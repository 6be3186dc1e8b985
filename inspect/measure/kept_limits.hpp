#pragma once
// The limits of this host, kept from one `dcube limits` to the runs after it.

#include "inspect/measure/limits.hpp"

#include <optional>
#include <string>

namespace dcube::measure {

/// $XDG_CACHE_HOME/dcube/limits.json, or below $HOME/.cache; empty where the environment names neither as a full path.
std::optional<std::string> kept_limits_path();

/// The limits in that file, if it can be read and they are of this host and of a build like this one: the same
/// compiler, flags and build type. A file that is broken, of another machine, or of a dcube that did not measure lines
/// yet, is treated as missing.
std::optional<Limits> kept_limits();

/// The limits to be kept after a measurement, where others were kept before. Limits measured without warnings are
/// better, and of two such those that are not quick: then the old ones stay (empty), or the new ones take their place.
/// If both are equally good, the better of each figure is kept: any disturbance on a machine makes it slower, never
/// faster. Limits of another pinning are replaced.
std::optional<Limits> to_keep(const std::optional<Limits>& kept, const Limits& measured);

/// The result of a measurement, where limits that were measured before are kept.
struct Keeping {
    std::optional<Limits> limits{};  ///< to be written to kept_limits_path(); empty if nothing is
    std::string why_not{};           ///< the reason, if nothing is
};
Keeping keeping(const Limits& measured);

/// As kept_limits(), for any file and host.
std::optional<Limits> limits_kept_in(const std::string& path, const std::string& fingerprint);

}  // namespace dcube::measure
