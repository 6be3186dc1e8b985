#pragma once
// What an error says.

#include <dcube/error.hpp>

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

}  // namespace test_support
