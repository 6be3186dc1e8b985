// Messages of which every node gets a copy.

import { range } from "../kit/numbers";
import type { Film } from "./film";
import type { Holding } from "./holding";

export class CopiesHolding implements Holding {
  readonly origins: readonly number[];
  readonly #parts: number;
  /** Parts of every message. */
  readonly #lengths: readonly number[];
  readonly #index = new Map<number, number>();
  readonly #has: Uint8Array;
  readonly #gotAt: Int32Array;

  constructor(private readonly film: Film) {
    const { nodes } = film.network;
    const { origins, parts, lengths } = film.data.messages;
    this.origins = origins === "all" ? range(nodes) : origins!;
    this.origins.forEach((origin, i) => this.#index.set(origin, i));
    this.#parts = parts;
    this.#lengths = this.origins.map((_, i) => lengths?.[i] ?? parts);
    this.#has = new Uint8Array(nodes * this.origins.length * parts);
    this.#gotAt = new Int32Array(nodes);
    this.origins.forEach((origin, i) => {
      const unit = this.#unit(origin, i, 0);
      this.#has.fill(1, unit, unit + this.#lengths[i]!);
      this.#gotAt[origin]! += this.#lengths[i]!;
    });
  }

  arrive(packet: number): void {
    const { rows, packets } = this.film;
    const [from, to] = [this.film.from(packet), this.film.to(packet)];
    for (let row = packets.first[packet]!; row < packets.first[packet + 1]!; row++) {
      const i = this.#index.get(rows.origin[row]!);
      if (i === undefined) throw new Error("there is no such message");
      for (let part = rows.part[row]!; part < rows.part[row]! + rows.count[row]!; part++) {
        if (!this.#has[this.#unit(from, i, part)]) {
          if (this.film.judged(packet)) throw new Error("its sender does not hold it");
          continue;
        }
        const unit = this.#unit(to, i, part);
        if (!this.#has[unit]) this.#gotAt[to]!++;
        this.#has[unit] = 1;
      }
    }
  }

  save(): unknown {
    return [this.#has.slice(), this.#gotAt.slice()];
  }

  restore(saved: unknown): void {
    const [has, got] = saved as [Uint8Array, Int32Array];
    this.#has.set(has);
    this.#gotAt.set(got);
  }

  got(node: number): number {
    return this.#gotAt[node]!;
  }

  due(node: number): number {
    if (this.film.network.lacks(node) || this.film.network.switches.has(node)) return 0;
    const { groups } = this.film.data.messages;
    const isMeant = (origin: number) => !groups || groups[origin] === groups[node];
    return this.#lengths.reduce((sum, length, i) => (isMeant(this.origins[i]!) ? sum + length : sum), 0);
  }

  kept(): number {
    return 0;
  }

  holds(node: number, origin: number, part: number): boolean {
    const i = this.#index.get(origin);
    return i !== undefined && this.#has[this.#unit(node, i, part)] === 1;
  }

  /** Share of the origin's message that the node has. */
  share(node: number, origin: number): number {
    const i = this.#index.get(origin);
    if (i === undefined) return -1;
    return this.#stretch(node, i, 0, this.#lengths[i]!);
  }

  cell(node: number, cell: number): number {
    const { count } = this.film.data.cells;
    if (this.origins.length > 1) return this.share(node, cell);
    const from = Math.floor((cell * this.#parts) / count);
    return this.#stretch(node, 0, from, Math.max(from + 1, Math.floor(((cell + 1) * this.#parts) / count)));
  }

  #stretch(node: number, i: number, from: number, to: number): number {
    let sum = 0;
    for (let part = from; part < to; part++) sum += this.#has[this.#unit(node, i, part)]!;
    return to > from ? sum / (to - from) : 0;
  }

  #unit(node: number, i: number, part: number): number {
    return (node * this.origins.length + i) * this.#parts + part;
  }
}
