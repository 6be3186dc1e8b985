#include "cli/commands/bench_files.hpp"

#include "cli/files/files.hpp"
#include "cli/files/interrupt.hpp"
#include "cli/text/bench_nccl.hpp"
#include "cli/text/bench_table.hpp"
#include "measure/bench_reader.hpp"
#include "view/html/bench_page.hpp"

#include <dcube/report.hpp>

#include <fmt/format.h>

#include <string>
#include <string_view>

namespace dcube::cli {

void round_numbers(measure::Json& value)
{
    if (value.is_structured())
        for (measure::Json& part : value)
            round_numbers(part);
    else if (value.is_number_float())
        value = std::stod(fmt::format("{:.9g}", value.get<double>()));
}

bool is_interrupted(const measure::Json& document)
{
    return document.value("interrupted", false);
}

namespace {

// What fits into a table: without lists of samples.
std::string bench_csv(const measure::Json& document)
{
    measure::Json rows = measure::Json::array();
    for (measure::Json cell : document.at("cells")) {
        cell.erase("rounds");
        round_numbers(cell);
        rows.push_back(std::move(cell));
    }
    return to_csv(rows.dump());
}

}  // namespace

measure::Json read_bench_file(const std::string& file)
{
    constexpr std::size_t most = std::size_t{1} << 30;
    const std::vector<std::byte> bytes = read_file(file, most, "a benchmark has at most");
    return measure::read_bench_document({reinterpret_cast<const char*>(bytes.data()), bytes.size()}, file);
}

std::string bench_json(const measure::Json& document)
{
    std::string text = "{";
    std::string_view comma = "\n";
    for (const auto& [key, value] : document.items()) {
        text.append(comma).append(measure::Json(key).dump()).append(": ");
        comma = ",\n";
        if (key != "cells") {
            text += value.dump();
            continue;
        }
        std::string_view mark = "[\n";
        for (const measure::Json& cell : value) {
            text.append(mark).append(cell.dump());
            mark = ",\n";
        }
        text += value.empty() ? "[]" : "\n]";
    }
    return text + "\n}\n";
}

std::string bench_output(const measure::Json& document, BenchFormat format)
{
    switch (format) {
    case BenchFormat::text: return bench_table(document);
    case BenchFormat::json: return bench_json(document);
    case BenchFormat::csv: return bench_csv(document);
    case BenchFormat::nccl: return nccl_table(document);
    }
    return {};
}

BenchFiles::BenchFiles(const BenchOptions& options)
{
    if (options.output)
        output_ = std::make_unique<NewFile>(*options.output);
    if (options.html)
        html_ = std::make_unique<NewFile>(*options.html);
}

BenchFiles::~BenchFiles() = default;

void BenchFiles::write(const measure::Json& document, const Interrupt& interrupt)
{
    const std::string json = bench_json(document);
    if (output_)
        output_->write(json);
    if (html_)
        html_->write(view::bench_page(json));
    if (!is_interrupted(document))  // which is written although a stop was requested
        interrupt.check();
    for (NewFile* const file : {output_.get(), html_.get()})
        if (file != nullptr)
            file->commit();
}

}  // namespace dcube::cli
