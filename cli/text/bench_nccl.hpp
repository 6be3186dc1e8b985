#pragma once
// A benchmark as the table that nccl-tests print, for tools that read those.

#include <nlohmann/json.hpp>

#include <string>

namespace dcube::cli {

/// With header and footer; lines of comment say which network and how many threads the rows below them have. The time
/// is the mean of the samples, as there. dcube does nothing in place: those columns are N/A. Throws InvalidArgument for
/// matrices, which nccl-tests do not know.
std::string nccl_table(const nlohmann::ordered_json& document);

}  // namespace dcube::cli
