// The places of all things on a stage of a certain size: boxes, lanes, sizes of marks.

import { fitBest, type Fitted, type Margin, type Variant } from "../kit/fit";
import { range } from "../kit/numbers";
import { outside, reversed, shifted, Track, type Points, type Rect } from "../kit/track";
import { leastText } from "../kit/theme";
import type { Layout } from "./document";
import type { Film } from "./film";
import type { Selection } from "./options";
import { staggered } from "./stagger";

/** Sizes that hang on how far apart nodes are. */
export interface Sizes {
  side: number;
  boxWidth: number;
  boxHeight: number;
  cell: number;
  label: number;
}

/** The parts of a scene that is not fitted to its stage, but made of another one. */
export interface Given {
  fitted: Fitted;
  sizes: Sizes;
  middles: Points[][];
  late: Float32Array;
}

export class Scene {
  readonly fitted: Fitted;
  readonly sizes: Sizes;
  /** Radius of a packet. */
  readonly radius: number;
  /** Middle lines of the undirected links. */
  readonly middles: Points[][];
  #roads: Track[] | null = null;
  /** Lanes of the directed links, from box to box. */
  readonly lanes: Track[];
  /** By how much of a step the packets of a link start later, so that crossing packets do not cover each other. */
  readonly late: Float32Array;

  constructor(
    public film: Film,
    readonly layout: Layout,
    readonly width: number,
    readonly height: number,
    readonly present: boolean,
    given: Given | null = null,
  ) {
    const stage = Math.min(width, height * 1.4);
    const margin = (nearest: number, variant: Variant): Margin => this.#margin(this.#sized(nearest, variant, stage));
    this.fitted = given?.fitted ?? fitBest(layout.variants, width, height, margin);
    this.sizes = given?.sizes ?? this.#sized(this.fitted.nearest, this.fitted.variant, stage);
    const share = Math.max(0.15, 0.22 - Math.max(0, Math.log2(film.network.nodes) - 3) * 0.0233);
    const { side } = this.sizes;
    // A little larger where it needs that to bear a number.
    this.radius = Math.min(present ? 20 : 16, Math.max(2.6, side * share, Math.min(this.numbered, side * 0.2)));
    this.middles = given?.middles ?? range(film.network.directed / 2).map((link) => this.#middle(link));
    this.lanes = range(film.network.directed).map((link) => this.#lane(link));
    this.late =
      given?.late ??
      (film.inSteps
        ? staggered(this.lanes, this.#obstacles(), this.sums ? side * 0.3 : this.radius)
        : new Float32Array(film.network.directed));
  }

  /** From this radius on a packet bears its number. */
  get numbered(): number {
    return Math.max(6.4, leastText() / 1.12);
  }

  /** Packets are drawn as small copies of the cells. */
  get sums(): boolean {
    return this.film.data.messages.kind === "sums" && this.film.inSteps;
  }

  /** The directed links that are shown to decide the bound. */
  get binding(): readonly number[] {
    return this.film.data.bound?.links ?? [];
  }

  /** The opacity of the packets of a directed link. */
  opacityOn(_link: number): number {
    return 1;
  }

  /** Boxes and numbers, which packets at rest should not cover. */
  #obstacles(): Rect[] {
    const high = this.sizes.label * 0.5;
    return Array.from(this.fitted.x, (_, node) => this.box(node)).flatMap((box, node) => {
      const wide = String(node).length * this.sizes.label * 0.62;
      return [box, { left: box.left - 3 - wide, right: box.left - 3, top: box.top - high, bottom: box.top + high }];
    });
  }

  /** The distance of the middle of a lane from the middle of its link. */
  get aside(): number {
    return this.sums ? this.sizes.boxWidth * 0.33 : this.radius + 0.8;
  }

  box(node: number): Rect {
    const [x, y] = [this.fitted.x[node]!, this.fitted.y[node]!];
    const { boxWidth: w, boxHeight: h } = this.sizes;
    return { left: x - w / 2, top: y - h / 2, right: x + w / 2, bottom: y + h / 2 };
  }

  /** The place of a chosen node or link; null: it is no such thing, or in many places. */
  placeOf(selection: Selection): { x: number; y: number } | null {
    if (selection.what === "link") return this.lanes[selection.link]!.at(0.5);
    return selection.what === "node" ? { x: this.fitted.x[selection.node]!, y: this.fitted.y[selection.node]! } : null;
  }

  /** The node whose box is at x, y, or at most `slack` away; -1: none. */
  nodeAt(x: number, y: number, slack: number): number {
    let [best, found] = [slack, -1];
    this.fitted.x.forEach((_, node) => {
      if (this.film.network.lacks(node)) return;
      const { left, top, right, bottom } = this.box(node);
      const away = Math.hypot(Math.max(0, left - x, x - right), Math.max(0, top - y, y - bottom));
      if (away < best || (away === 0 && found < 0)) [best, found] = [away, node];
    });
    return found;
  }

  /** The directed link at x, y: of the link whose middle line is nearest the way whose lane is. All between a link's two
      lanes, and `slack` beyond, is the link. */
  linkAt(x: number, y: number, slack: number): number {
    let [best, found] = [this.aside + slack, -1];
    this.#roads ??= this.middles.map((pieces) => new Track(pieces));
    this.#roads.forEach((road, link) => {
      const away = road.distance(x, y);
      if (away < best) [best, found] = [away, 2 * link];
    });
    if (found < 0) return -1;
    return this.lanes[found]!.distance(x, y) <= this.lanes[found + 1]!.distance(x, y) ? found : found + 1;
  }

  #sized(nearest: number, variant: Variant, stage: number): Sizes {
    const { nodes } = this.film.network;
    const { columns, rows } = this.film.data.cells;
    const lattice = Object.keys(variant.bends).length > 0;
    const share = nodes <= 8 ? 0.4 : nodes <= 16 ? (lattice ? 0.42 : 0.5) : 0.44;
    const side = Math.max(14, Math.min(stage * 0.105 * (this.present ? 1.15 : 1), nearest * share));
    const pad = Math.max(2.5, side * 0.09);
    const cell = (side - 2 * pad) / Math.max(columns, rows, 1);
    const boxWidth = Math.max(side * 0.5, columns * cell + 2 * pad);
    const boxHeight = Math.max(side * 0.5, rows * cell + 2 * pad);
    return {
      side,
      boxWidth,
      boxHeight,
      cell,
      label: Math.max(11, leastText(), Math.min(this.present ? 28 : 21, side * 0.29)),
    };
  }

  #margin({ boxWidth, boxHeight, label }: Sizes): Margin {
    const digits = String(this.film.network.nodes - 1).length;
    const sides = this.film.data.messages.kind === "sums" ? boxWidth * 0.15 : 4;
    return {
      left: boxWidth / 2 + Math.max(digits * label * 0.62 + 6, sides),
      top: boxHeight / 2 + label * 0.7 + 4,
      right: boxWidth / 2 + label * 0.55 + sides,
      bottom: boxHeight / 2 + label * 0.6 + 4,
    };
  }

  /** The places of the links that the network lacks. */
  get lost(): Points[] {
    return (this.fitted.variant.lost ?? []).map((points) => this.#placed(points));
  }

  #placed(points: Points): Points {
    const placed: Points = [];
    for (let i = 0; i + 1 < points.length; i += 2) placed.push(...this.fitted.place(points[i]!, points[i + 1]!));
    return placed;
  }

  #middle(link: number): Points[] {
    const { from, to } = this.film.network;
    const { fitted } = this;
    const bent = fitted.variant.bends[link];
    if (bent) return bent.map((points) => this.#placed(points));
    const [u, v] = [from[2 * link]!, to[2 * link]!];
    return [[fitted.x[u]!, fitted.y[u]!, fitted.x[v]!, fitted.y[v]!]];
  }

  #lane(directed: number): Track {
    const pieces = this.middles[directed >> 1]!;
    const along = directed % 2 === 0 ? pieces : reversed(pieces);
    const moved = along.map((points) => shifted(points, this.aside));
    const { from, to } = this.film.network;
    moved[0] = outside(moved[0]!, this.box(from[directed]!));
    const last = moved.length - 1;
    moved[last] = reversed([outside(reversed([moved[last]!])[0]!, this.box(to[directed]!))])[0]!;
    return new Track(moved);
  }
}
