#pragma once
// Errors as bytes: what one rank tells the others of an exception, so that all of them throw the same.

#include <cstddef>
#include <exception>
#include <span>
#include <string>
#include <vector>

namespace dcube::detail {

// Nothing for no error.
std::vector<std::byte> told(const std::exception_ptr& error);
// Of dcube's own errors the same type with the same text and members, but for nested exceptions; of others an Error
// with the same text, but std::bad_alloc for that. Null for nothing.
std::exception_ptr error_in(std::span<const std::byte> told);

// What any exception says.
std::string what_of(const std::exception_ptr& error);

}  // namespace dcube::detail
