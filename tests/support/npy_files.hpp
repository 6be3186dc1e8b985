#pragma once
// NumPy's .npy files, made byte by byte, and what the program's reader says of them.

#include "cli/files/npy.hpp"

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace dcube::test {

using Shape = std::vector<std::size_t>;

/// A file of this version with this dictionary, whose length is as it is, and these elements.
std::string npy_file(int major, const std::string& dictionary, const std::string& elements);
/// One of version 1 with 2 elements of 2 bytes.
std::string npy_with(const std::string& dictionary);

cli::NpyArray read_npy(std::string_view file, const std::string& name = "a.npy");
/// The error in a file, or "accepted".
std::string npy_complaint(std::string_view file, const std::string& name = "a.npy");

void check_npy_read(std::string_view file, ElementType type, const Shape& shape, bool fortran_order = false);
/// The file must be refused in one printable line that begins with its name and has this part.
void check_npy_refused(std::string_view file, const std::string& part);

}  // namespace dcube::test
