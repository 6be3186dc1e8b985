// Links over time: a row for each directed link, by dimension, then by sender; a bar for each packet. The past is
// full, the future is pale. The wheel zooms around the pointer, a click follows the bar's packet.

import { CanvasPainter, prepared } from "../kit/canvas";
import { css } from "../kit/colour";
import { element } from "../kit/dom";
import type { Theme } from "../kit/theme";
import { timeWords } from "../kit/words";
import type { Colouring, ColourBy } from "./colouring";
import type { Film } from "./film";

const LEFT = 108;
const TOP = 20;
export const MOST_ROWS = 1024;

export class Gantt {
  readonly root = element("div.gantt");
  readonly #canvas = element("canvas", { role: "img", "aria-label": "packets on every link, over time" });
  readonly #bars = document.createElement("canvas");
  readonly #rows: Int32Array;
  readonly #rowOf: Int32Array;
  #window: [number, number];
  #key = "";

  constructor(
    private readonly film: Film,
    private readonly colouring: Colouring,
    private readonly follow: (packet: number) => void,
    private readonly again: () => void,
  ) {
    const { network } = film;
    this.#rows = Int32Array.from({ length: network.directed }, (_, link) => link).sort(
      (a, b) => network.dimension[a]! - network.dimension[b]! || network.from[a]! - network.from[b]! || a - b,
    );
    this.#rowOf = new Int32Array(network.directed);
    this.#rows.forEach((link, row) => {
      this.#rowOf[link] = row;
    });
    this.#window = [0, film.length];
    this.root.append(this.#canvas);
    this.#canvas.addEventListener("wheel", (event) => this.#zoom(event), { passive: false });
    this.#canvas.addEventListener("click", (event) => this.#click(event));
  }

  refresh(): void {
    this.#key = "";
  }

  draw(now: number, theme: Theme, by: ColourBy): void {
    const { clientWidth: width, clientHeight: height } = this.root;
    if (width < LEFT + 20 || height < TOP + 10) return;
    const key = [width, height, by, window.devicePixelRatio, ...this.#window].join("|");
    if (key !== this.#key) {
      this.#key = key;
      this.#drawBars(width, height, theme, by);
    }
    const context = prepared(this.#canvas, width, height);
    const painter = new CanvasPainter(context, theme.font);
    const x = Math.min(width, Math.max(LEFT, this.#x(now, width)));
    this.#drawAxis(painter, width, height, theme);
    context.save();
    context.globalAlpha = 0.3;
    context.drawImage(this.#bars, 0, 0, width, height);
    context.globalAlpha = 1;
    context.beginPath();
    context.rect(0, 0, x, height);
    context.clip();
    context.drawImage(this.#bars, 0, 0, width, height);
    context.restore();
    painter.rect(x - 1, TOP - 4, 2.5, height - TOP + 4, 0, { fill: theme.ink });
  }

  #drawBars(width: number, height: number, theme: Theme, by: ColourBy): void {
    const painter = new CanvasPainter(prepared(this.#bars, width, height), theme.font);
    const { start, end, link } = this.film.packets;
    for (let packet = 0; packet < this.film.packets.count; packet++) {
      if (end[packet]! < this.#window[0] || start[packet]! > this.#window[1]) continue;
      const [from, to] = [
        Math.max(LEFT, this.#x(start[packet]!, width)),
        Math.min(width, this.#x(end[packet]!, width)),
      ];
      const { y, high } = this.#row(this.#rowOf[link[packet]!]!, height);
      const gap = to - from > 3 ? 0.7 : 0;
      painter.rect(from, y, Math.max(0.5, to - from - gap), Math.max(0.6, high - (high > 3 ? 1 : 0)), 0, {
        fill: css(this.colouring.packet(packet, by, theme)),
      });
    }
  }

  #drawAxis(painter: CanvasPainter, width: number, height: number, theme: Theme): void {
    const [from, to] = this.#window.map((ticks) => ticks / this.film.data.ticks_per_ns) as [number, number];
    const most = Math.max(2, Math.floor((width - LEFT) / 90));
    const rough = (to - from) / most || 1;
    const ten = 10 ** Math.floor(Math.log10(rough));
    const pitch = [1, 2, 5, 10].map((k) => k * ten).find((step) => step >= rough)!;
    for (let time = Math.ceil(from / pitch) * pitch; time <= to; time += pitch) {
      const x = this.#x(time * this.film.data.ticks_per_ns, width);
      painter.line([x, TOP - 4, x, height], { colour: theme.empty, width: 1 });
      if (x < width - 24)
        painter.text(Math.max(LEFT + 10, x), 7, this.film.inSteps ? String(time) : timeWords(time), {
          size: Math.max(12.5, theme.least),
          colour: theme.muted,
        });
    }
    const { dimension } = this.film.network;
    this.#rows.forEach((link, row) => {
      if (row > 0 && dimension[this.#rows[row - 1]!] === dimension[link]) return;
      let last = row;
      while (last + 1 < this.#rows.length && dimension[this.#rows[last + 1]!] === dimension[link]) last++;
      const [first, end] = [this.#row(row, height), this.#row(last, height)];
      painter.text(
        LEFT - 8,
        (first.y + end.y + end.high) / 2,
        this.colouring.dimensions < 2 ? "links" : `${theme.least > 12.5 ? "dim." : "dimension"} ${dimension[link]}`,
        { size: Math.max(12.5, theme.least), colour: theme.ink, weight: 600, align: "right" },
      );
    });
  }

  /** Rows of one dimension stand together; a gap parts the dimensions. */
  #row(row: number, height: number): { y: number; high: number } {
    const gap = 4;
    const gaps = this.colouring.dimensions - 1;
    const high = Math.max(0.5, (height - TOP - gaps * gap) / Math.max(1, this.#rows.length));
    return { y: TOP + row * high + this.film.network.dimension[this.#rows[row]!]! * gap, high };
  }

  #x(time: number, width: number): number {
    const [from, to] = this.#window;
    return LEFT + ((time - from) / Math.max(1e-9, to - from)) * (width - LEFT);
  }

  #timeAt(x: number): number {
    const [from, to] = this.#window;
    return from + ((x - LEFT) / Math.max(1, this.root.clientWidth - LEFT)) * (to - from);
  }

  #zoom(event: WheelEvent): void {
    event.preventDefault();
    const here = Math.min(this.film.length, Math.max(0, this.#timeAt(event.offsetX)));
    const factor = event.deltaY > 0 ? 1.25 : 0.8;
    const [from, to] = this.#window.map((edge) => here + (edge - here) * factor) as [number, number];
    this.#window = [Math.max(0, from), Math.min(this.film.length, Math.max(to, from + this.film.length / 1e4))];
    this.again();
  }

  #click(event: MouseEvent): void {
    const time = this.#timeAt(event.offsetX);
    const height = this.root.clientHeight;
    const row = this.#rows.findIndex((_, i) => {
      const { y, high } = this.#row(i, height);
      return event.offsetY >= y && event.offsetY < y + Math.max(1, high);
    });
    const packet = row < 0 ? -1 : this.film.carried(this.#rows[row]!, time);
    if (packet >= 0) this.follow(packet);
  }
}
