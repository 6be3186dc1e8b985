#pragma once
// The program that runs: its file and the words with which it was started. Both are empty where the system does not
// say.

#include <filesystem>
#include <string>
#include <vector>

namespace dcube::cli {

/// A path by which it can be started again; on Linux also after its file was replaced.
std::filesystem::path program_file();

/// The folder that its file is in, with all links followed.
std::filesystem::path program_folder();

/// Its name first, as in argv.
std::vector<std::string> program_words();

}  // namespace dcube::cli
