#pragma once
// The text of dcube --version.

#include <string>

namespace dcube::cli {

/// The program's name and version in the first line, for scripts; then a row for each fact that a bug report needs.
std::string version_text();

}  // namespace dcube::cli
