#pragma once
// A recording in the format of another tool.

#include "run/recording.hpp"

#include <fmt/format.h>

#include <cstddef>
#include <cstdint>
#include <functional>
#include <iterator>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

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

/// A text to be written, and notes for its reader. The recording, which has all flights, outlives it.
class Export {
public:
    virtual ~Export() = default;

    /// The whole text, every time the same.
    virtual void write(TextWriter& text) const = 0;
    /// Notes on its use, and on what it leaves out: a line each.
    [[nodiscard]] virtual std::vector<std::string> notes() const = 0;
};

/// The number of bytes that write() will write. It takes as long as writing them.
std::uint64_t size_of(const Export& what);

/// GOAL, the schedules of LogGOPSim: what every rank sends and receives, and what waits for what. Throws
/// InvalidArgument for what it cannot express: more than 256 links at a node, packets of no bytes, times above 2^31
/// units.
std::unique_ptr<Export> goal_export(const Recording& recording);

/// Trace events, as ui.perfetto.dev and chrome://tracing show them: a track for every directed link. If there are more
/// than `events`, the arrows are left out first, then the last packets. Throws InvalidArgument if not even the names of
/// the tracks fit.
std::unique_ptr<Export> chrome_export(const Recording& recording, std::uint64_t events);

/// MSCCL's XML: two thread blocks for every port, one that sends chunks and one that receives them. Throws
/// InvalidArgument for collectives that MSCCL does not support, for networks that lack nodes, and for sums that nodes
/// do not add up one after the other.
std::unique_ptr<Export> msccl_export(const Recording& recording);

}  // namespace dcube
