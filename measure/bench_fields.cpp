#include "measure/bench_fields.hpp"

namespace dcube::measure {

namespace {

using Is = BenchValue;
constexpr BenchKey later = BenchKey::later;

constexpr BenchField all_bench_fields[] = {
    {"schema", "", "version of these keys: 1", Is::whole},
    {"kind", "", "benchmark", Is::text},
    {"program", "", "what measured: version, commit, compiler, flags, build_type, sanitizers", Is::part},
    {"command", "", "the command line", Is::text},
    {"date", "", "when it began, UTC", Is::text},
    {"host", "", "what it was measured on, and how busy that was at the start", Is::part},
    {"interrupted", "", "whether it was ended before all rounds were measured", Is::flag, later},
    {"warnings", "", "why figures of this host and program, or at this time, are not to be trusted", Is::texts},
    {"settings", "", "how much was measured", Is::part},
    {"settings.min_seconds", "s", "time of a cell's slices, at least", Is::number},
    {"settings.max_seconds", "s", "the same, at most; cells with long runs have fewer rounds", Is::number},
    {"settings.min_samples", "", "samples of a cell, at least, unless that takes longer than max_seconds", Is::whole},
    {"settings.max_samples", "", "samples of a cell, at most; of more runs, every second, third, .. one is", Is::whole},
    {"settings.rounds", "", "in each of which every cell had its turn, in an order drawn anew", Is::whole},
    {"settings.warm_up_runs", "", "runs before, which are no samples; the result of the first was checked", Is::whole},
    {"settings.order_seed", "", "what the orders were drawn from, and the data made from", Is::whole},
    {"settings.pin", "", "to what threads were pinned: none, compact or scatter", Is::text},
    {"settings.weak", "", "whether the work grew with the threads", Is::flag},
    {"settings.check", "", "whether results were checked", Is::flag},
    {"limits", "", "those that shares are of; null if none are known here", Is::part_or_null},
    {"limits.date", "", "when they were measured", Is::text},
    {"limits.fingerprint", "", "of the host on which they were measured", Is::text},
    {"limits.warnings", "", "why the limits may be too low", Is::texts, later},
    {"cells", "", "a row for each tuple of independent variables", Is::parts},
    {"cells.collective", "", "what was to be achieved", Is::text},
    {"cells.algorithm", "", "the algorithm's name in the catalogue", Is::text},
    {"cells.asked", "", "the algorithm as it was asked for: a name, or auto", Is::text},
    {"cells.topology", "", "the network", Is::text},
    {"cells.nodes", "", "nodes of the network", Is::whole},
    {"cells.ports", "", "port model: all or one", Is::text},
    {"cells.link_model", "", "unit or link-bound", Is::text},
    {"cells.tau_ns_per_byte", "ns", "what a byte takes on a link; link-bound only, exact", Is::exact_or_null},
    {"cells.beta_ns", "ns", "what a packet takes beside its bytes; link-bound only, exact", Is::exact_or_null},
    {"cells.root", "", "the root, or the end that sends", Is::whole_or_null},
    {"cells.type", "", "of the elements of a reduction or matrix", Is::text_or_null},
    {"cells.operation", "", "of a reduction", Is::text_or_null},
    {"cells.bytes", "bytes", "of a packet; null for matrices", Is::whole_or_null},
    {"cells.packets", "", "of a message, or blocks of the vector of all-reduce; null for matrices", Is::whole_or_null},
    {"cells.rows", "", "of the matrix", Is::whole_or_null},
    {"cells.columns", "", "of the matrix", Is::whole_or_null},
    {"cells.options", "", "other options that distinguish the cell, in words; usually empty", Is::text},
    {"cells.threads", "", "that were asked for", Is::whole},
    {"cells.threads_used", "", "that worked: at most as many as there are processors and nodes (16 each)", Is::whole,
     later},
    {"cells.channel", "", "kind of the channels: slots or spsc", Is::text},
    {"cells.pin", "", "to what threads were pinned: none, compact or scatter", Is::text},
    {"cells.steps", "", "steps of the clock", Is::whole},
    {"cells.transmissions", "", "packets that crossed a link", Is::whole},
    {"cells.link_bytes", "bytes", "bytes that crossed a link", Is::whole},
    {"cells.size_bytes", "bytes", "size as nccl-tests count it; null for matrices", Is::whole_or_null},
    {"cells.count", "", "samples: timed runs", Is::whole},
    {"cells.median_seconds", "s", "of a run: the median of all samples", Is::positive},
    {"cells.minimum_seconds", "s", "the least of all samples", Is::positive},
    {"cells.p99_seconds", "s", "the least sample that at least 99 % do not exceed", Is::positive},
    {"cells.mad_seconds", "s", "median absolute deviation from the median", Is::number},
    {"cells.interval_seconds", "s", "in which the median lies with 95 %, from the rounds' medians; null below 6 rounds",
     Is::interval_or_null},
    {"cells.algbw_bytes_per_second", "bytes/s", "size_bytes over median_seconds, as nccl-tests have it",
     Is::number_or_null},
    {"cells.busbw_bytes_per_second", "bytes/s", "the same with nccl-tests' factor", Is::number_or_null},
    {"cells.ns_per_hop", "ns", "median over transmissions; null if there are none", Is::number_or_null},
    {"cells.hops_per_second", "1/s", "transmissions over median_seconds", Is::number_or_null},
    {"cells.link_bytes_per_second", "bytes/s", "link_bytes over median_seconds, all links together", Is::number},
    {"cells.speed_up", "", "work a second over that of the cell with the fewest threads; null if there is none",
     Is::number_or_null},
    {"cells.speed_up_interval", "", "from the ends of both intervals; null where one has none", Is::interval_or_null},
    {"cells.efficiency", "", "the same of work a second and thread", Is::number_or_null},
    {"cells.efficiency_interval", "", "from the ends of both intervals; null where one has none", Is::interval_or_null},
    {"cells.limit_seconds", "s", "what this host's limits allow at best; null if they say nothing", Is::number_or_null},
    {"cells.limit_binds", "", "which limit that is", Is::text_or_null},
    {"cells.share_of_limit", "", "limit_seconds over median_seconds", Is::number_or_null},
    {"cells.doubts", "", "reasons to doubt the figures; empty if none", Is::texts},
    {"cells.rounds", "", "what was measured, round by round", Is::parts},
    {"cells.rounds.order", "", "slices of all cells that were measured before this one", Is::whole},
    {"cells.rounds.samples_seconds", "s", "each run", Is::positives},
    {"left_out", "", "cells that could not be measured", Is::parts},
    {"left_out.cell", "", "which", Is::text},
    {"left_out.reason", "", "why", Is::text},
};

}  // namespace

std::span<const BenchField> bench_fields()
{
    return all_bench_fields;
}

}  // namespace dcube::measure
