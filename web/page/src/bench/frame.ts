// A chart's place on the page: its conclusion, what it shows, the drawing with its legend, the same as a table, and the
// button that saves it. A chart follows the size of its place.

import { download, element, say, table } from "../kit/dom";
import type { Theme } from "../kit/theme";
import type { Cell } from "./document";
import { svgFile } from "./save";
import type { Scale } from "./series";

export interface Look {
  theme: Theme;
  /** The size of text, in pixels. */
  type: number;
  /** The origin of the figures. */
  source: string;
}

export interface Surroundings extends Look {
  cells: readonly Cell[];
  scale: Scale;
}

/** The size of a drawing, and whether it describes the thing under the pointer. */
export interface Room {
  width: number;
  height: number;
  type: number;
  theme: Theme;
  pointed: boolean;
}

export interface Entry {
  swatch: SVGSVGElement;
  words: string;
}

export interface Content {
  /** The conclusion from the data; "" where there is none. */
  says: string;
  about: string;
  legend: readonly Entry[];
  columns: readonly string[];
  rows: readonly (readonly string[])[];
  /** Of the drawing, in pixels, where it depends on the data. */
  height?: number;
}

const MOST_ROWS = 1000;

export abstract class Frame<A extends Look = Surroundings> {
  readonly root: HTMLElement;
  protected readonly says = element("p.says");
  protected readonly about = element("p.about");
  protected readonly stage = element("div.chart");
  protected readonly legend = element("ul.curves");
  /** Choices of what is drawn. */
  protected readonly tools = element("div.tools");
  readonly #actions = element("div.tools.actions");
  protected readonly numbers = element("div.numbers", { tabindex: "0", role: "region" });
  protected around: A | null = null;
  #size = [0, 0];
  readonly #numbered: HTMLButtonElement;

  constructor(
    readonly id: string,
    readonly title: string,
  ) {
    this.numbers.hidden = true;
    this.#numbered = this.#press("Numbers", () => {
      this.numbers.hidden = !this.numbers.hidden;
      this.#numbered.setAttribute("aria-expanded", String(!this.numbers.hidden));
      this.draw();
    });
    this.#numbered.setAttribute("aria-expanded", "false");
    this.#actions.append(
      this.#numbered,
      this.#press("Save SVG", () => this.save()),
    );
    this.root = element(
      "section.figure",
      { "aria-labelledby": `${id}-title`, id },
      element("div.heading", element("h2", { id: `${id}-title` }, title), this.tools),
      this.says,
      this.about,
      this.stage,
      this.legend,
      this.#actions,
      this.numbers,
    );
    // Legends and tables beside it change a chart's room.
    new ResizeObserver(() => {
      const { width, height } = this.stage.getBoundingClientRect();
      const changed = Math.abs(width - this.#size[0]!) >= 1 || Math.abs(height - this.#size[1]!) >= 1;
      if (this.around && width > 0 && changed) this.paint();
    }).observe(this.stage);
  }

  /** What there is to show; a text where there is nothing to draw, "" where nothing need be said of that. */
  protected abstract content(): Content | string;
  protected abstract picture(room: Room): SVGSVGElement;

  show(around: A): void {
    this.around = around;
    this.draw();
  }

  /** The theme, the type or the width have changed. */
  redraw(around: A): void {
    this.around = around;
    this.draw();
  }

  protected draw(): void {
    const content = this.content();
    if (typeof content === "string") return this.empty(content);
    this.filled();
    say(this.says, content.says);
    say(this.about, content.about);
    this.explain(content.legend);
    if (content.height) this.stage.style.setProperty("--height", `${Math.round(content.height)}px`);
    this.table(content.columns, content.rows);
    this.paint();
  }

  protected explain(legend: readonly Entry[]): void {
    this.legend.replaceChildren(...entries(legend));
  }

  protected empty(text: string): void {
    this.root.hidden = text === "";
    this.root.toggleAttribute("data-empty", true);
    this.legend.hidden = this.stage.hidden = this.#actions.hidden = this.numbers.hidden = true;
    this.#numbered.setAttribute("aria-expanded", "false");
    say(this.says, "");
    say(this.about, text);
  }

  protected filled(): void {
    this.root.hidden = false;
    this.root.toggleAttribute("data-empty", false);
    this.legend.hidden = this.stage.hidden = this.#actions.hidden = false;
  }

  protected paint(): void {
    if (this.stage.hidden) return;
    const { width, height } = this.stage.getBoundingClientRect();
    this.#size = [width, height];
    const { type, theme } = this.around!;
    const svg = this.picture({
      width: Math.max(280, Math.floor(width)),
      height: Math.max(220, Math.floor(height)),
      type,
      theme,
      pointed: true,
    });
    svg.setAttribute("role", "img");
    svg.setAttribute("aria-label", this.spoken());
    this.stage.replaceChildren(svg);
  }

  protected spoken(): string {
    return [`${this.title}.`, this.says.textContent, this.about.textContent].filter(Boolean).join(" ");
  }

  #press(words: string, act: () => void): HTMLButtonElement {
    const made = element("button.words", { type: "button" }, words, element("span.hidden", `: ${this.title}`));
    made.addEventListener("click", act);
    return made;
  }

  protected table(columns: readonly string[], rows: readonly (readonly string[])[]): void {
    if (this.numbers.hidden) return;
    this.numbers.setAttribute("aria-label", `Numbers of: ${this.title}`);
    const lines = rows
      .slice(0, MOST_ROWS)
      .map(([first, ...others]) =>
        element("tr", element("th", { scope: "row" }, first!), ...others.map((text) => element("td", text))),
      );
    this.numbers.replaceChildren(table(columns, element("tbody", ...lines)));
  }

  /** The text of the file that the button saves; null if nothing is drawn. */
  svg(): string | null {
    const content = this.content();
    if (typeof content === "string") return null;
    return this.file(content, content.height ?? 480);
  }

  protected file({ says, about, legend }: Pick<Content, "says" | "about" | "legend">, height: number): string {
    const { theme, source } = this.around!;
    return svgFile({
      title: this.title,
      subtitle: [says, about].filter(Boolean).join(" "),
      source,
      theme,
      chart: this.picture({ width: 900, height, type: 15, theme, pointed: false }),
      legend,
    });
  }

  save(): void {
    const text = this.svg();
    if (text) download(text, `dcube-${this.id}.svg`);
  }
}

export const entries = (legend: readonly Entry[]): HTMLElement[] =>
  legend.map(({ swatch, words }) => element("li", element("span.line", swatch, words)));
