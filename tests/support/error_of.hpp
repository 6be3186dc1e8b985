#pragma once
// The text of an error.

#include <dcube/error.hpp>

#include <cstddef>
#include <functional>
#include <string>

namespace test_support {

/// The message of the dcube::Error that `work` throws; empty if it throws none.
inline std::string error_of(const std::function<void()>& work)
{
    try {
        work();
    } catch (const dcube::Error& error) {
        return error.what();
    }
    return {};
}

inline bool contains(const std::string& text, const std::string& part)
{
    return text.find(part) != std::string::npos;
}

/// The number of times that one text occurs in another.
inline std::size_t count_of(const std::string& text, const std::string& part)
{
    std::size_t count = 0;
    for (std::size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1))
        ++count;
    return count;
}

}  // namespace test_support
