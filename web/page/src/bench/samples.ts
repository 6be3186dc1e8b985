// All samples of one cell, round after round: whether the figure is steady, and the machine's state meanwhile.

import { choice } from "../kit/dom";
import { counted } from "../kit/words";
import type { Cell } from "./document";
import { causesOf } from "./doubts";
import { Frame, type Content, type Room, type Surroundings } from "./frame";
import { drawStrip, marker, swatch, thinned, type Sample, type Strip } from "./plot";
import { labelOf } from "./series";
import { unitOf } from "./steps";
import { seconds } from "./words";

const MOST_DRAWN = 3000;
const MOST_LISTED = 500;

export class Samples extends Frame {
  #cell: Cell | null = null;

  constructor() {
    super("samples", "Samples of one cell");
    this.root.classList.add("broad");
  }

  override show(around: Surroundings): void {
    this.around = around;
    const cells = around.cells.filter(({ rounds }) =>
      rounds.some((round) => round.samples_seconds.length + round.disturbed_seconds.length > 0),
    );
    if (!this.#cell || !cells.includes(this.#cell))
      this.#cell = cells.find(({ doubts }) => doubts.length > 0) ?? cells[0] ?? null;
    const listed = thinned(cells, MOST_LISTED);
    if (this.#cell && !listed.includes(this.#cell)) listed.unshift(this.#cell);
    this.tools.replaceChildren(
      ...(this.#cell
        ? [
            choice(
              "cell",
              listed.map((cell) => [String(cells.indexOf(cell)), labelOf(cell)]),
              String(cells.indexOf(this.#cell)),
              (index) => {
                this.#cell = cells[Number(index)] ?? null;
                this.draw();
              },
            ),
          ]
        : []),
    );
    this.draw();
  }

  choose(cell: Cell): void {
    this.#cell = cell;
    if (this.around) this.show(this.around);
  }

  protected content(): Content | string {
    const cell = this.#cell;
    if (!cell) return "The document has no samples.";
    const { theme } = this.around!;
    const left = cell.rounds.some(({ disturbed_seconds: some }) => some.length > 0);
    return {
      says: "",
      about: `${labelOf(cell)}: ${this.#sentence(cell)}`,
      legend: [
        { swatch: swatch({ colour: theme.bound, symbol: "none" }, theme), words: "median" },
        ...(cell.modes.length > 0
          ? [
              {
                swatch: swatch({ colour: theme.ink, dash: "7 5", symbol: "none" }, theme),
                words: "two groups of rounds",
              },
            ]
          : []),
        ...(left ? [{ swatch: marker("times", theme.muted, theme), words: "disturbed, left out" }] : []),
      ],
      columns: ["round", "runs", "left out", "least", "median", "most"],
      rows: cell.rounds.map(({ samples_seconds: all, disturbed_seconds: disturbed }, i) => {
        const sorted = [...all].sort((a, b) => a - b);
        const ends = [sorted[0], sorted[sorted.length >> 1], sorted.at(-1)];
        return [i + 1, all.length, disturbed.length]
          .map(String)
          .concat(ends.map((time) => (time === undefined ? "" : seconds(time))));
      }),
    };
  }

  #sentence(cell: Cell): string {
    const all = count(cell);
    const out = cell.rounds.reduce((sum, { disturbed_seconds: some }) => sum + some.length, 0);
    const groups =
      cell.modes.length > 0
        ? ` Rounds fall into two groups: ` +
          `${cell.modes.map((mode) => `${counted(mode.rounds, "round")} of ${seconds(mode.seconds)}`).join(" and ")}` +
          `.`
        : "";
    const interval = cell.interval_seconds
      ? `, 95 % between ${cell.interval_seconds.map(seconds).join(" and ")} (band)`
      : "";
    const rest = [
      cell.minimum_seconds === null ? "" : `least ${seconds(cell.minimum_seconds)}`,
      cell.p99_seconds === null ? "" : `p99 ${seconds(cell.p99_seconds)}`,
    ]
      .filter(Boolean)
      .join(", ");
    const left = all + out > MOST_DRAWN ? ` Every ${Math.ceil((all + out) / MOST_DRAWN)}th is drawn.` : "";
    return (
      `${counted(all, "run")} in ${counted(cell.rounds.length, "round")}` +
      `${out > 0 ? `, ${out} more left out as disturbed` : ""}: median ${seconds(cell.median_seconds)} ` +
      `(line)${interval}${rest ? `; ${rest}` : ""}.${groups}${left}` +
      `${cell.doubts.length > 0 ? ` Doubtful: ${causesOf(cell).join(", ")}.` : ""}`
    );
  }

  protected picture({ width, height, type, theme }: Room): SVGSVGElement {
    const cell = this.#cell!;
    const [unit, size] = unitOf(cell.median_seconds);
    return drawStrip({
      width,
      height,
      type,
      theme,
      ...places(cell),
      median: cell.median_seconds,
      modes: cell.modes.map((mode) => mode.seconds),
      interval: cell.interval_seconds,
      unit,
      size,
    });
  }
}

const count = ({ rounds }: Cell): number =>
  rounds.reduce((sum, { samples_seconds: samples }) => sum + samples.length, 0);

/** Rounds side by side, each as wide as it has samples; those that were left out stand last. */
function places(cell: Cell): Pick<Strip, "samples" | "rounds"> {
  const samples: Sample[] = [];
  const rounds: { from: number; to: number; name: string }[] = [];
  let at = 0;
  const wide = Math.max(1, count(cell) * 0.002);
  cell.rounds
    .filter((one) => one.samples_seconds.length + one.disturbed_seconds.length > 0)
    .forEach(({ samples_seconds: clean, disturbed_seconds: disturbed }, round) => {
      const from = at;
      at += wide;
      for (const time of clean) samples.push({ x: at++, seconds: time, round, disturbed: false });
      for (const time of disturbed) samples.push({ x: at++, seconds: time, round, disturbed: true });
      at += wide;
      rounds.push({ from, to: at, name: String(round + 1) });
    });
  return { samples: thinned(samples, Math.min(MOST_DRAWN, samples.length)), rounds };
}
