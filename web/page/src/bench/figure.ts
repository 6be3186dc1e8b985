// One chart on the page: the drawing, the legend that chooses its curves, the same as a table, and the button that saves it.

import { choice, download, element, say, table } from "../kit/dom";
import { range } from "../kit/numbers";
import type { Theme } from "../kit/theme";
import { counted, listed } from "../kit/words";
import { axisOf, OVER_WORDS, placeWords, type Chart, type Metric } from "./charts";
import type { Cell } from "./document";
import { decades, drawCurves, styleOf, swatch, thinned, type Drawing, type Mark, type Style } from "./plot";
import { svgFile } from "./save";
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

export interface Surroundings {
  cells: readonly Cell[];
  scale: Scale;
  theme: Theme;
  /** The size of text, in pixels. */
  type: number;
  /** The origin of the figures. */
  source: string;
}

interface Drawn {
  curve: Curve;
  style: Style;
  marks: Mark[];
}

const MOST_IN_LEGEND = 60;

export class Figure {
  readonly root: HTMLElement;
  readonly #about = element("p.about");
  readonly #stage = element("div.chart");
  readonly #legend = element("ul.curves");
  readonly #tools = element("div.tools");
  readonly #numbers = element("div.numbers", { tabindex: "0", role: "region" });
  readonly #heading: HTMLHeadingElement;
  #metric: Metric;
  #over: Over;
  #curves: Curves = { curves: [], common: "" };
  /** The curves that are drawn, each with its slot, which gives it colour, dash and marker. */
  #slots = new Map<Curve, number>();
  #fixed: string[] = [];
  #around: Surroundings | null = null;
  /** Curves that are not drawn stand in the legend too. */
  #whole = false;
  #size = [0, 0];

  constructor(readonly chart: Chart) {
    this.#metric = chart.metrics[0]!;
    this.#over = chart.overs[0]!;
    this.#heading = element("h2", { id: `${chart.id}-title` }, chart.title);
    this.#numbers.hidden = true;
    this.root = element(
      "section.figure",
      { "aria-labelledby": `${chart.id}-title`, id: chart.id },
      element("div.heading", this.#heading, this.#tools),
      this.#about,
      this.#stage,
      this.#legend,
      this.#numbers,
    );
    // Legends and tables beside it change a chart's room.
    new ResizeObserver(() => {
      const { width, height } = this.#stage.getBoundingClientRect();
      if (
        this.#around &&
        width > 0 &&
        (Math.abs(width - this.#size[0]!) >= 1 || Math.abs(height - this.#size[1]!) >= 1)
      )
        this.#paint();
    }).observe(this.#stage);
  }

  /** Other cells: everything is chosen anew. */
  show(around: Surroundings): void {
    this.#around = around;
    const possible = this.#possible();
    // Two numbers of threads make poor curves.
    const few = new Set(around.cells.map(({ threads }) => threads)).size < 3;
    this.#over = (few ? possible.find((over) => over !== "threads") : undefined) ?? possible[0] ?? this.chart.overs[0]!;
    this.#choose();
  }

  /** The theme, the type or the width have changed. */
  redraw(around: Surroundings): void {
    this.#around = around;
    this.#draw();
  }

  #possible(): Over[] {
    const { cells, scale } = this.#around!;
    if (this.chart.base === "left out" && new Set(cells.map(({ threads }) => threads)).size < 2) return [];
    return this.chart.overs.filter(
      (over) => longest(curvesOf(cells, over, scale, this.#metric.value), over, scale) > 1,
    );
  }

  #choose(): void {
    const { cells, scale } = this.#around!;
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
    this.#draw();
  }

  #toolbar(): void {
    const possible = this.#possible();
    const known = this.chart.metrics.filter(({ value }) => this.#around!.cells.some((cell) => value(cell) !== null));
    const press = (words: string, act: (button: HTMLButtonElement) => void): HTMLButtonElement => {
      const made = element("button.words", { type: "button" }, words, element("span.hidden", `: ${this.chart.title}`));
      made.addEventListener("click", () => act(made));
      return made;
    };
    const numbers = press("Numbers", (button) => {
      this.#numbers.hidden = !this.#numbers.hidden;
      button.setAttribute("aria-expanded", String(!this.#numbers.hidden));
      this.#table();
    });
    numbers.setAttribute("aria-expanded", String(!this.#numbers.hidden));
    this.#tools.replaceChildren(
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
        possible.length > 0 && numbers,
        possible.length > 0 && press("Save SVG", () => this.save()),
      ].filter((tool): tool is HTMLButtonElement => tool !== false),
    );
  }

  #drawn(): Drawn[] {
    const { scale, theme } = this.#around!;
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
      ...cell.doubts,
    ];
    return {
      x: placeOf(cell, this.#over, scale)!,
      y,
      low,
      high,
      limit: most,
      doubted: cell.doubts.length > 0,
      words: lines.filter(Boolean).join("\n"),
    };
  }

  #draw(): void {
    const { cells, theme } = this.#around!;
    const drawn = this.#drawn();
    const possible = this.#curves.curves.length > 0 && this.#possible().length > 0;
    this.root.toggleAttribute("data-empty", !possible);
    this.#legend.hidden = this.#stage.hidden = !possible;
    if (!possible) {
      this.#numbers.hidden = true;
      say(this.#about, cells.some((cell) => this.#metric.value(cell) !== null) ? this.chart.alone : this.chart.without);
      return;
    }
    say(this.#about, this.#sentence(drawn.length));
    this.#legendOf(drawn, theme);
    this.#table();
    this.#paint();
  }

  #paint(): void {
    if (this.#stage.hidden) return;
    const drawn = this.#drawn();
    const { width, height } = this.#stage.getBoundingClientRect();
    this.#size = [width, height];
    this.#stage.replaceChildren(drawn.length === 0 ? element("p", "No curve is chosen.") : this.#picture(drawn, true));
  }

  #sentence(drawn: number): string {
    const { curves, common } = this.#curves;
    const all =
      curves.length > drawn
        ? ` ${drawn} of ${counted(curves.length, "curve")} drawn${this.#fixed.length > 0 ? `, at first those with ${listed(this.#fixed)}` : ""}.`
        : "";
    return `${common ? `${common}; ` : ""}${this.#metric.better}. Bars: 95 % intervals of the median${this.#beyond() ? ", some longer than the frame" : ""}.${all}`;
  }

  #beyond(): boolean {
    const drawn = this.#drawn();
    if (drawn.length === 0) return false;
    const [least, most] = this.#axes(drawn).y.domain;
    return drawn.some(({ marks }) =>
      marks.some(({ low, high }) => (low !== null && low < least) || (high !== null && high > most)),
    );
  }

  #picture(drawn: readonly Drawn[], onPage: boolean): SVGSVGElement {
    const { theme, type } = this.#around!;
    const box = this.#stage.getBoundingClientRect();
    const [width, height] = onPage
      ? [Math.max(280, Math.floor(box.width)), Math.max(260, Math.floor(box.height))]
      : [900, 480];
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
    const drawing: Drawing = {
      width,
      height,
      type: onPage ? type : 15,
      theme,
      x,
      y,
      curves: inside,
      ideal: this.#ideals(drawn),
      pointed: onPage,
    };
    const svg = drawCurves(drawing);
    if (!onPage) return svg;
    svg.setAttribute("role", "img");
    svg.setAttribute("aria-label", this.#spoken(drawn));
    return svg;
  }

  #spoken(drawn: readonly Drawn[]): string {
    const { words, axis } = this.#metric;
    const values = drawn.flatMap(({ marks }) => marks.map(({ y }) => y));
    return `${this.chart.title}: ${axis} over ${axisOf(this.#over, this.#around!.scale)}, ${counted(drawn.length, "curve")}, from ${words(Math.min(...values))} to ${words(Math.max(...values))}. The button Numbers shows them as a table.`;
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
    const { scale } = this.#around!;
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

  #legendOf(drawn: readonly Drawn[], theme: Theme): void {
    const styles = new Map(drawn.map(({ curve, style }) => [curve, style]));
    const focused = [...this.#legend.querySelectorAll("button")].indexOf(document.activeElement as HTMLButtonElement);
    const { curves } = this.#curves;
    const shown = this.#whole ? curves.slice(0, MOST_IN_LEGEND) : curves.filter((curve) => styles.has(curve));
    const items = shown.map((curve) => {
      const style = styles.get(curve);
      const button = element(
        "button.curve",
        { type: "button", "aria-pressed": String(style !== undefined) },
        element("span.swatch", style ? swatch(style, theme) : null),
        curve.label || this.#metric.name,
      );
      button.addEventListener("click", () => this.#toggle(curve));
      return element("li", button);
    });
    const others = this.#lines(theme).map(({ swatch: sign, words }) =>
      element("li", element("span.line", sign, words)),
    );
    this.#legend.replaceChildren(...items, ...this.#more(curves.length - styles.size, curves.length), ...others);
    if (focused >= 0) this.#legend.querySelectorAll("button")[focused]?.focus();
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
      this.#draw();
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
  #lines(theme: Theme): { swatch: SVGSVGElement; words: string }[] {
    const marks = this.#drawn().flatMap((one) => one.marks);
    const plain = (dash: string, colour: string): SVGSVGElement => swatch({ colour, dash, symbol: "none" }, theme);
    return [
      ...(this.#metric.ideal ? [{ swatch: plain("6 5", theme.muted), words: this.#metric.idealWords ?? "ideal" }] : []),
      ...(marks.some(({ limit }) => limit !== null)
        ? [{ swatch: plain("1.5 3", theme.ink), words: "limit of each curve, in its colour" }]
        : []),
      ...(marks.some(({ doubted }) => doubted)
        ? [{ swatch: hollow(theme), words: "hollow: not to be trusted, see the table" }]
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
    this.#draw();
  }

  #table(): void {
    if (this.#numbers.hidden) return;
    const { words, axis, name } = this.#metric;
    const over = axisOf(this.#over, this.#around!.scale);
    const rows = this.#drawn().flatMap(({ curve, marks }) =>
      marks.map(({ x, y, low, high, limit }) => [
        curve.label || name,
        placeWords(this.#over, x),
        words(y),
        low === null ? "" : `${words(low)} to ${words(high!)}`,
        limit === null ? "" : words(limit),
      ]),
    );
    const hasLimit = rows.some((row) => row[4] !== "");
    const shown = hasLimit ? rows : rows.map((row) => row.slice(0, 4));
    this.#numbers.setAttribute("aria-label", `Numbers of: ${this.chart.title}`);
    this.#numbers.replaceChildren(
      table(
        ["curve", over, axis, "95 % interval", ...(hasLimit ? ["at the limit"] : [])],
        element(
          "tbody",
          ...shown.map(([first, ...others]) =>
            element("tr", element("th", { scope: "row" }, first!), ...others.map((text) => element("td", text))),
          ),
        ),
      ),
    );
  }

  /** The text of the file that the button saves; null if nothing is drawn. */
  svg(): string | null {
    const drawn = this.#drawn();
    if (drawn.length === 0) return null;
    const { theme, source } = this.#around!;
    return svgFile({
      title: this.chart.title,
      subtitle: this.#sentence(drawn.length),
      source,
      theme,
      chart: this.#picture(drawn, false),
      legend: [
        ...drawn.map(({ curve, style }) => ({ swatch: swatch(style, theme), words: curve.label || this.#metric.name })),
        ...this.#lines(theme),
      ],
    });
  }

  save(): void {
    const text = this.svg();
    if (text) download(text, `dcube-${this.chart.id}.svg`);
  }
}

function hollow(theme: Theme): SVGSVGElement {
  const sign = swatch({ colour: theme.muted, dash: "", symbol: "circle" }, theme);
  sign.querySelectorAll("[data-part=dot] *").forEach((dot) => dot.setAttribute("fill", theme.background));
  sign.querySelector("[data-part=dot]")?.setAttribute("fill", theme.background);
  return sign;
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
