#pragma once
/// Source files and the files generated from them, and quoting for a shell.

#include <filesystem>
#include <string>

namespace dcube::gallery {

/// Both throw InvalidArgument, which names the file.
std::string read_file(const std::filesystem::path& path);
void write_file(const std::filesystem::path& path, const std::string& text);

/// The text quoted as one word of a shell's command line.
std::string quoted(const std::string& text);

}  // namespace dcube::gallery
