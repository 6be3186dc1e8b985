// The meaning of each colour.

import { mix, parseColour, type Rgb } from "../kit/colour";
import { nominal, ordinal, type Theme } from "../kit/theme";
import { isScatter, type FilmData, type Phase } from "./document";
import type { Film } from "./film";

export type ColourBy = "origin" | "target" | "hops" | "dimension" | "phase" | "age" | "group";

/** The ways to colour that say something about this film, with the words for them. */
export function waysToColour(film: Film): [ColourBy, string][] {
  const { messages } = film.data;
  const ways: [ColourBy, string][] = [];
  if (film.packets.count === 0) return ways;
  if (messages.groups) ways.push(["group", "group"]);
  const { single } = film;
  if (messages.kind === "sums")
    return messages.sums!.length > 1 ? [...ways, ["origin", "target"], ["dimension", "dimension"]] : ways;
  ways.push(single ? ["origin", messages.parts > 1 ? "packet" : "message"] : ["origin", "origin"]);
  if (messages.kind === "moves") ways.push(["target", "target"], ["hops", "hops left"]);
  ways.push(["dimension", "dimension"]);
  if (film.data.phases.length > 1 && phasesAreApart(film.data)) ways.push(["phase", "phase"]);
  ways.push(["age", "hops made"]);
  return ways;
}

/** The way that a film is coloured first: by groups, where there are some; the blocks of a scatter all have one origin. */
export const firstColour = (film: Film): ColourBy =>
  isScatter(film.data.messages) && !film.data.messages.groups ? "target" : (waysToColour(film)[0]?.[0] ?? "origin");

/** Whether every packet belongs to one phase at most: those that overlap have links of different dimensions. */
function phasesAreApart({ phases, clock }: FilmData): boolean {
  const gap = clock === "steps" ? 1 : 0;
  const common = (a: Phase, b: Phase): boolean =>
    !a.dimensions || !b.dimensions || a.dimensions.some((k) => b.dimensions!.includes(k));
  return phases.every((a, i) =>
    phases.slice(i + 1).every((b) => a.last + gap <= b.first || b.last + gap <= a.first || !common(a, b)),
  );
}

export class Colouring {
  #ages: Int32Array | undefined;
  #oldest = 1;
  readonly dimensions: number;

  constructor(private readonly film: Film) {
    this.dimensions = film.network.dimension.reduce((a, b) => Math.max(a, b), 0) + 1;
  }

  packet(packet: number, by: ColourBy, theme: Theme): Rgb {
    const { film } = this;
    const row = film.packets.first[packet]!;
    const { nodes } = film.network;
    switch (by) {
      case "origin":
        return this.#origin(row, theme);
      case "target":
        return nominal(theme, film.rows.target[row]!, nodes);
      case "hops": {
        const target = film.rows.target[row]!;
        const left = target < 0 ? 0 : film.network.distanceTo(target)[film.from(packet)]!;
        return ordinal(theme, (left - 1) / Math.max(1, film.network.diameter - 1));
      }
      case "dimension":
        return nominal(theme, film.network.dimension[film.packets.link[packet]!]!, this.dimensions);
      case "phase":
        return nominal(theme, Math.max(0, this.phaseOf(packet)), Math.max(8, film.data.phases.length));
      case "group":
        return this.group(film.from(packet), theme);
      case "age":
        return ordinal(theme, 1 - this.age(packet) / Math.max(1, this.#oldest));
    }
  }

  /** The colour of a full cell of a node's box. */
  cell(node: number, cell: number, by: ColourBy, theme: Theme): Rgb {
    const { messages, cells } = this.film.data;
    const { nodes } = this.film.network;
    if (by === "group") return this.group(node, theme);
    if (messages.kind === "sums") return nominal(theme, cell, nodes);
    if (by === "target") return nominal(theme, isScatter(messages) ? cell : node, nodes);
    if (by !== "origin") return parseColour(theme.progress);
    if (cells.count === nodes && !this.film.single) return nominal(theme, cell, nodes);
    if (messages.kind === "copies") return this.#part(Math.ceil((cell * messages.parts) / cells.count), theme);
    return parseColour(theme.progress);
  }

  /** The colour of a node's group. */
  group(node: number, theme: Theme): Rgb {
    const groups = this.film.data.messages.groups ?? [];
    return nominal(theme, groups[node] ?? 0, Math.max(...groups, 0) + 1);
  }

  /** The number of the phase that a packet belongs to, or -1. */
  phaseOf(packet: number): number {
    const {
      data: { phases },
      inSteps,
      network,
      packets,
    } = this.film;
    const at = inSteps ? packets.step[packet]! : packets.start[packet]!;
    const over = network.dimension[packets.link[packet]!]!;
    return phases.findIndex(
      ({ first, last, dimensions }) =>
        first <= at && (inSteps ? at <= last : at < last) && (dimensions?.includes(over) ?? true),
    );
  }

  /** Hops that the packet's first part made before. */
  age(packet: number): number {
    this.#ages ??= this.#allAges();
    return this.#ages[packet]!;
  }

  #origin(row: number, theme: Theme): Rgb {
    const { messages } = this.film.data;
    const { nodes } = this.film.network;
    if (messages.kind === "sums") {
      if (messages.sums!.length > 1) return nominal(theme, this.film.rows.target[row]!, messages.sums!.length);
      return mix(parseColour(theme.muted), theme.ground, 0.2);
    }
    if (this.film.single) return this.#part(this.film.rows.part[row]!, theme);
    return nominal(theme, this.film.rows.origin[row]!, nodes);
  }

  /** Beyond sixteen parts, or cells where there are fewer, the hues take turns: neighbours in time differ. */
  #part(part: number, theme: Theme): Rgb {
    const { messages, cells } = this.film.data;
    const count = Math.min(messages.parts, cells.count);
    const index = Math.floor((part * count) / messages.parts);
    return count <= 16 ? nominal(theme, index, count) : nominal(theme, index % 8, 8);
  }

  #allAges(): Int32Array {
    const { rows, packets, data } = this.film;
    const { nodes } = this.film.network;
    const { kind, parts } = data.messages;
    // A block is in one place; of a message every node has a copy of its own.
    const hops = new Map<number, number>();
    const key = (row: number, node: number): number =>
      (rows.origin[row]! * nodes + (kind === "moves" ? rows.target[row]! : node)) * parts + rows.part[row]!;
    const ages = new Int32Array(packets.count);
    for (let p = 0; p < packets.count; p++) {
      const row = packets.first[p]!;
      const age = hops.get(key(row, this.film.from(p))) ?? 0;
      ages[p] = age;
      this.#oldest = Math.max(this.#oldest, age);
      for (let r = row; r < packets.first[p + 1]!; r++) hops.set(key(r, this.film.to(p)), age + 1);
    }
    return ages;
  }
}
