#include "cli/files/trace_writer.hpp"

#include <string_view>

namespace dcube::cli {

namespace {

constexpr std::size_t buffer_is_full = std::size_t{1} << 16;

}  // namespace

TraceWriter::TraceWriter(NewFile& file, const Report& report) : file_(file), link_(report.link)
{
    lines_.append(trace_header(report));
}

void TraceWriter::write(const Transmission& transmission)
{
    append_line(lines_, transmission, link_);
    if (lines_.size() >= buffer_is_full)
        flush();
}

void TraceWriter::flush()
{
    file_.write(std::string_view(lines_.data(), lines_.size()));
    lines_.clear();
}

}  // namespace dcube::cli
