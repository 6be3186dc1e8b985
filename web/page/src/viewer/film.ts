// A film: the packets, with their times and links. Everything is computed once from the columns; nothing changes later.

import { Allowance, decodeColumn, need } from "../kit/columns";
import { breath } from "../kit/motion";
import { upperBound } from "../kit/numbers";
import { COLUMNS, type ColumnName, type FilmData } from "./document";
import { FilmEvent } from "./event";
import { Network } from "./network";
import { Use } from "./use";

/** The rows: one stretch of parts of one message each. */
export type Rows = Record<Exclude<ColumnName, "start" | "end" | "joined">, Int32Array>;

/** The packets: successive rows that travel together. */
export interface Packets {
  count: number;
  /** First row of each packet, and the number of rows at the end. */
  first: Int32Array;
  step: Int32Array;
  link: Int32Array;
  /** The times of its start and arrival: in steps (s-1, s) or ticks. */
  start: Float64Array;
  end: Float64Array;
}

export class Film {
  /** Length on the film's own axis: steps or ticks. */
  readonly length: number;
  readonly use: Use;
  /** The packet that breaks a rule, if it could be read: it is shown, but changes nothing. -1: none. */
  readonly offending: number;
  /** The packets that are lost on their way, in the order of time. They change nothing either. */
  readonly lost: ReadonlySet<number>;
  /** The packets that carry what the captions on one block follow; none where every packet does. */
  readonly followed: ReadonlySet<number>;
  /** What went wrong. */
  readonly event: FilmEvent | null;
  /** Packets in the order of arrival. */
  readonly order: Int32Array;
  readonly #arrivals: Float64Array;
  /** Packets of each directed link, in the order of their starts. */
  readonly #linkFirst: Int32Array;
  readonly #linkPackets: Int32Array;

  constructor(
    readonly data: FilmData,
    readonly network: Network,
    readonly rows: Rows,
    readonly packets: Packets,
    counts: Float64Array | null,
  ) {
    this.length = data.clock === "steps" ? data.steps : data.end;
    const { count, end, link } = packets;
    const { accepted, row } = data.verdict;
    this.offending = accepted || row === undefined ? -1 : packets.first.subarray(0, count).indexOf(row);
    const firsts = new Set(data.lost ?? []);
    this.lost = new Set(Array.from({ length: count }, (_, p) => p).filter((p) => firsts.has(packets.first[p]!)));
    this.followed = new Set(
      this.single && data.messages.parts === 1 ? [] : data.one?.rows.map((row) => upperBound(packets.first, row) - 1),
    );
    this.event = accepted ? null : new FilmEvent(data, network);
    this.order = Int32Array.from({ length: count }, (_, p) => p).filter(
      (p) => p !== this.offending && !this.lost.has(p),
    );
    if (data.clock === "time") this.order.sort((a, b) => end[a]! - end[b]! || a - b);
    this.#arrivals = Float64Array.from(this.order, (p) => end[p]!);
    const links = network.directed;
    this.#linkFirst = new Int32Array(links + 1);
    for (let p = 0; p < count; p++) this.#linkFirst[link[p]! + 1]!++;
    for (let l = 0; l < links; l++) this.#linkFirst[l + 1]! += this.#linkFirst[l]!;
    this.#linkPackets = new Int32Array(count);
    const next = this.#linkFirst.slice();
    for (let p = 0; p < count; p++) this.#linkPackets[next[link[p]!]!++] = p;
    if (!accepted) this.#sortLinks();
    this.use = counts
      ? Use.ofCounts(counts, this.length, links)
      : Use.ofPackets(packets, this.length, links, data.clock);
  }

  /** One node's message goes to all: its packets, not their origin, tell it apart. Where nodes are missing, origins are listed. */
  get single(): boolean {
    const { kind, origins } = this.data.messages;
    return kind === "copies" && Array.isArray(origins) && origins.length === 1;
  }

  /** Sums of several blocks: the blocks that there are. A block is a sum of its own, or a part of the one sum. */
  get blocks(): number {
    const { kind, sums, parts } = this.data.messages;
    return kind !== "sums" ? 0 : sums!.length > 1 ? sums!.length : parts;
  }

  /** Whether a row carries something of a block of the sums. */
  ofBlock(row: number, block: number): boolean {
    const { part, count, target } = this.rows;
    return this.data.messages.sums!.length > 1
      ? target[row] === block
      : part[row]! <= block && block < part[row]! + count[row]!;
  }

  /** Whether the judge has seen that the sender has what it sends: of the step in which it rejects a trace it reads no more,
      and all packets are shown. */
  judged(packet: number): boolean {
    return this.event?.what !== "rejected" || this.packets.step[packet]! < this.data.steps;
  }

  /** A line that breaks a rule may come out of order. */
  #sortLinks(): void {
    const { start } = this.packets;
    for (let link = 0; link < this.network.directed; link++)
      this.onLink(link).sort((a, b) => start[a]! - start[b]! || a - b);
  }

  get inSteps(): boolean {
    return this.data.clock === "steps";
  }

  /** One node's packets stand for those of all nodes. */
  get everybody(): boolean {
    return this.data.messages.everybody === true;
  }

  /** There are packets, not only counts of them. */
  get hasPackets(): boolean {
    return this.data.columns !== null;
  }

  from(packet: number): number {
    return this.network.from[this.packets.link[packet]!]!;
  }

  to(packet: number): number {
    return this.network.to[this.packets.link[packet]!]!;
  }

  /** The number of packets that have arrived at `now`. */
  arrived(now: number): number {
    return upperBound(this.#arrivals, now);
  }

  /** The packet that `link` carries at `now`, or -1: before the start none, even if it starts at once. */
  carried(link: number, now: number): number {
    if (now <= 0) return -1;
    let [low, high] = [this.#linkFirst[link]!, this.#linkFirst[link + 1]!];
    const first = low;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (this.packets.start[this.#linkPackets[middle]!]! <= now) low = middle + 1;
      else high = middle;
    }
    if (low === first) return -1;
    const packet = this.#linkPackets[low - 1]!;
    return now < this.packets.end[packet]! ? packet : -1;
  }

  /** The packet beside which the link carries one that breaks a rule, or -1. */
  beside(packet: number, now: number): number {
    const { start, end, link } = this.packets;
    return packet !== this.offending
      ? -1
      : (this.onLink(link[packet]!).find((other) => other !== packet && start[other]! <= now && now < end[other]!) ??
          -1);
  }

  /** All packets of a directed link, in the order of time. */
  onLink(link: number): Int32Array {
    return this.#linkPackets.subarray(this.#linkFirst[link]!, this.#linkFirst[link + 1]!);
  }

  /** The distinct times at which something starts or arrives. */
  events(): number[] {
    const { start, end } = this.packets;
    return [...new Set([0, ...start, ...end, this.length])].sort((a, b) => a - b);
  }

  /** The packets, or bytes, that have come over the links that bind. */
  tally(now: number): number {
    const { bound } = this.data;
    if (!bound?.tally) return 0;
    let sum = 0;
    for (const link of bound.links) {
      for (const packet of this.onLink(link)) {
        if (this.packets.end[packet]! <= now && !this.lost.has(packet))
          sum += bound.unit === "ns" ? this.bytes(packet) : 1;
      }
    }
    return Math.min(sum, bound.tally.total);
  }

  bytes(packet: number): number {
    const { part_bytes: bytes } = this.data.messages;
    let sum = 0;
    for (let row = this.packets.first[packet]!; row < this.packets.first[packet + 1]!; row++) {
      const [part, count] = [this.rows.part[row]!, this.rows.count[row]!];
      if (typeof bytes === "number") sum += bytes * count;
      else for (let i = part; i < part + count; i++) sum += bytes[i] ?? 0;
    }
    return sum;
  }
}

async function columnsOf(data: FilmData, allowance: Allowance): Promise<Record<ColumnName, Float64Array>> {
  const { columns } = data;
  const found = {} as Record<ColumnName, Float64Array>;
  for (const name of COLUMNS) {
    if (columns && columns.rows > MANY) await breath();
    found[name] = columns
      ? await decodeColumn(
          columns.of?.[name] ?? (name === "set" ? 0 : undefined),
          columns.rows,
          columns.deflate,
          allowance,
          `column ${name}`,
        )
      : new Float64Array(0);
  }
  return found;
}

/** Makes nodes of numbers that were written relative to the sender, and checks every row. */
function absolute(data: FilmData, network: Network, columns: Record<ColumnName, Float64Array>): Rows {
  const { step, from, part, count, origin, target, set } = columns;
  const { kind, parts, sums } = data.messages;
  const { nodes } = network;
  const rows = Object.fromEntries(
    ["step", "from", "port", "part", "count", "set"].map((name) => [
      name,
      Int32Array.from(columns[name as ColumnName]),
    ]),
  ) as Rows;
  rows.origin = new Int32Array(step.length).fill(-1);
  rows.target = rows.origin.slice();
  for (let row = 0; row < step.length; row++) {
    const sender = from[row]!;
    const node = (value: number, most: number, what: string): number => {
      const found = most === nodes ? network.absolute(value, sender) : value;
      needed(found >= 0 && found < most, row, what);
      return found;
    };
    needed(sender >= 0 && sender < nodes, row, "sender");
    needed(
      step[row]! >= 1 &&
        step[row]! <= data.steps &&
        (row === 0 || row === data.verdict.row || step[row]! >= step[row - 1]!),
      row,
      "step",
    );
    needed(part[row]! >= 0 && count[row]! >= 0 && part[row]! + count[row]! <= parts, row, "part of the message");
    if (kind !== "sums") rows.origin[row] = node(origin[row]!, nodes, "origin");
    if (kind !== "copies") rows.target[row] = node(target[row]!, kind === "sums" ? sums!.length : nodes, "target");
    needed(kind !== "sums" || (set[row]! >= 0 && set[row]! < data.sets!.length), row, "set of nodes");
  }
  return rows;
}

function needed(fine: boolean, row: number, what: string): void {
  need(fine, `row ${row + 1}: its ${what}`);
}

function packed(data: FilmData, network: Network, rows: Rows, columns: Record<ColumnName, Float64Array>): Packets {
  const total = rows.step.length;
  const first: number[] = [];
  for (let row = 0; row < total; ) {
    const joined = columns.joined[row]!;
    needed(joined >= 1 && row + joined <= total, row, "number of rows");
    first.push(row);
    row += joined;
  }
  const count = first.length;
  const packets: Packets = {
    count,
    first: Int32Array.from([...first, total]),
    step: new Int32Array(count),
    link: new Int32Array(count),
    start: new Float64Array(count),
    end: new Float64Array(count),
  };
  const latest = new Float64Array(network.directed).fill(-1);
  for (let p = 0; p < count; p++) {
    const row = first[p]!;
    const link = network.linkOf(rows.from[row]!, rows.port[row]!);
    needed(link >= 0, row, "port");
    const step = rows.step[row]!;
    const inSteps = data.clock === "steps";
    const [start, end] = inSteps ? [step - 1, step] : [columns.start[row]!, columns.end[row]!];
    needed(start >= 0 && end >= start && (inSteps || end <= data.end), row, "time");
    const judged = data.verdict.accepted || step !== data.verdict.step;
    needed(!judged || start >= latest[link]!, row, "link, which carries another packet then,");
    latest[link] = end;
    packets.step[p] = step;
    packets.link[p] = link;
    packets.start[p] = start;
    packets.end[p] = end;
  }
  return packets;
}

/** Above so many rows the page is given time between the parts of the work. */
const MANY = 2 ** 15;

export async function loadFilm(data: FilmData, allowance: Allowance): Promise<Film> {
  const network = new Network(data.network);
  if (network.directed > MANY) await breath();
  const columns = await columnsOf(data, allowance);
  const rows = absolute(data, network, columns);
  if (rows.step.length > MANY) await breath();
  const packets = packed(data, network, rows, columns);
  const counts =
    data.use === null
      ? null
      : await decodeColumn(data.use.links, data.steps, data.use.deflate ?? true, allowance, "the links in use");
  if (packets.count > MANY) await breath();
  return new Film(data, network, rows, packets, counts);
}
