#pragma once
/// @file
/// Report: what one run did, counted.

#include <dcube/counts.hpp>
#include <dcube/faults.hpp>
#include <dcube/link.hpp>
#include <dcube/problem.hpp>
#include <dcube/topology.hpp>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#pragma GCC visibility push(default)
namespace dcube {

/// @addtogroup collective
/// @{

/// The report of a collective. Members that do not apply are empty, and null in JSON.
struct Report {
    Problem problem;                             ///< the problem that was solved
    std::string algorithm;                       ///< its name in the catalogue, or the caller's
    std::string paper;                           ///< where the algorithm is from: paper and section
    std::string origin;                          ///< source of the algorithm: paper, refinement, dcube or own
    Topology topology = Topology::hypercube(0);  ///< the network
    PortModel ports = PortModel::all;            ///< how many ports a node may use in a step
    LinkModel link{};                            ///< the links of the machine
    unsigned threads = 1;                        ///< per rank
    std::optional<unsigned> threads_asked{};     ///< filled in by the program, if a number was requested
    unsigned ranks = 1;                          ///< processes that the machine was spread over
    unsigned hosts = 1;                          ///< on which these ran
    std::string pin = "none";                    ///< how threads were pinned
    std::string channel;                         ///< how links are made: "slots", "spsc"
    std::size_t channel_capacity = 1;            ///< packets that may wait on a link

    std::vector<Failing> failing{};  ///< the failures of the run, as they were asked for
    bool redundant = false;          ///< the algorithm brings bytes to nodes that have them (Algorithm::redundant)

    Counts counts;                                  ///< the machine's counts
    std::uint64_t steps_lower_bound = 0;            ///< in the unit model, as are the transmissions'
    std::string steps_reason;                       ///< why no algorithm needs fewer
    std::uint64_t transmissions_lower_bound = 0;    ///< no algorithm needs fewer
    std::string transmissions_reason;               ///< why
    std::optional<std::uint64_t> in_transit{};      ///< the most packets for others between two steps, on unit links
    std::uint64_t in_transit_lower_bound = 0;       ///< for runs of as many steps
    std::optional<Rational> virtual_time_ns;        ///< link-bound: measured
    std::optional<Rational> predicted_time_ns;      ///< the same, or a limit, known before the run (catalogue.hpp)
    bool prediction_is_exact = true;                ///< else a run takes at most that
    std::optional<Rational> time_lower_bound_ns;    ///< link-bound: no algorithm is faster, in ns
    std::string time_reason;                        ///< why
    std::optional<std::size_t> cut_packets{};       ///< per message, if the algorithm chose the cut (MessageCut)
    std::optional<std::size_t> cut_packet_bytes{};  ///< bytes of each of those packets but the last
    /// Spent before the (first) run: on its bounds, its plan, and, where it was called by a name, the choice of the
    /// algorithm.
    double planning_seconds = 0;
    std::string planning_parts{};  ///< the parts of it that took longest, in words; only the program fills it in

    bool verified = false;                      ///< the whole result was checked, and right
    Comparison comparison = Comparison::bytes;  ///< how
    /// All-reduce, once verified: whether all nodes have the same bits (Algorithm::same_bits).
    std::optional<bool> same_bits{};
    std::uint64_t blocks_verified = 0;  ///< messages that were checked
    std::uint64_t repeat = 1;           ///< runs; wall_seconds is their median
    /// Runs after those; if there are any, it is their median. 0: none, and one run is a cold one.
    std::uint64_t warm_runs = 0;
    std::optional<std::size_t> peak_memory_bytes;  ///< the process's, so far
    std::optional<std::uint64_t> seed;             ///< empty if the data came from a file
    /// 16 hex digits: XXH3-64 over the XXH3-64 (little endian) of every node's output in turn.
    std::string result_digest;
    std::string date;    ///< when the run ended, in UTC: 2026-01-31T12:00:00Z
    unsigned cores = 0;  ///< the host's
    /// Lower bound on the host's time for such a run, and its cause; only the program, which may have measured its
    /// limits, fills it in.
    std::optional<double> limit_seconds;
    std::string limit_binds;  ///< the cause of that limit: "memory", "step", ...
    std::string limit_doubt;  ///< why that limit is not to be trusted; empty if it is

    /// True if no algorithm needs fewer steps.
    [[nodiscard]] bool steps_optimal() const { return counts.steps == steps_lower_bound; }
    /// True if no algorithm needs fewer transmissions.
    [[nodiscard]] bool transmissions_optimal() const { return counts.transmissions == transmissions_lower_bound; }
    /// Virtual time over its lower bound, in the unit model steps over theirs; empty where that is 0.
    [[nodiscard]] std::optional<double> ratio_to_bound() const;
    /// Transmissions over steps times directed links; 1 where no step was needed.
    [[nodiscard]] double link_utilisation() const;
    /// Transmissions over the wall time.
    [[nodiscard]] double hops_per_second() const;
    /// Bytes that crossed links, over the wall time.
    [[nodiscard]] double link_bytes_per_second() const;
    /// Whether wall_seconds is of a first run, which pays for pages, caches and plans that later ones find.
    [[nodiscard]] bool is_cold() const { return repeat == 1 && warm_runs == 0; }
    /// Whether planning took so much longer than the run that the reason should be given: over half a second, and over
    /// 100 runs.
    [[nodiscard]] bool planned_long() const;
    /// limit_seconds over the wall time; empty without either.
    [[nodiscard]] std::optional<double> share_of_limit() const;
};

/// A report of which only the question and the lower bounds are known. Throws what the bounds throw.
Report blank_report(const Topology& topology, PortModel ports, const Problem& problem);

/// The kinds of records about a collective.
enum class RecordKind : std::uint8_t {
    report,    ///< about a run
    forecast,  ///< about a run that has not been: nothing was measured
    verdict,   ///< on a trace, whose algorithm is not known
    trace,     ///< the first line of a trace: what was asked for
};

/// A key of those records.
struct ReportField {
    std::string_view key;    ///< the key in JSON, and a column of CSV
    std::string_view unit;   ///< "ns", "bytes"; empty for what is only counted or named
    std::string_view about;  ///< a sentence
    std::uint8_t records;    ///< a bit for each RecordKind that has it

    /// True if such records have the key.
    [[nodiscard]] bool stands_in(RecordKind record) const
    {
        return (records >> static_cast<unsigned>(record) & 1U) != 0;
    }
};
/// The one list of keys, in the order in which records have them.
std::span<const ReportField> report_fields();

/// One JSON object, pretty-printed, with the stable keys of schema 1. Values that do not apply are null.
std::string to_json(const Report& report, RecordKind kind = RecordKind::report);
/// A JSON array of such objects.
std::string to_json(std::span<const Report> reports);
/// Such an array (or one object) as CSV: a line of keys, then a line of values for each record, which all have the same
/// keys. null is empty; a value with parts is a cell of JSON.
std::string to_csv(std::string_view records);

/// @}

}  // namespace dcube
#pragma GCC visibility pop
