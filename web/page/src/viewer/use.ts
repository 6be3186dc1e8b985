// The number of busy links over time: the bars of the time line.

import { upperBound } from "../kit/numbers";

/** The times at which packets are sent and arrive. */
interface Times {
  count: number;
  step: Int32Array;
  start: Float64Array;
  end: Float64Array;
}

export class Use {
  private constructor(
    /** Times at which the number of busy links changes, in order. */
    private readonly times: Float64Array,
    /** Busy links from that time on. */
    private readonly busy: Float64Array,
    /** Busy links times time, up to that time. */
    private readonly area: Float64Array,
    readonly links: number,
  ) {}

  static ofCounts(counts: Float64Array, length: number, links: number): Use {
    const changes: [number, number][] = [];
    for (let step = 0; step < length; step++) {
      changes.push([step, (counts[step] ?? 0) - (step > 0 ? (counts[step - 1] ?? 0) : 0)]);
    }
    changes.push([length, -(counts[length - 1] ?? 0)]);
    return Use.#ofChanges(changes, links);
  }

  static ofPackets(packets: Times, length: number, links: number, clock: "steps" | "time"): Use {
    if (clock === "steps") {
      const counts = new Float64Array(length);
      for (let p = 0; p < packets.count; p++) counts[packets.step[p]! - 1]!++;
      return Use.ofCounts(counts, length, links);
    }
    const changes: [number, number][] = [];
    for (let p = 0; p < packets.count; p++) changes.push([packets.start[p]!, 1], [packets.end[p]!, -1]);
    changes.sort((a, b) => a[0] - b[0]);
    return Use.#ofChanges(changes, links);
  }

  static #ofChanges(changes: readonly [number, number][], links: number): Use {
    const times: number[] = [];
    const busy: number[] = [];
    const area: number[] = [];
    let now = 0;
    let sum = 0;
    for (const [time, change] of changes) {
      const before = times.at(-1);
      if (before !== time) {
        if (before !== undefined) sum += now * (time - before);
        times.push(time);
        area.push(sum);
        busy.push(now);
      }
      now += change;
      busy[busy.length - 1] = now;
    }
    return new Use(Float64Array.from(times), Float64Array.from(busy), Float64Array.from(area), links);
  }

  /** Links that are busy at `now`; before the start none is. */
  at(now: number): number {
    const i = now > 0 ? this.#before(now) : -1;
    return i < 0 ? 0 : this.busy[i]!;
  }

  /** Share of the links in use between two times, 0..1. */
  mean(from: number, to: number): number {
    if (this.links === 0 || to <= from) return 0;
    return (this.#upTo(to) - this.#upTo(from)) / (to - from) / this.links;
  }

  #upTo(time: number): number {
    const i = this.#before(time);
    return i < 0 ? 0 : this.area[i]! + this.busy[i]! * (time - this.times[i]!);
  }

  #before(time: number): number {
    return upperBound(this.times, time) - 1;
  }
}
