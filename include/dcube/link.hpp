#pragma once
/// @file
/// Link models: how long a packet holds its link (Stout & Wagar 1990, section 1.2). Port models: how many of its ports
/// a node may use in a step.

#include <compare>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#pragma GCC visibility push(default)
namespace dcube {

/// @addtogroup network
/// @{

/// A fraction in lowest terms, denominator > 0. It carries values; the arithmetic is done on wider numbers.
struct Rational {
    std::int64_t numerator = 0;    ///< may be negative
    std::int64_t denominator = 1;  ///< positive

    /// The nearest double.
    [[nodiscard]] double to_double() const { return static_cast<double>(numerator) / static_cast<double>(denominator); }
    friend bool operator==(const Rational&, const Rational&) = default;
    friend std::strong_ordering operator<=>(const Rational& a, const Rational& b)
    {
        __extension__ using Wide = __int128;
        return Wide{a.numerator} * b.denominator <=> Wide{b.numerator} * a.denominator;
    }
};

/// The value as a whole number or a fraction: "100", "5/2".
std::string to_string(const Rational& value);

/// Reads "100", "5/2", "0.59" or "1e-3", exactly. The error is about `key`. Throws InvalidArgument: no number,
/// negative, or one that is no fraction of two numbers of 63 bits.
Rational parse_rational(std::string_view key, std::string_view text);

/// Virtual time, in ticks: a tick is 1 / LinkModel::ticks_per_ns() nanoseconds, so that every time is a whole number.
using Time = std::uint64_t;

/// The time that a packet takes to cross a link.
enum class LinkKind : std::uint8_t {
    unit,        ///< every packet takes one step
    link_bound,  ///< a packet of s bytes holds its link for tau s + beta
};

/// The moment at which a packet leaves, under the link-bound model.
enum class LinkClock : std::uint8_t {
    data_driven,  ///< as soon as its bytes are usable and its link is free: the reference
    lockstep,     ///< with all packets of its step, when all packets of the step before have arrived
};

/// Whether a node's links are in use at the same time, under the link-bound model.
enum class Duplex : std::uint8_t {
    per_link,  ///< all ports: every link carries packets both ways at any time
    full,      ///< one port: a node sends one packet at a time, and receives one at a time
    half,      ///< one port: a node sends or receives one packet at a time, and does one of both in a step
};

/// A machine's links: how long a packet holds one, and when it may leave.
struct LinkModel {
    LinkKind kind = LinkKind::unit;            ///< unit, or in ns
    Rational tau{};                            ///< ns per byte
    Rational beta{};                           ///< ns per packet
    LinkClock clock = LinkClock::data_driven;  ///< link-bound: when a packet leaves
    /// Ticks per ns are a multiple of this: networks need it whose links have times of their own
    /// (Topology::ticks_per_ns()). Machines, runs and verdicts set it themselves.
    std::uint64_t divisions = 1;
    /// A packet also waits until its sender's port is free to send and its receiver's to receive: ports take packets in
    /// the order of their steps. Machines, runs and verdicts with one port set it themselves (Topology::links()), and
    /// only Duplex::half has to be asked for.
    Duplex duplex = Duplex::per_link;

    /// True under the link-bound model.
    [[nodiscard]] bool bound() const { return kind == LinkKind::link_bound; }
    /// True if nodes have one port, which packets hold for some time.
    [[nodiscard]] bool one_port() const { return bound() && duplex != Duplex::per_link; }
    /// The least denominator that tau, beta and `divisions` have in common. Throws InvalidArgument if it does not fit
    /// 32 bits, and for tau or beta that are negative or no fractions.
    [[nodiscard]] std::uint64_t ticks_per_ns() const;

    friend bool operator==(const LinkModel&, const LinkModel&) = default;
};

/// A real machine's tau and beta, from its source.
struct MachinePreset {
    std::string_view name;    ///< the name on the command line
    Rational tau;             ///< ns per byte
    Rational beta;            ///< ns per packet
    std::string_view source;  ///< where the numbers are from
};
/// All of them.
std::span<const MachinePreset> machine_presets();
/// The preset of that name. Throws InvalidArgument, with the names there are.
const MachinePreset& find_preset(std::string_view name);

/// The link model as it is typed: "unit", "link-bound".
std::string_view name(LinkKind kind);
/// The clock as it is typed: "data-driven", "lockstep".
std::string_view name(LinkClock clock);
/// The duplex as it is typed: "full", "half"; "per-link" for all ports.
std::string_view name(Duplex duplex);
/// The link model of that name. Throws InvalidArgument.
LinkKind parse_link(std::string_view text);
/// The clock of that name. Throws InvalidArgument.
LinkClock parse_clock(std::string_view text);
/// The duplex of that name, full or half. Throws InvalidArgument.
Duplex parse_duplex(std::string_view text);

/// The number of ports that a node may use in one step.
enum class PortModel : std::uint8_t {
    all,  ///< a node may send and receive on every port in a step
    one,  ///< a node sends at most one packet and receives at most one packet in a step
};

/// The port model as it is typed: "all", "one".
std::string_view name(PortModel ports);
/// The port model of that name; also "multiport" and "MLA", "single-port" and "SLA". Throws InvalidArgument.
PortModel parse_ports(std::string_view text);

/// @}

}  // namespace dcube
#pragma GCC visibility pop
