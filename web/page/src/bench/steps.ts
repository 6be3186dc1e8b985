// A step taken apart: what of its time is work, lines from other cores, the barrier, and the rest, a bar for each cell.

import * as Plot from "@observablehq/plot";
import { css, mix } from "../kit/colour";
import { choice } from "../kit/dom";
import { range } from "../kit/numbers";
import type { Theme } from "../kit/theme";
import { counted, listed } from "../kit/words";
import { said } from "./conclusions";
import type { Cell, Step } from "./document";
import { causesOf, doubtsTimes } from "./doubts";
import { Frame, type Content, type Room, type Surroundings } from "./frame";
import { cutTo } from "./map";
import { block, sealed, swatch, thinned, tipOf } from "./plot";
import { labelOf, namer } from "./series";
import { figures, percent, seconds } from "./words";

const PARTS = [
  { key: "work_seconds", name: "work, shared by the threads", short: "work" },
  { key: "crossing_seconds", name: "lines from other cores", short: "lines from other cores" },
  { key: "barrier_seconds", name: "barrier", short: "the barrier" },
  { key: "rest_seconds", name: "rest", short: "the rest" },
] as const;

const MOST_BARS = 24;

type Taken = Cell & { step: Step };

const isTaken = (cell: Cell): cell is Taken => cell.step !== null && measured(cell.step) > 0;
/** The parts add up to it. */
const measured = (step: Step): number => PARTS.reduce((sum, { key }) => sum + step[key], 0);
const largest = (step: Step): (typeof PARTS)[number] =>
  PARTS.reduce((most, part) => (step[part.key] > step[most.key] ? part : most));

function coloursOf(theme: Theme): string[] {
  const soft = (hue: number): string => css(mix(theme.ground, theme.hues[hue]!, 0.85));
  return [soft(2), soft(5), soft(0), css(mix(theme.ground, theme.hues[7]!, 0.35))];
}

/** Where the time goes. */
function stepsSay(some: readonly Taken[]): string {
  const name = namer(some);
  const told = PARTS.map(({ key, short }) => {
    const which = some.filter(({ step }) => largest(step).key === key);
    const share = ({ step }: Taken): number => Math.min(1, step[key] / measured(step));
    const most = [...which].sort((a, b) => share(b) - share(a))[0];
    const where = most && name(most) ? ` at ${name(most)}` : "";
    const extreme = most && key !== "work_seconds" ? ` (up to ${Math.round(100 * share(most))} %${where})` : "";
    return { count: which.length, words: `${short} in ${counted(which.length, "cell")}${extreme}` };
  });
  const parts = told.filter(({ count }) => count > 0).sort((a, b) => b.count - a.count);
  return `The largest part of a step is ${listed(parts.map(({ words }) => words))}.`;
}

/** The sentence of the cell that gains least. */
function example(cells: readonly Taken[]): string {
  const worst = [...cells].sort((a, b) => (a.speed_up ?? 1) - (b.speed_up ?? 1))[0]!;
  const name = namer(cells)(worst);
  const { sentence } = worst.step;
  return sentence ? ` ${name ? `${name}: ` : ""}${sentence.replace(/\.?$/, ".")}` : "";
}

interface Bar {
  cell: Taken;
  name: string;
  whole: number;
}

export class Steps extends Frame {
  #threads = "";
  #times = false;

  constructor() {
    super("steps", "A step taken apart");
  }

  override show(around: Surroundings): void {
    this.around = around;
    const numbers = [...new Set(this.#taken().map(({ threads }) => threads))].sort((a, b) => b - a);
    if (!numbers.some((threads) => String(threads) === this.#threads)) this.#threads = String(numbers[0] ?? "");
    const threads =
      numbers.length > 1 &&
      choice(
        "threads",
        numbers.map((number) => [String(number), String(number)]),
        this.#threads,
        (chosen) => {
          this.#threads = chosen;
          this.draw();
        },
      );
    const as = choice(
      "as",
      [
        ["shares", "shares"],
        ["times", "times"],
      ],
      this.#times ? "times" : "shares",
      (chosen) => {
        this.#times = chosen === "times";
        this.draw();
      },
    );
    this.tools.replaceChildren(...(threads ? [threads] : []), ...(numbers.length > 0 ? [as] : []));
    this.draw();
  }

  #taken(): Taken[] {
    return this.around!.cells.filter(isTaken).filter(({ threads }) => threads > 1);
  }

  #bars(): Bar[] {
    const cells = this.#taken().filter(({ threads }) => String(threads) === this.#threads);
    const name = namer(cells);
    return thinned(cells, MOST_BARS).map((cell) => ({ cell, name: name(cell), whole: measured(cell.step) }));
  }

  protected content(): Content | string {
    const taken = this.#taken();
    if (taken.length === 0)
      return "No step was taken apart: that needs the same cells with one thread, and limits of this machine (dcube limits).";
    const { theme } = this.around!;
    const bars = this.#bars();
    const cells = taken.filter(({ threads }) => String(threads) === this.#threads);
    const colours = coloursOf(theme);
    const left = cells.length > bars.length ? ` ${bars.length} of ${cells.length} cells are drawn.` : "";
    return {
      says: said(cells, doubtsTimes, stepsSay),
      about:
        `${counted(Number(this.#threads), "thread")}; ${this.#times ? "time" : "share of the time"} of a ` +
        `step, measured time at the right.${left}${example(cells)}`,
      legend: [
        ...PARTS.map(({ name }, i) => ({ swatch: block(colours[i]!, theme), words: name })),
        ...(bars.some(({ cell }) => cell.step.rest_seconds < 0)
          ? [
              {
                swatch: swatch({ colour: theme.ink, symbol: "none" }, theme),
                words: "measured: parts beyond it are estimated too high",
              },
            ]
          : []),
        ...(bars.some(({ cell }) => doubtsTimes(cell))
          ? [{ swatch: block("none", theme, theme.muted, "4 3"), words: "dashed, “?”: doubtful" }]
          : []),
      ],
      columns: ["cell", "measured", ...PARTS.map(({ name }) => name), "in words"],
      rows: bars.map(({ cell, whole }) => [
        labelOf(cell),
        seconds(whole),
        ...PARTS.map(({ key }) => timed(cell.step[key])),
        cell.step.sentence,
      ]),
      height: Math.max(150, 62 + bars.length * 27),
    };
  }

  protected picture({ width, height, type, theme, pointed }: Room): SVGSVGElement {
    const bars = this.#bars();
    const colours = coloursOf(theme);
    const worth = (time: number, { whole }: Bar): number => (this.#times ? time : time / whole);
    const pieces = bars.flatMap((bar, y) => {
      let from = 0;
      return PARTS.flatMap(({ key }, i) => {
        const part = worth(Math.max(0, bar.cell.step[key]), bar);
        from += part;
        return part === 0 ? [] : [{ y, x1: from - part, x2: from, fill: colours[i]! }];
      });
    });
    const most = Math.max(...pieces.map(({ x2 }) => x2), ...bars.map((bar) => worth(bar.whole, bar)));
    const names = bars.map(({ cell, name }) => `${name || labelOf(cell)}${doubtsTimes(cell) ? " ?" : ""}`);
    const left = Math.min(width * 0.44, Math.max(...names.map((name) => name.length)) * type * 0.56 + 14);
    const rows = bars.map((bar, y) => ({ y, x: worth(bar.whole, bar), bar, words: wordsOf(bar) }));
    type Row = (typeof rows)[number];
    const doubted = rows.filter(({ bar }) => doubtsTimes(bar.cell));
    const [unit, size] = unitOf(most);
    const ticks = Math.max(2, Math.min(5, Math.floor((width - left - type * 5) / (type * 6))));
    const axis = { fontSize: type, fill: theme.ink, labelArrow: "none" as const };
    const high = { y1: ({ y }: { y: number }) => y + 0.14, y2: ({ y }: { y: number }) => y + 0.86 };
    return sealed(
      Plot.plot({
        width,
        height,
        marginLeft: left,
        marginRight: type * 5,
        marginTop: 6,
        marginBottom: type * 4,
        x: { domain: [0, most] },
        y: { domain: [bars.length, 0] },
        marks: [
          Plot.gridX({ ticks, stroke: theme.link, strokeOpacity: 0.55 }),
          Plot.rect(pieces, {
            x1: "x1",
            x2: "x2",
            ...high,
            fill: "fill",
            stroke: theme.background,
            strokeWidth: 0.8,
          } as Plot.RectOptions),
          Plot.rect(doubted, {
            x1: 0,
            x2: ({ x }: Row) => x,
            ...high,
            fill: "none",
            stroke: theme.ink,
            strokeWidth: 1.2,
            strokeDasharray: "4 3",
          } as Plot.RectOptions),
          Plot.ruleX(
            rows.filter(({ bar }) => bar.cell.step.rest_seconds < 0),
            { x: "x", y1: ({ y }: Row) => y + 0.04, y2: ({ y }: Row) => y + 0.96, stroke: theme.ink, strokeWidth: 2.4 },
          ),
          Plot.text(rows, {
            x: most,
            y: ({ y }: Row) => y + 0.5,
            text: ({ bar }: Row) => seconds(bar.whole),
            textAnchor: "start",
            dx: 8,
            fontSize: type,
            fill: theme.ink,
          }),
          Plot.axisY(
            range(bars.length).map((i) => i + 0.5),
            {
              ...axis,
              label: null,
              tickSize: 0,
              tickFormat: (at: number) => cutTo(names[Math.floor(at)] ?? "", left / (type * 0.56)),
            },
          ),
          Plot.axisX({
            ...axis,
            ticks,
            stroke: theme.frame,
            label: this.#times ? `time of a step (${unit})` : "share of a step",
            labelAnchor: "center",
            labelOffset: type * 2.8,
            tickFormat: (value: number) => (this.#times ? figures(value / size) : percent(value)),
          }),
          ...tipOf(rows, { x: ({ x }) => x / 2, y: ({ y }) => y + 0.5 }, { pointed, type, theme }),
        ],
      }),
      theme,
    );
  }
}

const timed = (time: number): string => (time < 0 ? `−${seconds(-time)}` : seconds(time));

function wordsOf({ cell, whole }: Bar): string {
  return [
    labelOf(cell),
    `a step takes ${seconds(whole)}`,
    ...PARTS.map(({ key, name }) => `${name}: ${timed(cell.step[key])}, ${percent(cell.step[key] / whole)}`),
    doubtsTimes(cell) ? `doubtful: ${causesOf(cell).join(", ")}` : "",
  ]
    .filter(Boolean)
    .join("\n");
}

/** The unit in which such a time is short. */
export function unitOf(time: number): readonly [string, number] {
  const units = [
    ["s", 1],
    ["ms", 1e-3],
    ["µs", 1e-6],
  ] as const;
  return units.find(([, size]) => time >= size) ?? ["ns", 1e-9];
}
