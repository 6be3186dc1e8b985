// The benchmark's JSON that the page is given, as `dcube bench` writes it (docs/report.md), checked before it is used.
// Fields that are not declared here are not shown.

import { need, Unreadable } from "../kit/columns";
import { plain } from "../kit/words";

export interface Round {
  order: number;
  /** 0 where there was only one. */
  process: number;
  samples_seconds: number[];
  /** Samples that were left out: the machine did something else meanwhile. */
  disturbed_seconds: number[];
}

/** Before a round, or after the last: what handing a line to another processor took. */
export interface Moment {
  order: number;
  process: number;
  handover_seconds: number | null;
}

/** One step of a cell, taken apart; the parts add up to what was measured, so the rest may be negative. */
export interface Step {
  work_seconds: number;
  crossing_seconds: number;
  barrier_seconds: number;
  rest_seconds: number;
  sentence: string;
}

/** Events of a processor per hop. */
export interface Counters {
  cycles: number | null;
  instructions: number | null;
  cache_misses: number | null;
}

export type Interval = readonly [number, number] | null;

export interface Cell {
  collective: string;
  algorithm: string;
  asked: string | null;
  topology: string;
  nodes: number;
  ports: string | null;
  link_model: string | null;
  tau_ns_per_byte: string | number | null;
  beta_ns: string | number | null;
  root: number | null;
  type: string | null;
  operation: string | null;
  bytes: number | null;
  packets: number | null;
  rows: number | null;
  columns: number | null;
  /** The algorithm's other options. */
  options: string | null;
  threads: number;
  threads_used: number;
  channel: string | null;
  pin: string | null;
  steps: number | null;
  transmissions: number | null;
  link_bytes: number | null;
  size_bytes: number | null;
  count: number;
  median_seconds: number;
  minimum_seconds: number | null;
  p99_seconds: number | null;
  mad_seconds: number | null;
  interval_seconds: Interval;
  algbw_bytes_per_second: number | null;
  busbw_bytes_per_second: number | null;
  ns_per_hop: number | null;
  hops_per_second: number | null;
  link_bytes_per_second: number | null;
  speed_up: number | null;
  speed_up_interval: Interval;
  efficiency: number | null;
  efficiency_interval: Interval;
  limit_seconds: number | null;
  limit_binds: string | null;
  share_of_limit: number | null;
  doubts: string[];
  /** Samples that were left out. */
  disturbed: number;
  /** Where the medians of the rounds fall into two modes. */
  modes: { seconds: number; rounds: number }[];
  step: Step | null;
  counters: Counters | null;
  rounds: Round[];
}

/** Parts that are only shown as names and values: the host, the program, the settings. */
export type Facts = readonly (readonly [string, unknown])[];

export interface Benchmark {
  command: string;
  date: string;
  program: Facts;
  host: Facts;
  settings: Facts;
  limits: Facts | null;
  weak: boolean;
  warnings: string[];
  cells: Cell[];
  moments: Moment[];
  rivals: Ratio[];
  left_out: { cell: string; reason: string }[];
}

export const VERDICTS = ["slower", "faster", "equal", "cannot tell"] as const;
export type Verdict = (typeof VERDICTS)[number];

/** A cell of two benchmarks, or a cell and the one that it is compared with. */
export interface Ratio {
  cell: string;
  against: string | null;
  old_median_seconds: number;
  new_median_seconds: number;
  ratio: number;
  ratio_interval: Interval;
  verdict: Verdict;
  equal_within: number | null;
  doubts: string[];
}

/** Two benchmarks, as `dcube bench --read NEW --against OLD` compares them. */
export interface Comparison {
  old: string;
  new: string;
  differences: { what: string; old: string; new: string }[];
  cells: Ratio[];
  only_old: string[];
  only_new: string[];
}

const MOST = { cells: 20000, samples: 2 ** 21, moments: 100000, texts: 10000, letters: 400 };

type Json = Record<string, unknown>;

const isObject = (value: unknown): value is Json =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** Reads the fields of one object, and says where one is wrong. */
class Fields {
  constructor(
    private readonly of: Json,
    private readonly where: string,
  ) {}

  private take<T>(key: string, fine: (value: unknown) => value is T): T {
    const value = Object.hasOwn(this.of, key) ? this.of[key] : undefined;
    if (!fine(value)) throw new Unreadable(`${this.where}${key} is not what it should be`);
    return value;
  }

  private maybe<T>(key: string, fine: (value: unknown) => value is T): T | null {
    return Object.hasOwn(this.of, key) && this.of[key] !== null ? this.take(key, fine) : null;
  }

  text = (key: string): string => plain(this.take(key, isText), MOST.letters);
  textOrNull = (key: string): string | null => {
    const text = this.maybe(key, isText);
    return text === null ? null : plain(text, MOST.letters);
  };
  positive = (key: string): number => this.take(key, isPositive);
  whole = (key: string): number => this.take(key, isWhole);
  natural = (key: string): number => this.take(key, isNatural);
  numberOrNull = (key: string): number | null => this.maybe(key, isNatural);
  finite = (key: string): number => this.take(key, isNumber);
  /** Exact numbers are written as text where they are no whole ones. */
  exactOrNull = (key: string): string | number | null => {
    const value = this.maybe(key, isExact);
    return typeof value === "string" ? plain(value, 80) : value;
  };
  interval = (key: string): Interval => this.maybe(key, isInterval);
  texts = (key: string): string[] =>
    this.list(key, MOST.texts).map((text) => {
      need(typeof text === "string", `${this.where}${key}`);
      return plain(text, MOST.letters);
    });
  list = (key: string, most: number): unknown[] => {
    const list = this.take(key, Array.isArray) as unknown[];
    need(list.length <= most, `the length of ${this.where}${key}`);
    return list;
  };
  /** Older documents lack what came later. */
  listOrNone = (key: string, most: number): unknown[] =>
    this.maybe(key, Array.isArray) === null ? [] : this.list(key, most);
  object = (key: string): Json => this.take(key, isObject);
  objectOrNull = (key: string): Json | null => this.maybe(key, isObject);
}

const isText = (value: unknown): value is string => typeof value === "string";
const isNumber = (value: unknown): value is number => Number.isFinite(value);
const isNatural = (value: unknown): value is number => isNumber(value) && value >= 0;
const isPositive = (value: unknown): value is number => isNatural(value) && value > 0;
const isWhole = (value: unknown): value is number => Number.isSafeInteger(value) && (value as number) > 0;
const isExact = (value: unknown): value is string | number => isText(value) || isNatural(value);
const isInterval = (value: unknown): value is [number, number] =>
  Array.isArray(value) && value.length === 2 && value.every(isNatural) && value[0] <= value[1];

function readRounds(list: unknown[], where: string, allowance: { left: number }): Round[] {
  return list.map((item, i) => {
    const here = `${where}rounds[${i}]`;
    need(isObject(item), here);
    const of = new Fields(item, `${here}.`);
    const samples = (values: unknown[]): number[] => {
      need(values.every(isNatural), here);
      need((allowance.left -= values.length) >= 0, "the number of samples");
      return values;
    };
    return {
      order: of.natural("order"),
      process: of.numberOrNull("process") ?? 0,
      samples_seconds: samples(of.list("samples_seconds", MOST.samples)),
      disturbed_seconds: samples(of.listOrNone("disturbed_seconds", MOST.samples)),
    };
  });
}

function readModes(list: unknown[], where: string): Cell["modes"] {
  need(list.length === 0 || list.length === 2, `${where}modes`);
  return list.map((item, i) => {
    need(isObject(item), `${where}modes[${i}]`);
    const of = new Fields(item, `${where}modes[${i}].`);
    return { seconds: of.positive("seconds"), rounds: of.whole("rounds") };
  });
}

function readStep(step: Json | null, where: string): Step | null {
  if (!step) return null;
  const of = new Fields(step, `${where}step.`);
  return {
    work_seconds: of.natural("work_seconds"),
    crossing_seconds: of.natural("crossing_seconds"),
    barrier_seconds: of.natural("barrier_seconds"),
    rest_seconds: of.finite("rest_seconds"),
    sentence: of.textOrNull("sentence") ?? "",
  };
}

function readCounters(counters: Json | null, where: string): Counters | null {
  if (!counters) return null;
  const { numberOrNull: number } = new Fields(counters, `${where}counters.`);
  return {
    cycles: number("cycles"),
    instructions: number("instructions"),
    cache_misses: number("cache_misses"),
  };
}

function readMoment(item: unknown, index: number): Moment {
  need(isObject(item), `moments[${index}]`);
  const of = new Fields(item, `moments[${index}].`);
  return {
    order: of.natural("order"),
    process: of.numberOrNull("process") ?? 0,
    handover_seconds: of.numberOrNull("handover_seconds"),
  };
}

function readCell(item: unknown, index: number, allowance: { left: number }): Cell {
  const where = `cells[${index}].`;
  need(isObject(item), `cells[${index}]`);
  const of = new Fields(item, where);
  const { text, textOrNull, numberOrNull: number, interval } = of;
  return {
    collective: text("collective"),
    algorithm: text("algorithm"),
    asked: textOrNull("asked"),
    topology: text("topology"),
    nodes: of.whole("nodes"),
    ports: textOrNull("ports"),
    link_model: textOrNull("link_model"),
    tau_ns_per_byte: of.exactOrNull("tau_ns_per_byte"),
    beta_ns: of.exactOrNull("beta_ns"),
    root: number("root"),
    type: textOrNull("type"),
    operation: textOrNull("operation"),
    bytes: number("bytes"),
    packets: number("packets"),
    rows: number("rows"),
    columns: number("columns"),
    options: textOrNull("options"),
    threads: of.whole("threads"),
    threads_used: number("threads_used") || of.whole("threads"),
    channel: textOrNull("channel"),
    pin: textOrNull("pin"),
    steps: number("steps"),
    transmissions: number("transmissions"),
    link_bytes: number("link_bytes"),
    size_bytes: number("size_bytes"),
    count: of.natural("count"),
    median_seconds: of.positive("median_seconds"),
    minimum_seconds: number("minimum_seconds"),
    p99_seconds: number("p99_seconds"),
    mad_seconds: number("mad_seconds"),
    interval_seconds: interval("interval_seconds"),
    algbw_bytes_per_second: number("algbw_bytes_per_second"),
    busbw_bytes_per_second: number("busbw_bytes_per_second"),
    ns_per_hop: number("ns_per_hop"),
    hops_per_second: number("hops_per_second"),
    link_bytes_per_second: number("link_bytes_per_second"),
    speed_up: number("speed_up"),
    speed_up_interval: interval("speed_up_interval"),
    efficiency: number("efficiency"),
    efficiency_interval: interval("efficiency_interval"),
    limit_seconds: number("limit_seconds"),
    limit_binds: textOrNull("limit_binds"),
    share_of_limit: number("share_of_limit"),
    doubts: of.texts("doubts"),
    disturbed: number("disturbed") ?? 0,
    modes: readModes(of.listOrNone("modes", 2), where),
    step: readStep(of.objectOrNull("step"), where),
    counters: readCounters(of.objectOrNull("counters"), where),
    rounds: readRounds(of.list("rounds", 100000), where, allowance),
  };
}

/** Names with their values; deeper parts keep their form. */
function facts(object: Json): Facts {
  return Object.entries(object)
    .slice(0, 200)
    .map(([key, value]) => [plain(key, 80), value]);
}

function readRatio(item: unknown, index: number, list: string): Ratio {
  const where = `${list}[${index}]`;
  need(isObject(item), where);
  const of = new Fields(item, `${where}.`);
  const verdict = VERDICTS.find((one) => one === item.verdict);
  need(verdict !== undefined, `${where}.verdict`);
  return {
    cell: of.text("cell"),
    against: of.textOrNull("against"),
    old_median_seconds: of.positive("old_median_seconds"),
    new_median_seconds: of.positive("new_median_seconds"),
    ratio: of.positive("ratio"),
    ratio_interval: of.interval("ratio_interval"),
    verdict,
    equal_within: of.numberOrNull("equal_within"),
    doubts: of.texts("doubts"),
  };
}

function readComparison(document: Json): Comparison {
  const of = new Fields(document, "");
  return {
    old: of.textOrNull("old") ?? "the old one",
    new: of.textOrNull("new") ?? "the new one",
    differences: of.list("differences", MOST.texts).map((item, i) => {
      need(isObject(item), `differences[${i}]`);
      const one = new Fields(item, `differences[${i}].`);
      return { what: one.text("what"), old: one.text("old"), new: one.text("new") };
    }),
    cells: of.list("cells", MOST.cells).map((item, i) => readRatio(item, i, "cells")),
    only_old: of.texts("only_old"),
    only_new: of.texts("only_new"),
  };
}

function readBenchmark(document: Json): Benchmark {
  const of = new Fields(document, "");
  const settings = of.object("settings");
  const allowance = { left: MOST.samples };
  const limits = of.objectOrNull("limits");
  return {
    command: of.text("command"),
    date: of.text("date"),
    program: facts(of.object("program")),
    host: facts(of.object("host")),
    settings: facts(settings),
    limits: limits && facts(limits),
    weak: settings.weak === true,
    warnings: of.texts("warnings"),
    cells: of.list("cells", MOST.cells).map((cell, i) => readCell(cell, i, allowance)),
    moments: of.listOrNone("moments", MOST.moments).map(readMoment),
    rivals: of.listOrNone("against_each_other", MOST.cells).map((item, i) => readRatio(item, i, "against_each_other")),
    left_out: of.list("left_out", MOST.texts).map((item, i) => {
      need(isObject(item), `left_out[${i}]`);
      const one = new Fields(item, `left_out[${i}].`);
      return { cell: one.text("cell"), reason: one.text("reason") };
    }),
  };
}

/** Reads the embedded document, of one of two kinds; throws Unreadable with a message for people. */
export function readDocument(text: string): { benchmark: Benchmark } | { comparison: Comparison } {
  let document: unknown;
  try {
    document = JSON.parse(text);
  } catch (error) {
    throw new Unreadable(`it is not JSON: ${plain((error as Error).message, 200)}`);
  }
  need(isObject(document), "the document");
  need(document.kind === "benchmark" || document.kind === "benchmark comparison", "the document's kind");
  if (document.schema !== 1)
    throw new Unreadable(
      `its schema is ${plain(JSON.stringify(document.schema) ?? "missing", 40)}, and this page reads schema 1`,
    );
  return document.kind === "benchmark"
    ? { benchmark: readBenchmark(document) }
    : { comparison: readComparison(document) };
}
