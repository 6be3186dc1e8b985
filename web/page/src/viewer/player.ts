// Plays a document: keeps the time and the choices, and lets the whole page show them.

import { Motion, prefersStill } from "../kit/motion";
import { Axis } from "./axis";
import type { ViewDocument } from "./document";
import type { Film } from "./film";
import { isThread, journeyOf, type Journey } from "./journey";
import { PLAIN, type Options, type Selection, type Thread } from "./options";
import type { Replay } from "./replay";
import { firstColour } from "./colouring";

export interface Loaded {
  film: Film;
  /** null: only counts are embedded. */
  replay: Replay | null;
}

/** A view of a player's state. */
export interface Display {
  /** Something that is drawn has changed. */
  show(): void;
}

const STEP_MS = 1400;
const RUN_MS = 12000;
const ONE_STEP_MS = 500;
const SPEEDS = [0.25, 0.5, 1, 2, 4, 8, 16, 32];
/** Above so many steps per second packets cannot be followed. */
const HURRY = 8;
export const DRAWN_NODES = 64;
/** Sums of several blocks are shown one block at a time where a node would have more shares than these in its box. */
const MOST_SHARES = 32;

export class Player {
  readonly axis: Axis;
  now = 0;
  playing = false;
  speed: number;
  journeys: (Journey | null)[] = [];
  readonly options: Options;
  display: Display = { show: () => undefined };
  readonly motion: Motion;
  #goal: { from: number; to: number; left: number } | null = null;
  #beat = 0;

  constructor(
    readonly view: ViewDocument,
    readonly loaded: readonly Loaded[],
  ) {
    this.axis = new Axis(loaded.map(({ film }) => film));
    const minute = this.axis.inSteps ? (this.axis.length * STEP_MS) / 60000 : RUN_MS / 60000;
    this.speed = SPEEDS.find((speed) => speed >= 1 && speed >= minute) ?? SPEEDS.at(-1)!;
    this.options = this.#initial();
    this.motion = new Motion((elapsed) => this.#advance(elapsed));
    const { film, axis } = this;
    const { packets, offending, event } = film;
    // What went wrong is what it opens with.
    if (event)
      this.now = axis.inSteps ? axis.time(event.step) : axis.fromFilm(film, packets.end[offending] ?? film.length);
  }

  get film(): Film {
    return this.loaded[0]!.film;
  }

  get stop(): number {
    return this.axis.stop(this.now);
  }

  get hurried(): boolean {
    return this.playing && this.axis.inSteps && (this.speed * 1000) / STEP_MS > HURRY;
  }

  /** It plays, or goes on to the stop that was asked for. */
  get moving(): boolean {
    return this.playing || this.#goal !== null;
  }

  /** The length of the axis that passes per ms at the chosen speed. */
  get perMs(): number {
    return this.speed * (this.axis.inSteps ? 1 / STEP_MS : this.axis.length / RUN_MS);
  }

  /** Goes to a time of the axis at once. */
  seekTime(time: number): void {
    this.#goal = null;
    this.now = Math.min(this.axis.length, Math.max(0, time));
    this.display.show();
  }

  seek(stop: number): void {
    this.seekTime(this.axis.time(stop));
  }

  /** To a share of the whole; where there are steps, to where stepping would stand still. */
  seekShare(share: number): void {
    const { axis } = this;
    const time = share * axis.length;
    this.seekTime(axis.inSteps ? axis.time(axis.stop(time)) : time);
  }

  /** One stop on or back, shown as a move; a second press ends it at once. */
  step(by: 1 | -1): void {
    this.pause();
    if (this.#goal) {
      this.seekTime(this.#goal.to);
      return;
    }
    const stop = this.stop;
    const here = this.axis.time(stop);
    // From within a step, going back first returns to its middle.
    const off = Math.abs(here - this.now) > 1e-9;
    const next = off && (by < 0 ? here < this.now : here > this.now) ? stop : stop + by;
    const to = this.axis.time(next);
    if (by < 0 || prefersStill() || to === this.now) this.seekTime(to);
    else {
      this.#goal = { from: this.now, to, left: ONE_STEP_MS };
      this.motion.start();
    }
  }

  phase(direction: 1 | -1): void {
    this.pause();
    this.seek(this.axis.phase(this.stop, direction));
  }

  play(): void {
    if (this.now >= this.axis.length) this.now = 0;
    this.#goal = null;
    this.#beat = 0;
    this.playing = this.axis.length > 0;
    this.motion.start();
    this.display.show();
  }

  pause(): void {
    if (!this.playing) return;
    this.playing = false;
    this.motion.stop();
    this.display.show();
  }

  toggle(): void {
    if (this.playing) this.pause();
    else this.play();
  }

  faster(by: 1 | -1, around = false): void {
    const next = SPEEDS.indexOf(this.speed) + by;
    this.speed = SPEEDS[around ? next % SPEEDS.length : Math.min(SPEEDS.length - 1, Math.max(0, next))]!;
    this.display.show();
  }

  select(selection: Selection | null): void {
    this.options.selection = selection;
    this.light(null);
  }

  /** Shows the way of something that is pointed at; null: of what is selected. */
  light(pointed: Thread | null): void {
    const { selection } = this.options;
    const thread = pointed ?? (selection?.what === "packet" ? selection.thread : null);
    this.journeys = this.loaded.map(({ film, replay }) =>
      thread && replay && isThread(film, thread) ? journeyOf(film, thread) : null,
    );
    this.display.show();
  }

  change(options: Partial<Options>): void {
    Object.assign(this.options, options);
    this.display.show();
  }

  flipTable(): void {
    this.change({ table: this.options.table === 0 ? 1 : 0 });
  }

  #advance(elapsed: number): boolean {
    if (this.#goal) return this.#approach(elapsed);
    if (!this.playing) return false;
    if (prefersStill()) return this.#tick(elapsed);
    return this.#arriveAt(this.now + elapsed * this.perMs);
  }

  #approach(elapsed: number): boolean {
    const goal = this.#goal!;
    goal.left -= elapsed;
    if (goal.left <= 0) {
      this.seekTime(goal.to);
      return false;
    }
    this.now = goal.to - ((goal.to - goal.from) * goal.left) / ONE_STEP_MS;
    this.display.show();
    return true;
  }

  /** Without motion: one stop per second. */
  #tick(elapsed: number): boolean {
    this.#beat += elapsed * Math.max(1, this.speed);
    if (this.#beat < 1000) return true;
    this.#beat = 0;
    return this.#arriveAt(this.axis.time(this.stop + 1));
  }

  #arriveAt(time: number): boolean {
    this.now = Math.min(this.axis.length, time);
    if (this.now >= this.axis.length) this.playing = false;
    this.display.show();
    return this.playing;
  }

  #initial(): Options {
    const { film } = this;
    const { nodes, directed } = film.network;
    const { kind, pairs } = film.data.messages;
    const everybody = kind === "moves" ? pairs === "all" : kind === "copies" && !film.single;
    const toAll = kind === "sums" && (film.data.messages.sums!.length > 1 || film.data.messages.sums![0] === null);
    const { layouts } = film.data.network;
    const drawn = nodes <= DRAWN_NODES && layouts.length > 0;
    // All red would say nothing: idle links are shown from the start only where they are few.
    const use = film.use.mean(0, film.length);
    return {
      ...PLAIN,
      colour: firstColour(film),
      show:
        layouts.length > 0 &&
        (everybody ? nodes >= 16 : toAll && film.inSteps && film.blocks > 1 && film.blocks * nodes > MOST_SHARES)
          ? 0
          : -1,
      layout: drawn ? 0 : -1,
      idle:
        film.data.verdict.accepted &&
        film.inSteps &&
        (film.data.bound?.links.length ?? 0) > 0 &&
        use > 0.6 &&
        use < 0.999 &&
        directed <= 192 &&
        !film.data.one_port,
      bound: true,
      gantt: !film.inSteps,
    };
  }
}
