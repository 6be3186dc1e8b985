// The common axis of one or two films: steps, or nanoseconds. Stops are where stepping stands still: at the middle of
// each step, and between any two times at which something starts or arrives, with packets on their way, so that every
// sentence has its picture.

import { upperBound } from "../kit/numbers";
import { grouped } from "../kit/words";
import type { Film } from "./film";
import { REST } from "./stagger";

/** "step 5" and " of 8", or of ns "500" and " of 800 ns". */
export function countWords(inSteps: boolean, now: number, length: number): [string, string] {
  if (!inSteps) return [grouped(Math.round(now)), ` of ${grouped(Math.round(length))} ns`];
  const within = now > 0 && now < length;
  return [
    `step ${grouped(within ? Math.floor(now) + 1 : Math.min(length, Math.floor(now)))}`,
    ` of ${grouped(length)}`,
  ];
}

export class Axis {
  readonly length: number;
  readonly inSteps: boolean;
  /** The stops in time; for steps they are counted, not listed. */
  readonly #times: number[];

  constructor(private readonly films: readonly Film[]) {
    this.inSteps = films[0]!.inSteps;
    this.length = Math.max(...films.map((film) => this.fromFilm(film, film.length)));
    this.#times = this.inSteps
      ? []
      : between(films.flatMap((film) => film.events().map((time) => this.fromFilm(film, time))));
  }

  /** Time of a film at a time of the axis: never beyond the film's end. */
  toFilm(film: Film, now: number): number {
    if (film.inSteps) return Math.min(now, film.length);
    return Math.min(film.length, Math.round(now * film.data.ticks_per_ns * 1e6) / 1e6);
  }

  fromFilm(film: Film, time: number): number {
    return film.inSteps ? time : time / film.data.ticks_per_ns;
  }

  get stops(): number {
    return this.inSteps ? (this.length === 0 ? 1 : this.length + 2) : this.#times.length;
  }

  time(stop: number): number {
    const k = Math.min(this.stops - 1, Math.max(0, Math.floor(stop)));
    if (!this.inSteps) return this.#times[k] ?? 0;
    if (k === 0) return 0;
    return k > this.length ? this.length : k - 1 + REST;
  }

  /** The stop that a time belongs to. */
  stop(now: number): number {
    if (!this.inSteps) return this.#nearest(now);
    if (now <= 0) return 0;
    return now >= this.length ? this.stops - 1 : Math.floor(now) + 1;
  }

  #nearest(now: number): number {
    const after = upperBound(this.#times, now);
    const [before, next] = [this.#times[after - 1] ?? -Infinity, this.#times[after] ?? Infinity];
    return Math.max(0, now - before <= next - now ? after - 1 : after);
  }

  /** The stop of the nearest beginning of a phase before or after a stop. */
  phase(stop: number, direction: 1 | -1): number {
    const starts = new Set<number>([0, this.stops - 1]);
    for (const film of this.films) {
      for (const { first } of film.data.phases)
        starts.add(this.inSteps ? first : upperBound(this.#times, this.fromFilm(film, first)));
    }
    const sorted = [...starts].sort((a, b) => a - b);
    if (direction > 0) return sorted.find((start) => start > stop) ?? this.stops - 1;
    return sorted.filter((start) => start < stop).at(-1) ?? 0;
  }
}

/** The first and the last time, and in each interval between them a time at which its packets are a little past their
    middles. Intervals far shorter than those in which most time passes are left out: there one packet starts a little
    before another, because times are whole ticks. */
function between(times: readonly number[]): number[] {
  const sorted = [...new Set(times)].sort((a, b) => a - b);
  const [first, last] = [sorted[0] ?? 0, sorted.at(-1) ?? 0];
  const gaps = sorted.slice(1).map((end, i): [number, number] => [sorted[i]!, end - sorted[i]!]);
  const usual = gaps.reduce((sum, [, gap]) => sum + gap * gap, 0) / Math.max(1e-9, last - first);
  return [
    ...new Set([first, ...gaps.filter(([, gap]) => gap > 0.05 * usual).map(([from, gap]) => from + 0.55 * gap), last]),
  ];
}
