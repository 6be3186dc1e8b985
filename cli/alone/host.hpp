#pragma once
// What the surroundings of the command line do for it in WebAssembly: files, compression, the module for pages. All of
// it is in web/npm/host.mjs. Errors are numbers of errno.

#include "base/files.hpp"
#include "inspect/view/document/deflated.hpp"

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace dcube::cli::host {

detail::OutsideFiles::Kind kind(const std::string& path);

/// Whether both names lead to the same file, also to one that is not there yet.
bool is_same(const std::string& one, const std::string& other);

/// Reads a file, or standard input ("-"), and returns its size, or an error as a negative number. The bytes are kept
/// for take(), which takes the first of them.
std::int64_t read(const std::string& path);
std::vector<std::byte> take(std::size_t bytes);

/// A file that has its name, and replaces what has that name, when it is committed. Returns a number for it, or an
/// error as a negative number. Until then nothing of it is outside memory, unless the name is that of a pipe or a
/// device.
int create(const std::string& path);
/// These return 0 or an error.
int append(int file, std::span<const std::byte> bytes);
int write_at(int file, std::size_t offset, std::span<const std::byte> bytes);
int resize(int file, std::size_t bytes);
int commit(int file);
/// Gives the file up, unless it was committed.
void release(int file);

view::Bytes deflated(const view::Bytes& bytes);

/// This module itself.
std::string module();

}  // namespace dcube::cli::host
