// The benchmark's JSON that the page is given, as `dcube bench` writes it (docs/report.md), checked before it is used.
// Fields that are not declared here are not shown.

import { need, Unreadable } from "../kit/columns";
import { plain } from "../kit/words";

export interface Round {
  order: number;
  samples_seconds: number[];
}

type Interval = readonly [number, number] | null;

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
  left_out: { cell: string; reason: string }[];
}

const MOST = { cells: 20000, samples: 2 ** 21, texts: 10000, letters: 400 };

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
  numberOrNull = (key: string): number | null => this.maybe(key, isNatural);
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
  object = (key: string): Json => this.take(key, isObject);
}

const isText = (value: unknown): value is string => typeof value === "string";
const isNatural = (value: unknown): value is number =>
  typeof value === "number" && Number.isFinite(value) && value >= 0;
const isPositive = (value: unknown): value is number => isNatural(value) && value > 0;
const isWhole = (value: unknown): value is number => Number.isSafeInteger(value) && (value as number) > 0;
const isExact = (value: unknown): value is string | number => isText(value) || isNatural(value);
const isInterval = (value: unknown): value is [number, number] =>
  Array.isArray(value) && value.length === 2 && value.every(isNatural) && value[0] <= value[1];

function readRounds(list: unknown[], where: string, allowance: { left: number }): Round[] {
  return list.map((item, i) => {
    need(isObject(item), `${where}rounds[${i}]`);
    const { order, samples_seconds: samples } = item;
    need(isNatural(order) && Array.isArray(samples) && samples.every(isNatural), `${where}rounds[${i}]`);
    need((allowance.left -= samples.length) >= 0, "the number of samples");
    return { order, samples_seconds: samples };
  });
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
    channel: textOrNull("channel"),
    pin: textOrNull("pin"),
    steps: number("steps"),
    transmissions: number("transmissions"),
    link_bytes: number("link_bytes"),
    size_bytes: number("size_bytes"),
    count: of.whole("count"),
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
    rounds: readRounds(of.list("rounds", 100000), where, allowance),
  };
}

/** Names with their values; deeper parts keep their form. */
function facts(object: Json): Facts {
  return Object.entries(object)
    .slice(0, 200)
    .map(([key, value]) => [plain(key, 80), value]);
}

/** Reads the embedded document; throws Unreadable with a message for people. */
export function readBenchmark(text: string): Benchmark {
  let document: unknown;
  try {
    document = JSON.parse(text);
  } catch (error) {
    throw new Unreadable(`it is not JSON: ${plain((error as Error).message, 200)}`);
  }
  need(isObject(document), "the document");
  need(document.kind === "benchmark", "the document's kind");
  if (document.schema !== 1)
    throw new Unreadable(
      `its schema is ${plain(JSON.stringify(document.schema) ?? "missing", 40)}, and this page reads schema 1`,
    );
  const of = new Fields(document, "");
  const settings = of.object("settings");
  const allowance = { left: MOST.samples };
  const limits = document.limits === undefined || document.limits === null ? null : of.object("limits");
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
    left_out: of.list("left_out", MOST.texts).map((item, i) => {
      need(isObject(item), `left_out[${i}]`);
      const one = new Fields(item, `left_out[${i}].`);
      return { cell: one.text("cell"), reason: one.text("reason") };
    }),
  };
}
