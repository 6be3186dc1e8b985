#pragma once
// The limits of this host, kept from one `dcube limits` to the runs after it.

#include "inspect/measure/limits.hpp"

#include <optional>
#include <string>

namespace dcube::measure {

/// $XDG_CACHE_HOME/dcube/limits.json, or below $HOME/.cache; empty where the environment names neither as a full path.
std::optional<std::string> kept_limits_path();

/// Those in that file, if it can be read and they are of this host and of a build like this one: the same compiler,
/// flags and build type. A file that is broken, or of another machine, is as good as none.
std::optional<Limits> kept_limits();

/// What is to be kept after a measurement, where those limits were kept before. Better is what was measured without
/// warnings, and of two such what is not quick: then the old ones stay (empty), or the new ones take their place. Of
/// two equally good ones it is the best of each figure: whatever else happens on a machine makes it slower, never
/// faster. Limits of another pinning are replaced.
std::optional<Limits> to_keep(const std::optional<Limits>& kept, const Limits& measured);

/// What becomes of a measurement, where those limits are kept that were measured before.
struct Keeping {
    std::optional<Limits> limits{};  ///< to be written to kept_limits_path(); empty if nothing is
    std::string why_not{};           ///< else
};
Keeping keeping(const Limits& measured);

/// As kept_limits(), of any file and host.
std::optional<Limits> limits_kept_in(const std::string& path, const std::string& fingerprint);

}  // namespace dcube::measure
