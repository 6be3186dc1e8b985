#pragma once
// Documents of benchmarks, read back.

#include "measure/cell.hpp"

#include <string>
#include <string_view>

namespace dcube::measure {

/// The document in `text`, with all keys of bench_fields() and values as they say; cells are all different, and each
/// is of packets or of a matrix and has rounds. Keys that
/// are not known are kept. Throws InvalidArgument, which names the file and the key that is wrong.
Json read_bench_document(std::string_view text, const std::string& file);

}  // namespace dcube::measure
