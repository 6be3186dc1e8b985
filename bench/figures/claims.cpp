#include "bench/figures/claims.hpp"

#include <fmt/format.h>

#include <array>

namespace figures {

namespace {

constexpr Unit packets{"1/s", "million/s", 1e-6};
constexpr Unit lines{"1/s", "thousand/s", 1e-3};
constexpr Unit seconds{"s", "s", 1};
constexpr Unit milliseconds{"s", "ms", 1e3};
constexpr Unit microseconds{"s", "us", 1e6};
constexpr Unit nanoseconds{"s", "ns", 1e9};
constexpr Unit memory{"bytes", "GiB", 1.0 / (std::uint64_t{1} << 30)};
constexpr Unit bytes{"bytes/s", "GB/s", 1e-9};
constexpr Unit times{"1", "x", 1};
constexpr Unit percent{"1", "%", 100};

constexpr Target at_least(double value)
{
    return {Target::Kind::at_least, value};
}

constexpr Target at_most(double value)
{
    return {Target::Kind::at_most, value};
}

constexpr std::string_view here = "./dcube figures";
constexpr std::string_view here_large = "./dcube figures --large";
constexpr std::string_view loops = "./dcube figures --benchmarks --benchmark_filter='^(link-bound|peers)/'";
constexpr std::string_view planning = "./dcube figures --benchmarks --benchmark_filter='^products/(colouring|plan)/'";
constexpr std::string_view random_networks = "./dcube figures --benchmarks --benchmark_filter='^planning/'";

Claim benchmark(std::string_view name, std::string_view what, Unit unit, std::string_view command, std::string_view key,
                std::string_view over = {}, std::optional<Target> target = {})
{
    return {name, what, unit, target, command, Source::benchmark, key, over};
}

Claim run(std::string_view name, std::string_view what, Unit unit, std::string_view command,
          std::optional<Target> target = {}, std::string_view in_readme = {})
{
    return {name, what, unit, target, command, Source::report, "wall_seconds", {}, in_readme};
}

const std::array all{
    Claim{.name = "packets-8",
          .what = "all-to-all d=10 8 B, packets over links, two threads",
          .unit = packets,
          .target = at_least(800e6),
          .command = here,
          .in_readme = "packets of 8 bytes on two threads, with all rules and counts (all-to-all, 1024 nodes)"},
    Claim{.name = "packets-8-one",
          .what = "the same, one thread",
          .unit = packets,
          .target = at_least(550e6),
          .command = here},
    Claim{.name = "packets-64",
          .what = "all-to-all d=10 64 B, packets over links, two threads",
          .unit = packets,
          .target = at_least(400e6),
          .command = here},
    Claim{"packets-64-one", "all-to-all d=10 64 B, one thread", packets, at_least(250e6), here},
    Claim{
        "packets-spsc", "the same on two threads through the reference channel (`--channel spsc`)", packets, {}, here},
    Claim{"rules", "rules and counters cost there, two threads", percent, at_most(0.1), here},
    Claim{"exchange-4", "one exchange on a warm machine, d=4 64 B, two threads", microseconds, at_most(3e-6), here},
    Claim{"exchange-4-one", "d=4 64 B, one thread", microseconds, at_most(3e-6), here},
    Claim{"exchange-7", "d=7 8 B, two threads", microseconds, at_most(75e-6), here},
    Claim{"exchange-7-one", "d=7 8 B, one thread", microseconds, at_most(85e-6), here},
    Claim{"exchange-8", "d=8 64 B, two threads", milliseconds, at_most(0.65e-3), here},
    Claim{"exchange-8-one", "d=8 64 B, one thread", milliseconds, at_most(0.9e-3), here},
    Claim{"exchange-12", "d=12 8 B, two threads", milliseconds, at_most(0.2), here},
    Claim{"exchange-12-one", "d=12 8 B, one thread", milliseconds, at_most(0.35), here},
    Claim{.name = "two-threads",
          .what = "two threads against one, d=12 8 B",
          .unit = times,
          .target = at_least(1.85),
          .command = here,
          .in_readme = "two threads against one (the same, 4096 nodes)"},
    Claim{.name = "two-threads-7",
          .what = "two threads against one, d=7 8 B",
          .unit = times,
          .target = {},
          .command = here,
          .in_readme = "two threads against one where steps are short (128 nodes)"},
    Claim{.name = "handover",
          .what = "a cache line handed from one core to the other",
          .unit = nanoseconds,
          .target = {},
          .command = here},
    Claim{.name = "process",
          .what = "process start to verified result, d=10 8 B, two threads",
          .unit = milliseconds,
          .target = at_most(0.06),
          .command = here,
          .in_readme = "from the start of the process to a verified result (all-to-all, 1024 nodes)"},
    Claim{"process-one", "the same, d=10 8 B, one thread", milliseconds, {}, here},
    Claim{"program-hop", "a hop in a program of a user's, d=10 8 B, one thread", nanoseconds, at_most(11e-9), here},
    Claim{"program-hop-two", "a hop there, two threads", nanoseconds, {}, here},
    Claim{"torus", "all-to-all torus 32x32 64 B, packets over links, two threads", packets, at_least(280e6), here},
    Claim{"torus-one", "all-to-all torus 32x32 64 B, one thread", packets, {}, here},
    run("broadcast-20", "broadcast d=20 64 B, two threads", seconds,
        "./dcube run broadcast --dim 20 --bytes 64 --repeat 3 --threads 2", at_most(0.28),
        "a broadcast to a million nodes"),
    run("broadcast-20-one", "broadcast d=20 64 B, one thread", seconds,
        "./dcube run broadcast --dim 20 --bytes 64 --repeat 3 --threads 1"),
    run("broadcast-16", "broadcast d=16 64 B, two threads", milliseconds,
        "./dcube run broadcast --dim 16 --bytes 64 --repeat 9 --threads 2"),
    run("broadcast-16-one", "broadcast d=16 64 B, one thread", milliseconds,
        "./dcube run broadcast --dim 16 --bytes 64 --repeat 9 --threads 1"),
    run("all-gather", "all-gather d=10 64 B, two threads", milliseconds,
        "./dcube run all-gather --dim 10 --bytes 64 --repeat 9 --threads 2"),
    run("all-gather-one", "all-gather d=10 64 B, one thread", milliseconds,
        "./dcube run all-gather --dim 10 --bytes 64 --repeat 9 --threads 1"),
    run("all-reduce", "all-reduce d=10 of 1024 blocks of 64 B, two threads", milliseconds,
        "./dcube run all-reduce --dim 10 --bytes 64 --packets 1024 --repeat 9 --threads 2"),
    run("all-reduce-one", "all-reduce d=10 of 1024 blocks of 64 B, one thread", milliseconds,
        "./dcube run all-reduce --dim 10 --bytes 64 --packets 1024 --repeat 9 --threads 1"),
    run("link-bound", "link-bound all-to-all d=10 64 B, two threads", milliseconds,
        "./dcube run all-to-all --dim 10 --bytes 64 --tau 1 --beta 1000 --repeat 9 --threads 2"),
    run("link-bound-one", "link-bound all-to-all d=10 64 B, one thread", milliseconds,
        "./dcube run all-to-all --dim 10 --bytes 64 --tau 1 --beta 1000 --repeat 9 --threads 1"),

    Claim{"in-place", "peak memory of an all-to-all in place, d=10 4 KiB, whose payload is 4 GiB", memory,
          at_most(1.1 * 4 * (std::uint64_t{1} << 30)),
          "./dcube run all-to-all --dim 10 --bytes 4KiB --in-place --repeat 1", Source::report, "peak_memory_bytes"},

    Claim{"link-rate", "all-to-all d=10 4 KiB, bytes over the links, two threads", bytes, {}, here_large},
    Claim{"against-memcpy", "the same against memcpy of the same arrays", times, at_least(1), here_large},
    Claim{"peak-memory", "peak memory there less 64 MiB, times the payload of one direction", times, at_most(2.1),
          here_large},
    Claim{"exchange-13", "all-to-all d=13 8 B, warm, two threads", seconds, at_most(0.9), here_large},
    Claim{"exchange-13-one", "all-to-all d=13 8 B, warm, one thread", seconds, {}, here_large},
    Claim{"whole-14", "all-to-all d=14 8 B, filled, run, verified, digest, two threads", seconds, at_most(6),
          here_large},
    Claim{"whole-15", "all-to-all d=15 4 B, the same", seconds, at_most(50), here_large},
    Claim{"judge", "lines of a trace judged, all-to-all d=10", lines, {}, here_large},

    benchmark("loops-64", "coalesced all-to-all d=10 64 B, speed against plain loops of two threads", times, loops,
              "peers/plain-exchange/dim:10/bytes:64/workers:2 real_time",
              "link-bound/all-to-all/rotated/dim:10/bytes:64/beta:1000 real_time", at_least(1)),
    benchmark("loops-4096", "coalesced all-to-all d=10 4 KiB, the same", times, loops,
              "peers/plain-exchange/dim:10/bytes:4096/workers:2 real_time",
              "link-bound/all-to-all/rotated/dim:10/bytes:4096/beta:1000 real_time", at_least(1)),
    benchmark("stream-large", "pipelined broadcast d=12 1 MiB, packets of 29 KB, against memcpy", times, loops,
              "link-bound/broadcast/pipelined-pruned/dim:12/bytes:1048576/beta:100000 link_bytes/s",
              "peers/memcpy/dim:10/bytes:64/workers:2 bytes/s", at_least(0.7)),
    benchmark("stream-small", "the same, packets of 3 KB", times, loops,
              "link-bound/broadcast/pipelined-pruned/dim:12/bytes:1048576/beta:1000 link_bytes/s",
              "peers/memcpy/dim:10/bytes:64/workers:2 bytes/s"),

    benchmark("colouring-16", "edge colouring of torus:16x16", milliseconds, planning,
              "products/colouring/torus:16x16 real_time"),
    benchmark("colouring-32", "edge colouring of torus:32x32", milliseconds, planning,
              "products/colouring/torus:32x32 real_time"),
    benchmark("colouring-64", "edge colouring of torus:64x64", milliseconds, planning,
              "products/colouring/torus:64x64 real_time"),
    benchmark("colouring-128", "edge colouring of torus:128x128", milliseconds, planning,
              "products/colouring/torus:128x128 real_time"),
    benchmark("plan-16", "the whole plan of torus:16x16", milliseconds, planning,
              "products/plan/torus:16x16 real_time"),
    benchmark("plan-32", "the whole plan of torus:32x32", milliseconds, planning,
              "products/plan/torus:32x32 real_time"),
    benchmark("plan-31", "the whole plan of torus:31x32", milliseconds, planning,
              "products/plan/torus:31x32 real_time"),
    benchmark("plan-kary", "the whole plan of kary:4^5", milliseconds, planning, "products/plan/kary:4^5 real_time"),
    benchmark("plan-mesh", "the whole plan of mesh:16x16", milliseconds, planning,
              "products/plan/mesh:16x16 real_time"),

    benchmark("spread-128", "all-gather on 128 nodes, 512 links", milliseconds, random_networks,
              "planning/all-gather/spread/random:128/packets:1 real_time", {}, at_most(0.1)),
    benchmark("spread-128-17", "all-gather of 17 packets there", milliseconds, random_networks,
              "planning/all-gather/spread/random:128/packets:17 real_time", {}, at_most(0.7)),
    benchmark("spread-128-one", "the same on one port", seconds, random_networks,
              "planning/all-gather/spread-one/random:128/packets:17 real_time", {}, at_most(2)),
    benchmark("spread-1000", "all-gather on 1000 nodes, 4000 links", seconds, random_networks,
              "planning/all-gather/spread/random:1000/packets:1 real_time", {}, at_most(14)),
    benchmark("spread-1000-100", "broadcast of 100 packets there", milliseconds, random_networks,
              "planning/broadcast/spread/random:1000/packets:100 real_time", {}, at_most(0.8)),
    benchmark("flow-128", "scatter of 100 packets on 128 nodes, 512 links", seconds, random_networks,
              "planning/scatter/unrolled-flow/random:128/packets:100 real_time", {}, at_most(2)),
    benchmark("flow-1000", "scatter on 1000 nodes, 4000 links", milliseconds, random_networks,
              "planning/scatter/unrolled-flow/random:1000/packets:1 real_time", {}, at_most(0.2)),
    benchmark("routes-64", "all-to-all on 64 nodes, 192 links", seconds, random_networks,
              "planning/all-to-all/priced-routes/random:64/packets:1 real_time", {}, at_most(2)),
    benchmark("routes-128", "all-to-all on 128 nodes, 512 links", seconds, random_networks,
              "planning/all-to-all/priced-routes/random:128/packets:1 real_time", {}, at_most(2)),
    benchmark("routes-256", "all-to-all on 256 nodes, 1024 links", seconds, random_networks,
              "planning/all-to-all/priced-routes/random:256/packets:1 real_time", {}, at_most(3)),
    benchmark("routes-256-one", "the same on one port there", seconds, random_networks,
              "planning/all-to-all/priced-routes-one/random:256/packets:1 real_time", {}, at_most(11)),
    benchmark("routes-1000", "permutation of 17 packets on 1000 nodes, 4000 links", seconds, random_networks,
              "planning/permute/priced-routes/random:1000/packets:17 real_time"),
    benchmark("all-reduce-1000", "all-reduce of 17 blocks on 1000 nodes, 4000 links, by `auto`", seconds,
              random_networks, "planning/all-reduce/auto/random:1000/packets:17 real_time"),
};

}  // namespace

std::span<const Claim> claims()
{
    return all;
}

bool is_large(const Claim& claim)
{
    return claim.command == here_large || claim.source == Source::benchmark || claim.name == "in-place";
}

std::string where(const Claim& claim)
{
    return claim.in_readme.empty() ? "docs/performance.md" : "README.md, docs/performance.md";
}

std::string value_text(const Unit& unit, double value)
{
    return fmt::format("{:.3g} {}", value * unit.scale, unit.shown);
}

std::string target_text(const Claim& claim)
{
    if (!claim.target)
        return {};
    return fmt::format("{} {}", claim.target->kind == Target::Kind::at_least ? ">=" : "<=",
                       value_text(claim.unit, claim.target->value));
}

std::optional<bool> is_met(const Claim& claim, double value)
{
    if (!claim.target)
        return {};
    return claim.target->kind == Target::Kind::at_least ? value >= claim.target->value : value <= claim.target->value;
}

}  // namespace figures
