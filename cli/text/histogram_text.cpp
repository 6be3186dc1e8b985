#include "cli/text/histogram_text.hpp"

#include "base/numbers.hpp"
#include "cli/text/describe.hpp"
#include "cli/text/table.hpp"
#include "run/report_fields.hpp"

#include <dcube/version.hpp>

#include <fmt/format.h>

#include <algorithm>

namespace dcube::cli {

namespace {

using H = const Histogram&;

const Field<Histogram> of_histograms[] = {
    {"schema", "", "", [](H) -> Json { return report_schema; }},
    {"file", "", "the file that was counted", [](H h) -> Json { return h.file; }},
    {"values", "", "values in the file", [](H h) -> Json { return h.values; }},
    {"word_bits", "bits", "bits of a value", [](H h) -> Json { return h.word_bits; }},
    {"bins", "", "number of bins", [](H h) -> Json { return h.counts.size(); }},
    {"counts", "", "values in each bin", [](H h) -> Json { return h.counts; }},
    {"report", "", "the reduce-scatter that added the counts up: the keys of a run",
     [](H h) { return record_of(h.report); }},
};

using B = const Bin&;

const Field<Bin> of_bins[] = {
    {"bin", "", "number of a bin, from 0", [](B b) -> Json { return b.number; }},
    {"first", "", "the least value that the bin counts", [](B b) -> Json { return b.first; }},
    {"last", "", "the largest value that the bin counts; null where it counts none",
     [](B b) { return or_null(b.last); }},
    {"count", "", "values in the bin", [](B b) -> Json { return b.count; }},
};

// The first value of a bin; the one behind the last bin begins behind the last value.
std::size_t first_value(const Histogram& histogram, std::size_t bin)
{
    const std::size_t values = std::size_t{1} << histogram.word_bits;
    return (bin * values + histogram.counts.size() - 1) / histogram.counts.size();
}

std::vector<Bin> bins_of(const Histogram& histogram)
{
    std::vector<Bin> bins;
    for (std::size_t bin = 0; bin < histogram.counts.size(); ++bin) {
        const std::size_t first = first_value(histogram, bin);
        const std::size_t end = first_value(histogram, bin + 1);
        bins.push_back({bin, first, end == first ? std::nullopt : std::optional(end - 1), histogram.counts[bin]});
    }
    return bins;
}

std::string values_text(const Bin& bin)
{
    if (!bin.last)
        return "-";
    return *bin.last == bin.first ? fmt::format("{}", bin.first) : fmt::format("{}-{}", bin.first, *bin.last);
}

std::string for_reading(const Histogram& histogram)
{
    constexpr std::size_t widest = 50;
    const Report& report = histogram.report;
    std::string text =
        wrapped(fmt::format("{} values of {} bits on {}: reduce-scatter, algorithm {}", grouped(histogram.values),
                            histogram.word_bits, describe(report.topology, report.ports), report.algorithm));
    if (report.virtual_time_ns)
        text += row("virtual time", time_text(*report.virtual_time_ns));
    else
        text += row("steps", grouped(report.counts.steps));
    text += row("verified", "against a direct count") + "\n";
    const std::uint64_t most = std::max<std::uint64_t>(1, std::ranges::max(histogram.counts));
    Table table{{{"values"}, {"count"}, {"", Column::Side::left}}};
    for (const Bin& bin : bins_of(histogram)) {
        const auto bar = static_cast<std::size_t>(static_cast<double>(bin.count) / static_cast<double>(most) * widest);
        table.add({values_text(bin), grouped(bin.count), std::string(bar, '#')});
    }
    return text + in_text(table);
}

}  // namespace

std::span<const Field<Histogram>> histogram_fields()
{
    return of_histograms;
}

std::span<const Field<Bin>> bin_fields()
{
    return of_bins;
}

std::string histogram_text(const Histogram& histogram, Format format)
{
    if (format == Format::text)
        return for_reading(histogram);
    return in_format(
        format == Format::json ? record_of(of_histograms, histogram) : records_of(of_bins, bins_of(histogram)), format);
}

}  // namespace dcube::cli
