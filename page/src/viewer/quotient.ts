// Groups of nodes as one node each: a band each way between two groups, as wide as the share of their links that carry
// something now; a box filled by the share of what has arrived.

import { css, mix, parseColour } from "../kit/colour";
import { fitBest, type Fitted } from "../kit/fit";
import type { Painter } from "../kit/painter";
import { nominal, type Theme } from "../kit/theme";
import { shifted } from "../kit/track";
import type { Groups } from "./document";
import type { Film } from "./film";
import type { Holding } from "./holding";
import type { Journey } from "./journey";
import type { Colouring } from "./colouring";

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

  constructor(private readonly film: Film, private readonly groups: Groups, private readonly colouring: Colouring) {
    const { network } = film;
    const binding = new Set(film.data.bound?.links ?? []);
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

  get title(): string {
    const [size] = this.#groupSizes;
    return `${this.groups.names.length} groups of ${size} nodes`;
  }

  draw(painter: Painter, left: number, top: number, width: number, height: number, now: number, holding: Holding, theme: Theme, bound: boolean, chosen: number, journey: Journey | null): void {
    this.#fit(left, top, width, height);
    const side = this.#side;
    const wide = Math.max(3, side * 0.17);
    for (const band of this.#bands) this.#drawBand(painter, band, wide, now, theme, bound);
    if (journey) this.#drawJourney(painter, journey, theme);
    this.groups.names.forEach((name, g) => this.#drawGroup(painter, g, name, holding, theme, g === chosen));
  }

  /** The group at a place, or -1. */
  at(x: number, y: number): number {
    if (!this.#fitted) return -1;
    return this.#fitted.x.findIndex((cx, g) => Math.abs(x - cx) <= this.#side / 2 && Math.abs(y - this.#fitted!.y[g]!) <= this.#side / 2);
  }

  /** What is said of a group. */
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

  /** What the nodes of a group have of what they need. */
  #progress(group: number, holding: Holding): [number, number] {
    let [got, due] = [0, 0];
    this.groups.of.forEach((g, node) => {
      if (g !== group) return;
      got += holding.got(node);
      due += holding.due(node);
    });
    return [got, due];
  }

  #fit(left: number, top: number, width: number, height: number): void {
    const fitted = fitBest(this.groups.layout.variants, width, height, (nearest) => {
      const half = Math.min(76, nearest * 0.6) / 2 + 6;
      return { left: half, top: half, right: half, bottom: half };
    });
    const move = (values: number[], by: number): number[] => values.map((value) => value + by);
    const place = (x: number, y: number): [number, number] => {
      const [px, py] = fitted.place(x, y);
      return [px + left, py + top];
    };
    this.#fitted = { ...fitted, x: move(fitted.x, left), y: move(fitted.y, top), place };
    this.#side = Math.max(26, Math.min(76, fitted.nearest * 0.6));
  }

  #drawBand(painter: Painter, band: Band, wide: number, now: number, theme: Theme, bound: boolean): void {
    const { x, y } = this.#fitted!;
    const line = shifted([x[band.from]!, y[band.from]!, x[band.to]!, y[band.to]!], wide * 0.62);
    const busy = band.links.filter((link) => this.film.carried(link, now) >= 0).length / band.links.length;
    if (bound && band.binding) painter.line(line, { colour: theme.bound, width: wide + 6 });
    const colour = nominal(theme, band.dimension, this.colouring.dimensions);
    painter.line(line, { colour: css(mix(theme.ground, parseColour(theme.link), 0.55)), width: wide });
    if (busy > 0) painter.line(line, { colour: css(colour), width: wide * busy });
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

  #drawGroup(painter: Painter, group: number, name: string, holding: Holding, theme: Theme, chosen: boolean): void {
    const side = this.#side;
    const [x, y] = [this.#fitted!.x[group]! - side / 2, this.#fitted!.y[group]! - side / 2];
    const [got, due] = this.#progress(group, holding);
    const share = due > 0 ? got / due : 0;
    painter.rect(x, y, side, side, 5, { fill: theme.dark ? theme.panel : theme.background });
    const fill = css(mix(theme.ground, parseColour(theme.complete), 0.4));
    if (share > 0) painter.rect(x, y + side * (1 - share), side, side * share, share === 1 ? 5 : 0, { fill });
    const [frame, width] = chosen ? [theme.select, 3.4] : share === 1 ? [theme.complete, 2.4] : [theme.frame, 1.4];
    painter.rect(x, y, side, side, 5, { stroke: frame, width });
    const lines = this.#lines(name);
    // One size for all names: that of the longest line.
    const longest = Math.max(...this.groups.names.flatMap((other) => this.#lines(other)).map((text) => text.length));
    const size = Math.min(15, (side * 1.4) / Math.max(4, longest));
    lines.forEach((text, i) => {
      painter.text(x + side / 2, y + side / 2 + (i - (lines.length - 1) / 2) * size * 1.2, text, { size, colour: theme.ink, weight: 600 });
    });
  }
}
