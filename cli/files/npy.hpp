#pragma once
// NumPy's .npy files: a short header, then the elements.

#include <dcube/elements.hpp>

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace dcube::cli {

struct NpyArray {
    ElementType type = ElementType::uint8;
    std::vector<std::size_t> shape{};
    bool fortran_order = false;
    std::size_t data_offset = 0;
};

/// True if the file begins as .npy files do.
bool is_npy(std::span<const std::byte> file);

/// Reads the header (versions 1.0, 2.0, 3.0; little-endian integers and floats of 1 to 8 bytes) and checks that exactly
/// the elements it promises follow. Throws InvalidArgument: one line that begins with the file's name.
NpyArray parse_npy(std::span<const std::byte> file, const std::string& name);

/// The whole numbers of a file, row by row: Problem::counts. Throws InvalidArgument, as parse_npy() does, and for
/// elements that are no whole numbers from 0 to 2^32 - 1.
std::vector<std::uint32_t> counts_in_npy(std::span<const std::byte> file, const std::string& name);

/// All that precedes the elements, in C order: version 1.0, as long as a multiple of 64 bytes. Throws InvalidArgument
/// for more than 32 dimensions.
std::string npy_header(ElementType type, std::span<const std::size_t> shape);

}  // namespace dcube::cli
