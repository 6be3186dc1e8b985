// The document that `dcube view` embeds in a page, and the checks that it has to pass before it is used.

import { checkPicture, type BoundPicture } from "../bound/picture";
import { need, Unreadable, type Column } from "../kit/columns";
import type { Variant } from "../kit/fit";
import type { Points } from "../kit/track";
import { plain } from "../kit/words";

export interface Layout {
  name: string;
  /** More nodes than are drawn unasked. */
  on_demand?: boolean;
  variants: Variant[];
}

export interface Groups {
  of: number[];
  names: string[];
  layout: Layout;
  links: number[];
}

export interface Network {
  name: string;
  nodes: number;
  /** Nodes that only pass packets on. */
  switches?: number[];
  /** u, v, port at u, port at v, dimension of every link. */
  links: number[];
  relative: "xor" | "plain" | { digits: number[] };
  /** Of a product how many values each coordinate of a node has, the first one first. */
  coordinates?: number[];
  layouts: Layout[];
  groups: Groups | null;
}

export interface Messages {
  kind: "moves" | "copies" | "sums";
  pairs?: "all" | { from: number } | { to: number } | number[];
  origins?: "all" | number[];
  sums?: (number | null)[];
  /** Scans: the nodes whose shares are in a node's sum, in their order. */
  terms?: "up-to" | "before";
  /** Barriers: the one "sum" is the set of nodes of which a node has heard, and packets have no bytes. */
  signals?: true;
  /** By node: its group, where groups do it apart from each other. */
  groups?: number[];
  parts: number;
  part_bytes: number | number[];
  lengths?: number[] | null;
  /** Every node has messages like these, and sends them alike: those of one node stand for all. */
  everybody?: true;
  /** Nodes may send copies of messages that only one node needs. */
  copied?: boolean;
}

/** Whether one node sends a block of its own to every other. */
export const isScatter = ({ kind, pairs }: Messages): boolean =>
  kind === "moves" && typeof pairs === "object" && "from" in pairs;

export interface Bound {
  title: string;
  value: number;
  unit: string;
  met: boolean;
  lines: { words: string; number: string; about?: "nodes" | "links" }[];
  links: number[];
  tally: { words: string; total: number } | null;
  /** What is known where it is not met. */
  gap?: string | null;
  after: string | null;
  picture: BoundPicture | null;
}

export interface Phase {
  first: number;
  last: number;
  name: string;
  /** The dimensions whose links belong to it, where phases overlap. Without it all do. */
  dimensions?: number[];
}

export const COLUMNS = [
  "step",
  "from",
  "port",
  "start",
  "end",
  "joined",
  "origin",
  "target",
  "part",
  "count",
  "set",
] as const;
export type ColumnName = (typeof COLUMNS)[number];

/** What one block, message or share does. */
export interface OneBlock {
  /** "node 0's block for node 7" */
  name: string;
  /** Its ends; of a share the node whose share it is, and the node that needs the sum. */
  origin: number | null;
  target: number | null;
  /** The rows that carry it. */
  rows: number[];
  /** From which stop or tick on a sentence is shown. */
  sentences: { at: number; text: string }[];
}

/** Why it takes that many steps: texts, and formulas as lists of lines. */
export interface Why {
  title: string;
  parts: (string | string[])[];
}

/** What went wrong, if something did: the event in which the film ends. */
export interface Verdict {
  accepted: boolean;
  what?: "rejected" | "rule" | "deadlock" | "lost" | "threw" | "wrong-bytes" | "impossible";
  message?: string;
  /** The same for somebody who sees when and where it is, if there is something better to say. */
  said?: string;
  /** The line of the program at which it happened, where the page knows it. */
  line?: number;
  step?: number;
  /** It is only known after the last step. */
  at_end?: boolean;
  /** The packet that was refused; it is the last row. */
  row?: number;
  node?: number;
  port?: number;
  /** Whose block is wrong at that node. */
  origin?: number;
  /** The nodes that wait, and their ports; -1: any. */
  waiting?: [number, number][];
}

export interface FilmData {
  name: string;
  label: string;
  report: [string, string][];
  clock: "steps" | "time";
  steps: number;
  end: number;
  ticks_per_ns: number;
  one_port: boolean;
  verdict: Verdict;
  /** False for a trace that is shown as it is. */
  judged?: boolean;
  /** The first rows of packets that are lost on their way. */
  lost?: number[];
  network: Network;
  messages: Messages;
  cells: { columns: number; rows: number; count: number };
  phases: Phase[];
  /** What all nodes do. */
  sentences: string[] | { at: number; text: string }[];
  one?: OneBlock | null;
  why?: Why | null;
  bound: Bound | null;
  columns: { rows: number; deflate: boolean; of: Record<ColumnName, Column> } | null;
  sets?: number[][];
  use: { links: Column; deflate?: boolean } | null;
}

export interface ViewDocument {
  schema: number;
  title: string;
  subtitle: string;
  command: string;
  versus: { sentence: string; axis: "step" | "time" } | null;
  films: FilmData[];
}

export const LIMITS = {
  rows: 2 ** 20,
  nodes: 65536,
  links: 2 ** 21,
  steps: 2 ** 24,
  units: 2 ** 24,
  unpacked: 2 ** 26,
  phases: 4096,
};

const isWhole = (value: unknown, low: number, high: number): boolean =>
  Number.isInteger(value) && (value as number) >= low && (value as number) <= high;

const areWhole = (value: unknown, low: number, high: number): boolean =>
  Array.isArray(value) && value.every((item) => isWhole(item, low, high));

const areNumbers = (value: unknown, count: number): boolean =>
  Array.isArray(value) && value.length === count && value.every(Number.isFinite);

const isLine = (points: unknown): boolean =>
  Array.isArray(points) && points.length >= 4 && areNumbers(points, points.length - (points.length % 2));

/** Bends given as the number of a link that has the same bend elsewhere become lines of their own. */
function unfold({ bends, x, y }: Variant, first: (link: number) => number): void {
  const given = bends as Record<string, number | Points[]>;
  for (const [link, same] of Object.entries(given)) {
    if (typeof same !== "number") continue;
    const [here, there] = [first(Number(link)), first(same)];
    const by = [x[here]! - x[there]!, y[here]! - y[there]!];
    bends[link] = (given[same] as Points[]).map((points) => points.map((place, i) => place + by[i % 2]!));
  }
}

function checkLayout({ variants }: Layout, points: number, first: (link: number) => number): void {
  need(variants.length > 0, "a layout");
  for (const variant of variants) {
    const { x, y, box, stretch, stubs, bends } = variant;
    need(
      areNumbers(x, points) &&
        areNumbers(y, points) &&
        areNumbers(box, 4) &&
        stretch >= 1 &&
        stretch <= 4 &&
        stubs.every((stub) => areNumbers(stub, 4)),
      "a layout",
    );
    unfold(variant, first);
    need(
      Object.values(bends).every((pieces) => (pieces.length === 1 || pieces.length === 2) && pieces.every(isLine)),
      "a bend",
    );
    need(!variant.lost || variant.lost.every(isLine), "a missing link");
  }
}

function checkNetwork({ nodes, switches = [], links, relative, coordinates, layouts, groups }: Network): void {
  need(isWhole(nodes, 1, LIMITS.nodes), "the number of nodes");
  need(areWhole(switches, 0, nodes - 1), "a switch");
  need(Array.isArray(links) && links.length % 5 === 0 && links.length / 5 <= LIMITS.links, "the list of links");
  links.forEach((number, i) => need(isWhole(number, 0, i % 5 < 2 ? nodes - 1 : i % 5 < 4 ? nodes : 65535), "a link"));
  const areSizes = (sizes: unknown): boolean =>
    areWhole(sizes, 1, nodes) && (sizes as number[]).reduce((a, b) => a * b, 1) === nodes;
  need(
    (relative === "xor" || relative === "plain" || areSizes(relative.digits)) &&
      (coordinates === undefined || areSizes(coordinates)),
    "the way to write nodes",
  );
  for (const layout of layouts) checkLayout(layout, nodes, (link) => links[5 * link]!);
  if (!groups) return;
  const last = groups.names.length - 1;
  need(
    last < 64 && areWhole(groups.of, 0, last) && groups.of.length === nodes && areWhole(groups.links, 0, last),
    "a group",
  );
  checkLayout(groups.layout, last + 1, (link) => groups.links[2 * link]!);
}

function checkMessages({ kind, parts, pairs, origins, sums, lengths, groups }: Messages, nodes: number): void {
  const one = (node: unknown): boolean => isWhole(node, 0, nodes - 1);
  const isFine = {
    moves: () =>
      pairs === "all" ||
      (Array.isArray(pairs)
        ? pairs.length % 2 === 0 && pairs.every(one)
        : typeof pairs === "object" && one("from" in pairs ? pairs.from : pairs.to)),
    copies: () => origins === "all" || (origins!.length > 0 && origins!.every(one)),
    sums: () => sums!.length > 0 && sums!.every((target) => target === null || one(target)),
  };
  need(
    Object.hasOwn(isFine, kind) &&
      isFine[kind]() &&
      isWhole(parts, 1, LIMITS.units) &&
      (!lengths || areWhole(lengths, 0, parts)) &&
      (!groups || (groups.length === nodes && groups.every(one))),
    "what is sent",
  );
}

/** Arithmetic as people write it. */
const signs = (text: string): string =>
  text.replace(/ x /g, " \u00d7 ").replace(/ \/ /g, " \u00f7 ").replace(/ - /g, " \u2212 ");

/** Ranges such as 0-3 and names such as 4-cube, in which no line may end, and negative numbers. */
const typeset = (text: string): string =>
  text.replace(/(\d)-(?=[a-z\d])/g, "$1-\u2060").replace(/(^|[ (])-(?=\d)/g, "$1\u2212");

function checkVerdict({ said, line, node, port, origin, waiting }: Verdict, nodes: number): void {
  const one = (value: unknown): boolean => value === undefined || isWhole(value, 0, nodes - 1);
  need(
    one(node) &&
      one(origin) &&
      (said === undefined || typeof said === "string") &&
      (line === undefined || isWhole(line, 1, LIMITS.rows)) &&
      (port === undefined || isWhole(port, 0, LIMITS.nodes)) &&
      (waiting === undefined ||
        waiting.every(([node, port]) => isWhole(node, 0, nodes - 1) && isWhole(port, -1, LIMITS.nodes))),
    "what went wrong",
  );
}

function checkOne(one: OneBlock, nodes: number): void {
  need(
    typeof one.name === "string" &&
      areWhole(one.rows, 0, LIMITS.rows) &&
      [one.origin, one.target].every((node) => node === null || isWhole(node, 0, nodes - 1)) &&
      one.sentences.length > 0 &&
      one.sentences.every(({ at }, i) => at >= (i === 0 ? 0 : one.sentences[i - 1]!.at)),
    "what one block does",
  );
  for (const sentence of one.sentences) sentence.text = typeset(sentence.text);
}

export function checkFilm({
  clock,
  steps,
  end,
  ticks_per_ns,
  network,
  messages,
  bound,
  cells,
  columns,
  use,
  sentences,
  one,
  why,
  phases,
  verdict,
  lost = [],
}: FilmData): void {
  need(
    clock === "steps"
      ? isWhole(steps, 0, LIMITS.steps)
      : clock === "time" && end >= 0 && Number.isFinite(end) && ticks_per_ns > 0,
    "the clock",
  );
  checkNetwork(network);
  checkMessages(messages, network.nodes);
  checkVerdict(verdict, network.nodes);
  need(areWhole(lost, 0, LIMITS.rows), "a lost packet");
  need(Array.isArray(sentences), "the text");
  need(
    phases.length <= LIMITS.phases &&
      phases.every(({ dimensions }) => !dimensions || areWhole(dimensions, 0, LIMITS.nodes)),
    "a phase",
  );
  sentences.forEach((one, i) => {
    if (typeof one === "string") sentences[i] = typeset(one);
    else one.text = typeset(one.text);
  });
  if (one) checkOne(one, network.nodes);
  if (why)
    need(
      typeof why.title === "string" &&
        why.parts.every((part) => typeof part === "string" || part.every((line) => typeof line === "string")),
      "the reason",
    );
  if (bound) {
    need(Number.isFinite(bound.value) && areWhole(bound.links, 0, (network.links.length / 5) * 2 - 1), "the bound");
    for (const line of bound.lines) {
      line.number = signs(line.number);
      line.words = typeset(line.words);
    }
    if (bound.picture) checkPicture(bound.picture, network.nodes, network.groups?.names.length ?? 0);
  }
  need(
    [cells.count, cells.columns, cells.rows].every((count) => isWhole(count, 1, LIMITS.units)),
    "the number of cells",
  );
  need(columns ? isWhole(columns.rows, 0, LIMITS.rows) : use !== null, "the number of rows");
}

/** All texts in it made plain, but for packed data. (A reviver of JSON.parse would be called for each of a million numbers.) */
function cleaned(value: unknown, key: string): unknown {
  if (typeof value === "string") return key === "data" ? value : plain(value, 1000);
  if (typeof value !== "object" || value === null) return value;
  const parts = value as Record<string, unknown>;
  if (Array.isArray(value))
    value.forEach((part, i) => {
      if (typeof part !== "number") value[i] = cleaned(part, "");
    });
  else for (const name of Object.keys(parts)) parts[name] = cleaned(parts[name], name);
  return value;
}

/** An embedded document; its texts are plain. Throws Unreadable. */
export function parsed(text: string): unknown {
  try {
    return cleaned(JSON.parse(text), "");
  } catch (error) {
    throw new Unreadable(`it is not JSON: ${plain((error as Error).message, 200)}`);
  }
}

/** Checks a document of films; throws Unreadable with a message for people. */
export function checkView(view: ViewDocument): ViewDocument {
  try {
    need(view.schema === 1, "the schema");
    need(view.films.length === 1 || view.films.length === 2, "the number of films");
    view.films.forEach(checkFilm);
    if (view.versus) view.versus.sentence = typeset(view.versus.sentence);
  } catch (error) {
    if (error instanceof Unreadable) throw error;
    throw new Unreadable("a part of it is missing");
  }
  return view;
}
