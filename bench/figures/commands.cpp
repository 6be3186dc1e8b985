// Values that other commands print.

#include "bench/figures/values.hpp"

#include <dcube/error.hpp>

#include <fmt/format.h>

#include <sys/wait.h>

#include <array>
#include <cstdio>

namespace figures {

namespace {

// The output of a shell's command line. Throws dcube::Error if it fails.
std::string printed_by(const std::string& line)
{
    FILE* const pipe = popen(line.c_str(), "r");
    if (pipe == nullptr)
        throw dcube::Error(line + " cannot be started");
    std::string text;
    std::array<char, 4096> buffer{};
    for (std::size_t got = 0; (got = std::fread(buffer.data(), 1, buffer.size(), pipe)) > 0;)
        text.append(buffer.data(), got);
    if (const int status = pclose(pipe); status != 0)
        throw dcube::Error(fmt::format("'{}' has ended with exit code {}", line, WEXITSTATUS(status)));
    return text;
}

// "./dcube figures --benchmarks --benchmark_filter='^a(b|c)/'" as a shell's line, with the programs' paths.
std::string shell_line(const Programs& programs, std::string_view command)
{
    constexpr std::string_view benchmarks = "./dcube figures --benchmarks ";
    constexpr std::string_view run = "./dcube ";
    if (command.starts_with(benchmarks))
        return fmt::format("'{}' {} --benchmark_format=json 2>/dev/null", programs.gbench,
                           command.substr(benchmarks.size()));
    return fmt::format("'{}' {} --format json", programs.dcube, command.substr(run.size()));
}

double time_or_counter(const nlohmann::json& benchmark, const std::string& field)
{
    if (field != "real_time")
        return benchmark.at(field).get<double>();
    const auto unit = benchmark.at("time_unit").get<std::string>();
    const double scale = unit == "ns" ? 1e-9 : unit == "us" ? 1e-6 : unit == "ms" ? 1e-3 : 1;
    return benchmark.at(field).get<double>() * scale;
}

double benchmark_value(const nlohmann::json& output, std::string_view key)
{
    const std::size_t blank = key.find(' ');
    const std::string name(key.substr(0, blank));
    for (const nlohmann::json& one : output.at("benchmarks"))
        if (one.at("run_name").get<std::string>() == name + "/process_time/real_time")
            return time_or_counter(one, std::string(key.substr(blank + 1)));
    throw dcube::Error(fmt::format("no benchmark '{}'", name));
}

}  // namespace

nlohmann::json output_of(const Programs& programs, std::string_view command)
{
    const std::string line = shell_line(programs, command);
    const std::string text = printed_by(line);
    try {
        return nlohmann::json::parse(text);
    } catch (const nlohmann::json::exception&) {
        throw dcube::Error(fmt::format("'{}' has printed no JSON", line));
    }
}

double value_in(const nlohmann::json& output, const Claim& claim)
{
    try {
        if (claim.source == Source::report)
            return output.at(std::string(claim.key)).get<double>();
        const double value = benchmark_value(output, claim.key);
        return claim.over.empty() ? value : value / benchmark_value(output, claim.over);
    } catch (const nlohmann::json::exception& error) {
        throw dcube::Error(fmt::format("'{}' has not printed what is claimed: {}", claim.command, error.what()));
    }
}

}  // namespace figures
