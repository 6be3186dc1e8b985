// Made-up benchmarks for tests of the page: no figure in them was measured. Shapes are those of docs/report.md.
import { readFileSync, writeFileSync } from "node:fs";

/** The same numbers every time, 0 to 1. */
function noise(seed) {
  let state = seed >>> 0;
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state / 2 ** 32;
  };
}

const middle = (sorted) => sorted[Math.floor(sorted.length / 2)];

function samplesOf(seconds, random, rounds) {
  const one = () =>
    seconds * (1 + 0.02 * (random() + random() + random() - 1.5) + (random() > 0.97 ? 0.25 * random() : 0));
  return Array.from({ length: rounds }, (_, round) => ({
    order: round * 7 + 3,
    samples_seconds: Array.from({ length: 25 }, one),
  }));
}

/** A total exchange on a d-cube, as a cell of the document. */
export function cellOf({
  dim = 6,
  bytes = 64,
  threads = 1,
  collective = "all-to-all",
  algorithm = "optimal",
  limits = true,
  doubts = [],
  seed = 1,
} = {}) {
  const nodes = 2 ** dim;
  const random = noise(dim * 7919 + bytes * 31 + threads + seed);
  const transmissions = (nodes * nodes * dim) / 2;
  const alone = transmissions * (6e-9 + bytes * 0.05e-9 * (dim > 9 ? 2 : 1)) + nodes * dim * 4e-8;
  const work = (of) =>
    alone / (1 + (of - 1) * 0.93 * (1 - Math.exp(-transmissions / 3000))) + (of > 1 ? nodes * 2e-8 : 0);
  const rounds = samplesOf(work(threads), random, 8);
  const sorted = rounds.flatMap(({ samples_seconds: samples }) => samples).sort((a, b) => a - b);
  const median = middle(sorted);
  const interval = [sorted[Math.floor(sorted.length * 0.43)], sorted[Math.floor(sorted.length * 0.57)]];
  const linkBytes = transmissions * bytes;
  const size = nodes * bytes;
  const up = work(1) / median;
  const limit = limits ? median * (0.35 + 0.06 * dim) : null;
  return {
    collective,
    algorithm,
    asked: "auto",
    topology: `hypercube:${dim}`,
    nodes,
    ports: "all",
    link_model: "unit",
    tau_ns_per_byte: null,
    beta_ns: null,
    root: null,
    type: null,
    operation: null,
    bytes,
    packets: 1,
    rows: null,
    columns: null,
    options: "",
    threads,
    channel: "slots",
    pin: "none",
    steps: nodes / 2,
    transmissions,
    link_bytes: linkBytes,
    size_bytes: size,
    count: sorted.length,
    median_seconds: median,
    minimum_seconds: sorted[0],
    p99_seconds: sorted[Math.floor(sorted.length * 0.99)],
    mad_seconds: median * 0.008,
    interval_seconds: interval,
    algbw_bytes_per_second: size / median,
    busbw_bytes_per_second: ((nodes - 1) / nodes) * (size / median),
    ns_per_hop: (median / transmissions) * 1e9,
    hops_per_second: transmissions / median,
    link_bytes_per_second: linkBytes / median,
    speed_up: up,
    speed_up_interval: [work(1) / interval[1], work(1) / interval[0]],
    efficiency: up / threads,
    efficiency_interval: [work(1) / interval[1] / threads, work(1) / interval[0] / threads],
    limit_seconds: limit,
    limit_binds: limits ? "scattered 64-byte copies" : null,
    share_of_limit: limits ? limit / median : null,
    doubts,
    rounds,
  };
}

/** A matrix, as a cell: no bytes and packets, and no value that may be missing. */
export const bareCell = (rows = 128) => ({
  ...cellOf({ dim: 4 }),
  collective: "matrix-transpose",
  algorithm: "blocks",
  asked: null,
  ports: null,
  link_model: null,
  bytes: null,
  packets: null,
  rows,
  columns: 128,
  channel: null,
  pin: null,
  steps: null,
  transmissions: null,
  link_bytes: null,
  size_bytes: null,
  minimum_seconds: null,
  p99_seconds: null,
  mad_seconds: null,
  interval_seconds: null,
  algbw_bytes_per_second: null,
  busbw_bytes_per_second: null,
  ns_per_hop: null,
  hops_per_second: null,
  link_bytes_per_second: null,
  speed_up: null,
  speed_up_interval: null,
  efficiency: null,
  efficiency_interval: null,
  limit_seconds: null,
  limit_binds: null,
  share_of_limit: null,
  rounds: [],
});

export function benchmarkOf(cells, more = {}) {
  return {
    schema: 1,
    kind: "benchmark",
    program: {
      version: "1.0.0",
      commit: "0123abc",
      compiler: "GNU 12.2.0",
      flags: "-O3 -DNDEBUG",
      build_type: "Release",
      sanitizers: "",
    },
    command: "dcube bench all-to-all --dim 6:12 --bytes 8:4KiB:x8 --threads 1,2",
    date: "2026-01-02T03:04:05Z",
    host: {
      cpu: "A made-up processor",
      architecture: "x86_64",
      processors: 2,
      usable_threads: 2,
      cores: 2,
      sockets: 1,
      threads_per_core: 1,
      caches: [
        { level: 1, kind: "data", bytes: 32768, shared_by: 1 },
        { level: 2, kind: "unified", bytes: 1048576, shared_by: 1 },
        { level: 3, kind: "unified", bytes: 33554432, shared_by: 2 },
      ],
      numa_nodes: 1,
      memory_bytes: 8 * 2 ** 30,
      page_bytes: 4096,
      huge_pages: "madvise",
      governor: null,
      frequency_hz: { now: null, most: 2.5e9 },
      kernel: "Linux 6.1",
      system: "Debian GNU/Linux 12",
      load_average: [0.1, 0.2, 0.3],
      idle_processors: 1.9,
      steal_share: 0,
      throttled: null,
      fingerprint: "0123456789abcdef",
    },
    warnings: [],
    settings: {
      min_seconds: 0.4,
      max_seconds: 3,
      min_samples: 8,
      max_samples: 8000,
      rounds: 8,
      warm_up_runs: 1,
      order_seed: 1,
      pin: "none",
      weak: false,
      check: true,
    },
    limits: { date: "2026-01-01T00:00:00Z", fingerprint: "0123456789abcdef" },
    cells,
    left_out: [],
    ...more,
  };
}

/** A sweep of dimensions, sizes and threads. */
export function sweep({ dims = [6, 7, 8, 9, 10, 11, 12], sizes = [8, 64, 512, 4096], threads = [1, 2], ...more } = {}) {
  return dims.flatMap((dim) =>
    sizes.flatMap((bytes) => threads.map((count) => cellOf({ dim, bytes, threads: count, ...more }))),
  );
}

/** A benchmark with all that newer documents have: steps taken apart, two groups, disturbed samples, two processes. */
export function dissected() {
  const document = benchmarkOf(sweep({ dims: [6, 8, 10], sizes: [64, 4096], threads: [1, 2] }), {
    warnings: ["The machine is busy: 1.2 processors are idle."],
    moments: [0, 1].flatMap((process) =>
      [0, 30, 55].map((order) => ({
        order,
        process,
        handover_seconds: process === 1 && order > 0 ? 80e-9 : 240e-9,
        frequency_hz: null,
      })),
    ),
  });
  document.settings.processes = 2;
  const speeds = [0.5, 0.9, 0.8, 1.2, 1.5, 1.8];
  const steps = [
    [2, 6, 1, 1],
    [6, 2, 1, 1],
    [4, 5, 1, 0],
    [7, 1, 1, 1],
    [9, 0, 1, 0],
    [8, 2, 1, -1],
  ];
  document.cells.forEach((cell, i) => {
    Object.assign(cell, { disturbed: 0, modes: null, step: null, counters: null });
    cell.rounds.forEach((round, at) => {
      Object.assign(round, { process: at < 4 ? 0 : 1, disturbed_seconds: [], run_delay_seconds: 0, switches: 0 });
      if (at >= 4) round.order -= 28;
    });
    if (cell.threads === 1) return;
    const up = speeds[i >> 1];
    const [work, crossing, barrier, rest] = steps[i >> 1].map((part) => part * 1e-6);
    Object.assign(cell, {
      speed_up: up,
      speed_up_interval: [up * 0.98, up * 1.02],
      counters: { cycles: 12, instructions: 30, cache_misses: 0.5 },
      step: {
        work_seconds: work,
        crossing_seconds: crossing,
        barrier_seconds: barrier,
        rest_seconds: rest,
        crossing_packets: 640,
        steps_alone: 0,
        steps_together: 32,
        helped_chunks: 0,
        sleeps: 0,
        sentence: up < 1 ? "2 threads lose here: try --threads 1" : "2 threads gain here",
      },
    });
  });
  const last = document.cells.at(-1);
  last.doubts = ["few: only 3 samples were not disturbed"];
  last.disturbed = 3;
  last.rounds[1].disturbed_seconds = last.rounds[1].samples_seconds.slice(0, 2).map((seconds) => seconds * 3);
  last.rounds[2].disturbed_seconds = [last.median_seconds * 4];
  const split = document.cells[3];
  split.modes = [
    { seconds: 1e-4, rounds: 2 },
    { seconds: 3e-4, rounds: 6 },
  ];
  for (const round of split.rounds.slice(4, 6))
    round.samples_seconds = round.samples_seconds.map((seconds) => seconds / 3);
  return document;
}

/** Two benchmarks compared: one cell of each verdict. */
export function compared() {
  const one = (dim, ratio, wide, verdict, doubts = []) => ({
    cell: `all-to-all, hypercube:${dim}, 64 B, 2 threads`,
    old_median_seconds: 1e-3,
    new_median_seconds: ratio * 1e-3,
    ratio,
    ratio_interval: [ratio / wide, ratio * wide],
    p_value: 0.01,
    verdict,
    equal_within: verdict === "equal" ? 0.04 : null,
    doubts,
  });
  return {
    schema: 1,
    kind: "benchmark comparison",
    old: "old.json",
    new: "new.json",
    differences: [{ what: "compiler", old: "GNU 12.2.0", new: "Clang 16.0.6" }],
    cells: [
      one(7, 1.2, 1.05, "slower"),
      one(8, 0.8, 1.05, "faster"),
      one(9, 1.01, 1.03, "equal"),
      one(10, 1.1, 1.3, "cannot tell", ["old: few: only 3 samples were not disturbed"]),
    ],
    only_old: ["all-to-all, hypercube:12, 64 B, 2 threads"],
    only_new: [],
  };
}

/** The page with the document in it, as `dcube bench --html` writes it. */
export function writeBench(file, document) {
  const text = typeof document === "string" ? document : JSON.stringify(document);
  const page = readFileSync(new URL("../dist/bench.html", import.meta.url), "utf8");
  writeFileSync(
    file,
    page
      .replace("<title>dcube</title>", () => "<title>A benchmark</title>")
      .replace("<!--dcube:static-->", "")
      .replace(
        "<!--dcube:data-->",
        () =>
          `<script type="application/json" class="dcube-data" id="view-0">${text.replaceAll("<", "\\u003c")}</script>`,
      ),
  );
  return file;
}
