#pragma once
// A benchmark's figure as a script for gnuplot 5: speed-up, throughput over size, nanoseconds a hop against the limit.

#include <string>
#include <string_view>

namespace dcube::view {

/// The script that draws a benchmark's JSON (docs/report.md) into that file, as SVG; into standard output if there is
/// no file. It holds the data, reads no file, and starts nothing, whatever stands in the document.
/// Throws InvalidArgument if it is no benchmark's document, has no cell, or if gnuplot cannot be given the file's name.
std::string gnuplot_script(std::string_view json, std::string_view svg_file = {});

}  // namespace dcube::view
