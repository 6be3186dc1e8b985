// A chart of curves: which quantity over which axis, and the legend that chooses its curves.

import { choice, element } from "../kit/dom";
import { range } from "../kit/numbers";
import { counted, listed } from "../kit/words";
import { axisOf, OVER_WORDS, placeWords, type Chart, type Metric } from "./charts";
import type { Cell } from "./document";
import { causesOf } from "./doubts";
import { entries, Frame, type Content, type Entry, type Room, type Surroundings } from "./frame";
import { decades, drawCurves, styleOf, swatch, thinned, type Drawing, type Mark, type Style } from "./plot";
import {
  chosenAtFirst,
  curvesOf,
  labelOf,
  longest,
  placeOf,
  type Curve,
  type Curves,
  type Over,
  type Scale,
} from "./series";

interface Drawn {
  curve: Curve;
  style: Style;
  marks: Mark[];
}

const MOST_IN_LEGEND = 60;

export class Figure extends Frame {
  #metric: Metric;
  #over: Over;
  #curves: Curves = { curves: [], common: "" };
  /** The curves that are drawn, each with its slot, which gives it colour and marker. */
  #slots = new Map<Curve, number>();
  #fixed: string[] = [];
  /** Curves that are not drawn stand in the legend too. */
  #whole = false;

  constructor(readonly chart: Chart) {
    super(chart.id, chart.title);
    this.#metric = chart.metrics[0]!;
    this.#over = chart.overs[0]!;
  }

  /** Other cells: everything is chosen anew. */
  override show(around: Surroundings): void {
    this.around = around;
    const possible = this.#possible();
    // Two numbers of threads make poor curves.
    const few = new Set(around.cells.map(({ threads }) => threads)).size < 3;
    this.#over = (few ? possible.find((over) => over !== "threads") : undefined) ?? possible[0] ?? this.chart.overs[0]!;
    this.#choose();
  }

  #possible(): Over[] {
    const { cells, scale } = this.around!;
    if (this.chart.base === "left out" && new Set(cells.map(({ threads }) => threads)).size < 2) return [];
    return this.chart.overs.filter(
      (over) => longest(curvesOf(cells, over, scale, this.#metric.value), over, scale) > 1,
    );
  }

  #choose(): void {
    const { cells, scale } = this.around!;
    this.#curves = curvesOf(cells, this.#over, scale, this.#metric.value);
    if (this.chart.base === "left out" && this.#over !== "threads")
      this.#curves = curvesOf(
        cells.filter(({ threads }) => threads > 1),
        this.#over,
        scale,
        this.#metric.value,
      );
    const many = new Set(
      this.#curves.curves.filter(
        (curve) => new Set(curve.cells.map((cell) => placeOf(cell, this.#over, scale))).size > 1,
      ),
    );
    const { chosen, fixed } = chosenAtFirst(this.#curves.curves.filter((curve) => many.has(curve)));
    this.#slots = new Map([...chosen].map((curve, i) => [curve, i]));
    this.#fixed = fixed;
    this.#toolbar();
    this.draw();
  }

  #toolbar(): void {
    const possible = this.#possible();
    const known = this.chart.metrics.filter(({ value }) => this.around!.cells.some((cell) => value(cell) !== null));
    this.tools.replaceChildren(
      ...[
        known.length > 1 &&
          choice(
            "show",
            known.map(({ name }) => [name, name]),
            this.#metric.name,
            (name) => {
              this.#metric = known.find((metric) => metric.name === name)!;
              this.#choose();
            },
          ),
        possible.length > 1 &&
          choice(
            "over",
            possible.map((over) => [over, OVER_WORDS[over]]),
            this.#over,
            (over) => {
              this.#over = over as Over;
              this.#choose();
            },
          ),
      ].filter((tool) => tool !== false),
    );
  }

  #drawn(): Drawn[] {
    const { scale, theme } = this.around!;
    return [...this.#slots]
      .sort((a, b) => a[1] - b[1])
      .map(([curve, slot]) => ({
        curve,
        style: styleOf(slot, theme),
        marks: curve.cells.map((cell) => this.#mark(cell, scale)),
      }));
  }

  #mark(cell: Cell, scale: Scale): Mark {
    const { value, interval, limit, words, name } = this.#metric;
    const y = value(cell)!;
    const [low, high] = interval(cell) ?? [null, null];
    const most = limit?.(cell) ?? null;
    const lines = [
      labelOf(cell),
      `${name} ${words(y)}`,
      low === null ? "" : `95 % between ${words(low)} and ${words(high!)}`,
      most === null ? "" : `limit ${words(most)}${cell.limit_binds ? `: ${cell.limit_binds}` : ""}`,
      this.#metric.doubted(cell) ? `doubtful: ${causesOf(cell).join(", ")}` : "",
    ];
    return {
      x: placeOf(cell, this.#over, scale)!,
      y,
      low,
      high,
      limit: most,
      doubted: this.#metric.doubted(cell),
      words: lines.filter(Boolean).join("\n"),
    };
  }

  protected content(): Content | string {
    const { cells, scale } = this.around!;
    if (this.#curves.curves.length === 0 || this.#possible().length === 0)
      return cells.some((cell) => this.#metric.value(cell) !== null) ? this.chart.alone : this.chart.without;
    const drawn = this.#drawn();
    const [columns, rows] = this.#rows(drawn);
    return {
      says: this.#metric.says(cells, scale),
      about: this.#sentence(drawn.length),
      legend: [
        ...drawn.map(({ curve, style, marks }) => ({
          swatch: this.#swatch(style, marks),
          words: curve.label || this.#metric.name,
        })),
        ...this.#lines(),
      ],
      columns,
      rows,
    };
  }

  protected override paint(): void {
    if (!this.stage.hidden && this.#slots.size === 0) this.stage.replaceChildren(element("p", "No curve is chosen."));
    else super.paint();
  }

  override svg(): string | null {
    return this.#slots.size === 0 ? null : super.svg();
  }

  #sentence(drawn: number): string {
    const { curves, common } = this.#curves;
    const all =
      curves.length > drawn
        ? ` ${drawn} of ${counted(curves.length, "curve")} drawn` +
          `${this.#fixed.length > 0 ? `, at first those with ${listed(this.#fixed)}` : ""}.`
        : "";
    return (
      `${common ? `${common}; ` : ""}${this.#metric.better}. Bars: 95 % intervals of the median` +
      `${this.#beyond() ? ", some longer than the frame" : ""}.${all}`
    );
  }

  #beyond(): boolean {
    const drawn = this.#drawn();
    if (drawn.length === 0) return false;
    const [least, most] = this.#axes(drawn).y.domain;
    return drawn.some(({ marks }) =>
      marks.some(({ low, high }) => (low !== null && low < least) || (high !== null && high > most)),
    );
  }

  protected picture({ width, height, type, theme, pointed }: Room): SVGSVGElement {
    const drawn = this.#drawn();
    const { x, y } = this.#axes(drawn);
    const [low, high] = y.domain;
    const inside = drawn.map(({ style, marks }) => ({
      style,
      marks: marks.map((mark) => ({
        ...mark,
        low: mark.low && Math.max(mark.low, low),
        high: mark.high && Math.min(mark.high, high),
      })),
    }));
    return drawCurves({ width, height, type, theme, x, y, curves: inside, ideal: this.#ideals(drawn), pointed });
  }

  protected override spoken(): string {
    const drawn = this.#drawn();
    const { words, axis } = this.#metric;
    const values = drawn.flatMap(({ marks }) => marks.map(({ y }) => y));
    return (
      `${this.chart.title}: ${axis} over ${axisOf(this.#over, this.around!.scale)}, ` +
      `${counted(drawn.length, "curve")}, from ${words(Math.min(...values))} to ` +
      `${words(Math.max(...values))}. ${this.says.textContent} The button Numbers shows them as a table.`
    );
  }

  /** Over threads a line, else one level for each number of threads. */
  #ideals(drawn: readonly Drawn[]): ((place: number) => number)[] {
    const { ideal } = this.#metric;
    if (!ideal) return [];
    if (this.#over === "threads") return [ideal];
    return [...new Set(drawn.flatMap(({ curve }) => curve.cells.map(({ threads }) => ideal(threads))))].map(
      (level) => () => level,
    );
  }

  #axes(drawn: readonly Drawn[]): Pick<Drawing, "x" | "y"> {
    const { scale } = this.around!;
    const [over, metric] = [this.#over, this.#metric];
    const marks = drawn.flatMap((one) => one.marks);
    const places = [...new Set(marks.map(({ x }) => x))].sort((a, b) => a - b);
    const values = [
      ...marks.map(({ y }) => y),
      ...marks.map(({ limit }) => limit).filter((limit) => limit !== null),
      ...this.#ideals(drawn).flatMap((ideal) => places.map(ideal)),
    ];
    const [least, most] = [Math.min(...values), Math.max(...values)];
    // An interval that is much wider than all values differ may leave the frame.
    const low = Math.max(
      Math.min(least, ...marks.map((mark) => mark.low ?? least)),
      metric.wide ? least / 2 : least - (most - least) * 0.5 - most * 0.1,
    );
    const high = Math.min(
      Math.max(most, ...marks.map((mark) => mark.high ?? most)),
      metric.wide ? most * 2 : most + (most - least) * 0.5 + most * 0.1,
    );
    const logX = over === "size" || (over === "nodes" && !scale.cubes) || (over === "threads" && places.at(-1)! > 8);
    const doubled = metric.doubles === true && logX && over === "threads" && low > 0;
    const log = doubled || (metric.wide && low > 0 && high / low > 12);
    const steps = doubled ? powers(low, high) : log ? decades(low, high) : evenly(low > 0.6 * high ? low : 0, high);
    return {
      x: { label: axisOf(over, scale), log: logX, ticks: places, words: (place) => placeWords(over, place) },
      y: {
        label: metric.axis,
        log,
        ticks: thinned(steps, 12),
        domain: [steps[0]!, steps.at(-1)!],
        words: metric.words,
      },
    };
  }

  /** A curve whose points are all doubtful looks so in the legend, too. */
  #swatch(style: Style, marks: readonly Mark[]): SVGSVGElement {
    return swatch(style, this.around!.theme, marks.length > 0 && marks.every(({ doubted }) => doubted));
  }

  /** The legend, whose curves can be chosen. */
  protected override explain(): void {
    const styles = new Map(this.#drawn().map(({ curve, style, marks }) => [curve, { style, marks }]));
    const focused = [...this.legend.querySelectorAll("button")].indexOf(document.activeElement as HTMLButtonElement);
    const { curves } = this.#curves;
    const shown = this.#whole ? curves.slice(0, MOST_IN_LEGEND) : curves.filter((curve) => styles.has(curve));
    const items = shown.map((curve) => {
      const look = styles.get(curve);
      const button = element(
        "button.curve",
        { type: "button", "aria-pressed": String(look !== undefined) },
        element("span.swatch", look ? this.#swatch(look.style, look.marks) : null),
        curve.label || this.#metric.name,
      );
      button.addEventListener("click", () => this.#toggle(curve));
      return element("li", button);
    });
    const others = entries(this.#lines());
    this.legend.replaceChildren(...items, ...this.#more(curves.length - styles.size, curves.length), ...others);
    if (focused >= 0) this.legend.querySelectorAll("button")[focused]?.focus();
  }

  /** The button that brings curves that are not drawn into the legend. */
  #more(hidden: number, all: number): HTMLElement[] {
    if (hidden === 0 && !this.#whole) return [];
    const button = element(
      "button.words",
      { type: "button", "aria-expanded": String(this.#whole) },
      this.#whole ? "Only drawn curves" : `${counted(hidden, "more curve")} \u2026`,
    );
    button.addEventListener("click", () => {
      this.#whole = !this.#whole;
      this.draw();
    });
    const left = all - MOST_IN_LEGEND;
    return [
      element("li", button),
      ...(this.#whole && left > 0
        ? [element("li", element("span.line", `and ${left} more: the choices above the charts leave fewer`))]
        : []),
    ];
  }

  /** The legend's text beside the curves. */
  #lines(): Entry[] {
    const { theme } = this.around!;
    const marks = this.#drawn().flatMap((one) => one.marks);
    const line = (dash: string, colour: string): SVGSVGElement => swatch({ colour, dash, symbol: "none" }, theme);
    return [
      ...(this.#metric.ideal ? [{ swatch: line("", theme.muted), words: this.#metric.idealWords ?? "ideal" }] : []),
      ...(marks.some(({ limit }) => limit !== null)
        ? [{ swatch: line("1.5 3", theme.ink), words: "limit of each curve, in its colour" }]
        : []),
      ...(marks.some(({ doubted }) => doubted)
        ? [
            {
              swatch: swatch({ colour: theme.muted, symbol: "circle" }, theme, true),
              words: "hollow, dashed: doubtful",
            },
          ]
        : []),
    ];
  }

  #toggle(curve: Curve): void {
    if (!this.#slots.delete(curve)) {
      const taken = new Set(this.#slots.values());
      let slot = 0;
      while (taken.has(slot)) slot++;
      this.#slots.set(curve, slot);
    }
    this.draw();
  }

  #rows(drawn: readonly Drawn[]): [string[], string[][]] {
    const { words, axis, name } = this.#metric;
    const rows = drawn.flatMap(({ curve, marks }) =>
      marks.map(({ x, y, low, high, limit }) => [
        curve.label || name,
        placeWords(this.#over, x),
        words(y),
        low === null ? "" : `${words(low)} to ${words(high!)}`,
        limit === null ? "" : words(limit),
      ]),
    );
    const columns = ["curve", axisOf(this.#over, this.around!.scale), axis, "95 % interval", "at the limit"];
    const some = rows.some((row) => row[4] !== "") ? 5 : 4;
    return [columns.slice(0, some), rows.map((row) => row.slice(0, some))];
  }
}

/** Powers of two that embrace both. */
function powers(low: number, high: number): number[] {
  const [first, last] = [Math.floor(Math.log2(low) + 1e-9), Math.ceil(Math.log2(high) - 1e-9)];
  return range(Math.max(1, last - first) + 1).map((i) => 2 ** (first + i));
}

/** Multiples of a step that embrace both; 4 to 8 of them. */
function evenly(low: number, high: number): number[] {
  const rough = (high - low || high || 1) / 5;
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = [1, 2, 2.5, 5, 10].map((digit) => digit * power).find((one) => one >= rough)!;
  const [first, last] = [Math.floor(low / step + 1e-9), Math.ceil(high / step - 1e-9)];
  return range(Math.max(1, last - first) + 1).map((i) => Number(((first + i) * step).toPrecision(12)));
}
