#pragma once
// The dictionary in the header of a .npy file: {'descr': '<f8', 'fortran_order': False, 'shape': (3, 4), }

#include "cli/files/npy.hpp"

#include <cstddef>
#include <span>
#include <string>
#include <string_view>

namespace dcube::cli {

/// What the dictionary says. Throws InvalidArgument: one line that begins with the file's name.
NpyArray parse_npy_dictionary(std::string_view text, const std::string& name);

/// The dictionary of an array in C order. Throws InvalidArgument for more than 32 dimensions.
std::string npy_dictionary(ElementType type, std::span<const std::size_t> shape);

/// Throws InvalidArgument: the file's name and what is wrong, in one line.
[[noreturn]] void refuse_npy(std::string name, const std::string& what);

}  // namespace dcube::cli
