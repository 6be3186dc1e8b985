#pragma once
// Errors as bytes, which one rank sends to the others, so that all of them throw the same exception.

#include <cstddef>
#include <exception>
#include <span>
#include <string>
#include <vector>

namespace dcube::detail {

// Empty for no error.
std::vector<std::byte> encoded(const std::exception_ptr& error);
// Of dcube's own errors the same type with the same text and members, but for nested exceptions; of others an Error
// with the same text, but std::bad_alloc for that. Null for nothing.
std::exception_ptr decoded(std::span<const std::byte> message);

// The text of any exception.
std::string what_of(const std::exception_ptr& error);

}  // namespace dcube::detail
