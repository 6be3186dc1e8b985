#include <dcube/link.hpp>

#include "base/exact.hpp"
#include "base/names.hpp"
#include "base/numbers.hpp"

#include <dcube/error.hpp>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cstdlib>
#include <limits>
#include <numeric>
#include <optional>
#include <vector>

namespace dcube {

namespace {

// Each source was read; its words stand in quotation marks, and after them how tau (ns per byte) and beta (ns per
// packet) follow.
constexpr MachinePreset presets[] = {
    {"ncube3",
     {20, 1},
     {3000, 1},
     "A. J. van der Steen and J. J. Dongarra, Overview of Recent Supercomputers (1996), The nCUBE 3, "
     "netlib.org/utk/papers/old-advanced-computers/node38.html: \"communication latency [..] about 3 [microseconds] "
     "[..] single channel bandwidth is 50 MB/s\". tau = 1 / 50 MB/s"},
    {"cray-xc50",
     {107685, 1048576},
     {1110, 1},
     "CSCS, Sarus documentation, cookbook: OSU Micro benchmarks (Piz Daint, a Cray XC50), "
     "github.com/eth-cscs/sarus doc/cookbook/osu_mb/osu_mb.rst: osu_latency takes 1.11 microseconds for 0 bytes and "
     "431.85 for 4194304. tau = (431.85 - 1.11) / 4194304"},
    {"infiniband-edr",
     {80, 991},
     {1270, 1},
     "Microsoft, HB-series virtual machine sizes (EDR InfiniBand, 9 September 2020), "
     "github.com/MicrosoftDocs/azure-docs articles/virtual-machines/workloads/hpc/hb-series-performance.md: \"RDMA "
     "latency & bandwidth: 1.27 usec, 99.1 Gb/s\". tau = 8 bits / 99.1 Gb/s"},
    {"infiniband-hdr",
     {4, 95},
     {1200, 1},
     "Microsoft, HBv2-series virtual machine sizes (HDR InfiniBand, 28 September 2020), "
     "github.com/MicrosoftDocs/azure-docs articles/virtual-machines/workloads/hpc/hbv2-performance.md: \"RDMA latency "
     "& bandwidth: 1.2 microseconds, 190 Gb/s\". tau = 8 bits / 190 Gb/s"},
    {"ethernet-10g",
     {2, 1},
     {20000, 1},
     "J. Hurwitz and W. Feng, Initial End-to-End Performance Evaluation of 10-Gigabit Ethernet, Hot Interconnects 11 "
     "(2003), abstract, hoti.org/archive/Hoti11_program/abstracts/24.html: TCP reaches \"over 4-Gb/s throughput and "
     "20-us end-to-end latency\". tau = 8 bits / 4 Gb/s"},
    {"ethernet-40g",
     {800, 3723},
     {1930, 1},
     "J. Squyres, MPI over 40Gb Ethernet (Open MPI 1.8.1, usNIC), blogs.cisco.com/performance/mpi-over-40gb-ethernet: "
     "\"latency starts at 1.93us, and the bandwidth reaches 37.23Gbps\". tau = 8 bits / 37.23 Gb/s"},
    {"nvlink3",
     {1, 20},
     {3400, 1},
     "NVIDIA, NCCL's model of its own costs (commit 5067397c of 2026), one NVLink of an A100, github.com/NVIDIA/nccl: "
     "src/graph/topo.h has SM80_NVLINK_BW 20.0 (GB/s), src/graph/tuning.cc 3.4 (microseconds) a hop of a ring with the "
     "simple protocol. tau = 1 / 20 GB/s"},
};

// The presets of earlier versions, which were quoted from memory.
constexpr std::string_view removed_presets[] = {"ncube1", "ncube2", "ipsc1", "ipsc2", "ipsc860"};

Rational lowest(std::int64_t numerator, std::int64_t denominator)
{
    const std::int64_t divisor = std::gcd(numerator, denominator);
    return {numerator / divisor, denominator / divisor};
}

// A number that is written as one, though it may be none that a Rational holds.
struct Written {
    bool valid = false;
    std::optional<Rational> value{};
};

// "5/2"
Written fraction(std::string_view top, std::string_view bottom)
{
    constexpr std::string_view digits = "0123456789";
    const auto is_whole = [&](std::string_view text) {
        return !text.empty() && text.find_first_not_of(digits) == std::string_view::npos;
    };
    if (!is_whole(top) || !is_whole(bottom) || bottom.find_first_not_of('0') == std::string_view::npos)
        return {};
    const auto over = parsed_number<std::int64_t>(top);
    const auto under = parsed_number<std::int64_t>(bottom);
    return {true, over && under ? std::optional(lowest(*over, *under)) : std::nullopt};
}

// The number written by these digits, the last `places` of them behind the point, if numerator and denominator fit.
std::optional<Rational> scaled(std::string_view digits, std::int64_t places)
{
    digits.remove_prefix(std::min(digits.find_first_not_of('0'), digits.size()));
    if (digits.empty())
        return Rational{};
    const std::size_t zeros = digits.size() - digits.find_last_not_of('0') - 1;
    digits.remove_suffix(zeros);
    places -= static_cast<std::int64_t>(zeros);
    // The remaining digits do not end with 0, so a power of 2 or of 5 remains in the denominator: at most 62 places
    // fit, and at most 19 digits before them.
    constexpr std::int64_t most_places = 62;
    constexpr std::int64_t most_before = 19;
    const auto length = static_cast<std::int64_t>(std::min(digits.size(), std::size_t{1} << 20));
    if (places > most_places || length - places > most_before)
        return std::nullopt;
    const detail::Integer unit = pow(detail::Integer(10), static_cast<unsigned>(std::abs(places)));
    detail::Exact value{detail::Integer(std::string(digits))};
    value = places < 0 ? value * unit : value / unit;
    const detail::Integer most = std::numeric_limits<std::int64_t>::max();
    if (numerator(value) > most || denominator(value) > most)
        return std::nullopt;
    return detail::to_rational(value);
}

// "100", "0.59", ".5", "1e-3"
Written decimal(std::string_view text)
{
    constexpr std::string_view digits = "0123456789";
    const std::size_t e = std::min(text.find_first_of("eE"), text.size());
    std::int64_t exponent = 0;
    if (e < text.size()) {
        std::string_view power = text.substr(e + 1);
        const bool negative = power.starts_with('-');
        if (negative || power.starts_with('+'))
            power.remove_prefix(1);
        if (power.empty() || power.find_first_not_of(digits) != std::string_view::npos)
            return {};
        constexpr std::int64_t far = std::int64_t{1} << 40;  // larger ones change nothing
        exponent = std::min(parsed_number<std::int64_t>(power).value_or(far), far) * (negative ? -1 : 1);
    }
    const std::string_view number = text.substr(0, e);
    const std::size_t point = std::min(number.find('.'), number.size());
    const std::string_view behind = number.substr(std::min(point + 1, number.size()));
    const std::string all = std::string(number.substr(0, point)).append(behind);
    if (all.empty() || all.find_first_not_of(digits) != std::string::npos)
        return {};
    return {true, scaled(all, static_cast<std::int64_t>(behind.size()) - exponent)};
}

Written number(std::string_view text)
{
    const std::size_t slash = text.find('/');
    return slash == std::string_view::npos ? decimal(text) : fraction(text.substr(0, slash), text.substr(slash + 1));
}

template <class Value, std::size_t n>
Value parsed_name(const Value (&values)[n], std::string_view text, std::string_view what)
{
    std::vector<std::string_view> names;
    for (const Value value : values) {
        if (name(value) == text)
            return value;
        names.push_back(name(value));
    }
    throw InvalidArgument("", quoted(text), fmt::format("is not {}: expected {}", what, fmt::join(names, " or ")));
}

}  // namespace

std::string to_string(const Rational& value)
{
    return value.denominator == 1 ? fmt::format("{}", value.numerator)
                                  : fmt::format("{}/{}", value.numerator, value.denominator);
}

Rational parse_rational(std::string_view key, std::string_view text)
{
    const Written written = number(text);
    if (written.value)
        return *written.value;
    throw InvalidArgument(
        key, quoted(text),
        fmt::format("is not possible: expected a number from 0 to 2^63-1 such as 100, 5/2, 0.59 or 1e-3{}",
                    written.valid ? ", as a fraction whose numerator and denominator are below 2^63" : ""));
}

std::uint64_t LinkModel::ticks_per_ns() const
{
    constexpr std::int64_t most = std::int64_t{1} << 32;
    const auto require_time = [](std::string_view key, const Rational& ns) {
        if (ns.denominator <= 0 || ns.numerator < 0)
            throw InvalidArgument(key, fmt::format("{}/{}", ns.numerator, ns.denominator),
                                  "is not possible: expected at least 0 ns, over at least 1");
    };
    require_time("tau_ns_per_byte", tau);
    require_time("beta_ns", beta);
    std::int64_t common = 1;
    for (const std::int64_t one : {tau.denominator, beta.denominator, static_cast<std::int64_t>(divisions)}) {
        const std::int64_t factor = one / std::gcd(common, one);
        if (factor > most / common)
            throw InvalidArgument(
                "tau_ns_per_byte", to_string(tau),
                fmt::format("and {} {}{} have no common denominator below 2^32: expected fewer digits, or a fraction "
                            "such as 1/3",
                            mention("beta_ns"), to_string(beta),
                            divisions == 1 ? "" : ", and the times of the network's links,"));
        common *= factor;
    }
    return static_cast<std::uint64_t>(common);
}

std::span<const MachinePreset> machine_presets()
{
    return presets;
}

const MachinePreset& find_preset(std::string_view name)
{
    std::vector<std::string_view> names;
    for (const MachinePreset& preset : presets) {
        if (same_name(name, preset.name))
            return preset;
        names.push_back(preset.name);
    }
    for (const std::string_view removed : removed_presets)
        if (same_name(name, removed))
            throw InvalidArgument(
                fmt::format("the machine {} was removed: no source of its numbers could be read; give "
                            "{} and {}, or one of {}",
                            removed, mention("tau_ns_per_byte"), mention("beta_ns"), fmt::join(names, ", ")));
    throw InvalidArgument(unknown_name(name, "a machine", names, fmt::format("{}", fmt::join(names, ", "))));
}

std::string_view name(LinkKind kind)
{
    return kind == LinkKind::unit ? "unit" : "link-bound";
}

std::string_view name(LinkClock clock)
{
    return clock == LinkClock::data_driven ? "data-driven" : "lockstep";
}

std::string_view name(Duplex duplex)
{
    switch (duplex) {
    case Duplex::per_link: return "per-link";
    case Duplex::full: return "full";
    case Duplex::half: return "half";
    }
    return {};
}

LinkKind parse_link(std::string_view text)
{
    static constexpr LinkKind kinds[] = {LinkKind::unit, LinkKind::link_bound};
    return parsed_name(kinds, text, "a link model");
}

LinkClock parse_clock(std::string_view text)
{
    static constexpr LinkClock clocks[] = {LinkClock::data_driven, LinkClock::lockstep};
    return parsed_name(clocks, text, "a clock");
}

Duplex parse_duplex(std::string_view text)
{
    static constexpr Duplex both[] = {Duplex::full, Duplex::half};
    return parsed_name(both, text, "a duplex");
}

namespace {

constexpr Spelling<PortModel> port_spellings[] = {
    {PortModel::all, "all"}, {PortModel::all, "multiport"},   {PortModel::all, "MLA"},
    {PortModel::one, "one"}, {PortModel::one, "single-port"}, {PortModel::one, "SLA"},
};

}  // namespace

std::string_view name(PortModel ports)
{
    return name_of(port_spellings, ports);
}

PortModel parse_ports(std::string_view text)
{
    return parsed(port_spellings, text, "a port model");
}

}  // namespace dcube
