// All samples of one cell, round after round: whether the figure is steady, and the machine's state meanwhile.

import { choice, download, element, say } from "../kit/dom";
import { counted } from "../kit/words";
import type { Cell } from "./document";
import type { Surroundings } from "./figure";
import { drawStrip, swatch, thinned, type Sample, type Strip } from "./plot";
import { svgFile } from "./save";
import { labelOf } from "./series";
import { seconds } from "./words";

const MOST_DRAWN = 3000;
const MOST_LISTED = 500;

export class Samples {
  readonly root: HTMLElement;
  readonly #about = element("p.about");
  readonly #stage = element("div.chart");
  readonly #tools = element("div.tools");
  #cell: Cell | null = null;
  #around: Surroundings | null = null;
  #size = [0, 0];

  constructor() {
    new ResizeObserver(() => {
      const { width, height } = this.#stage.getBoundingClientRect();
      if (
        this.#around &&
        width > 0 &&
        (Math.abs(width - this.#size[0]!) >= 1 || Math.abs(height - this.#size[1]!) >= 1)
      )
        this.#draw();
    }).observe(this.#stage);
    this.root = element(
      "section.figure",
      { "aria-labelledby": "samples-title", id: "samples" },
      element("div.heading", element("h2", { id: "samples-title" }, "Samples of one cell"), this.#tools),
      this.#about,
      this.#stage,
    );
  }

  show(around: Surroundings): void {
    this.#around = around;
    const cells = around.cells.filter(({ rounds }) =>
      rounds.some(({ samples_seconds: samples }) => samples.length > 0),
    );
    if (!this.#cell || !cells.includes(this.#cell))
      this.#cell = cells.find(({ doubts }) => doubts.length > 0) ?? cells[0] ?? null;
    const listed = thinned(cells, MOST_LISTED);
    if (this.#cell && !listed.includes(this.#cell)) listed.unshift(this.#cell);
    const save = element(
      "button.words",
      { type: "button" },
      "Save SVG",
      element("span.hidden", ": samples of one cell"),
    );
    save.addEventListener("click", () => this.save());
    this.#tools.replaceChildren(
      ...(this.#cell
        ? [
            choice(
              "cell",
              listed.map((cell) => [String(cells.indexOf(cell)), labelOf(cell)]),
              String(cells.indexOf(this.#cell)),
              (index) => {
                this.#cell = cells[Number(index)] ?? null;
                this.#draw();
              },
            ),
            save,
          ]
        : []),
    );
    this.#draw();
  }

  choose(cell: Cell): void {
    this.#cell = cell;
    if (this.#around) this.show(this.#around);
  }

  redraw(around: Surroundings): void {
    this.#around = around;
    this.#draw();
  }

  #draw(): void {
    const cell = this.#cell;
    this.root.toggleAttribute("data-empty", !cell);
    this.#stage.hidden = !cell;
    if (!cell) {
      say(this.#about, "The document has no samples.");
      return;
    }
    say(this.#about, this.#sentence(cell));
    const svg = this.#picture(cell, true);
    svg.setAttribute("role", "img");
    svg.setAttribute("aria-label", `Samples of ${labelOf(cell)}. ${this.#sentence(cell)}`);
    const { width, height } = this.#stage.getBoundingClientRect();
    this.#size = [width, height];
    this.#stage.replaceChildren(svg);
  }

  #sentence(cell: Cell): string {
    const all = count(cell);
    const interval = cell.interval_seconds
      ? `, 95 % between ${cell.interval_seconds.map(seconds).join(" and ")} (band)`
      : "";
    const rest = [
      cell.minimum_seconds === null ? "" : `least ${seconds(cell.minimum_seconds)}`,
      cell.p99_seconds === null ? "" : `p99 ${seconds(cell.p99_seconds)}`,
    ]
      .filter(Boolean)
      .join(", ");
    const left = all > MOST_DRAWN ? ` Every ${Math.ceil(all / MOST_DRAWN)}th is drawn.` : "";
    return `${counted(all, "run")} in ${counted(cell.rounds.length, "round")}: median ${seconds(cell.median_seconds)} (line)${interval}${rest ? `; ${rest}` : ""}.${left}${cell.doubts.length > 0 ? ` Not to be trusted: ${cell.doubts.join("; ")}.` : ""}`;
  }

  #picture(cell: Cell, onPage: boolean): SVGSVGElement {
    const { theme, type } = this.#around!;
    const box = this.#stage.getBoundingClientRect();
    const [width, height] = onPage
      ? [Math.max(280, Math.floor(box.width)), Math.max(220, Math.floor(box.height))]
      : [900, 360];
    const [unit, size] = (
      [
        ["s", 1],
        ["ms", 1e-3],
        ["µs", 1e-6],
      ] as const
    ).find(([, one]) => cell.median_seconds >= one) ?? ["ns", 1e-9];
    return drawStrip({
      width,
      height,
      type: onPage ? type : 15,
      theme,
      ...places(cell),
      median: cell.median_seconds,
      interval: cell.interval_seconds,
      unit,
      size,
    });
  }

  svg(): string | null {
    if (!this.#cell) return null;
    const { theme, source } = this.#around!;
    const line = swatch({ colour: theme.bound, dash: "", symbol: "none" }, theme);
    return svgFile({
      title: `Samples of ${labelOf(this.#cell)}`,
      subtitle: this.#sentence(this.#cell),
      source,
      theme,
      chart: this.#picture(this.#cell, false),
      legend: [{ swatch: line, words: "median" }],
    });
  }

  save(): void {
    const text = this.svg();
    if (text) download(text, "dcube-samples.svg");
  }
}

const count = ({ rounds }: Cell): number =>
  rounds.reduce((sum, { samples_seconds: samples }) => sum + samples.length, 0);

/** Rounds side by side, each as wide as it has samples. */
function places(cell: Cell): Pick<Strip, "samples" | "rounds"> {
  const samples: Sample[] = [];
  const rounds: { from: number; to: number; name: string }[] = [];
  let at = 0;
  const wide = Math.max(1, count(cell) * 0.002);
  cell.rounds
    .filter(({ samples_seconds: all }) => all.length > 0)
    .forEach(({ samples_seconds: all }, round) => {
      const from = at;
      at += wide;
      for (const time of all) samples.push({ x: at++, seconds: time, round });
      at += wide;
      rounds.push({ from, to: at, name: String(round + 1) });
    });
  return { samples: thinned(samples, Math.min(MOST_DRAWN, samples.length)), rounds };
}
