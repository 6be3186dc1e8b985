#pragma once
// Figures drawn by gnuplot, where it is installed.

#include <string>
#include <string_view>

namespace dcube::cli {

/// Throws InvalidArgument, which names the package, if there is no gnuplot on the PATH.
void require_gnuplot();

/// The SVG that gnuplot writes to its standard output for a script. It is run as found on the PATH and without a shell.
/// Throws InvalidArgument: what require_gnuplot() throws; also if gnuplot fails.
std::string drawn_by_gnuplot(std::string_view script);

}  // namespace dcube::cli
