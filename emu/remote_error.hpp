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
// The error in a message. dcube's own errors keep their type, text and members, except nested exceptions;
// std::bad_alloc stays one; any other becomes an Error with the same text. Null for an empty message.
std::exception_ptr decoded(std::span<const std::byte> message);

// The text of any exception.
std::string what_of(const std::exception_ptr& error);

}  // namespace dcube::detail
