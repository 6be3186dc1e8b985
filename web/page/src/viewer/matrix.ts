// A large network at a glance: one dot for every pair that matters, row by row. For total exchanges origin by target,
// coloured by the hops that are left; where one node's blocks stand for all, step by target; for copies node by part or
// origin; for sums node by the nodes in its sum; otherwise node by port with the packets that are sent there.

import { parseColour, type Rgb } from "../kit/colour";
import { range } from "../kit/numbers";
import { ordinal, type Theme } from "../kit/theme";
import { counted } from "../kit/words";
import type { Colouring } from "./colouring";
import type { Film } from "./film";
import { CopiesHolding } from "./holding-copies";
import { MovesHolding } from "./holding-moves";
import { SumsHolding } from "./holding-sums";
import type { Options, Selection } from "./options";
import { threadOf } from "./journey";
import { packetWords } from "./packet-words";
import type { Replay } from "./replay";

/** Dots per side; above, a dot is the mean of a square. */
const MOST_DOTS = 1024;

export class Matrix {
  readonly columns: number;
  readonly rows: number;
  readonly title: string;
  readonly across: string;
  readonly down: string;
  /** The number of the first column: packets are counted from 1. */
  readonly base: number;
  /** Colour means hops left. */
  readonly byHops: boolean;
  /** Rows are steps: by them and by targets, the hops that one node's blocks have left. */
  readonly bySteps: boolean;
  #left: Uint8Array | null = null;
  readonly #pixels = document.createElement("canvas");

  constructor(
    private readonly film: Film,
    private readonly replay: Replay,
    private readonly colouring: Colouring,
  ) {
    const { nodes, ports } = film.network;
    const { holding } = replay;
    this.bySteps = film.everybody;
    this.rows = this.bySteps ? film.length : nodes;
    this.byHops = holding instanceof MovesHolding && film.data.messages.pairs === "all";
    const several = holding instanceof CopiesHolding && holding.origins.length > 1;
    this.down = this.bySteps ? "step" : this.byHops ? "origin" : "node";
    if (this.bySteps)
      [this.columns, this.title, this.across] = [nodes, "Hops that node 0's blocks have left", "target"];
    else if (this.byHops) [this.columns, this.title, this.across] = [nodes, "Hops that every block has left", "target"];
    else if (several) [this.columns, this.title, this.across] = [nodes, "Whose message is where", "origin"];
    else if (holding instanceof CopiesHolding)
      [this.columns, this.title, this.across] = [film.data.messages.parts, "Which packets are where", "packet"];
    else if (holding instanceof SumsHolding)
      [this.columns, this.title, this.across] = [nodes, "Who is in every node's sum", "node"];
    else [this.columns, this.title, this.across] = [Math.max(1, ports), "What every node sends", "port"];
    this.base = this.across === "packet" ? 1 : 0;
    this.#pixels.width = Math.min(MOST_DOTS, this.columns);
    this.#pixels.height = Math.min(MOST_DOTS, this.rows);
  }

  /** The dots at `now`, one pixel each. */
  paint(now: number, theme: Theme, options: Options): HTMLCanvasElement {
    const { width, height } = this.#pixels;
    const context = this.#pixels.getContext("2d")!;
    const image = context.createImageData(width, height);
    const colour = this.#dots(now, theme, options);
    for (let y = 0; y < height; y++) {
      const [top, bottom] = [Math.floor((y * this.rows) / height), Math.floor(((y + 1) * this.rows) / height)];
      for (let x = 0; x < width; x++) {
        const [left, right] = [Math.floor((x * this.columns) / width), Math.floor(((x + 1) * this.columns) / width)];
        this.#mean(image.data, 4 * (y * width + x), colour, left, right, top, bottom);
      }
    }
    context.putImageData(image, 0, 0);
    return this.#pixels;
  }

  /** The thing that a dot stands for. */
  pick(column: number, row: number, now: number): Selection | null {
    if (column < 0 || row < 0 || column >= this.columns || row >= this.rows) return null;
    const several = this.film.data.messages.parts > 1;
    const { holding } = this.replay;
    if (this.bySteps)
      return { what: "packet", thread: { origin: this.#origin, target: column, part: several ? 0 : -1 } };
    if (this.byHops) return { what: "packet", thread: { origin: row, target: column, part: several ? 0 : -1 } };
    if (holding instanceof CopiesHolding) {
      return holding.origins.length > 1
        ? { what: "packet", thread: { origin: column, target: -1, part: several ? 0 : -1 } }
        : { what: "packet", thread: { origin: holding.origins[0]!, target: -1, part: several ? column : -1 } };
    }
    const link = holding instanceof MovesHolding ? this.film.network.linkOf(row, column) : -1;
    const packet = link < 0 ? -1 : this.film.carried(link, now);
    return packet < 0 ? { what: "node", node: row } : { what: "packet", thread: threadOf(this.film, packet) };
  }

  /** A dot's meaning in words, for screen readers. */
  words(column: number, row: number, now: number): string {
    const { film } = this;
    const { holding } = this.replay;
    if (this.bySteps) {
      const hops = this.#leftAfter[row * this.columns + column]!;
      const state = row >= Math.floor(now) ? "not yet" : hops === 0 ? "arrived" : `${counted(hops, "hop")} left`;
      return `after step ${row + 1}, the block for ${column}: ${state}`;
    }
    if (holding instanceof MovesHolding && this.byHops) {
      const hops =
        film.network.distanceTo(column)[holding.where[holding.messages.first[row * film.network.nodes + column]!]!]!;
      return `the block from ${row} to ${column}: ${hops === 0 ? "arrived" : `${counted(hops, "hop")} left`}`;
    }
    if (holding instanceof CopiesHolding) {
      const single = holding.origins.length === 1;
      const share = single ? Number(holding.holds(row, holding.origins[0]!, column)) : holding.share(row, column);
      return (
        `node ${row}, ${single ? `packet ${column + 1}` : `the message of node ${column}`}: ` +
        `${share === 1 ? "there" : share > 0 ? "in part" : "not yet"}`
      );
    }
    if (holding instanceof SumsHolding)
      return `node ${row}: its sum ${holding.includes(row, holding.shown(row), 0, column) ? "has" : "lacks"} the share of ${column}`;
    const link = film.network.linkOf(row, column);
    const packet = link < 0 ? -1 : film.carried(link, now);
    return `node ${row}, port ${column}: ${packet < 0 ? "nothing" : packetWords(film, packet)}`;
  }

  /** The node whose blocks are shown. */
  get #origin(): number {
    const { pairs } = this.film.data.messages;
    return typeof pairs === "object" && "from" in pairs ? pairs.from : 0;
  }

  /** The hops that are left after each step, target by target. */
  get #leftAfter(): Uint8Array {
    if (this.#left) return this.#left;
    const { film, columns, rows } = this;
    const { packets, network } = film;
    const left = new Uint8Array(rows * columns);
    const where = new Int32Array(columns).fill(this.#origin);
    const distances = range(columns).map((target) => network.distanceTo(target));
    let next = 0;
    for (let step = 0; step < rows; step++) {
      for (; next < packets.count && packets.step[next]! === step + 1; next++)
        where[film.rows.target[packets.first[next]!]!] = film.to(next);
      for (let target = 0; target < columns; target++)
        left[step * columns + target] = distances[target]![where[target]!]!;
    }
    return (this.#left = left);
  }

  /** The colour for each number of hops that are left. */
  #ramp(theme: Theme): Rgb[] {
    const most = Math.max(1, this.film.network.diameter - 1);
    return range(256).map((hops) => (hops === 0 ? theme.ground : ordinal(theme, (hops - 1) / most)));
  }

  #mean(
    data: Uint8ClampedArray,
    at: number,
    colour: (column: number, row: number) => Rgb,
    left: number,
    right: number,
    top: number,
    bottom: number,
  ): void {
    let [r, g, b, count] = [0, 0, 0, 0];
    for (let row = top; row < bottom; row++) {
      for (let column = left; column < right; column++) {
        const dot = colour(column, row);
        r += dot[0];
        g += dot[1];
        b += dot[2];
        count++;
      }
    }
    data[at] = r / count;
    data[at + 1] = g / count;
    data[at + 2] = b / count;
    data[at + 3] = 255;
  }

  #dots(now: number, theme: Theme, options: Options): (column: number, row: number) => Rgb {
    const { film } = this;
    const { holding } = this.replay;
    const { network } = film;
    const empty = parseColour(theme.empty);
    const full = parseColour(theme.progress);
    if (this.bySteps) {
      const done = Math.floor(now);
      const ramp = this.#ramp(theme);
      const left = this.#leftAfter;
      return (target, step) => (step < done ? ramp[left[step * this.columns + target]!]! : empty);
    }
    if (holding instanceof MovesHolding && this.byHops) {
      const ramp = this.#ramp(theme);
      const { first } = holding.messages;
      const { nodes } = network;
      const distances = range(nodes).map((target) => network.distanceTo(target));
      return (target, origin) => ramp[distances[target]![holding.where[first[origin * nodes + target]!]!]!]!;
    }
    if (holding instanceof CopiesHolding) {
      const single = holding.origins.length === 1;
      return (column, node) =>
        (single ? holding.holds(node, holding.origins[0]!, column) : holding.share(node, column) >= 1) ? full : empty;
    }
    if (holding instanceof SumsHolding)
      return (member, node) => (holding.includes(node, holding.shown(node), 0, member) ? full : empty);
    return (port, node) => {
      const link = network.linkOf(node, port);
      const packet = link < 0 ? -1 : film.carried(link, now);
      return packet < 0 ? empty : this.colouring.packet(packet, options.colour, theme);
    };
  }
}
