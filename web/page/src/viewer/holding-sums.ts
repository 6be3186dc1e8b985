// Partial sums: the nodes whose shares are in the sum that a node holds, for every sum and part. As the judge does: a set
// that is disjoint from the receiver's is united with it, a superset replaces it, a subset changes nothing, all else is
// refused.

import { Unreadable } from "../kit/columns";
import type { Film } from "./film";
import type { Holding } from "./holding";

type Members = Uint32Array;

/** Sets of nodes, each kept once under a number. */
class Sets {
  readonly #known = new Map<string, number>();
  readonly #unions = new Map<number, number>();
  readonly members: Members[] = [];
  readonly sizes: number[] = [];
  readonly #words: number;

  constructor(nodes: number) {
    this.#words = Math.ceil(nodes / 32);
  }

  of(nodes: Iterable<number>): number {
    const members = new Uint32Array(this.#words);
    for (const node of nodes) members[node >> 5]! |= 1 << (node & 31);
    return this.#keep(members);
  }

  has(set: number, node: number): boolean {
    return ((this.members[set]![node >> 5]! >>> (node & 31)) & 1) === 1;
  }

  /** Whether all members of one set are in the other. */
  contains(set: number, other: number): boolean {
    const [all, few] = [this.members[set]!, this.members[other]!];
    return few.every((word, i) => (word & ~all[i]!) === 0);
  }

  /** The shares that a node with `mine` has when `other` comes: in one sum, or in several that it keeps apart. */
  combine(mine: number, other: number): number {
    if (mine === other) return mine;
    const key = mine * 2 ** 26 + other;
    const known = this.#unions.get(key);
    if (known !== undefined) return known;
    const [a, b] = [this.members[mine]!, this.members[other]!];
    const result = this.#keep(a.map((word, i) => word | b[i]!));
    this.#unions.set(key, result);
    return result;
  }

  #keep(members: Members): number {
    const key = members.join();
    const known = this.#known.get(key);
    if (known !== undefined) return known;
    const set = this.members.push(members) - 1;
    this.#known.set(key, set);
    let size = 0;
    for (let word of members) for (; word !== 0; word &= word - 1) size++;
    this.sizes.push(size);
    return set;
  }
}

export class SumsHolding implements Holding {
  readonly #sets: Sets;
  readonly #nodes: number;
  readonly #sums: readonly (number | null)[];
  readonly #parts: number;
  /** Parts of every sum. */
  readonly #lengths: readonly number[];
  readonly #state: Int32Array;
  /** The set of every row, as a number of `sets`. */
  readonly #rowSet: Int32Array;
  /** By node: the nodes whose shares are in its sum. */
  readonly #terms: readonly number[];

  constructor(private readonly film: Film) {
    this.#nodes = film.network.nodes;
    this.#sums = film.data.messages.sums!;
    this.#parts = film.data.messages.parts;
    this.#lengths = this.#sums.map((_, sum) => film.data.messages.lengths?.[sum] ?? this.#parts);
    this.#sets = new Sets(this.#nodes);
    this.#state = new Int32Array(this.#nodes * this.#sums.length * this.#parts);
    const each = this.#sums.length * this.#parts;
    for (let node = 0; node < this.#nodes; node++)
      this.#state.fill(this.#sets.of(film.network.switches.has(node) ? [] : [node]), node * each, (node + 1) * each);
    this.#rowSet = this.#rowSets();
    this.#terms = this.#termsOfAll();
  }

  arrive(packet: number): void {
    const { rows, packets } = this.film;
    const to = this.film.to(packet);
    for (let row = packets.first[packet]!; row < packets.first[packet + 1]!; row++) {
      for (let part = rows.part[row]!; part < rows.part[row]! + rows.count[row]!; part++) {
        const unit = this.#unit(to, rows.target[row]!, part);
        this.#state[unit] = this.#sets.combine(this.#state[unit]!, this.#rowSet[row]!);
      }
    }
  }

  save(): unknown {
    return this.#state.slice();
  }

  restore(saved: unknown): void {
    this.#state.set(saved as Int32Array);
  }

  /** Units that are whole sums (of scans, of all before the node), of those that the node needs. */
  got(node: number): number {
    let count = 0;
    this.#sums.forEach((target, sum) => {
      if (target !== null && target !== node) return;
      for (let part = 0; part < this.#lengths[sum]!; part++)
        if (this.#sets.contains(this.#state[this.#unit(node, sum, part)]!, this.#terms[node]!)) count++;
    });
    return count;
  }

  due(node: number): number {
    if (this.film.network.lacks(node) || this.film.network.switches.has(node)) return 0;
    return this.#sums.reduce<number>(
      (due, target, sum) => due + (target === null || target === node ? this.#lengths[sum]! : 0),
      0,
    );
  }

  kept(): number {
    return 0;
  }

  /** The number of shares in the part of the sum that `node` holds. */
  terms(node: number, sum: number, part: number): number {
    return this.#sets.sizes[this.#state[this.#unit(node, sum, part)]!]!;
  }

  includes(node: number, sum: number, part: number, member: number): boolean {
    return this.#sets.has(this.#state[this.#unit(node, sum, part)]!, member);
  }

  /** The nodes whose shares are in the sum that a row carries. */
  rowIncludes(row: number, member: number): boolean {
    return this.#sets.has(this.#rowSet[row]!, member);
  }

  /** The sum that is shown in a node's box: its own, or the first. */
  shown(node: number): number {
    return Math.max(0, this.#sums.indexOf(node));
  }

  cell(node: number, cell: number): number {
    const sum = this.shown(node);
    let count = 0;
    const parts = this.#lengths[sum]!;
    for (let part = 0; part < parts; part++) if (this.includes(node, sum, part, cell)) count++;
    return parts > 0 ? count / parts : 0;
  }

  /** Whether a member's share is in the node's part of one block: a sum of its own, or a part of the one sum. */
  cellOfBlock(node: number, block: number, cell: number): number {
    return Number(this.#sums.length > 1 ? this.includes(node, block, 0, cell) : this.includes(node, 0, block, cell));
  }

  #unit(node: number, sum: number, part: number): number {
    return (node * this.#sums.length + sum) * this.#parts + part;
  }

  #termsOfAll(): number[] {
    const members = [...this.film.network.members].sort((a, b) => a - b);
    const { terms, groups } = this.film.data.messages;
    const everybody = this.#sets.of(members);
    return Array.from({ length: this.#nodes }, (_, node) => {
      if (terms === undefined && groups === undefined) return everybody;
      const counts = (member: number): boolean =>
        terms === undefined || member < node || (member === node && terms === "up-to");
      return this.#sets.of(members.filter((member) => groups?.[member] === groups?.[node] && counts(member)));
    });
  }

  #rowSets(): Int32Array {
    const { rows, data, network } = this.film;
    const known = new Map<number, number>();
    return Int32Array.from(rows.set, (index, row) => {
      const sender = rows.from[row]!;
      const key = index * this.#nodes + sender;
      const found = known.get(key);
      if (found !== undefined) return found;
      const ranges = data.sets?.[index] ?? [];
      const set = this.#sets.of(this.#membersOf(ranges, sender, network.absolute.bind(network)));
      known.set(key, set);
      return set;
    });
  }

  *#membersOf(
    ranges: readonly number[],
    sender: number,
    absolute: (value: number, sender: number) => number,
  ): Iterable<number> {
    for (let i = 0; i + 1 < ranges.length; i += 2) {
      const [low, high] = [ranges[i]!, ranges[i + 1]!];
      if (!(low >= 0 && high < this.#nodes && Number.isInteger(low) && Number.isInteger(high)))
        throw new Unreadable("a set of a sum is wrong");
      for (let value = low; value <= high; value++) yield absolute(value, sender);
    }
  }
}
