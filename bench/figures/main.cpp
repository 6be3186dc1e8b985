// The program dcube_figures, which `./dcube figures` builds and runs: every claim of the documents about dcube's speed,
// measured here and now, beside its target. Values that other commands print are read from their output.

#include "bench/figures/document.hpp"
#include "bench/figures/values.hpp"
#include "inspect/measure/host.hpp"
#include "inspect/measure/host_document.hpp"

#include <dcube/error.hpp>
#include <dcube/machine.hpp>
#include <dcube/version.hpp>

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include <cstdio>
#include <string>
#include <vector>

namespace {

using namespace figures;

struct Request {
    std::string format = "text";
    bool large = false;
    bool list = false;
};

Request read(int argc, char** argv)
{
    Request request;
    CLI::App app("What is claimed of dcube's speed, measured here and now.", "dcube figures");
    app.add_flag("--large", request.large, "also what takes 10 GB of memory, or minutes");
    app.add_flag("--list", request.list, "only lists the claims; measures nothing");
    app.add_option("--format", request.format, "text or json")->capture_default_str();
    try {
        app.parse(argc, argv);
    } catch (const CLI::Success& help) {
        app.exit(help);
        throw;
    } catch (const CLI::ParseError& error) {
        throw dcube::InvalidArgument(error.what());
    }
    if (request.format != "text" && request.format != "json")
        throw dcube::InvalidArgument(fmt::format("--format: '{}' is neither text nor json", request.format));
    return request;
}

// The claims, with values as they come; each is printed as soon as it has one.
class Table {
public:
    explicit Table(const Request& request) : request_(request)
    {
        for (const Claim& claim : claims())
            if (request.large || request.list || !is_large(claim))
                figures_.push_back({&claim});
    }

    void add(const Values& values)
    {
        for (Figure& figure : figures_)
            if (const auto value = values.find(figure.claim->name); value != values.end()) {
                figure.value = value->second;
                print(figure);
            }
    }

    void print(const Figure& figure)
    {
        if (request_.format != "text")
            return;
        if (command_ != figure.claim->command)
            fmt::print("{}{}\n", command_.empty() ? "" : "\n", figure.claim->command);
        command_ = figure.claim->command;
        fmt::print("{}\n", figure_text(figure));
        std::fflush(stdout);
    }

    void print_all()
    {
        for (const Figure& figure : figures_)
            print(figure);
    }

    [[nodiscard]] const std::vector<Figure>& figures() const { return figures_; }

private:
    const Request& request_;
    std::vector<Figure> figures_;
    std::string_view command_;
};

void measure_all(const Request& request, Table& table)
{
    const Programs programs{DCUBE_PROGRAM, DCUBE_GBENCH};
    for (const bool large : {false, true}) {
        if (large && !request.large)
            continue;
        for (const Measurement& measurement : measurements())
            if (measurement.large == large)
                table.add(measurement.measure());
        table.add(whole_processes(programs.dcube, large));
        nlohmann::json output;
        std::string_view command;
        for (const Claim& claim : claims()) {
            if (claim.source == Source::measured_here || is_large(claim) != large)
                continue;
            if (command != claim.command)
                output = output_of(programs, claim.command);
            command = claim.command;
            table.add({{claim.name, value_in(output, claim)}});
        }
    }
}

void print_document(const Request& request, const dcube::measure::Host& host, const Table& table)
{
    nlohmann::ordered_json document{{"schema", dcube::report_schema}, {"kind", "figures"}};
    document["program"] = dcube::measure::program_document();
    document["command"] = std::string("dcube figures") + (request.large ? " --large" : "") +
                          (request.list ? " --list" : "") + " --format json";
    document["date"] = dcube::measure::now_text();
    document["host"] = dcube::measure::host_document(host);
    document["warnings"] = dcube::measure::warnings(host, 2);
    document["figures"] = figures_document(table.figures());
    fmt::print("{}\n", document.dump(2));
}

void print_figures(const Request& request)
{
    const dcube::measure::Host host = dcube::measure::this_host();
    Table table(request);
    if (request.format == "text" && !request.list) {
        for (const std::string& warning : dcube::measure::warnings(host, 2))
            fmt::print(stderr, "dcube: warning: {}\n", warning);
        fmt::print("{} hardware threads; medians. Measured, aimed at, what:\n\n", dcube::available_threads());
    }
    if (request.list)
        table.print_all();
    else
        measure_all(request, table);
    if (request.format == "json")
        print_document(request, host, table);
}

}  // namespace

int main(int argc, char** argv)
{
    try {
        print_figures(read(argc, argv));
        return 0;
    } catch (const CLI::Success&) {
        return 0;
    } catch (const dcube::InvalidArgument& error) {
        fmt::print(stderr, "dcube: {}\n", error.what());
        return 2;
    } catch (const std::exception& error) {
        fmt::print(stderr, "dcube: {}\n", error.what());
        return 1;
    }
}
