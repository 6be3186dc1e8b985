// The nodes' data after so many packets have arrived. A state is a function of the film and that number: going
// back is never undoing, but playing again from a copy that was kept on the way.

import { Unreadable } from "../kit/columns";
import { LIMITS } from "./document";
import type { Film } from "./film";
import type { Holding } from "./holding";
import { CopiesHolding } from "./holding-copies";
import { MovesHolding } from "./holding-moves";
import { SumsHolding } from "./holding-sums";

/** Copies take at most this many bytes in all. */
const COPIES = 2 ** 25;

/** The nodes' data before the first packet arrives. */
export function firstHolding(film: Film): Holding {
  const { kind } = film.data.messages;
  return kind === "moves"
    ? new MovesHolding(film)
    : kind === "copies"
      ? new CopiesHolding(film)
      : new SumsHolding(film);
}

export class Replay {
  readonly holding: Holding;
  readonly #saved: { at: number; state: unknown }[] = [];
  readonly #interval: number;
  #at = 0;

  constructor(
    private readonly film: Film,
    units: number,
  ) {
    this.holding = firstHolding(film);
    const copies = Math.min(256, Math.max(4, Math.floor(COPIES / (units * 4 + 1))));
    this.#interval = Math.max(64, Math.ceil(film.packets.count / copies));
    this.#saved.push({ at: 0, state: this.holding.save() });
    this.goTo(film.packets.count);
  }

  /** The state after the first `count` packets that arrive. */
  goTo(count: number): void {
    if (count < this.#at) {
      const copy = this.#saved.filter(({ at }) => at <= count).at(-1)!;
      this.holding.restore(copy.state);
      this.#at = copy.at;
    }
    while (this.#at < count) {
      const packet = this.film.order[this.#at]!;
      try {
        this.holding.arrive(packet);
      } catch (reason) {
        const row = this.film.packets.first[packet]! + 1;
        throw new Unreadable(`row ${row}: ${(reason as Error).message}`);
      }
      this.#at++;
      if (this.#at - this.#saved.at(-1)!.at >= this.#interval)
        this.#saved.push({ at: this.#at, state: this.holding.save() });
    }
  }
}

/** The number of units of the film's messages, checked before anything is sized by it. */
export function unitsOf(film: Film): number {
  const { messages } = film.data;
  const nodes = film.network.nodes;
  let count: number;
  if (messages.kind === "moves") {
    const { pairs } = messages;
    count = (Array.isArray(pairs) ? pairs.length / 2 : pairs === "all" ? nodes * nodes : nodes) * messages.parts;
  } else if (messages.kind === "copies")
    count = nodes * (messages.origins === "all" ? nodes : messages.origins!.length) * messages.parts;
  else count = nodes * messages.sums!.length * messages.parts;
  if (!(count <= LIMITS.units))
    throw new Unreadable(`its messages have ${count} parts in all: more than a page can keep`);
  return count;
}
