// Cells and what they are compared with: how many times as long each takes, with its interval, and whether that is a
// difference.

import * as Plot from "@observablehq/plot";
import { choice } from "../kit/dom";
import { range } from "../kit/numbers";
import type { Theme } from "../kit/theme";
import { counted, listed } from "../kit/words";
import { VERDICTS, type Ratio, type Verdict } from "./document";
import { causeOf } from "./doubts";
import { Frame, type Content, type Look, type Room } from "./frame";
import { cutTo } from "./map";
import { marker, sealed, thinned, tipOf } from "./plot";
import { figures, percent, seconds } from "./words";

const MOST_BARS = 40;
const TICKS = [
  0.01, 0.02, 0.05, 0.1, 0.2, 0.33, 0.5, 0.67, 0.8, 0.9, 0.95, 1, 1.05, 1.1, 1.25, 1.5, 2, 3, 5, 10, 20, 50, 100,
];
const WIDEST = 1.5; // what an interval may add to the axis

const SIGNS: Record<Verdict, { symbol: Plot.SymbolType; hollow: boolean }> = {
  slower: { symbol: "triangle", hollow: false },
  faster: { symbol: "diamond", hollow: false },
  equal: { symbol: "circle", hollow: false },
  "cannot tell": { symbol: "circle", hollow: true },
};

function colourOf(verdict: Verdict, theme: Theme): string {
  return { slower: theme.wrong, faster: theme.complete, equal: theme.frame, "cannot tell": theme.muted }[verdict];
}

/** Names without what all have in common, and with d for a hypercube's dimension; and what all have in common. */
function shortNames(ratios: readonly Ratio[]): { of: (one: Ratio) => string; common: string } {
  const parts = ({ cell }: Ratio): string[] =>
    cell.split(", ").map((part) => part.replace(/^hypercube:(\d+)$/, "d = $1").replace(/ bytes$/, " B"));
  const common = parts(ratios[0]!).filter((part) => ratios.every((one) => parts(one).includes(part)));
  const of = (one: Ratio): string =>
    parts(one)
      .filter((part) => !common.includes(part))
      .join(", ") || one.cell;
  return { of, common: ratios.length > 1 ? common.join(", ") : "" };
}

const far = ({ ratio }: Ratio): number => Math.abs(Math.log(ratio));

/** "Of 30 cells: 2 slower (most: 1.12 times as long at d = 9), 27 equal within 6 % and 1 undecided (few)." */
export function ratiosSay(ratios: readonly Ratio[]): string {
  if (ratios.length === 0) return "There is no cell that both have.";
  const of = (verdict: Verdict): Ratio[] => ratios.filter((one) => one.verdict === verdict);
  const name = shortNames(ratios);
  const parts = (["slower", "faster"] as const).flatMap((verdict) => {
    const some = of(verdict).sort((a, b) => far(b) - far(a));
    return some.length === 0
      ? []
      : [`${some.length} ${verdict} (most: ${figures(some[0]!.ratio)} times as long at ${name.of(some[0]!)})`];
  });
  const equal = of("equal");
  const within = Math.max(...equal.map(({ equal_within: most }) => most ?? 0));
  if (equal.length > 0) parts.push(`${equal.length} equal${within > 0 ? ` within ${percent(within)}` : ""}`);
  const open = of("cannot tell");
  if (open.length > 0) {
    const causes = [...new Set(open.flatMap(({ doubts }) => doubts.map(pairCause)))];
    parts.push(`${open.length} undecided${causes.length > 0 ? ` (${listed(causes, 4)})` : ""}`);
  }
  return `Of ${counted(ratios.length, "cell")}: ${listed(parts)}.`;
}

/** The cause in "old: few: only 3 samples". */
const pairCause = (doubt: string): string => causeOf(doubt.replace(/^(old|new|against|cell): /, ""));

export class Ratios<A extends Look = Look> extends Frame<A> {
  #order: "measured" | "far" = "measured";

  constructor(
    private readonly ratios: readonly Ratio[],
    title: string,
    private readonly words: { more: string; less: string },
  ) {
    super("ratios", title);
    this.root.classList.add("broad");
  }

  override show(around: A): void {
    this.around = around;
    const order = choice(
      "order",
      [
        ["measured", "as measured"],
        ["far", "greatest difference first"],
      ],
      this.#order,
      (chosen) => {
        this.#order = chosen as "measured" | "far";
        this.draw();
      },
    );
    this.tools.replaceChildren(...(this.ratios.length > 1 ? [order] : []));
    this.draw();
  }

  #drawn(): Ratio[] {
    if (this.#order === "measured") return thinned(this.ratios, MOST_BARS);
    return [...this.ratios].sort((a, b) => far(b) - far(a)).slice(0, MOST_BARS);
  }

  protected content(): Content | string {
    if (this.ratios.length === 0) return "There is no cell that both have.";
    const { theme } = this.around!;
    const drawn = this.#drawn();
    const { common } = shortNames(this.ratios);
    const left = drawn.length < this.ratios.length ? ` ${drawn.length} of ${this.ratios.length} are drawn.` : "";
    return {
      says: ratiosSay(this.ratios),
      about:
        `${common ? `${common}; t` : "T"}ime of a run: ${this.words.more} is right of 1, ${this.words.less}` +
        ` left. Bars: 95 % intervals.${left}`,
      legend: VERDICTS.filter((verdict) => this.ratios.some((one) => one.verdict === verdict)).map((verdict) => ({
        swatch: marker(SIGNS[verdict].symbol, colourOf(verdict, theme), theme, SIGNS[verdict].hollow),
        words: verdict,
      })),
      columns: [...RATIO_COLUMNS],
      rows: drawn.map(ratioRow),
      height: 74 + drawn.length * 25,
    };
  }

  protected picture({ width, height, type, theme, pointed }: Room): SVGSVGElement {
    const drawn = this.#drawn();
    const names = drawn.map(shortNames(this.ratios).of);
    const ratios = drawn.map(({ ratio }) => ratio);
    const [least, most] = [Math.min(0.95, ...ratios), Math.max(1.05, ...ratios)];
    const ends = drawn.flatMap(({ ratio_interval: two }) => two ?? []).filter((end) => end > 0);
    const low = Math.max(Math.min(least, ...ends), least / WIDEST) * 0.98;
    const high = Math.min(Math.max(most, ...ends), most * WIDEST) * 1.02;
    const inside = TICKS.filter((tick) => tick >= low && tick <= high);
    const left = Math.min(width * 0.5, Math.max(...names.map((name) => name.length)) * type * 0.52 + 14);
    const ticks = fitting(inside, (width - left - 30) / Math.log(high / low), type * 3);
    // Plot labels only round numbers of a logarithmic scale.
    const rows = drawn.map((one, i) => ({
      y: i + 0.5,
      ratio: Math.log(one.ratio),
      low: Math.log(Math.max(low, one.ratio_interval?.[0] ?? one.ratio)),
      high: Math.log(Math.min(high, one.ratio_interval?.[1] ?? one.ratio)),
      verdict: one.verdict,
      words: ratioRow(one)
        .map((text, column) => (text ? `${column === 0 ? "" : `${RATIO_COLUMNS[column]}: `}${text}` : ""))
        .filter(Boolean)
        .join("\n"),
    }));
    type Row = (typeof rows)[number];
    const large = type / 13.5;
    const bars = (some: readonly Row[], dash: string): Plot.Markish =>
      Plot.ruleY(some, {
        y: "y",
        x1: "low",
        x2: "high",
        stroke: ({ verdict }: Row) => colourOf(verdict, theme),
        strokeWidth: 2.4 * large,
        ...(dash ? { strokeDasharray: dash } : {}),
      });
    return sealed(
      Plot.plot({
        width,
        height,
        marginLeft: left,
        marginRight: type * 1.6,
        marginTop: 8,
        marginBottom: type * 4,
        x: { domain: [Math.log(low), Math.log(high)] },
        y: { domain: [drawn.length, 0] },
        marks: [
          Plot.gridX({ ticks: ticks.map(Math.log), stroke: theme.link, strokeOpacity: 0.55 }),
          Plot.ruleX([0], { stroke: theme.ink, strokeWidth: 1.6 }),
          bars(
            rows.filter(({ verdict }) => verdict !== "cannot tell"),
            "",
          ),
          bars(
            rows.filter(({ verdict }) => verdict === "cannot tell"),
            "5 4",
          ),
          ...VERDICTS.map((verdict) =>
            Plot.dot(
              rows.filter((row) => row.verdict === verdict),
              {
                x: "ratio",
                y: "y",
                symbol: SIGNS[verdict].symbol,
                r: 4.6 * large,
                stroke: colourOf(verdict, theme),
                strokeWidth: 1.6 * large,
                fill: SIGNS[verdict].hollow ? theme.background : colourOf(verdict, theme),
              },
            ),
          ),
          Plot.axisY(
            range(drawn.length).map((i) => i + 0.5),
            {
              fontSize: type,
              fill: theme.ink,
              label: null,
              tickSize: 0,
              tickFormat: (at: number) => cutTo(names[Math.floor(at)] ?? "", (left - 14) / (type * 0.54)),
            },
          ),
          Plot.axisX(ticks.map(Math.log), {
            fontSize: type,
            fill: theme.ink,
            stroke: theme.frame,
            labelArrow: "none",
            label: "times as long",
            labelAnchor: "center",
            labelOffset: type * 2.8,
            tickFormat: (value: number) => figures(Math.exp(value)),
          }),
          ...tipOf(rows, { x: ({ ratio }) => ratio, y: ({ y }) => y }, { pointed, type, theme }),
        ],
      }),
      theme,
    );
  }
}

/** Ticks of a logarithmic axis that are far enough apart; 1 is always one. */
function fitting(ticks: readonly number[], scale: number, room: number): number[] {
  const kept = [1];
  const nearest = [...ticks].sort((a, b) => Math.abs(Math.log(a)) - Math.abs(Math.log(b)));
  for (const tick of nearest) if (kept.every((one) => Math.abs(Math.log(one / tick)) * scale >= room)) kept.push(tick);
  return kept.sort((a, b) => a - b);
}

export const RATIO_COLUMNS = [
  "cell",
  "verdict",
  "times as long",
  "95 % interval",
  "before",
  "now",
  "equal within",
  "doubts",
] as const;

export function ratioRow(one: Ratio): string[] {
  const { cell, against, verdict, ratio, ratio_interval: two, equal_within: within, doubts } = one;
  return [
    against === null ? cell : `${cell} against ${against}`,
    verdict,
    figures(ratio),
    two ? `${figures(two[0])} to ${figures(two[1])}` : "",
    seconds(one.old_median_seconds),
    seconds(one.new_median_seconds),
    within === null ? "" : percent(within),
    doubts.join("; "),
  ];
}
