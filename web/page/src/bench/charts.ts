// The charts: each one's quantity, its axis, and its text where there is nothing to draw.

import { grouped } from "../kit/words";
import { extremesSay, limitsSay, scalingSays } from "./conclusions";
import type { Cell } from "./document";
import { doubtsShare, doubtsTimes } from "./doubts";
import type { Over, Scale } from "./series";
import { bytes, figures, giga, percent } from "./words";

export interface Metric {
  name: string;
  /** The axis, with its unit. */
  axis: string;
  value(cell: Cell): number | null;
  /** Its 95 % interval. */
  interval(cell: Cell): readonly [number, number] | null;
  /** The value at the machine's limit. */
  limit?(cell: Cell): number | null;
  /** The ideal value with so many threads. */
  ideal?(threads: number): number;
  /** Its name in the legend. */
  idealWords?: string;
  /** Grows with the threads: in powers of two where their axis is. */
  doubles?: boolean;
  /** Written on the axis and in tables. */
  words(value: number): string;
  doubted(cell: Cell): boolean;
  /** What these cells show. */
  says(cells: readonly Cell[], scale: Scale): string;
  /** Spans powers of ten: a logarithmic axis where values differ much. */
  wide: boolean;
  better: "higher is better" | "lower is better";
}

export interface Chart {
  id: string;
  title: string;
  metrics: readonly Metric[];
  /** The first that has something to draw is taken. */
  overs: readonly Over[];
  /** Whether the cells with one thread say nothing, unless curves are over threads. */
  base: "shown" | "left out";
  /** Said where there is nothing to draw; `without`: where no cell has such a value. */
  alone: string;
  without: string;
}

/** A rate's interval, or a time's, from that of the median. */
const ratio =
  (value: (cell: Cell) => number | null, rate: boolean) =>
  (cell: Cell): readonly [number, number] | null => {
    const [middle, interval] = [value(cell), cell.interval_seconds];
    if (middle === null || !interval || interval[0] <= 0) return null;
    const [low, high] = interval.map(
      (seconds) => middle * (rate ? cell.median_seconds / seconds : seconds / cell.median_seconds),
    ) as [number, number];
    return rate ? [high, low] : [low, high];
  };

/** The value that a run at its limit would have. */
const atLimit =
  (value: (cell: Cell) => number | null, rate: boolean) =>
  (cell: Cell): number | null => {
    const [here, { limit_seconds: limit, median_seconds: median }] = [value(cell), cell];
    return here === null || limit === null || limit === 0 ? null : here * (rate ? median / limit : limit / median);
  };

const rate = (name: string, value: (cell: Cell) => number | null, ofLink: boolean): Metric => ({
  name,
  axis: `${name} (GB/s)`,
  value,
  interval: ratio(value, true),
  ...(ofLink ? { limit: atLimit(value, true) } : {}),
  words: giga,
  doubted: doubtsTimes,
  says: (cells) => extremesSay(cells, { value, words: (value) => `${giga(value)} GB/s`, best: "most" }),
  wide: true,
  better: "higher is better",
});

const several = (cells: readonly Cell[]): Cell[] => cells.filter(({ threads }) => threads > 1);
const hop = (cell: Cell): number | null => cell.ns_per_hop;
const times = (value: number): string => `${figures(value)}×`;

export const CHARTS: readonly Chart[] = [
  {
    id: "speed-up",
    title: "Speed-up",
    overs: ["threads", "nodes", "size"],
    base: "left out",
    metrics: [
      {
        name: "speed-up",
        axis: "speed-up (× one thread)",
        value: (cell) => cell.speed_up,
        interval: (cell) => cell.speed_up_interval,
        ideal: (threads) => threads,
        doubles: true,
        words: times,
        doubted: doubtsTimes,
        says: scalingSays,
        wide: false,
        better: "higher is better",
      },
      {
        name: "efficiency",
        axis: "efficiency (speed-up ÷ threads)",
        value: (cell) => cell.efficiency,
        interval: (cell) => cell.efficiency_interval,
        ideal: () => 1,
        words: percent,
        doubted: doubtsTimes,
        says: (cells) =>
          extremesSay(several(cells), { value: (cell) => cell.efficiency, words: percent, best: "most" }),
        wide: false,
        better: "higher is better",
      },
    ],
    alone: "Measured with one number of threads only: a speed-up needs two, as in --threads 1,2.",
    without: "No speed-up is known: it needs the same cells with one thread.",
  },
  {
    id: "throughput",
    title: "Throughput",
    overs: ["size", "nodes", "threads"],
    base: "shown",
    metrics: [
      rate("link throughput", (cell) => cell.link_bytes_per_second, true),
      rate("bus bandwidth", (cell) => cell.busbw_bytes_per_second, false),
      rate("algorithm bandwidth", (cell) => cell.algbw_bytes_per_second, false),
    ],
    alone: "One size, one network and one number of threads: the table has the figure.",
    without: "No throughput is known.",
  },
  {
    id: "hop",
    title: "Time per hop",
    overs: ["nodes", "size", "threads"],
    base: "shown",
    metrics: [
      {
        name: "time per hop",
        axis: "ns per hop",
        value: hop,
        interval: ratio(hop, false),
        limit: atLimit(hop, false),
        words: figures,
        doubted: doubtsTimes,
        says: (cells) => extremesSay(cells, { value: hop, words: (value) => `${figures(value)} ns`, best: "least" }),
        wide: true,
        better: "lower is better",
      },
    ],
    alone: "One network, one size and one number of threads: the table has the figure.",
    without: "No time per hop is known.",
  },
  {
    id: "share",
    title: "Share of this machine's limit",
    overs: ["nodes", "size", "threads"],
    base: "shown",
    metrics: [
      {
        name: "share of the limit",
        axis: "share of the limit that binds",
        value: (cell) => cell.share_of_limit,
        idealWords: "the limit",
        interval: ratio((cell) => cell.share_of_limit, true),
        ideal: () => 1,
        words: percent,
        doubted: doubtsShare,
        says: limitsSay,
        wide: false,
        better: "higher is better",
      },
    ],
    alone: "One network, one size and one number of threads: the table has the figure.",
    without:
      "No limits of this machine were known: dcube limits measures them, and later benchmarks show the share of them that they reach.",
  },
];

export function axisOf(over: Over, { messages, cubes }: Scale): string {
  if (over === "threads") return "threads";
  if (over === "nodes") return cubes ? "dimension d (2ᵈ nodes)" : "nodes";
  return messages ? "bytes per message" : "bytes per node in all (size S of nccl-tests)";
}

export const placeWords = (over: Over, place: number): string => (over === "size" ? bytes(place) : grouped(place));
export const OVER_WORDS: Record<Over, string> = { threads: "threads", size: "size", nodes: "network" };
