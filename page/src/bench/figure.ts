// One chart on the page: what is drawn, the legend that chooses it, the same as a table, and the button that saves it.

import { choice, element, say, table } from "../kit/dom";
import { max, min } from "../kit/range";
import type { Theme } from "../kit/theme";
import { counted, listed } from "../kit/words";
import { axisOf, OVER_WORDS, placeWords, type Chart, type Metric } from "./charts";
import type { Cell } from "./document";
import { decades, drawCurves, styleOf, swatch, type Drawing, type Mark, type Style } from "./plot";
import { download, svgFile } from "./save";
import { chosenAtFirst, curvesOf, labelOf, longest, placeOf, type Curve, type Curves, type Over, type Scale } from "./series";

export interface Surroundings {
  cells: readonly Cell[];
  scale: Scale;
  theme: Theme;
  /** Of text, in pixels. */
  type: number;
  /** Where the figures come from. */
  source: string;
}

interface Drawn {
  curve: Curve;
  style: Style;
  marks: Mark[];
}

const HIDDEN_LEGEND = 40;

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

  constructor(readonly chart: Chart) {
    this.#metric = chart.metrics[0]!;
    this.#over = chart.overs[0]!;
    this.#heading = element("h2", { id: `${chart.id}-title` }, chart.title);
    this.#numbers.hidden = true;
    this.root = element("section.figure", { "aria-labelledby": `${chart.id}-title`, id: chart.id },
      element("div.heading", this.#heading, this.#tools), this.#about, this.#stage, this.#legend, this.#numbers);
  }

  /** Other cells: everything is chosen anew. */
  show(around: Surroundings): void {
    this.#around = around;
    this.#over = this.#possible()[0] ?? this.chart.overs[0]!;
    this.#choose();
  }

  /** The theme, the type or the width have changed. */
  redraw(around: Surroundings): void {
    this.#around = around;
    this.#draw();
  }

  #possible(): Over[] {
    const { cells, scale } = this.#around!;
    return this.chart.overs.filter((over) => longest(curvesOf(cells, over, scale, this.#metric.value), over, scale) > 1);
  }

  #choose(): void {
    const { cells, scale } = this.#around!;
    this.#curves = curvesOf(cells, this.#over, scale, this.#metric.value);
    const many = new Set(this.#curves.curves.filter((curve) => new Set(curve.cells.map((cell) => placeOf(cell, this.#over, scale))).size > 1));
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
    this.#tools.replaceChildren(...[
      known.length > 1 && choice("show", known.map(({ name }) => [name, name]), this.#metric.name, (name) => {
        this.#metric = known.find((metric) => metric.name === name)!;
        this.#choose();
      }),
      possible.length > 1 && choice("over", possible.map((over) => [over, OVER_WORDS[over]]), this.#over, (over) => {
        this.#over = over as Over;
        this.#choose();
      }),
      possible.length > 0 && numbers,
      possible.length > 0 && press("Save SVG", () => this.save()),
    ].filter((tool): tool is HTMLButtonElement => tool !== false));
  }

  #drawn(): Drawn[] {
    const { scale, theme } = this.#around!;
    return [...this.#slots].sort((a, b) => a[1] - b[1]).map(([curve, slot]) => ({
      curve, style: styleOf(slot, theme), marks: curve.cells.map((cell) => this.#mark(cell, scale)),
    }));
  }

  #mark(cell: Cell, scale: Scale): Mark {
    const { value, interval, limit, words, name } = this.#metric;
    const y = value(cell)!;
    const [low, high] = interval(cell) ?? [null, null];
    const most = limit?.(cell) ?? null;
    const lines = [
      labelOf(cell), `${name} ${words(y)}`, low === null ? "" : `95 % between ${words(low)} and ${words(high!)}`,
      most === null ? "" : `limit ${words(most)}${cell.limit_binds ? `: ${cell.limit_binds}` : ""}`, ...cell.doubts,
    ];
    return { x: placeOf(cell, this.#over, scale)!, y, low, high, limit: most, doubted: cell.doubts.length > 0, words: lines.filter(Boolean).join("\n") };
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
    this.#stage.replaceChildren(drawn.length === 0 ? element("p", "No curve is chosen.") : this.#picture(drawn, true));
    this.#legendOf(drawn, theme);
    this.#table();
  }

  #sentence(drawn: number): string {
    const { curves, common } = this.#curves;
    const all = curves.length > drawn ? ` ${drawn} of ${counted(curves.length, "curve")} drawn${this.#fixed.length > 0 ? ` (${listed(this.#fixed)} at first)` : ""}; choose below.` : "";
    return `${common ? `${common}; ` : ""}${this.#metric.better}. Bars: 95 % intervals of the median.${all}`;
  }

  #picture(drawn: readonly Drawn[], onPage: boolean): SVGSVGElement {
    const { theme, type } = this.#around!;
    const box = this.#stage.getBoundingClientRect();
    const [width, height] = onPage ? [max(280, Math.floor(box.width)), max(260, Math.floor(box.height))] : [900, 480];
    const drawing: Drawing = { width, height, type: onPage ? type : 15, theme, ...this.#axes(drawn.map(({ marks }) => marks)), curves: drawn, ideal: this.#metric.ideal ?? null, pointed: onPage };
    const svg = drawCurves(drawing);
    if (!onPage) return svg;
    svg.setAttribute("role", "img");
    svg.setAttribute("aria-label", this.#spoken(drawn));
    return svg;
  }

  #spoken(drawn: readonly Drawn[]): string {
    const { words, axis } = this.#metric;
    const values = drawn.flatMap(({ marks }) => marks.map(({ y }) => y));
    return `${this.chart.title}: ${axis} over ${axisOf(this.#over, this.#around!.scale)}, ${counted(drawn.length, "curve")}, from ${words(min(...values))} to ${words(max(...values))}. The button Numbers shows them as a table.`;
  }

  #axes(curves: readonly (readonly Mark[])[]): Pick<Drawing, "x" | "y"> {
    const { scale } = this.#around!;
    const [over, metric] = [this.#over, this.#metric];
    const marks = curves.flat();
    const places = [...new Set(marks.map(({ x }) => x))].sort((a, b) => a - b);
    const values = marks.flatMap(({ y, low, high, limit }) => [y, low, high, limit]).filter((value): value is number => value !== null);
    const ideals = metric.ideal ? places.map(metric.ideal) : [];
    const [low, high] = [min(...values), max(...values, ...ideals)];
    const log = metric.wide && low > 0 && high / low > 12;
    const steps = log ? decades(low, high) : evenly(high);
    const logX = over === "size" || (over === "nodes" && !scale.cubes) || (over === "threads" && places.at(-1)! > 8);
    return {
      x: { label: axisOf(over, scale), log: logX, ticks: places, words: (place) => placeWords(over, place) },
      y: { label: metric.axis, log, ticks: steps, domain: [log ? steps[0]! : 0, steps.at(-1)!], words: metric.words },
    };
  }

  #legendOf(drawn: readonly Drawn[], theme: Theme): void {
    const styles = new Map(drawn.map(({ curve, style }) => [curve, style]));
    const focused = [...this.#legend.querySelectorAll("button")].indexOf(document.activeElement as HTMLButtonElement);
    const { curves } = this.#curves;
    const items = curves.slice(0, HIDDEN_LEGEND).map((curve) => {
      const style = styles.get(curve);
      const button = element("button.curve", { type: "button", "aria-pressed": String(style !== undefined) }, element("span.swatch", style ? swatch(style, theme) : null), curve.label || this.#metric.name);
      button.addEventListener("click", () => this.#toggle(curve));
      return element("li", button);
    });
    this.#legend.replaceChildren(...items, ...this.#lines(theme).map(({ swatch: sign, words }) => element("li", element("span.line", sign, words))),
      ...(curves.length > HIDDEN_LEGEND ? [element("li", element("span.line", `and ${curves.length - HIDDEN_LEGEND} more: the choices above the charts leave fewer`))] : []));
    if (focused >= 0) this.#legend.querySelectorAll("button")[focused]?.focus();
  }

  /** What the legend says beside the curves. */
  #lines(theme: Theme): { swatch: SVGSVGElement; words: string }[] {
    const marks = this.#drawn().flatMap((one) => one.marks);
    const plain = (dash: string, colour: string): SVGSVGElement => swatch({ colour, dash, symbol: "none" }, theme);
    return [
      ...(this.#metric.ideal ? [{ swatch: plain("6 5", theme.muted), words: "ideal" }] : []),
      ...(marks.some(({ limit }) => limit !== null) ? [{ swatch: plain("1.5 3", theme.ink), words: "limit of each curve, in its colour" }] : []),
      ...(marks.some(({ doubted }) => doubted) ? [{ swatch: hollow(theme), words: "hollow: not to be trusted, see the table" }] : []),
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
    const rows = this.#drawn().flatMap(({ curve, marks }) => marks.map(({ x, y, low, high, limit }) => [
      curve.label || name, placeWords(this.#over, x), words(y), low === null ? "" : `${words(low)} to ${words(high!)}`, limit === null ? "" : words(limit),
    ]));
    const hasLimit = rows.some((row) => row[4] !== "");
    const shown = hasLimit ? rows : rows.map((row) => row.slice(0, 4));
    this.#numbers.setAttribute("aria-label", `Numbers of: ${this.chart.title}`);
    this.#numbers.replaceChildren(table(["curve", over, axis, "95 % interval", ...(hasLimit ? ["at the limit"] : [])],
      element("tbody", ...shown.map(([first, ...others]) => element("tr", element("th", { scope: "row" }, first!), ...others.map((text) => element("td", text)))))));
  }

  /** The text of the file that the button saves; null if nothing is drawn. */
  svg(): string | null {
    const drawn = this.#drawn();
    if (drawn.length === 0) return null;
    const { theme, source } = this.#around!;
    return svgFile({
      title: this.chart.title, subtitle: this.#sentence(drawn.length).replace("; choose below", ""), source, theme, chart: this.#picture(drawn, false),
      legend: [...drawn.map(({ curve, style }) => ({ swatch: swatch(style, theme), words: curve.label || this.#metric.name })), ...this.#lines(theme)],
    });
  }

  save(): void {
    const text = this.svg();
    if (text) download(text, `dcube-${this.chart.id}.svg`);
  }
}

function hollow(theme: Theme): SVGSVGElement {
  const sign = swatch({ colour: theme.muted, dash: "", symbol: "circle" }, theme);
  sign.querySelectorAll("[aria-label=dot] *").forEach((dot) => dot.setAttribute("fill", theme.background));
  sign.querySelector("[aria-label=dot]")?.setAttribute("fill", theme.background);
  return sign;
}

/** 0, step, 2 step .. to the first that is not below `high`; 5 to 8 of them. */
function evenly(high: number): number[] {
  const rough = (high || 1) / 5;
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = [1, 2, 2.5, 5, 10].map((digit) => digit * power).find((one) => one >= rough)!;
  return Array.from({ length: max(1, Math.ceil(high / step - 1e-9)) + 1 }, (_, i) => Number((i * step).toPrecision(12)));
}
