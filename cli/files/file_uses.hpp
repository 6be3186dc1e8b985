#pragma once
// Which files a command reads and which it writes, so that no output destroys a file that the same command reads: also
// one that a value names (@FILE, graph:FILE), or a file that is read. It does not matter how a file is spelled, nor
// which of the two is noted first. What is no regular file (a pipe, /dev/null) cannot be destroyed.

#include <cstdint>
#include <string>

namespace dcube::cli {

/// Whether a file that is read may be replaced by what is made of it.
enum class Replaced : std::uint8_t { never, by_output };

/// A command begins: forgets those of the one before, and notes whatever the libraries open from now on.
void begin_file_uses();

/// Before a file is read; "-" is none. Throws InvalidArgument if an output names it.
void note_read(const std::string& path, Replaced replaced = Replaced::never);

/// The value of an option whose file is written. Throws InvalidArgument if it is read, or another output.
void note_written(const std::string& option, const std::string& path);

/// Before a file is replaced. Throws InvalidArgument if it was read, and may not be.
void require_unread(const std::string& path);

}  // namespace dcube::cli
