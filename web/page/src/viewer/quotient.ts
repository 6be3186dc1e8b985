// Groups of nodes as one node each: a band each way between two groups, as wide as the share of their links that carry
// something now; a box filled by the share that has arrived.

import { bitsOf } from "../bound/picture";
import { css, mix, parseColour } from "../kit/colour";
import { fitBest, type Fitted } from "../kit/fit";
import type { Painter } from "../kit/painter";
import { nominal, type Theme } from "../kit/theme";
import { shifted } from "../kit/track";
import { counted } from "../kit/words";
import type { Groups } from "./document";
import type { Film } from "./film";
import type { Holding } from "./holding";
import type { Journey } from "./journey";
import type { Colouring } from "./colouring";
import type { Options } from "./options";

interface Band {
  from: number;
  to: number;
  links: number[];
  dimension: number;
  binding: boolean;
}

export class Quotient {
  readonly #bands: Band[] = [];
  readonly #groupSizes: number[];
  #fitted: Fitted | null = null;
  #side = 40;
  /** The groups that send the packets of the bound, if none has nodes on both sides. */
  readonly #sending: readonly boolean[] | null;

  constructor(
    private readonly film: Film,
    private readonly groups: Groups,
    private readonly colouring: Colouring,
  ) {
    const { network } = film;
    const binding = new Set(film.data.bound?.links ?? []);
    const picture = film.data.bound?.picture;
    this.#sending =
      picture?.kind === "cut" && picture.groups !== undefined ? bitsOf(picture.groups, groups.names.length) : null;
    const known = new Map<number, Band>();
    this.#groupSizes = groups.names.map((_, g) => groups.of.filter((group) => group === g).length);
    for (let link = 0; link < network.directed; link++) {
      const [from, to] = [groups.of[network.from[link]!]!, groups.of[network.to[link]!]!];
      if (from === to) continue;
      const key = from * groups.names.length + to;
      let band = known.get(key);
      if (!band) known.set(key, (band = { from, to, links: [], dimension: network.dimension[link]!, binding: false }));
      band.links.push(link);
      band.binding ||= binding.has(link);
    }
    this.#bands.push(...known.values());
  }

  get pulls(): boolean {
    return this.#sending !== null;
  }

  get title(): string {
    const [size] = this.#groupSizes;
    return `${this.groups.names.length} groups of ${size} nodes`;
  }

  draw(
    painter: Painter,
    left: number,
    top: number,
    width: number,
    height: number,
    now: number,
    holding: Holding | null,
    theme: Theme,
    { bound, pull }: Options,
    chosen: number,
    journey: Journey | null,
  ): void {
    this.#fit(left, top, width, height, pull);
    const side = this.#side;
    const wide = Math.max(3, side * 0.17);
    for (const band of this.#bands) this.#drawBand(painter, band, wide, now, theme, bound || pull > 0);
    if (bound && pull === 0)
      for (const band of this.#bands) if (band.binding) this.#drawGate(painter, band, wide, theme);
    if (this.#sending && pull > 0) this.#drawCut(painter, left, top, width, height, theme, pull);
    if (journey) this.#drawJourney(painter, journey, theme);
    this.groups.names.forEach((name, g) => this.#drawGroup(painter, g, name, holding, theme, g === chosen));
  }

  /** The group at a place, or -1. */
  at(x: number, y: number): number {
    if (!this.#fitted) return -1;
    return this.#fitted.x.findIndex(
      (cx, g) => Math.abs(x - cx) <= this.#side / 2 && Math.abs(y - this.#fitted!.y[g]!) <= this.#side / 2,
    );
  }

  /** The words about a group. */
  words(group: number, holding: Holding): string {
    const [got, due] = this.#progress(group, holding);
    return `group ${this.groups.names[group]}: has ${got} of ${due}`;
  }

  /** The group that lies most in a direction, or the same. */
  next(group: number, dx: number, dy: number): number {
    const { x, y } = this.#fitted ?? { x: [], y: [] };
    let [best, found] = [Infinity, group];
    x.forEach((_, g) => {
      const along = (x[g]! - x[group]!) * dx + (y[g]! - y[group]!) * dy;
      const aside = Math.abs((x[g]! - x[group]!) * dy) + Math.abs((y[g]! - y[group]!) * dx);
      if (along > aside / 2 && along > 1 && along + 2 * aside < best) [best, found] = [along + 2 * aside, g];
    });
    return found;
  }

  /** The share of its needs that a group's nodes have. */
  #progress(group: number, holding: Holding | null): [number, number] {
    let [got, due] = [0, 0];
    if (!holding) return [got, due];
    this.groups.of.forEach((g, node) => {
      if (g !== group) return;
      got += holding.got(node);
      due += holding.due(node);
    });
    return [got, due];
  }

  #drawCut(
    painter: Painter,
    left: number,
    top: number,
    width: number,
    height: number,
    theme: Theme,
    pull: number,
  ): void {
    const x = left + width / 2;
    painter.opacity(pull ** 2);
    painter.line([x, top - 4, x, top + height], { colour: theme.bound, width: 2.5, dash: [9, 7] });
    painter.text(left + width, top - 28, `the cut: ${counted(this.film.data.bound!.links.length, "link")}`, {
      size: 14,
      colour: theme.bound,
      weight: 650,
      align: "right",
      halo: theme.background,
    });
    painter.opacity(1);
  }

  /** Each side fills its half of the room, as far as it is pulled. */
  #apart({ x, y }: Fitted, width: number, height: number, pull: number): [number[], number[]] {
    const sending = this.#sending;
    if (!sending || pull === 0) return [x, y];
    const half = this.#side / 2 + 4;
    const stretched = (
      values: readonly number[],
      from: number,
      to: number,
      side: boolean,
    ): ((value: number) => number) => {
      const own = values.filter((_, group) => sending[group] === side);
      const [low, high] = [Math.min(...own), Math.max(...own)];
      return (value) => value + pull * (from + ((value - low) / Math.max(1, high - low)) * (to - from) - value);
    };
    const sides = [true, false].map(
      (side) =>
        [
          stretched(x, side ? half : width * 0.6, side ? width * 0.4 : width - half, side),
          stretched(y, half, height - half, side),
        ] as const,
    );
    return [
      x.map((value, group) => sides[sending[group] ? 0 : 1]![0](value)),
      y.map((value, group) => sides[sending[group] ? 0 : 1]![1](value)),
    ];
  }

  #fit(left: number, top: number, width: number, height: number, pull: number): void {
    const fitted = fitBest(this.groups.layout.variants, width, height, (nearest) => {
      const half = Math.min(76, nearest * 0.6) / 2 + 6;
      return { left: half, top: half, right: half, bottom: half };
    });
    const move = (values: number[], by: number): number[] => values.map((value) => value + by);
    const place = (x: number, y: number): [number, number] => {
      const [px, py] = fitted.place(x, y);
      return [px + left, py + top];
    };
    const [x, y] = this.#apart(fitted, width, height, pull);
    this.#fitted = { ...fitted, x: move(x, left), y: move(y, top), place };
    // Boxes as large as a finger needs, unless they would lie on each other.
    this.#side = Math.min(76, Math.max(26, fitted.nearest * 0.6), Math.max(8, fitted.nearest * 0.9));
  }

  #line(band: Band, wide: number): number[] {
    const { x, y } = this.#fitted!;
    return shifted([x[band.from]!, y[band.from]!, x[band.to]!, y[band.to]!], wide * 0.62);
  }

  /** The share of a band that is coloured. */
  #busy({ links }: Band, now: number): number {
    const { film } = this;
    // Where packets are only counted, all bands have the share of all links.
    if (!film.hasPackets) return film.use.at(now) / film.network.directed;
    const carrying = links.filter((link) => film.carried(link, now) >= 0).length;
    // One node's packets are few.
    return film.everybody ? Math.min(1, carrying) : carrying / links.length;
  }

  #drawBand(painter: Painter, band: Band, wide: number, now: number, theme: Theme, bound: boolean): void {
    const line = this.#line(band, wide);
    const busy = this.#busy(band, now);
    if (bound && band.binding) painter.line(line, { colour: theme.bound, width: wide + 8 });
    const colour = nominal(theme, band.dimension, this.colouring.dimensions);
    painter.line(line, { colour: css(mix(theme.ground, parseColour(theme.link), 0.55)), width: wide });
    if (busy > 0) painter.line(line, { colour: css(colour), width: wide * busy });
  }

  /** Across the middle of a band: where the cut goes that decides the bound. */
  #drawGate(painter: Painter, band: Band, wide: number, theme: Theme): void {
    const [ax, ay, bx, by] = this.#line(band, wide);
    const [x, y] = [(ax! + bx!) / 2, (ay! + by!) / 2];
    const length = Math.hypot(bx! - ax!, by! - ay!) || 1;
    const [dx, dy] = [(-(by! - ay!) / length) * wide * 1.3, ((bx! - ax!) / length) * wide * 1.3];
    painter.line([x - dx, y - dy, x + dx, y + dy], { colour: theme.background, width: 8, round: true });
    painter.line([x - dx, y - dy, x + dx, y + dy], { colour: theme.bound, width: 4.5, round: true });
  }

  #drawJourney(painter: Painter, journey: Journey, theme: Theme): void {
    const { x, y } = this.#fitted!;
    const points: number[] = [];
    journey.packets.forEach((packet, i) => {
      const nodes = i === 0 ? [this.film.from(packet), this.film.to(packet)] : [this.film.to(packet)];
      for (const node of nodes) points.push(x[this.groups.of[node]!]!, y[this.groups.of[node]!]!);
    });
    if (points.length > 2) painter.line(points, { colour: theme.select, width: 3.5, round: true });
  }

  #lines(name: string): string[] {
    return name.length > 4 ? name.split(/(?<=-)/) : [name];
  }

  #drawGroup(
    painter: Painter,
    group: number,
    name: string,
    holding: Holding | null,
    theme: Theme,
    chosen: boolean,
  ): void {
    const side = this.#side;
    const [x, y] = [this.#fitted!.x[group]! - side / 2, this.#fitted!.y[group]! - side / 2];
    const [got, due] = this.#progress(group, holding);
    const share = due > 0 ? got / due : 0;
    painter.rect(x, y, side, side, 5, { fill: theme.dark ? theme.panel : theme.background });
    const fill = css(mix(theme.ground, parseColour(theme.complete), 0.4));
    if (share > 0) painter.rect(x, y + side * (1 - share), side, side * share, share === 1 ? 5 : 0, { fill });
    const [frame, width] = chosen ? [theme.select, 3.4] : share === 1 ? [theme.complete, 2.4] : [theme.frame, 1.4];
    painter.rect(x, y, side, side, 5, { stroke: frame, width });
    if (side < 22) return;
    const lines = this.#lines(name);
    // One size for all names: that of the longest line.
    const longest = Math.max(...this.groups.names.flatMap((other) => this.#lines(other)).map((text) => text.length));
    const size = Math.min(15, (side * 1.4) / Math.max(4, longest));
    lines.forEach((text, i) => {
      painter.text(x + side / 2, y + side / 2 + (i - (lines.length - 1) / 2) * size * 1.2, text, {
        size,
        colour: theme.ink,
        weight: 600,
      });
    });
  }
}
