// A schedule that is being made: the steps that are over, the moves of the one that comes, and all that was there before,
// for undo.

import type { Network } from "../viewer/network";
import { countOf, firstOf, isWrong, messageOf, Position, type Move, type Task, type Wrong } from "./rules";

interface Moment {
  readonly steps: readonly (readonly Move[])[];
  readonly moves: readonly Move[];
}

/** A packet that could go over a link. */
export interface Offer {
  readonly packet: number;
  /** The receiver needs it, or it comes nearer to a node that does. */
  readonly useful: boolean;
}

/** The hops that one tap schedules. */
export type Images = (move: Move) => Move[];
const alone: Images = (move) => [move];

const MOST_STEPS = 1000;
const EMPTY: Moment = { steps: [], moves: [] };

export class Game {
  #moment: Moment = EMPTY;
  #past: Moment[] = [];
  #positions: Position[];
  /** The judge's finding when the step was to end. */
  wrong: Wrong | null = null;

  constructor(
    readonly task: Task,
    readonly network: Network,
  ) {
    this.#positions = [Position.first(task)];
  }

  get steps(): Moment["steps"] {
    return this.#moment.steps;
  }

  get moves(): Moment["moves"] {
    return this.#moment.moves;
  }

  /** Before the step that is being made, or before an earlier one. */
  position(step = this.steps.length): Position {
    return this.#positions[step]!;
  }

  get complete(): boolean {
    return this.position().complete;
  }

  /** Packets sent, those of the step that is being made too. */
  get sent(): number {
    return this.steps.flat().length + this.moves.length;
  }

  get canUndo(): boolean {
    return this.#past.length > 0;
  }

  on(link: number): Move[] {
    return this.moves.filter((move) => move.link === link);
  }

  /**
   * Puts the packet on the link, in place of another one, or takes it off; `everybody`: a hop's images at all nodes, where
   * all do the same.
   */
  toggle(move: Move, everybody: Images = alone): void {
    if (this.complete) return;
    const there = this.on(move.link).some(({ packet }) => packet === move.packet);
    this.#put(move.link, there ? null : move, everybody);
  }

  /** The packets that a tap may mean: the useful ones, or all if none is. */
  candidates(link: number): Offer[] {
    const offers = this.offers(link);
    const useful = offers.filter((offer) => offer.useful);
    return useful.length > 0 ? useful : offers;
  }

  /**
   * A tap of a person who chooses: the only candidate is put on the link. Of several none is: "choose". Another tap takes
   * off what is there; `open`: the link's choice is shown already.
   */
  tap(link: number, open: boolean, everybody: Images = alone): Move | "choose" | null {
    if (this.complete) return null;
    const candidates = this.candidates(link);
    if (this.on(link).length > 0) {
      if (!open && this.offers(link).length > 1) return "choose";
      return this.#put(link, null, everybody);
    }
    if (candidates.length > 1) return "choose";
    return this.#put(link, { link, packet: candidates[0]!.packet }, everybody);
  }

  /** A tap that leaves the choice to the page: the most useful packet, then the next one, then none. */
  next(link: number, everybody: Images = alone): Move | null {
    if (this.complete) return null;
    const offers = this.offers(link).filter(({ useful }, i) => useful || i === 0);
    const there = this.on(link);
    const next = there.length === 0 ? 0 : offers.findIndex(({ packet }) => packet === there.at(-1)!.packet) + 1;
    const packet = there.length > 0 && next === 0 ? undefined : offers[next]?.packet;
    return this.#put(link, packet === undefined ? null : { link, packet }, everybody);
  }

  /** A link carries one packet: what was there, and on its images, is taken off. */
  #put(link: number, move: Move | null, everybody: Images): Move | null {
    const images = everybody(move ?? { link, packet: 0 });
    const links = new Set(images.map((one) => one.link));
    const others = this.moves.filter((one) => !links.has(one.link));
    this.#change({ ...this.#moment, moves: move ? [...others, ...images] : others });
    return move;
  }

  /** Judges the moves; if they are right the step is over. */
  end(): boolean {
    if (this.complete) return false;
    const next = this.position().after(this.moves);
    this.wrong = isWrong(next) ? next : null;
    if (isWrong(next) || this.steps.length >= MOST_STEPS) return false;
    this.#change({ steps: [...this.steps, this.moves], moves: [] });
    return true;
  }

  undo(): void {
    const before = this.#past.pop();
    if (before) this.#set(before);
  }

  again(): void {
    if (this.sent > 0 || this.steps.length > 0) this.#change(EMPTY);
  }

  /** The packets that may go over a link, the most useful first: those that its sender has, or else one that it lacks. */
  offers(link: number): Offer[] {
    const { task } = this;
    const [from, to] = [task.links.from[link]!, task.links.to[link]!];
    const position = this.position();
    const found: (Offer & { rank: number })[] = [];
    for (let packet = 0; packet < countOf(task); packet++) {
      const message = messageOf(task, packet);
      if (!position.has(from, packet) || task.messages.origin[message] === task.messages.target[message]) continue;
      const rank = this.#use(position, packet, from, to);
      found.push({ packet, useful: rank !== null, rank: rank ?? Infinity });
    }
    if (found.length > 0) return found.sort((a, b) => a.rank - b.rank || a.packet - b.packet);
    const coming = this.moves.find((move) => task.links.to[move.link] === from);
    const { origin, target } = task.messages;
    const some = target.findIndex((node, message) => node === to || (node >= 0 && origin[message] !== node));
    const other = Math.min(firstOf(task, Math.max(0, some)), countOf(task) - 1);
    return [{ packet: coming?.packet ?? other, useful: false }];
  }

  /** The less the more useful; null: useless. */
  #use(position: Position, packet: number, from: number, to: number): number | null {
    const { task, network } = this;
    const { kind, target } = task.messages;
    const goal = target[messageOf(task, packet)]!;
    const incoming = this.moves.some(
      (move) => move.packet === packet && task.links.to[move.link] === to && task.links.from[move.link] !== from,
    );
    if (kind === "copies") {
      if (position.has(to, packet) || incoming) return null;
      return [...task.links.members].filter((node) => position.has(node, packet)).length;
    }
    const [here, there] = [network.distanceTo(goal)[from]!, network.distanceTo(goal)[to]!];
    const left = this.#passed(packet, from);
    if (left || there >= here || from === goal) return null;
    if (kind === "sums") return (position.held(from, packet) & position.held(to, packet)) === 0n ? -here : null;
    return position.has(to, packet) || incoming || this.#onItsWay(packet, from, to) ? null : -here;
  }

  /** Whether the node has sent the packet in an earlier step, and has not got it since. */
  #passed(packet: number, node: number): boolean {
    const { from, to } = this.task.links;
    for (const moves of [...this.steps].reverse()) {
      if (moves.some((move) => move.packet === packet && to[move.link] === node)) return false;
      if (moves.some((move) => move.packet === packet && from[move.link] === node)) return true;
    }
    return false;
  }

  /** Whether it leaves the node over another link in this very step. */
  #onItsWay(packet: number, node: number, to: number): boolean {
    return this.moves.some(
      (move) =>
        move.packet === packet && this.task.links.from[move.link] === node && this.task.links.to[move.link] !== to,
    );
  }

  /** The schedule in an address: steps end with "__", moves are "node p port . packet". */
  get text(): string {
    return this.textOf([...this.steps, this.moves]);
  }

  textOf(steps: readonly (readonly Move[])[]): string {
    const { from, port } = this.task.links;
    const words = (moves: readonly Move[]): string =>
      moves.map(({ link, packet }) => `${from[link]}p${port[link]}${packet > 0 ? `.${packet}` : ""}`).join("_");
    return steps.map(words).join("__");
  }

  /** Takes the schedule of an address; moves that cannot be, and all behind them, are left out. */
  restore(text: string, everybody: Images = alone): void {
    if (text === this.text) return;
    this.#past = [];
    this.#set(EMPTY);
    const parts = text.split("__").slice(0, MOST_STEPS + 1);
    parts.forEach((part, i) => {
      if (this.steps.length !== i) return;
      for (const word of part.split("_")) {
        const [, node, port, packet] = /^(\d{1,2})p(\d{1,2})(?:\.(\d{1,7}))?$/.exec(word) ?? [];
        const link =
          node === undefined || Number(node) >= this.network.nodes
            ? -1
            : this.network.linkOf(Number(node), Number(port));
        const move = { link, packet: Number(packet ?? 0) };
        if (link >= 0 && move.packet < countOf(this.task) && !this.on(link).some((one) => one.packet === move.packet))
          this.toggle(move, everybody);
      }
      if (i + 1 < parts.length) this.end();
    });
    this.#past = [];
  }

  #change(moment: Moment): void {
    this.#past.push(this.#moment);
    this.#set(moment);
  }

  #set(moment: Moment): void {
    this.wrong = null;
    const same = moment.steps.findIndex((moves, i) => moves !== this.steps[i]);
    this.#positions.length =
      1 +
      (same < 0
        ? Math.min(moment.steps.length, this.#positions.length - 1)
        : Math.min(same, this.#positions.length - 1));
    for (let step = this.#positions.length - 1; step < moment.steps.length; step++)
      this.#positions.push(this.#positions[step]!.after(moment.steps[step]!) as Position);
    this.#moment = moment;
  }
}
