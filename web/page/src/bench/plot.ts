// Draws with Observable Plot: curves with their intervals, and the samples of one cell. A drawing carries its colours
// itself, so that it is the same on the page and in a file.

import * as Plot from "@observablehq/plot";
import { css, luminance, mix, type Rgb } from "../kit/colour";
import { range } from "../kit/numbers";
import type { Theme } from "../kit/theme";
import { figures } from "./words";

export interface Style {
  colour: string;
  /** Of a line that is no curve: dashes of a curve lead to doubtful points. */
  dash?: string;
  symbol: (typeof SYMBOLS)[number] | "none";
}

export interface Mark {
  x: number;
  y: number;
  low: number | null;
  high: number | null;
  limit: number | null;
  doubted: boolean;
  words: string;
}

export interface Axis {
  label: string;
  log: boolean;
  ticks: readonly number[];
  words(value: number): string;
}

export interface Drawing {
  width: number;
  height: number;
  /** The size of text, in pixels. */
  type: number;
  theme: Theme;
  x: Axis;
  y: Axis & { domain: readonly [number, number] };
  curves: readonly { style: Style; marks: readonly Mark[] }[];
  ideal: readonly ((place: number) => number)[];
  /** Describes the thing under the pointer. */
  pointed: boolean;
}

const HUES = [0, 5, 2, 3, 1, 4, 7, 6];
const DOUBTED = "7 5";
const SYMBOLS = ["circle", "square", "triangle", "diamond", "cross", "star", "hexagon", "wye"] as const;

/** Colour and marker of the curve in that slot: each of the first eight has its own of both. */
export function styleOf(slot: number, theme: Theme): Style {
  let hue: Rgb = theme.hues[HUES[slot % 8]!]!;
  // Bright hues are mixed with some ink until lines of them can be seen on the background.
  const ink: Rgb = theme.dark ? [255, 255, 255] : [0, 0, 0];
  const contrast = (): number =>
    (Math.max(luminance(hue), luminance(theme.ground)) + 0.05) /
    (Math.min(luminance(hue), luminance(theme.ground)) + 0.05);
  for (let i = 0; i < 12 && contrast() < 3.1; i++) hue = mix(hue, ink, 0.08);
  const turn = Math.floor(slot / 8);
  return { colour: css(hue), symbol: SYMBOLS[(slot + turn) % 8]! };
}

/** Plot's own style sheet would be refused by the page's policy; bench.css has its rules. */
export function sealed(plot: Element, theme: Theme): SVGSVGElement {
  const svg = plot as SVGSVGElement;
  svg.querySelector("style")?.remove();
  svg.setAttribute("fill", theme.ink);
  svg.setAttribute("color", theme.ink);
  svg.setAttribute("font-family", "Helvetica, Arial, sans-serif");
  svg.removeAttribute("class");
  // The labels of the parts would be read aloud, but mean nothing to a listener: the picture has a name of its own.
  for (const part of svg.querySelectorAll("[aria-label]")) {
    part.setAttribute("data-part", part.getAttribute("aria-label")!);
    part.removeAttribute("aria-label");
  }
  return svg;
}

/** Every n-th of them, so that at most `most` are left. */
export function thinned<T>(values: readonly T[], most: number): T[] {
  const every = Math.max(1, Math.ceil(values.length / Math.max(1, most)));
  return values.filter((_, i) => i % every === 0);
}

/** 1, 2, 5, 10, 20 .. that embrace both; where these are many, 1, 10, 100 .. */
export function decades(low: number, high: number): number[] {
  const steps: number[] = [];
  for (let power = Math.floor(Math.log10(low)) - 1; 10 ** power <= high * 10; power++)
    for (const digit of [1, 2, 5]) steps.push(Number(`${digit}e${power}`));
  const first = steps.filter((step) => step <= low).length - 1;
  const last = steps.findIndex((step) => step >= high);
  const all = steps.slice(first, last + 1);
  const tens = all.filter((step) => Math.abs(Math.log10(step) % 1) < 1e-9 || Math.abs(Math.log10(step) % 1) > 1 - 1e-9);
  return all.length <= 10 || tens.length < 2 ? all : [...new Set([all[0]!, ...tens, all.at(-1)!])];
}

function frame({ theme, type, width, x, y }: Drawing, span: readonly [number, number]): Plot.Markish[] {
  const wide = Math.max(...x.ticks.map((tick) => x.words(tick).length)) * type * 0.62 + 14;
  const ticks = thinned(x.ticks, Math.floor((width - 90) / wide));
  const common = { fontSize: type, labelArrow: "none" as const, stroke: theme.frame, fill: theme.ink, tickSize: 5 };
  return [
    Plot.gridY({ ticks: [...y.ticks], stroke: theme.link, strokeOpacity: 0.55 }),
    Plot.axisY({
      ...common,
      ticks: [...y.ticks],
      tickFormat: (value: number) => y.words(value),
      label: y.label,
      labelAnchor: "top",
      labelOffset: 0,
    }),
    Plot.axisX({
      ...common,
      ticks,
      tickFormat: (value: number) => x.words(value),
      label: x.label,
      labelAnchor: "center",
      labelOffset: type * 2.8,
    }),
    Plot.ruleY([y.domain[0]], { stroke: theme.frame, x1: span[0], x2: span[1] }),
  ];
}

function curve({ style, marks }: Drawing["curves"][number], { theme, type }: Drawing): Plot.Markish[] {
  const { colour, symbol } = style;
  const large = type / 13.5; // for people who sit far away
  const pieces = marks.slice(1).map((mark, i) => ({ from: marks[i]!, to: mark }));
  const doubtful = ({ from, to }: (typeof pieces)[number]): boolean => from.doubted || to.doubted;
  const line = {
    x1: ({ from }: (typeof pieces)[number]) => from.x,
    y1: ({ from }: (typeof pieces)[number]) => from.y,
    x2: ({ to }: (typeof pieces)[number]) => to.x,
    y2: ({ to }: (typeof pieces)[number]) => to.y,
    stroke: colour,
    strokeWidth: 2.3 * large,
  };
  const at = { x: "x", y: "y" } as const;
  const dot = { ...at, symbol: symbol as Plot.SymbolType, r: 4.6 * large, stroke: colour, strokeWidth: 1.6 * large };
  return [
    Plot.line(
      marks.filter(({ limit }) => limit !== null),
      { x: "x", y: "limit", stroke: colour, strokeWidth: 1.4 * large, strokeDasharray: "1.5 3", strokeOpacity: 0.9 },
    ),
    Plot.ruleX(
      marks.filter(({ low, high }) => low !== null && high !== null),
      { x: "x", y1: "low", y2: "high", stroke: colour, strokeWidth: 2.2 * large, strokeOpacity: 0.75 },
    ),
    Plot.link(
      pieces.filter((piece) => !doubtful(piece)),
      line,
    ),
    Plot.link(pieces.filter(doubtful), { ...line, strokeDasharray: DOUBTED, strokeWidth: 1.7 * large }),
    Plot.dot(
      marks.filter(({ doubted }) => !doubted),
      { ...dot, fill: colour },
    ),
    Plot.dot(
      marks.filter(({ doubted }) => doubted),
      { ...dot, fill: theme.background },
    ),
  ];
}

/** Finely cut: where one axis is logarithmic and the other is not, a straight line is none. */
function idealLines({ ideal, theme, y }: Drawing, [from, to]: readonly [number, number]): Plot.Markish[] {
  const places = range(65).map((i) => from + ((to - from) * i) / 64);
  return ideal.map((at) => {
    const inside = places
      .map((place) => ({ x: place, y: at(place) }))
      .filter((point) => point.y <= y.domain[1] && point.y >= y.domain[0]);
    return Plot.line(inside, { x: "x", y: "y", stroke: theme.muted, strokeWidth: 1.2 });
  });
}

const log = (on: boolean): { type: "log" | "linear"; base?: number } =>
  on ? { type: "log", base: 2 } : { type: "linear" };

export function drawCurves(drawing: Drawing): SVGSVGElement {
  const { width, height, type, theme, x, y, curves } = drawing;
  const places = [...new Set(curves.flatMap(({ marks }) => marks.map((mark) => mark.x)))].sort((a, b) => a - b);
  const span = [places[0]!, places.at(-1)!] as const;
  const all = curves.flatMap(({ marks }) => marks);
  return sealed(
    Plot.plot({
      width,
      height,
      marginLeft: Math.max(...y.ticks.map((tick) => y.words(tick).length)) * type * 0.58 + 18,
      marginRight: type * 1.5,
      marginTop: type * 2.4,
      marginBottom: type * 4,
      x: { ...log(x.log), domain: [...span], insetLeft: 14, insetRight: 14 },
      y: { ...log(y.log), domain: [...y.domain] },
      marks: [
        ...frame(drawing, span),
        ...idealLines(drawing, span),
        ...curves.flatMap((one) => curve(one, drawing)),
        ...tipOf(all, { x: (mark) => mark.x, y: (mark) => mark.y }, drawing),
      ],
    }),
    theme,
  );
}

/** The sign before a name in the legend; of a curve that is doubtful throughout, if so. */
export function swatch({ colour, dash, symbol }: Style, theme: Theme, doubted = false): SVGSVGElement {
  const dashes = doubted ? DOUBTED : dash;
  return sign(theme, [
    Plot.line(
      [
        [1, 9],
        [47, 9],
      ],
      { stroke: colour, strokeWidth: doubted ? 1.7 : 2.3, ...(dashes ? { strokeDasharray: dashes } : {}) },
    ),
    ...(symbol === "none"
      ? []
      : [
          Plot.dot([[24, 9]], {
            symbol: symbol as Plot.SymbolType,
            r: 4.6,
            stroke: colour,
            strokeWidth: 1.6,
            fill: doubted ? theme.background : colour,
          }),
        ]),
  ]);
}

/** A marker without a line, for a legend. */
export const marker = (symbol: Plot.SymbolType, colour: string, theme: Theme, hollow = false): SVGSVGElement =>
  sign(theme, [
    Plot.dot([[24, 9]], { symbol, r: 4.6, stroke: colour, strokeWidth: 1.6, ...(hollow ? {} : { fill: colour }) }),
  ]);

/** A block of a colour, for a legend. */
export const block = (colour: string, theme: Theme, border = "none", dash = ""): SVGSVGElement =>
  sign(theme, [
    Plot.rect([0], {
      x1: 10,
      x2: 38,
      y1: 2,
      y2: 16,
      fill: colour,
      stroke: border,
      strokeWidth: 1.6,
      ...(dash ? { strokeDasharray: dash } : {}),
    }),
  ]);

function sign(theme: Theme, marks: Plot.Markish[]): SVGSVGElement {
  const svg = sealed(
    Plot.plot({
      width: 48,
      height: 18,
      margin: 0,
      axis: null,
      x: { domain: [0, 48] },
      y: { domain: [0, 18] },
      marks,
    }),
    theme,
  );
  svg.setAttribute("aria-hidden", "true");
  return svg;
}

/** The words of the thing under the pointer. */
export const tipOf = <T extends { words: string }>(
  data: readonly T[],
  at: { x: (one: T) => number; y: (one: T) => number },
  { pointed, type, theme }: { pointed: boolean; type: number; theme: Theme },
): Plot.Markish[] =>
  pointed
    ? [
        Plot.tip(
          [...data],
          Plot.pointer({
            ...at,
            title: "words",
            fontSize: type - 1,
            fill: theme.panel,
            stroke: theme.frame,
            textPadding: 10,
          }),
        ),
      ]
    : [];

export interface Sample {
  x: number;
  seconds: number;
  round: number;
  /** It was left out. */
  disturbed: boolean;
}

export interface Strip {
  width: number;
  height: number;
  type: number;
  theme: Theme;
  samples: readonly Sample[];
  rounds: readonly { from: number; to: number; name: string }[];
  median: number;
  /** Of the two groups of rounds, if there are two. */
  modes: readonly number[];
  interval: readonly [number, number] | null;
  unit: string;
  /** Seconds in the unit. */
  size: number;
}

/** Every sample as a point, rounds one after the other. */
export function drawStrip({
  width,
  height,
  type,
  theme,
  samples,
  rounds,
  median,
  modes,
  interval,
  unit,
  size,
}: Strip): SVGSVGElement {
  const last = rounds.at(-1)!.to;
  const times = samples.map(({ seconds }) => seconds / size);
  const [low, high] = [Math.min(...times, median / size), Math.max(...times, median / size)];
  const far = low > 0 && high > 4 * low; // one run that was interrupted must not make all others one line
  const steps = far ? decades(low, high) : [];
  const colours = [0, 2].map((hue) => css(theme.hues[hue]!));
  const names = thinned(rounds, Math.floor((width - 90) / (type * 3)));
  const axis = { fontSize: type, labelArrow: "none" as const, stroke: theme.frame, fill: theme.ink };
  const ticks = far ? { ticks: steps } : { ticks: 5 };
  const middles = new Map(names.map(({ from, to, name }) => [(from + to) / 2, name]));
  return sealed(
    Plot.plot({
      width,
      height,
      marginLeft: type * 4.6,
      marginRight: type * 1.5,
      marginTop: type * 2.4,
      marginBottom: type * 4,
      x: { domain: [0, last], axis: null },
      y: far ? { type: "log", domain: [steps[0]!, steps.at(-1)!] } : { domain: [low * 0.97, high * 1.02], nice: true },
      marks: [
        Plot.rectX(
          rounds.filter((_, i) => i % 2 === 1),
          { x1: "from", x2: "to", fill: theme.empty, fillOpacity: 0.6 },
        ),
        Plot.gridY({ ...ticks, stroke: theme.link, strokeOpacity: 0.55 }),
        Plot.axisY({
          ...axis,
          ...ticks,
          label: `time of a run (${unit})`,
          labelAnchor: "top",
          labelOffset: 0,
          tickFormat: (value: number) => figures(value),
        }),
        Plot.axisX([...middles.keys()], {
          ...axis,
          label: "round",
          labelAnchor: "center",
          labelOffset: type * 2.8,
          tickSize: 0,
          tickFormat: (middle: number) => middles.get(middle) ?? "",
        }),
        ...(interval
          ? [
              Plot.rectY([interval], {
                x1: 0,
                x2: last,
                y1: interval[0] / size,
                y2: interval[1] / size,
                fill: theme.bound,
                fillOpacity: 0.25,
              }),
            ]
          : []),
        Plot.dot(
          samples.filter(({ disturbed }) => disturbed),
          {
            x: "x",
            y: ({ seconds }: Sample) => seconds / size,
            symbol: "times",
            r: (3 * type) / 13.5,
            stroke: theme.muted,
            strokeWidth: 1.4,
          },
        ),
        Plot.dot(
          samples.filter(({ disturbed }) => !disturbed),
          {
            x: "x",
            y: ({ seconds }: Sample) => seconds / size,
            r: (2.4 * type) / 13.5,
            fill: ({ round: number }: Sample) => colours[number % 2]!,
            fillOpacity: 0.75,
          },
        ),
        Plot.ruleY(
          modes.map((seconds) => seconds / size),
          { stroke: theme.ink, strokeWidth: 1.5, strokeDasharray: DOUBTED },
        ),
        Plot.ruleY([median / size], { stroke: theme.bound, strokeWidth: 2 }),
      ],
    }),
    theme,
  );
}
