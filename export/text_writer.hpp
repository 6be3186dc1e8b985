#pragma once
// Long texts, passed on a piece at a time.

#include <fmt/format.h>

#include <cstddef>
#include <cstdint>
#include <functional>
#include <iterator>
#include <string_view>
#include <utility>

namespace dcube {

/// Collects what is added and hands it on in pieces of about 64 KiB; the last one when flush() is called.
class TextWriter {
public:
    explicit TextWriter(std::function<void(std::string_view)> sink) : sink_(std::move(sink)) {}
    TextWriter(const TextWriter&) = delete;
    TextWriter& operator=(const TextWriter&) = delete;

    template <class... Values>
    void add(fmt::format_string<Values...> format, Values&&... values)
    {
        fmt::format_to(std::back_inserter(buffer_), format, std::forward<Values>(values)...);
        if (buffer_.size() >= full)
            flush();
    }

    void flush()
    {
        sink_(std::string_view(buffer_.data(), buffer_.size()));
        buffer_.clear();
    }

private:
    static constexpr std::size_t full = std::size_t{1} << 16;

    std::function<void(std::string_view)> sink_;
    fmt::memory_buffer buffer_;
};

}  // namespace dcube
