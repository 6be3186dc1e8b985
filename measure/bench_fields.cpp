#include "measure/bench_fields.hpp"

namespace dcube::measure {

namespace {

using enum BenchValue;

constexpr BenchField all_bench_fields[] = {
    {"schema", "", "version of these keys: 1", whole},
    {"kind", "", "benchmark", text},
    {"program", "", "what measured: version, commit, compiler, flags, build_type, sanitizers", part},
    {"command", "", "the command line", text},
    {"date", "", "when it began, UTC", text},
    {"host", "", "what it was measured on, and how busy that was at the start", part},
    {"warnings", "", "why figures of this host and program, or at this time, are not to be trusted", texts},
    {"settings", "", "how much was measured", part},
    {"settings.min_seconds", "s", "time of a cell's runs, at least", number},
    {"settings.max_seconds", "s", "the same, at most; cells with long runs have fewer rounds", number},
    {"settings.min_samples", "", "runs of a cell, at least, unless that takes longer than max_seconds", whole},
    {"settings.max_samples", "", "runs of a cell, at most", whole},
    {"settings.rounds", "", "in each of which every cell had its turn, in an order drawn anew", whole},
    {"settings.warm_up_runs", "", "runs before, which are no samples; the result of the first was checked", whole},
    {"settings.order_seed", "", "what the orders were drawn from, and the data made from", whole},
    {"settings.pin", "", "to what threads were pinned: none, compact or scatter", text},
    {"settings.weak", "", "whether the work grew with the threads", flag},
    {"settings.check", "", "whether results were checked", flag},
    {"limits", "", "those that shares are of; null if none are known here", part_or_null},
    {"limits.date", "", "when they were measured", text},
    {"limits.fingerprint", "", "of the host on which they were measured", text},
    {"cells", "", "a row for each tuple of independent variables", parts},
    {"cells.collective", "", "what was to be achieved", text},
    {"cells.algorithm", "", "the algorithm's name in the catalogue", text},
    {"cells.asked", "", "the algorithm as it was asked for: a name, or auto", text},
    {"cells.topology", "", "the network", text},
    {"cells.nodes", "", "nodes of the network", whole},
    {"cells.ports", "", "port model: all or one", text},
    {"cells.link_model", "", "unit or link-bound", text},
    {"cells.tau_ns_per_byte", "ns", "what a byte takes on a link; link-bound only, exact", exact_or_null},
    {"cells.beta_ns", "ns", "what a packet takes beside its bytes; link-bound only, exact", exact_or_null},
    {"cells.root", "", "the root, or the end that sends", whole_or_null},
    {"cells.type", "", "of the elements of a reduction or matrix", text_or_null},
    {"cells.operation", "", "of a reduction", text_or_null},
    {"cells.bytes", "bytes", "of a packet; null for matrices", whole_or_null},
    {"cells.packets", "", "of a message, or blocks of the vector of all-reduce; null for matrices", whole_or_null},
    {"cells.rows", "", "of the matrix", whole_or_null},
    {"cells.columns", "", "of the matrix", whole_or_null},
    {"cells.options", "", "other options that distinguish the cell, in words; usually empty", text},
    {"cells.threads", "", "that were asked for", whole},
    {"cells.channel", "", "kind of the channels: slots or spsc", text},
    {"cells.pin", "", "to what threads were pinned: none, compact or scatter", text},
    {"cells.steps", "", "steps of the clock", whole},
    {"cells.transmissions", "", "packets that crossed a link", whole},
    {"cells.link_bytes", "bytes", "bytes that crossed a link", whole},
    {"cells.size_bytes", "bytes", "size as nccl-tests count it; null for matrices", whole_or_null},
    {"cells.count", "", "samples: timed runs", whole},
    {"cells.median_seconds", "s", "of a run: the median of all samples", positive},
    {"cells.minimum_seconds", "s", "the least of all samples", positive},
    {"cells.p99_seconds", "s", "the least sample that at least 99 % do not exceed", positive},
    {"cells.mad_seconds", "s", "median absolute deviation from the median", number},
    {"cells.interval_seconds", "s", "in which the median lies with 95 %, from the rounds' medians; null below 6 rounds",
     interval_or_null},
    {"cells.algbw_bytes_per_second", "bytes/s", "size_bytes over median_seconds, as nccl-tests have it",
     number_or_null},
    {"cells.busbw_bytes_per_second", "bytes/s", "the same with nccl-tests' factor", number_or_null},
    {"cells.ns_per_hop", "ns", "median over transmissions; null if there are none", number_or_null},
    {"cells.hops_per_second", "1/s", "transmissions over median_seconds", number_or_null},
    {"cells.link_bytes_per_second", "bytes/s", "link_bytes over median_seconds, all links together", number},
    {"cells.speed_up", "", "work a second over that of the cell with the fewest threads; null if there is none",
     number_or_null},
    {"cells.speed_up_interval", "", "from the ends of both intervals; null where one has none", interval_or_null},
    {"cells.efficiency", "", "the same of work a second and thread", number_or_null},
    {"cells.efficiency_interval", "", "from the ends of both intervals; null where one has none", interval_or_null},
    {"cells.limit_seconds", "s", "what this host's limits allow at best; null if they say nothing", number_or_null},
    {"cells.limit_binds", "", "which limit that is", text_or_null},
    {"cells.share_of_limit", "", "limit_seconds over median_seconds", number_or_null},
    {"cells.doubts", "", "why the cell's figures are not to be trusted; empty if they are", texts},
    {"cells.rounds", "", "what was measured, round by round", parts},
    {"cells.rounds.order", "", "slices of all cells that were measured before this one", whole},
    {"cells.rounds.samples_seconds", "s", "each run", positives},
    {"left_out", "", "cells that could not be measured", parts},
    {"left_out.cell", "", "which", text},
    {"left_out.reason", "", "why", text},
};

}  // namespace

std::span<const BenchField> bench_fields()
{
    return all_bench_fields;
}

}  // namespace dcube::measure
