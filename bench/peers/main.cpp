// The program dcube_peers, which `./dcube figures --peers` builds and runs: a total exchange by dcube and by every peer
// that was built, in turn, as a table or as JSON. Exit 1 if a peer failed; one that was stopped has not.

#include "base/memory.hpp"
#include "base/numbers.hpp"
#include "bench/peers/comparison.hpp"
#include "bench/peers/own_exchange.hpp"
#include "bench/peers/table.hpp"
#include "inspect/measure/host.hpp"
#include "inspect/measure/host_document.hpp"

#include <dcube/error.hpp>
#include <dcube/machine.hpp>
#include <dcube/version.hpp>

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <string>
#include <string_view>

namespace {

using namespace dcube;

struct Request {
    peers::Question question;
    std::string bytes = "64";
    std::string format = "text";
    std::string command = "dcube figures --peers";  // as it was given, for the document
};

std::string known_names()
{
    std::string names;
    for (const peers::KnownPeer& peer : peers::known_peers())
        names += (names.empty() ? "" : ", ") + peer.name;
    return names;
}

void declare(CLI::App& app, Request& request)
{
    peers::Question& question = request.question;
    question.size.dim = 8;
    app.add_option("--dim", question.size.dim, "2^D nodes, 1 to 12")->check(CLI::Range(1, 12))->capture_default_str();
    app.add_option("--bytes", request.bytes, "bytes from each node to each other: 64, 4KiB")->capture_default_str();
    app.add_option("--repeat", question.repeat, "number of runs; the median is shown")
        ->check(CLI::Range(1, 10000))
        ->capture_default_str();
    app.add_option("--only", question.only, "only these peers: " + known_names())
        ->delimiter(',')
        ->allow_extra_args(false);
    app.add_option("--limit", question.limit_seconds, "seconds after which a peer is stopped")->capture_default_str();
    app.add_option("--format", request.format, "text or json")->capture_default_str();
    app.add_option("--peers", question.folder, "the folder in which the peers are")->required();
}

// Throws InvalidArgument, or CLI::Success if help was asked for.
Request read(int argc, char** argv)
{
    Request request;
    CLI::App app("A total exchange by dcube and by every peer that is installed.", "dcube figures --peers");
    declare(app, request);
    try {
        app.parse(argc, argv);
    } catch (const CLI::Success& help) {
        app.exit(help);
        throw;
    } catch (const CLI::ParseError& error) {
        throw InvalidArgument(error.what());
    }
    peers::Question& question = request.question;
    question.size.bytes = parse_size("--bytes", request.bytes);
    if (question.size.bytes == 0 || question.size.bytes > 1U << 30)
        throw InvalidArgument(fmt::format("--bytes {}: 1 byte to 1 GiB are allowed", request.bytes));
    if (!(question.limit_seconds >= 0.01 && question.limit_seconds <= 86400))  // written so that nan is refused, too
        throw InvalidArgument("--limit: allowed are 0.01 to 86400 seconds");
    for (const std::string& name : question.only)
        if (std::ranges::none_of(peers::known_peers(), [&](const auto& peer) { return peer.name == name; }))
            throw InvalidArgument(fmt::format("--only: unknown peer '{}': expected {}", name, known_names()));
    if (request.format != "text" && request.format != "json")
        throw InvalidArgument(fmt::format("--format: '{}' is neither text nor json", request.format));
    for (int i = 1; i < argc; ++i)
        if (std::string_view(argv[i]) == "--peers")  // which the launcher has added
            ++i;
        else
            request.command += std::string(" ") + argv[i];
    return request;
}

void print_document(const Request& request, const measure::Host& host, const std::vector<peers::Row>& rows,
                    const std::vector<std::string>& warnings)
{
    nlohmann::ordered_json document{{"schema", dcube::report_schema}, {"kind", "peers"}};
    document["program"] = measure::program_document();
    document["command"] = request.command;
    document["date"] = measure::now_text();
    document["host"] = measure::host_document(host);
    document["warnings"] = warnings;
    document["threads"] = available_threads();
    document.update(peers::rows_document(request.question, rows));
    fmt::print("{}\n", document.dump(2));
}

int compare(Request request)
{
    const measure::Host host = measure::this_host();
    const std::vector<peers::OwnVariant> own = peers::own_variants(request.question.size);
    request.question.memory = available_memory();
    request.question.cores = available_threads();
    if (isatty(STDERR_FILENO) != 0)
        request.question.on_start = [](const std::string& what) { fmt::print(stderr, "\r\x1b[K{} ", what); };
    const std::vector<peers::Row> rows = peers::compared(request.question, own);
    const std::vector<std::string> warnings = measure::warnings(host, available_threads());
    if (request.question.on_start)
        fmt::print(stderr, "\r\x1b[K");
    if (request.format == "json") {
        print_document(request, host, rows, warnings);
    } else {
        fmt::print("{}", peers::table_text(request.question, rows, warnings));
    }
    return std::ranges::any_of(rows, [](const peers::Row& row) { return row.state == peers::Row::State::failed; });
}

}  // namespace

int main(int argc, char** argv)
{
    try {
        return compare(read(argc, argv));
    } catch (const CLI::Success&) {
        return 0;
    } catch (const InvalidArgument& error) {
        fmt::print(stderr, "dcube: {}\n", error.what());
        return 2;
    } catch (const std::exception& error) {
        fmt::print(stderr, "dcube: {}\n", error.what());
        return 1;
    }
}
