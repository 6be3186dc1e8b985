// The network on its way to the picture of its bound: a scene between two, and what is drawn on it beside the network.

import { leastText } from "../kit/theme";
import { range } from "../kit/numbers";
import { Track, type Points } from "../kit/track";
import { Scene, type Given, type Sizes } from "../viewer/scene";
import { goalOf, SAMPLES, type Goal } from "./goal";
import type { BoundPicture } from "./picture";

/** The distance of the first of a queue from the cut, in radii. */
const HEAD = 1.6;

export interface Gate {
  link: number;
  /** From the sender to the receiver. */
  whole: Track;
  /** The share of it at which the first of the queue waits. */
  head: number;
}

export class PulledScene extends Scene {
  readonly gates: Gate[] = [];
  readonly queued: number;

  constructor(
    readonly base: Scene,
    readonly goal: Goal,
    readonly share: number,
    middles: readonly Points[],
  ) {
    super(base.film, base.layout, base.width, base.height, base.present, given(base, goal, share, middles));
    this.queued = this.radius;
    if (goal.cut === null) return;
    for (const link of goal.gates) {
      const whole = this.lanes[link]!;
      const [start, end] = [whole.at(0).x, whole.at(1).x];
      const reach = (goal.cut - this.radius * HEAD - start) / (end - start);
      const head = Number.isFinite(reach) ? Math.min(0.9, Math.max(0.05, reach)) : 0.5;
      this.gates.push({ link, whole, head });
      // Crossing packets come out of the queue.
      this.lanes[link] = new Track([whole.between(share * head, 1)]);
    }
    this.queued = this.#queuedRadius();
  }

  /** Radius of a waiting packet: smaller than that of one on its way where many wait, or gates are near each other. */
  #queuedRadius(): number {
    const heads = this.gates.map(({ whole, head }) => whole.at(head).y);
    const between = heads.length > 1 ? (Math.max(...heads) - Math.min(...heads)) / (heads.length - 1) : Infinity;
    const room = Math.min(
      ...this.gates.map(({ link, whole, head }) => (head * whole.length) / this.film.onLink(link).length),
    );
    return Math.min(this.radius, Math.max(2.6, between * 0.45), Math.max(this.numbered + 0.1, room / 2 - 1));
  }

  override get binding(): readonly number[] {
    return this.goal.gates.length > 0 ? this.goal.gates : super.binding;
  }

  /** Packets that need not cross are faint. */
  override opacityOn(link: number): number {
    return this.goal.cut === null || this.goal.gates.includes(link) ? 1 : 1 - 0.75 * this.share;
  }
}

const mixed = (a: number, b: number, share: number): number => a + (b - a) * share;

function given(base: Scene, goal: Goal, share: number, middles: readonly Points[]): Given {
  const { fitted } = base;
  const part = mixed(1, goal.scale, share);
  const { side, boxWidth, boxHeight, cell, label } = base.sizes;
  const sizes: Sizes = {
    side: side * part,
    boxWidth: boxWidth * part,
    boxHeight: boxHeight * part,
    cell: cell * part,
    label: Math.min(label, Math.max(10, leastText(), label * part * 1.2)),
  };
  const x = fitted.x.map((from, node) => mixed(from, goal.x[node]!, share));
  const y = fitted.y.map((from, node) => mixed(from, goal.y[node]!, share));
  const { from, to } = base.film.network;
  return {
    fitted: { ...fitted, x, y, variant: { ...fitted.variant, stubs: [] } },
    sizes,
    late: base.late,
    middles: range(base.film.network.directed / 2).map((link) => {
      const [u, v] = [from[2 * link]!, to[2 * link]!];
      const [before, after] = [middles[link]!, goal.arcs.get(link)];
      if (before.length === 4 && !after) return [[x[u]!, y[u]!, x[v]!, y[v]!]];
      const points: Points = [];
      for (let i = 0; i <= SAMPLES; i++)
        for (const [j, values] of [goal.x, goal.y].entries()) {
          const straight = mixed(values[u]!, values[v]!, i / SAMPLES);
          points.push(
            mixed(
              before.length === 4 ? mixed(before[j]!, before[2 + j]!, i / SAMPLES) : before[2 * i + j]!,
              after?.[2 * i + j] ?? straight,
              share,
            ),
          );
        }
      return [points];
    }),
  };
}

/** The links of the network as so many points that they can be mixed; those that leave the drawing are straight. */
function sampled(base: Scene): Points[] {
  const { from, to } = base.film.network;
  return base.middles.map((pieces, link) => {
    const [u, v] = [from[2 * link]!, to[2 * link]!];
    const [points] = pieces;
    if (pieces.length > 1 || points!.length === 4)
      return [base.fitted.x[u]!, base.fitted.y[u]!, base.fitted.x[v]!, base.fitted.y[v]!];
    const track = new Track(pieces);
    return range(SAMPLES + 1).flatMap((i) => Object.values(track.at(i / SAMPLES)));
  });
}

/** The scenes between a network's and its bound's picture; the latest is kept. */
export class Pulled {
  #base: Scene | null = null;
  #goal: Goal | null = null;
  #middles: Points[] = [];
  #scene: PulledScene | null = null;

  constructor(readonly picture: BoundPicture) {}

  scene(base: Scene, share: number): PulledScene {
    if (base !== this.#base) {
      this.#base = base;
      this.#goal = goalOf(base, this.picture);
      this.#middles = sampled(base);
      this.#scene = null;
    }
    if (this.#scene?.share !== share) this.#scene = new PulledScene(base, this.#goal!, share, this.#middles);
    return this.#scene!;
  }
}
