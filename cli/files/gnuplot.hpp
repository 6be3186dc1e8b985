#pragma once
// Figures drawn by gnuplot, where it is installed.

#include <string>
#include <string_view>

namespace dcube::cli {

/// Runs gnuplot, as found on the PATH and without a shell, on a script that writes to its standard output, and puts
/// that into `file`: whole or not at all. Throws InvalidArgument, which names the package, if there is no gnuplot; also
/// if gnuplot fails or the file cannot be written.
void draw_with_gnuplot(std::string_view script, const std::string& file);

}  // namespace dcube::cli
