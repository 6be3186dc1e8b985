#pragma once
// A histogram for people and for programs.

#include "cli/requests.hpp"
#include "run/field.hpp"

#include <dcube/report.hpp>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace dcube::cli {

/// How many of a file's values each bin has, and the report of the reduce-scatter that added that up.
struct Histogram {
    std::string file;
    std::size_t values;
    unsigned word_bits;  ///< of a value
    std::vector<std::uint64_t> counts;
    Report report;
};

/// A bin for values from `first` to `last`; where it has none there is no last.
struct Bin {
    std::size_t number;
    std::size_t first;
    std::optional<std::size_t> last;
    std::uint64_t count;
};

std::span<const Field<Histogram>> histogram_fields();
std::span<const Field<Bin>> bin_fields();

/// Text, one JSON object, or CSV with a line for each bin.
std::string histogram_text(const Histogram& histogram, Format format);

}  // namespace dcube::cli
