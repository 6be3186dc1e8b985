// A network too large to be drawn node by node: matrix and quotient, side by side or one above the other.

import { CanvasPainter, prepared } from "../kit/canvas";
import { css } from "../kit/colour";
import { element } from "../kit/dom";
import { range } from "../kit/numbers";
import type { Painter } from "../kit/painter";
import { SvgPainter } from "../kit/svg";
import { nominal, ordinal, type Theme } from "../kit/theme";
import { grouped } from "../kit/words";
import type { Colouring } from "./colouring";
import type { Film } from "./film";
import type { Journey } from "./journey";
import { ramp } from "./legend-entries";
import { Matrix } from "./matrix";
import type { Options, Selection } from "./options";
import type { Entry, Picture } from "./picture";
import { Quotient } from "./quotient";
import { SummaryKeys } from "./summary-keys";
import type { Replay } from "./replay";

interface Area {
  left: number;
  top: number;
  width: number;
  height: number;
}

const CAPTION = 40;
/** Room for the word at the left side of the matrix. */
const BESIDE = 24;
const RAMP = 36;

export class Summary implements Picture {
  readonly root = element("div.stage.summary");
  readonly canvas = element("canvas", { role: "img" });
  readonly scene = null;
  readonly #matrix: Matrix | null;
  readonly #quotient: Quotient | null;
  readonly #keys: SummaryKeys | null;
  readonly #note = element("p.large");
  #dots: Area = { left: 0, top: 0, width: 0, height: 0 };
  #key = "";
  #last: { now: number; theme: Theme; options: Options; journey: Journey | null } | null = null;

  constructor(
    private readonly film: Film,
    private readonly replay: Replay | null,
    readonly colouring: Colouring,
    select: (selection: Selection | null) => void,
    again: () => void,
  ) {
    const { groups } = film.data.network;
    this.#matrix = replay ? new Matrix(film, replay, colouring) : null;
    this.#quotient = groups ? new Quotient(film, groups, colouring) : null;
    if (!replay) this.#note.textContent = tooLarge(film);
    this.#keys =
      replay &&
      new SummaryKeys(this.#matrix!, this.#quotient, replay.holding, () => this.#last?.now ?? 0, select, again);
    this.root.append(this.canvas, this.#keys?.root ?? this.#note);
  }

  get pulls(): boolean {
    return this.#quotient?.pulls ?? false;
  }

  refresh(): void {
    this.#key = "";
  }

  draw(now: number, theme: Theme, options: Options, journey: Journey | null): void {
    const { clientWidth: width, clientHeight: height } = this.root;
    if (width < 40 || height < 80) return;
    this.#last = { now, theme, options, journey };
    if (!this.replay) {
      this.#drawCounts(new CanvasPainter(prepared(this.canvas, width, height), theme.font), width, height);
      return;
    }
    const arrived = this.film.arrived(now);
    this.replay.goTo(arrived);
    const keys = this.#keys!;
    const moving = this.film.inSteps ? Math.floor(now) : now;
    const key = [
      arrived,
      moving,
      this.film.use.at(now),
      width,
      height,
      window.devicePixelRatio,
      options.colour,
      options.bound,
      options.pull,
      JSON.stringify(options.selection),
      keys.at,
      keys.column,
      keys.row,
      keys.group,
    ].join("|");
    if (key === this.#key) return;
    this.#key = key;
    keys.update();
    const context = prepared(this.canvas, width, height);
    this.#paint(new CanvasPainter(context, theme.font), width, height, (dots, { left, top, width: w, height: h }) => {
      context.imageSmoothingEnabled = false;
      context.drawImage(dots, left, top, w, h);
    });
  }

  /** Packets are only counted: links in use, step by step, and the groups with as much of their links in use. */
  #drawCounts(painter: Painter, width: number, height: number): void {
    const { now, theme: colours, options } = this.#last!;
    const top = this.#note.offsetHeight;
    const beside = this.#quotient !== null && width > (height - top) * 1.1;
    const below = this.#quotient !== null && !beside;
    const [wide, high] = [beside ? width / 2 : width, below ? (height - top) / 2 : height - top];
    drawUse(painter, this.film, now, colours, options, {
      left: 76,
      top: top + 44,
      width: wide - 88,
      height: high - 76,
    });
    if (!this.#quotient) return;
    const area: Area = {
      left: beside ? wide + 16 : 4,
      top: top + CAPTION + (below ? high : 0),
      width: (beside ? width - wide : width) - 20,
      height: high - CAPTION - 6,
    };
    caption(painter, area, this.#quotient.title, "band = share of all links in use now", colours);
    this.#quotient.draw(painter, area.left, area.top, area.width, area.height, now, null, colours, options, -1, null);
  }

  pick(x: number, y: number): Selection | null {
    if (!this.replay) return null;
    const group = this.#quotient?.at(x, y) ?? -1;
    if (group >= 0) return { what: "group", group };
    return this.#matrix?.pick(...this.#dotAt(x, y), this.#last?.now ?? 0) ?? null;
  }

  hover(x: number, y: number): string {
    const found = this.pick(x, y);
    const last = this.#last;
    if (!found || !last || !this.replay) return "";
    if (found.what === "group") return this.#quotient!.words(found.group, this.replay.holding);
    return this.#matrix!.words(...this.#dotAt(x, y), last.now);
  }

  unhover(): void {
    // Nothing is marked.
  }

  #dotAt(x: number, y: number): [number, number] {
    const { left, top, width, height } = this.#dots;
    const { columns, rows } = this.#matrix!;
    return [Math.floor(((x - left) / width) * columns), Math.floor(((y - top) / height) * rows)];
  }

  paint(context: CanvasRenderingContext2D, width: number, height: number): void {
    const { canvas } = this;
    const scale = Math.min(width / canvas.width, height / canvas.height);
    const [w, h] = [canvas.width * scale, canvas.height * scale];
    context.drawImage(canvas, (width - w) / 2, (height - h) / 2, w, h);
  }

  svg(title: string, description: string): string {
    const { clientWidth: width, clientHeight: height } = this.root;
    const painter = new SvgPainter(width, height, this.#last!.theme.background);
    if (this.replay)
      this.#paint(painter, width, height, (dots, area) =>
        painter.add("image", {
          x: area.left,
          y: area.top,
          width: area.width,
          height: area.height,
          preserveAspectRatio: "none",
          style: "image-rendering:pixelated",
          href: dots.toDataURL(),
        }),
      );
    return painter.file(title, description);
  }

  legend(options: Options): Entry[] {
    if (!this.#matrix) return [];
    const { film } = this;
    const matrix = this.#matrix;
    const entries: Entry[] = [];
    if (matrix.byHops) {
      const count = grouped(matrix.rows * matrix.columns);
      entries.push([
        ramp,
        `one dot for each of the ${count} blocks: ${theme(this.#last) ? "bright" : "dark"} = far from its target`,
      ]);
      entries.push([swatch((t) => t.background), "its block has arrived"]);
    } else if (matrix.bySteps) {
      entries.push(
        [
          ramp,
          `a row for each step, a dot for each of node 0's blocks: ${theme(this.#last) ? "bright" : "dark"} = far from its target`,
        ],
        [swatch((t) => t.background), "the block has arrived"],
      );
    } else if (matrix.across === "port")
      entries.push(
        [swatch((t) => css(t.hues[0]!)), "a node sends a packet by this port now"],
        [swatch((t) => t.empty), "it sends nothing there"],
      );
    else {
      const what = {
        packet: "the node has the packet",
        origin: "the node has the origin's message",
        node: "the sum that the row's node holds has the column's share",
      }[matrix.across];
      entries.push([swatch((t) => t.progress), what ?? ""], [swatch((t) => t.empty), "not yet"]);
    }
    if (this.#quotient) {
      entries.push([
        swatch((t) => css(nominal(t, 0, 8))),
        film.everybody
          ? "links between two groups that carry node 0's blocks, each way; colour = dimension"
          : "links in use between two groups, each way; colour = dimension",
      ]);
      entries.push([swatch((t) => t.complete), "the share of a group's needs that has arrived"]);
      if (options.bound && (film.data.bound?.links.length ?? 0) > 0)
        entries.push([
          swatch((t) => t.bound),
          "a gate on the cut: links that decide the bound; at the matrix, the two sides of the cut",
        ]);
    }
    return entries;
  }

  #paint(painter: Painter, width: number, height: number, image: (dots: HTMLCanvasElement, area: Area) => void): void {
    const { now, theme: colours, options, journey } = this.#last!;
    const beside = this.#quotient !== null && width > height * 1.1;
    const below = this.#quotient !== null && !beside;
    const room: Area = {
      left: BESIDE + 4,
      top: CAPTION,
      width: (beside ? width / 2 : width) - BESIDE - 12,
      height: (below ? height / 2 : height) - CAPTION - (this.#matrix!.byHops || this.#matrix!.bySteps ? RAMP : 6),
    };
    const side = Math.min(room.width, room.height);
    const wide = this.#matrix!.columns === this.#matrix!.rows ? side : Math.min(room.width, side * 1.4);
    // Where the two stand one above the other, the dots stand in the middle.
    const left = below ? Math.max(room.left, (width - wide) / 2) : room.left;
    this.#dots = { left, top: room.top, width: wide, height: side };
    image(this.#matrix!.paint(now, colours, options), this.#dots);
    this.#frame(painter, colours, options);
    if (!this.#quotient) return;
    const area: Area = beside
      ? {
          left: room.left + wide + 30,
          top: CAPTION,
          width: width - room.left - wide - 34,
          height: height - CAPTION - 6,
        }
      : { left: 4, top: height / 2 + CAPTION, width: width - 8, height: height / 2 - CAPTION - 6 };
    const chosen =
      this.#keys!.at === "group"
        ? this.#keys!.group
        : options.selection?.what === "group"
          ? options.selection.group
          : -1;
    const bands = this.film.everybody
      ? "band = links that carry node 0's blocks"
      : "band = links in use, of all between two groups";
    caption(painter, area, this.#quotient.title, bands, colours);
    this.#quotient.draw(
      painter,
      area.left,
      area.top,
      area.width,
      area.height,
      now,
      this.replay!.holding,
      colours,
      options,
      chosen,
      journey,
    );
  }

  /** The rows of one side of the cut that decides the bound, and the columns of the other: packets that must cross it. */
  #cut(painter: Painter, colours: Theme): void {
    const { left, top, width, height } = this.#dots;
    const { from, to } = this.film.network;
    const links = this.film.data.bound?.links ?? [];
    const [here, there] = [new Set(links.map((link) => from[link]!)), new Set(links.map((link) => to[link]!))];
    if (here.size + there.size !== this.film.network.members.size) return;
    const { rows, columns } = this.#matrix!;
    for (const node of here)
      painter.rect(left - 5, top + (node * height) / rows, 4, height / rows + 0.3, 0, { fill: colours.bound });
    for (const node of there)
      painter.rect(left + (node * width) / columns, top - 5, width / columns + 0.3, 4, 0, { fill: colours.bound });
  }

  #frame(painter: Painter, colours: Theme, options: Options): void {
    const { selection } = options;
    const { left, top, width, height } = this.#dots;
    const matrix = this.#matrix!;
    painter.rect(left, top, width, height, 0, { stroke: colours.frame, width: 1 });
    caption(
      painter,
      this.#dots,
      matrix.title,
      `${matrix.across} ${matrix.base} \u2026 ${matrix.columns - 1 + matrix.base} \u2192`,
      colours,
    );
    painter.text(
      left - 13,
      top + height / 2,
      matrix.bySteps ? `\u2190 step ${matrix.rows} \u2026 1` : `\u2190 ${matrix.down} ${matrix.rows - 1} \u2026 0`,
      {
        size: 12.5,
        colour: colours.muted,
        upwards: true,
      },
    );
    if (options.bound && matrix.byHops) this.#cut(painter, colours);
    if (matrix.byHops || matrix.bySteps) this.#scale(painter, colours);
    const around = (column: number, row: number, colour: string): void => {
      const [w, h] = [width / matrix.columns, height / matrix.rows];
      painter.rect(left + column * w - 4, top + row * h - 4, w + 8, h + 8, 2, { stroke: colour, width: 2.5 });
    };
    if (selection?.what === "packet" && selection.thread.target >= 0 && matrix.byHops)
      around(selection.thread.target, selection.thread.origin, colours.select);
    if (selection?.what === "packet" && matrix.bySteps)
      painter.line(
        range(2).flatMap((end) => [
          left + ((selection.thread.target + 0.5) * width) / matrix.columns,
          top + end * height,
        ]),
        {
          colour: colours.select,
          width: 1.5,
        },
      );
    if (this.#keys!.at === "dot") around(this.#keys!.column, this.#keys!.row, colours.ink);
    if (selection?.what === "group") this.#mark(painter, selection.group, colours);
  }

  /** The rows of a group. */
  #mark(painter: Painter, group: number, colours: Theme): void {
    if (this.#matrix!.bySteps) return;
    const { left, top, width, height } = this.#dots;
    const { of } = this.film.data.network.groups!;
    const high = height / this.#matrix!.rows;
    of.forEach((g, node) => {
      if (g !== group) return;
      painter.line([left - 8, top + (node + 0.5) * high, left - 2, top + (node + 0.5) * high], {
        colour: colours.select,
        width: Math.max(1, high),
      });
      painter.line([left + width + 2, top + (node + 0.5) * high, left + width + 8, top + (node + 0.5) * high], {
        colour: colours.select,
        width: Math.max(1, high),
      });
    });
  }

  #scale(painter: Painter, colours: Theme): void {
    const { left, top, width, height } = this.#dots;
    const most = this.film.network.diameter;
    const each = width / (most + 1);
    for (let hops = most; hops >= 0; hops--) {
      const x = left + (most - hops) * each;
      const fill = hops === 0 ? colours.background : css(ordinal(colours, (hops - 1) / Math.max(1, most - 1)));
      painter.rect(x, top + height + 7, each - 1, 9, 0, { fill, stroke: colours.link, width: 0.6 });
      const text = hops === 0 && each > 46 ? "arrived" : hops === most && each > 52 ? `${hops} hops` : String(hops);
      if (each > 16 || hops === 0 || hops === most)
        painter.text(x + each / 2, top + height + 25, text, {
          size: Math.max(12, colours.least),
          colour: colours.muted,
        });
    }
  }
}

const theme = (last: { theme: Theme } | null): boolean => last?.theme.dark ?? false;

const swatch =
  (fill: (theme: Theme) => string) =>
  (painter: Painter, colours: Theme): void =>
    painter.rect(8, 4, 22, 20, 3, { fill: fill(colours), stroke: colours.frame, width: 1 });

/** A title and a line below it; where the title needs two lines itself, it has both. */
function caption(painter: Painter, area: Area, title: string, below: string, colours: Theme): void {
  const size = Math.max(14, colours.least);
  const fits = (text: string, of: number): boolean => text.length * of * 0.56 < area.width + 12;
  const end = fits(title, size) ? title.length : Math.max(0, title.lastIndexOf(" ", title.length * 0.66));
  const heading = { size, colour: colours.ink, weight: 650, align: "left" } as const;
  painter.text(area.left, area.top - 28, title.slice(0, end), heading);
  if (end < title.length) painter.text(area.left, area.top - 11, title.slice(end).trim(), heading);
  else if (fits(below, 12))
    painter.text(area.left, area.top - 11, below, {
      size: Math.max(12.5, colours.least),
      colour: colours.muted,
      align: "left",
    });
}

/** The explanation: the missing part, the shown part, and the way to see more. */
function tooLarge(film: Film): string {
  const links = `${grouped(film.network.directed)} links`;
  const { use, length } = film;
  const always = length > 0 && use.mean(0, length) > 1 - 1e-9;
  return (
    "This run sends more packets than a page can keep: it knows how many are on their way in each step, but not which. " +
    (always
      ? `In every one of its ${grouped(length)} steps all ${links} carry a packet: none is ever idle. `
      : `Below: how many of the ${links} they use. `) +
    "For a smaller network every packet is shown."
  );
}

/** Links in use over the whole run, large: the picture of a run of which only counts are known. */
function drawUse(painter: Painter, film: Film, now: number, theme: Theme, { bound }: Options, area: Area): void {
  const { left, top, width: wide, height: high } = area;
  if (wide < 40 || high < 40) return;
  const { use, length, network } = film;
  const bars = Math.max(1, Math.min(length, Math.floor(wide / 3)));
  const each = wide / bars;
  const gap = each > 4 ? 1 : 0;
  range(bars).forEach((i) => {
    const [from, to] = [(i * length) / bars, ((i + 1) * length) / bars];
    const bar = use.mean(from, to) * high;
    painter.rect(left + i * each, top, each - gap, high, 0, { fill: theme.empty });
    painter.rect(left + i * each, top + high - bar, each - gap, bar, 0, {
      fill: from < now ? theme.progress : theme.link,
    });
  });
  for (const share of [0, 0.5, 1]) {
    const y = top + high * (1 - share);
    painter.line([left - 5, y, left + wide, y], { colour: theme.frame, width: 0.8 });
    painter.text(left - 10, y, grouped(Math.floor(network.directed * share)), {
      size: Math.max(13, theme.least),
      colour: theme.muted,
      align: "right",
    });
  }
  painter.text(left, top - 16, "Links in use", {
    size: Math.max(14, theme.least),
    colour: theme.ink,
    weight: 650,
    align: "left",
  });
  painter.text(left, top + high + 16, "step 1", {
    size: Math.max(13, theme.least),
    colour: theme.muted,
    align: "left",
  });
  painter.text(left + wide, top + high + 16, grouped(length), {
    size: Math.max(13, theme.least),
    colour: theme.muted,
    align: "right",
  });
  const value = film.data.bound?.value;
  if (bound && value && value <= length)
    painter.rect(left + (value / length) * wide - 3, top - 6, 3, high + 6, 0, { fill: theme.bound });
  painter.rect(left + (now / Math.max(1, length)) * wide - 1, top - 6, 2.5, high + 12, 0, { fill: theme.ink });
}
