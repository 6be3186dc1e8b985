#pragma once
// The files that a command reads and writes. No output may destroy a file that the same command reads, whether an
// argument, a value (@FILE, graph:FILE) or another file names it. Neither the spelling of a file's name matters nor
// which of the two uses is noted first. Other things than regular files (a pipe, /dev/null) cannot be destroyed.

#include <cstdint>
#include <string>

namespace dcube::cli {

/// Whether a file that is read may be replaced by output made from it.
enum class Replaced : std::uint8_t { never, by_output };

/// Begins a command: forgets the files of the one before, and notes every file that the libraries open from now on.
void begin_file_uses();

/// Called before a file is read; "-" is none. Throws InvalidArgument if an output names it.
void note_read(const std::string& path, Replaced replaced = Replaced::never);

/// The value of an option whose file is written. Throws InvalidArgument if it is read, or another output.
void note_written(const std::string& option, const std::string& path);

/// Called before a file is replaced. Throws InvalidArgument if it was read, and may not be.
void require_unread(const std::string& path);

}  // namespace dcube::cli
