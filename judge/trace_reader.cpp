#include "judge/trace_reader.hpp"

#include "base/lines.hpp"

#include <dcube/judge.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <utility>

namespace dcube {

namespace {

bool is_blank(std::string_view text)
{
    return text.find_first_not_of(" \t\r") == std::string_view::npos;
}

}  // namespace

TraceReader::TraceReader(std::istream& trace, std::function<void(std::uint64_t, const std::string&)> warn)
    : trace_(trace), buffer_(std::size_t{64} << 10), warn_(std::move(warn)),
      note_unknown_([this](const std::string& key) { note_unknown(key); })
{
}

std::string_view TraceReader::first_line()
{
    if (line_ == 0)
        kept_ = read_line();
    return text_;
}

bool TraceReader::next_text(std::string_view& text)
{
    if (!std::exchange(kept_, false) && !read_line())
        return false;
    text = text_;
    return true;
}

bool TraceReader::next(Record& record)
{
    if (!next_line())
        return false;
    record.line = line_;
    if (const std::string fault = parse_trace_line(text_, record, note_unknown_); !fault.empty())
        throw TraceFormatError(line_, fault);
    return true;
}

bool TraceReader::next_readable(Record& record)
{
    try {
        return next(record);
    } catch (const TraceError&) {
        return false;
    }
}

// Blank lines may stand at the end only.
bool TraceReader::next_line()
{
    if (!std::exchange(kept_, false) && !read_line())
        return false;
    if (!is_blank(text_))
        return true;
    const std::uint64_t blank = line_;
    while (read_line())
        if (!is_blank(text_))
            throw TraceFormatError(blank, "the line is empty: every line must be one transmission");
    return false;
}

void TraceReader::note_unknown(const std::string& key)
{
    constexpr std::size_t most_told = 16;
    constexpr std::size_t most_shown = 40;
    if (!warn_ || unknown_.size() >= most_told || std::ranges::find(unknown_, key) != unknown_.end())
        return;
    unknown_.push_back(key);
    warn_(line_, fmt::format("ignoring the unknown key \"{}\"", key.substr(0, most_shown)));
}

bool TraceReader::read_line()
{
    text_.clear();
    if (at_ == end_ && !refill())
        return false;
    ++line_;
    take_line();
    if (line_ == 1)
        text_ = std::string(without_byte_order_mark(text_));
    return true;
}

// All up to the line's end, or the trace's.
void TraceReader::take_line()
{
    do {
        const char* const begin = buffer_.data() + at_;
        const auto* const stop = static_cast<const char*>(std::memchr(begin, '\n', end_ - at_));
        const std::size_t taken = stop != nullptr ? static_cast<std::size_t>(stop - begin) : end_ - at_;
        if (text_.size() + taken > longest_line)
            throw TraceFormatError(line_, fmt::format("the line is longer than {} bytes", longest_line));
        text_.append(begin, taken);
        at_ += taken;
        if (stop != nullptr) {
            ++at_;
            return;
        }
    } while (refill());
}

bool TraceReader::refill()
{
    trace_.read(buffer_.data(), static_cast<std::streamsize>(buffer_.size()));
    at_ = 0;
    end_ = static_cast<std::size_t>(trace_.gcount());
    if (trace_.bad())
        throw TraceFormatError(line_ + 1, "the trace cannot be read any further");
    return end_ != 0;
}

}  // namespace dcube
