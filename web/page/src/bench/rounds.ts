// All rounds of all cells in the order in which they were measured, each beside its cell's median: when the machine changed
// its speed, and for whom. Below them, what handing a line to another processor took meanwhile.

import * as Plot from "@observablehq/plot";
import { counted } from "../kit/words";
import { rounded } from "./conclusions";
import type { Cell, Moment, Round } from "./document";
import { Frame, type Content, type Entry, type Room, type Surroundings } from "./frame";
import { decades, marker, sealed, styleOf, swatch, thinned, tipOf, type Style } from "./plot";
import { labelOf, namer } from "./series";
import { figures, percent, seconds } from "./words";

const MOST_DRAWN = 4000;
const FARTHEST = 8;
const NEAR = 1.1;
const TICKS = [1 / 8, 1 / 4, 1 / 2, 0.7, 0.8, 0.9, 1, 1.1, 1.25, 1.5, 2, 4, 8];

interface Slice {
  cell: Cell;
  /** Slices before it, of all processes. */
  x: number;
  process: number;
  /** Over the cell's median. */
  ratio: number;
  disturbed: number;
  /** All samples were disturbed. */
  lost: boolean;
  words: string;
}

function middle(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  const half = sorted.length >> 1;
  return sorted.length % 2 === 1 ? sorted[half]! : (sorted[half - 1]! + sorted[half]!) / 2;
}

/** Where each process begins: one after the other, also where each counts its slices from 0. */
function beginnings(parts: readonly { order: number; process: number }[]): Map<number, number> {
  const ends = new Map<number, readonly [number, number]>();
  for (const { order, process } of parts) {
    const [least, most] = ends.get(process) ?? [order, order];
    ends.set(process, [Math.min(least, order), Math.max(most, order)]);
  }
  const found = new Map<number, number>();
  let end = 0;
  for (const [process, [least, most]] of [...ends].sort((a, b) => a[0] - b[0])) {
    found.set(process, Math.max(0, end - least));
    end = found.get(process)! + most + 1;
  }
  return found;
}

function sliceOf(cell: Cell, round: Round, number: number, begins: Map<number, number>): Slice | null {
  const lost = round.samples_seconds.length === 0;
  const samples = lost ? round.disturbed_seconds : round.samples_seconds;
  if (samples.length === 0) return null;
  const median = middle(samples);
  const ratio = median / cell.median_seconds;
  if (!(ratio > 0)) return null;
  const disturbed = round.disturbed_seconds.length;
  return {
    cell,
    x: round.order + (begins.get(round.process) ?? 0),
    process: round.process,
    ratio,
    disturbed,
    lost,
    words: [
      labelOf(cell),
      `round ${number + 1}: ${seconds(median)}, ${figures(ratio)} of the cell's`,
      disturbed > 0 ? `${counted(disturbed, "sample")} disturbed` : "",
    ]
      .filter(Boolean)
      .join("\n"),
  };
}

export class Rounds extends Frame {
  #slices: Slice[] = [];
  #handovers: { x: number; process: number; ns: number; words: string }[] = [];
  #begins = new Map<number, number>();
  #threads: number[] = [];

  constructor(private readonly moments: readonly Moment[]) {
    super("rounds", "Rounds in time");
    this.root.classList.add("broad");
  }

  override show(around: Surroundings): void {
    this.around = around;
    const { cells } = around;
    this.#begins = beginnings([...cells.flatMap(({ rounds }) => rounds), ...this.moments]);
    this.#slices = cells
      .flatMap((cell) => cell.rounds.map((round, i) => sliceOf(cell, round, i, this.#begins)))
      .filter((slice) => slice !== null);
    this.#handovers = this.moments
      .filter((moment) => moment.handover_seconds !== null)
      .map(({ order, process, handover_seconds: time }) => ({
        x: order + (this.#begins.get(process) ?? 0),
        process,
        ns: time! * 1e9,
        words: `a line handed over: ${seconds(time!)}`,
      }));
    this.#threads = [...new Set(cells.map(({ threads }) => threads))].sort((a, b) => a - b);
    this.draw();
  }

  protected content(): Content | string {
    const slices = this.#slices;
    if (slices.length < 2) return "";
    const drawn = this.#drawn();
    return {
      says: this.#sentence(),
      about:
        `Each mark is the median of a round over that of its cell, in the order of measuring` +
        `${this.#handovers.length > 0 ? "; below, the time of handing a line to another processor" : ""}.` +
        `${drawn.length < slices.length ? ` ${drawn.length} of ${slices.length} are drawn.` : ""}` +
        `${this.#details()}`,
      legend: this.#legend(),
      columns: ["cell", "slice", "process", "over the cell's median", "disturbed samples"],
      rows: [...slices]
        .sort((a, b) => a.x - b.x)
        .map(({ cell, x, process, ratio, disturbed }) => [
          labelOf(cell),
          String(x),
          String(process + 1),
          figures(ratio),
          String(disturbed),
        ]),
      height: this.#handovers.length > 0 ? 470 : 340,
    };
  }

  /** Whether the machine was steady. */
  #sentence(): string {
    const all = this.#slices.length;
    const near = this.#slices.filter(({ ratio }) => ratio < NEAR && ratio > 1 / NEAR).length;
    const split = this.#split().length;
    const times = this.#handovers.map(({ ns }) => ns);
    const [least, most] = [Math.min(...times), Math.max(...times)];
    const steady = most < least * 1.2 ? figures(middle(times)) : `${rounded(least)} to ${rounded(most)}`;
    return [
      `${near === all ? `All ${all}` : `${near} of ${all}`} rounds are within ${percent(NEAR - 1)} of their cells' medians`,
      split > 0 ? `; those of ${counted(split, "cell")} fall into two groups` : "",
      times.length > 1 ? `. Handing over a line took ${steady} ns` : "",
    ]
      .join("")
      .concat(".");
  }

  #split(): Cell[] {
    return this.around!.cells.filter(({ modes }) => modes.length > 0);
  }

  /** Which cells were not steady. */
  #details(): string {
    const disturbed = this.#slices.filter((slice) => slice.disturbed > 0).length;
    const name = namer(this.around!.cells);
    const groups = this.#split()
      .slice(0, 3)
      .map((cell) => {
        const two = cell.modes.map(({ seconds: time, rounds }) => `${counted(rounds, "round")} of ${seconds(time)}`);
        return `${name(cell) || "the cell"} has ${two.join(" and ")}`;
      });
    return [
      disturbed > 0 ? ` ${counted(disturbed, "round")} had disturbed samples, which do not count.` : "",
      groups.length > 0 ? ` Two groups: ${groups.join("; ")}${this.#split().length > 3 ? "; …" : ""}.` : "",
    ].join("");
  }

  #style(threads: number): Style {
    return styleOf(this.#threads.indexOf(threads), this.around!.theme);
  }

  #legend(): Entry[] {
    const { theme } = this.around!;
    const some = this.#slices.some(({ disturbed, lost }) => disturbed > 0 && !lost);
    return [
      ...this.#threads.slice(0, 12).map((threads) => {
        const { colour, symbol } = this.#style(threads);
        return { swatch: marker(symbol as Plot.SymbolType, colour, theme), words: counted(threads, "thread") };
      }),
      ...(some
        ? [{ swatch: marker("circle", theme.muted, theme, true), words: "hollow: some samples disturbed" }]
        : []),
      ...(this.#slices.some(({ lost }) => lost)
        ? [{ swatch: marker("times", theme.muted, theme), words: "all samples disturbed" }]
        : []),
      ...(this.#handovers.length > 0
        ? [{ swatch: swatch({ colour: theme.bound, symbol: "none" }, theme), words: "handing over a line" }]
        : []),
    ];
  }

  /** Rounds that are far from their median, or disturbed, are the last to be left out. */
  #drawn(): Slice[] {
    const slices = this.#slices;
    if (slices.length <= MOST_DRAWN) return slices;
    const telling = slices.filter(({ ratio, disturbed }) => disturbed > 0 || ratio > NEAR || ratio < 1 / NEAR);
    const others = slices.filter((slice) => !telling.includes(slice));
    const kept = thinned(telling, MOST_DRAWN / 2);
    return [...kept, ...thinned(others, MOST_DRAWN - kept.length)];
  }

  protected picture(room: Room): SVGSVGElement {
    const { width, height, theme } = room;
    const lower = this.#handovers.length > 0 ? Math.round(height * 0.32) : 0;
    const upper = this.#upper({ ...room, height: height - lower }, lower === 0);
    if (lower === 0) return upper;
    const below = this.#lower({ ...room, height: lower });
    below.setAttribute("y", String(height - lower));
    const both = document.createElementNS("http://www.w3.org/2000/svg", "svg");
    both.setAttribute("width", String(width));
    both.setAttribute("height", String(height));
    both.setAttribute("viewBox", `0 0 ${width} ${height}`);
    both.setAttribute("fill", theme.ink);
    both.append(upper, below);
    return both;
  }

  #span(): [number, number] {
    const places = [...this.#slices.map(({ x }) => x), ...this.#handovers.map(({ x }) => x)];
    const [least, most] = places.reduce(([low, high], x) => [Math.min(low, x), Math.max(high, x)], [Infinity, 0]);
    return [least, Math.max(least + 1, most)];
  }

  /** A line where another process begins. */
  #processes({ theme, type }: Room, named: boolean): Plot.Markish[] {
    if (this.#begins.size < 2) return [];
    const starts = [...this.#begins.keys()].map((process) => ({
      x: Math.min(...this.#slices.filter((slice) => slice.process === process).map(({ x }) => x)) - 0.5,
      name: `process ${process + 1}`,
    }));
    const known = starts.filter(({ x }) => Number.isFinite(x));
    return [
      Plot.ruleX(known.slice(1), { x: "x", stroke: theme.frame, strokeWidth: 1.2 }),
      ...(named
        ? [
            Plot.text(known, {
              x: "x",
              text: "name",
              frameAnchor: "top",
              textAnchor: "start",
              dx: 6,
              dy: -type * 0.3,
              lineAnchor: "bottom",
              fontSize: type - 1,
              fill: theme.muted,
            }),
          ]
        : []),
    ];
  }

  #frame(
    { width, height, type, theme }: Room,
    last: boolean,
    label: string,
    margin: number,
  ): Plot.PlotOptions & { marks: Plot.Markish[] } {
    return {
      width,
      height,
      marginLeft: type * 4.6,
      marginRight: type * 1.5,
      marginTop: margin,
      marginBottom: last ? type * 4 : type,
      x: { domain: this.#span(), insetLeft: 10, insetRight: 10 },
      marks: [
        Plot.axisX({
          fontSize: type,
          stroke: theme.frame,
          fill: theme.ink,
          labelArrow: "none",
          labelAnchor: "center",
          ticks: last ? Math.max(2, Math.floor(width / 120)) : [],
          label: last ? label : null,
          labelOffset: type * 2.8,
          tickFormat: (value: number) => (Number.isInteger(value) ? String(value) : ""),
        }),
      ],
    };
  }

  #upper(room: Room, last: boolean): SVGSVGElement {
    const { type, theme } = room;
    const drawn = this.#drawn().map((slice) => ({
      ...slice,
      // Plot labels only round numbers of a logarithmic scale.
      log: Math.log(Math.min(FARTHEST, Math.max(1 / FARTHEST, slice.ratio))),
    }));
    type Dot = (typeof drawn)[number];
    const ratios = drawn.map((dot) => Math.exp(dot.log));
    const [low, high] = ratios.reduce(([a, b], one) => [Math.min(a, one), Math.max(b, one)], [0.88, 1.13]);
    const inside = TICKS.filter((tick) => tick >= low * 0.98 && tick <= high * 1.02);
    const ticks = high / low > 2.5 ? inside.filter((tick) => [1 / 8, 1 / 4, 1 / 2, 1, 2, 4, 8].includes(tick)) : inside;
    const large = type / 13.5;
    const { marks, ...options } = this.#frame(room, last, "slices, in the order of measuring", type * 2.6);
    const dots = (some: readonly Dot[], hollow: boolean): Plot.Markish[] =>
      this.#threads.map((threads) => {
        const { colour, symbol } = this.#style(threads);
        return Plot.dot(
          some.filter(({ cell }) => cell.threads === threads),
          {
            x: "x",
            y: "log",
            symbol: symbol as Plot.SymbolType,
            r: 3 * large,
            stroke: colour,
            strokeWidth: 1.3 * large,
            fill: hollow ? theme.background : colour,
            fillOpacity: hollow ? 1 : 0.7,
          },
        );
      });
    return sealed(
      Plot.plot({
        ...options,
        y: { domain: [Math.log(low * 0.97), Math.log(high * 1.03)] },
        marks: [
          Plot.gridY({ ticks: ticks.map(Math.log), stroke: theme.link, strokeOpacity: 0.55 }),
          Plot.axisY({
            fontSize: type,
            stroke: theme.frame,
            fill: theme.ink,
            labelArrow: "none",
            ticks: ticks.map(Math.log),
            tickFormat: (value: number) => `${figures(Math.exp(value))}×`,
            label: "round over the cell's median",
            labelAnchor: "top",
            labelOffset: 0,
          }),
          ...marks,
          Plot.ruleY([0], { stroke: theme.muted, strokeWidth: 1.2 }),
          ...this.#processes(room, true),
          ...dots(
            drawn.filter(({ disturbed }) => disturbed === 0),
            false,
          ),
          ...dots(
            drawn.filter(({ disturbed, lost }) => disturbed > 0 && !lost),
            true,
          ),
          Plot.dot(
            drawn.filter(({ lost }) => lost),
            {
              x: "x",
              y: "log",
              symbol: "times",
              r: 3.6 * large,
              stroke: ({ cell }: Dot) => this.#style(cell.threads).colour,
              strokeWidth: 1.6 * large,
            },
          ),
          ...tipOf(drawn, { x: ({ x }) => x, y: (dot) => dot.log }, room),
        ],
      }),
      theme,
    );
  }

  #lower(room: Room): SVGSVGElement {
    const { type, theme } = room;
    const data = this.#handovers;
    const times = data.map(({ ns }) => ns);
    const [low, high] = [Math.min(...times), Math.max(...times)];
    const steps = low > 0 && high > 4 * low ? decades(low, high) : [];
    const ticks = steps.length > 0 ? { ticks: thinned(steps, 4) } : { ticks: 3 };
    const { marks, ...options } = this.#frame(room, true, "slices, in the order of measuring", type * 2.2);
    return sealed(
      Plot.plot({
        ...options,
        y:
          steps.length > 0
            ? { type: "log", domain: [steps[0]!, steps.at(-1)!] }
            : { domain: [low * 0.8, high * 1.1 || 1], nice: true },
        marks: [
          Plot.gridY({ ...ticks, stroke: theme.link, strokeOpacity: 0.55 }),
          Plot.axisY({
            ...ticks,
            fontSize: type,
            stroke: theme.frame,
            fill: theme.ink,
            labelArrow: "none",
            tickFormat: (value: number) => figures(value),
            label: "handing over a line (ns)",
            labelAnchor: "top",
            labelOffset: 0,
          }),
          ...marks,
          ...this.#processes(room, false),
          Plot.line(data, { x: "x", y: "ns", z: "process", stroke: theme.bound, strokeWidth: 1.8 }),
          Plot.dot(data, { x: "x", y: "ns", r: (2 * type) / 13.5, fill: theme.bound }),
          ...tipOf(data, { x: ({ x }) => x, y: ({ ns }) => ns }, room),
        ],
      }),
      theme,
    );
  }
}
