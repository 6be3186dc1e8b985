// Blocks that are in one place each. An algorithm that sends one message may send copies of a part over several ways:
// then a part can be in more places, and stays where it belongs once it is there.

import type { Film } from "./film";
import type { Holding } from "./holding";

class Moves {
  readonly origin: Int32Array;
  readonly target: Int32Array;
  readonly parts: Int32Array;
  /** First unit of every message. */
  readonly first: Int32Array;
  readonly #index = new Map<number, number>();
  readonly #all: boolean;
  /** Parts may be copied, as where the messages are listed one by one. */
  readonly listed: boolean;

  constructor(film: Film) {
    const { pairs, parts, lengths } = film.data.messages;
    const nodes = film.network.nodes;
    const list: number[] = [];
    this.#all = pairs === "all";
    this.listed = Array.isArray(pairs) || film.data.messages.copied === true;
    if (Array.isArray(pairs)) list.push(...pairs);
    else if (typeof pairs === "object") {
      for (let node = 0; node < nodes; node++) list.push(...("from" in pairs ? [pairs.from, node] : [node, pairs.to]));
    }
    const count = this.#all ? nodes * nodes : list.length / 2;
    this.origin = Int32Array.from({ length: count }, (_, m) => (this.#all ? Math.floor(m / nodes) : list[2 * m]!));
    this.target = Int32Array.from({ length: count }, (_, m) => (this.#all ? m % nodes : list[2 * m + 1]!));
    this.parts = Int32Array.from({ length: count }, (_, m) => lengths?.[m] ?? parts);
    this.first = new Int32Array(count + 1);
    for (let m = 0; m < count; m++) {
      this.first[m + 1] = this.first[m]! + this.parts[m]!;
      if (!this.#all) this.#index.set(this.origin[m]! * nodes + this.target[m]!, m);
    }
    this.#nodes = nodes;
  }

  readonly #nodes: number;

  /** The message from `origin` to `target`, or -1. */
  of(origin: number, target: number): number {
    const key = origin * this.#nodes + target;
    return this.#all ? key : (this.#index.get(key) ?? -1);
  }
}

export class MovesHolding implements Holding {
  readonly messages: Moves;
  /** The node that every unit is at; its target if it is there too. */
  readonly where: Int32Array;
  /** The other nodes of units: unit * nodes + node. */
  #copies = new Set<number>();
  readonly #dueAt: Int32Array;
  readonly #gotAt: Int32Array;
  readonly #keptAt: Int32Array;
  readonly #ownAt: Int32Array;
  #expected: number[][] | undefined;

  constructor(private readonly film: Film) {
    const { nodes } = film.network;
    const { origin, target, parts, first } = (this.messages = new Moves(film));
    this.where = new Int32Array(first.at(-1)!);
    [this.#dueAt, this.#gotAt, this.#keptAt, this.#ownAt] = [0, 0, 0, 0].map(() => new Int32Array(nodes)) as [
      Int32Array,
      Int32Array,
      Int32Array,
      Int32Array,
    ];
    for (let m = 0; m < origin.length; m++) {
      this.where.fill(origin[m]!, first[m]!, first[m + 1]!);
      this.#dueAt[target[m]!]! += parts[m]!;
      (origin[m] === target[m] ? this.#gotAt : this.#ownAt)[origin[m]!]! += parts[m]!;
    }
  }

  arrive(packet: number): void {
    const { rows, packets } = this.film;
    const [from, to] = [this.film.from(packet), this.film.to(packet)];
    for (let row = packets.first[packet]!; row < packets.first[packet + 1]!; row++) {
      const [origin, target] = [rows.origin[row]!, rows.target[row]!];
      const m = this.messages.of(origin, target);
      const [part, count] = [rows.part[row]!, rows.count[row]!];
      if (m < 0 || part + count > this.messages.parts[m]!) throw new Error("there is no such block");
      const unit = this.messages.first[m]! + part;
      for (let u = unit; u < unit + count; u++) {
        if (!this.messages.listed && this.where[u] !== from) {
          if (this.film.judged(packet)) throw new Error("its sender does not hold it");
          continue;
        }
        if (from !== target && this.#leave(u, from)) this.#counter(from, origin, target)[from]!--;
        if (this.#reach(u, to, target)) this.#counter(to, origin, target)[to]!++;
      }
    }
  }

  #leave(unit: number, node: number): boolean {
    if (this.where[unit] !== node) return this.#copies.delete(unit * this.film.network.nodes + node);
    this.where[unit] = -1;
    return true;
  }

  #reach(unit: number, node: number, target: number): boolean {
    const { nodes } = this.film.network;
    if (this.#has(unit, node)) return false;
    const there = this.where[unit]!;
    if (there < 0 || node === target) this.where[unit] = node;
    const other = this.where[unit] === node ? there : node;
    if (other >= 0) this.#copies.add(unit * nodes + other);
    return true;
  }

  #has(unit: number, node: number): boolean {
    return (
      this.where[unit] === node || (this.messages.listed && this.#copies.has(unit * this.film.network.nodes + node))
    );
  }

  save(): unknown {
    return [
      new Set(this.#copies),
      ...[this.where, this.#gotAt, this.#keptAt, this.#ownAt].map((array) => array.slice()),
    ];
  }

  restore(saved: unknown): void {
    const [copies, ...arrays] = saved as [Set<number>, ...Int32Array[]];
    this.#copies = new Set(copies);
    [this.where, this.#gotAt, this.#keptAt, this.#ownAt].forEach((array, i) => array.set(arrays[i]!));
  }

  got(node: number): number {
    return this.#gotAt[node]!;
  }

  due(node: number): number {
    return this.#dueAt[node]!;
  }

  kept(node: number): number {
    return this.#keptAt[node]!;
  }

  /** Units of its own that have not left yet. */
  own(node: number): number {
    return this.#ownAt[node]!;
  }

  /** Parts of message `m` that are at `node`. */
  partsAt(m: number, node: number): number {
    let count = 0;
    for (let u = this.messages.first[m]!; u < this.messages.first[m + 1]!; u++) if (this.#has(u, node)) count++;
    return count;
  }

  cell(node: number, cell: number): number {
    const { count } = this.film.data.cells;
    if (count === this.film.network.nodes) {
      const m = this.cellMessage(node, cell);
      return m < 0 || this.messages.parts[m] === 0 ? -1 : this.partsAt(m, node) / this.messages.parts[m]!;
    }
    const units = this.#unitsFor(node);
    // Fewer cells than units: each cell stands for a stretch of them.
    const [from, to] = [Math.floor((cell * units.length) / count), Math.floor(((cell + 1) * units.length) / count)];
    if (units.length === 0) return -1;
    const stretch = to > from ? units.slice(from, to) : units.slice(cell, cell + 1);
    if (stretch.length === 0) return -1;
    return stretch.filter((u) => this.#has(u, node)).length / stretch.length;
  }

  /** With one cell per node: every target's block of a scatter, every origin's of a gather, else those for the node. */
  cellMessage(node: number, cell: number): number {
    const { pairs } = this.film.data.messages;
    if (typeof pairs !== "object" || Array.isArray(pairs)) return this.messages.of(cell, node);
    return "from" in pairs ? this.messages.of(pairs.from, cell) : this.messages.of(cell, pairs.to);
  }

  #unitsFor(node: number): number[] {
    if (!this.#expected) {
      this.#expected = Array.from({ length: this.film.network.nodes }, () => []);
      this.messages.target.forEach((target, m) => {
        for (let u = this.messages.first[m]!; u < this.messages.first[m + 1]!; u++) this.#expected![target]!.push(u);
      });
    }
    return this.#expected[node]!;
  }

  #counter(node: number, origin: number, target: number): Int32Array {
    return node === target ? this.#gotAt : node === origin ? this.#ownAt : this.#keptAt;
  }
}
