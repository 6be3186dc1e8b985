#pragma once
// The limits of a machine for people: tables of GB/s and of nanoseconds, and what they are good for.

#include "inspect/measure/host.hpp"
#include "inspect/measure/limits.hpp"

#include <string>

namespace dcube::cli {

/// The processor, how many of them, and the memory, in a line: "AMD EPYC, 2 processors on 2 cores, 7.8 GiB".
std::string host_text(const measure::Host& host);

std::string limits_text(const measure::Limits& limits, const measure::Host& host);

/// A line for each figure: its name, what it is a figure of, its value and unit.
std::string limits_csv(const measure::Limits& limits);

}  // namespace dcube::cli
