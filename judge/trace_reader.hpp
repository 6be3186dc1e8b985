#pragma once
// Reads a trace line by line.

#include "judge/trace_line.hpp"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <istream>
#include <string>
#include <string_view>
#include <vector>

namespace dcube {

class TraceReader {
public:
    static constexpr std::size_t longest_line = std::size_t{64} << 20;

    /// `warn` is called once for each unknown key, up to 16 of them.
    explicit TraceReader(std::istream& trace, std::function<void(std::uint64_t line, const std::string&)> warn = {});
    TraceReader(const TraceReader&) = delete;
    TraceReader& operator=(const TraceReader&) = delete;

    /// The first line, which next() still reads unless it is skipped. Ask before anything else, as often as needed.
    std::string_view first_line();
    void skip_first_line() { kept_ = false; }

    /// The next line as it stands there; false at the end of the trace. Its number is line(). Throws TraceFormatError.
    bool next_text(std::string_view& text);
    [[nodiscard]] std::uint64_t line() const { return line_; }

    /// Reads the next line into `record`; false at the end of the trace. Throws TraceFormatError, which names the line.
    bool next(Record& record);
    /// The same, but a line that is not a transmission counts as the end of the trace.
    bool next_readable(Record& record);

private:
    bool next_line();
    bool read_line();
    void take_line();
    bool refill();
    void note_unknown(const std::string& key);

    std::istream& trace_;
    std::vector<char> buffer_;
    std::size_t at_ = 0;  // the rest of the buffer is [at_, end_)
    std::size_t end_ = 0;
    std::string text_;   // the line
    bool kept_ = false;  // next() has it still to read
    std::uint64_t line_ = 0;
    std::function<void(std::uint64_t, const std::string&)> warn_;
    std::function<void(const std::string&)> note_unknown_;
    std::vector<std::string> unknown_;  // keys that were warned of
};

}  // namespace dcube
