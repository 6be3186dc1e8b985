// Words in the colour of a thing: pointed at, they light it in the figure; clicked, they leave it lit.

import type { Choices } from "../kit/address";
import type { Exhibit } from "../kit/exhibit";
import { factsOf, type Beat } from "./beats";

/** The lesson, as the words use it. */
export interface Figures {
  readonly beats: readonly Beat[];
  readonly current: Beat | null;
  readonly exhibit: Exhibit | null;
  go(beat: Beat): Promise<void>;
}

/** "#node=5" as the choice that lights it. */
function lightOf(href: string): Choices {
  const [key = "", value = ""] = href.slice(1).split("=");
  if (key === "bound") return { light: "bound", bound: "1" };
  if (key === "pull") return { pull: value, bound: "1" };
  if (key === "dimension") return { light: value };
  if (key === "origin") return { show: value };
  return { [key]: value };
}

/** Hues are given to numbers as drawings give them: see kit/theme.ts. */
function hueOf(href: string, nodes: number): string {
  const [, key, digits] = /^#(origin|node|follow|dimension)=(\d+)/.exec(href) ?? [];
  if (digits === undefined) return "";
  const number = Number(digits);
  const hue = key === "dimension" || nodes <= 8 ? number % 8 : Math.min(7, Math.floor((number * 8) / nodes));
  return `var(--hue-${hue})`;
}

export class Things {
  /** The choices before a word was pointed at and lit something. */
  #before: Choices | null = null;
  #kept: HTMLAnchorElement | null = null;

  constructor(private readonly figures: Figures) {
    for (const word of document.querySelectorAll<HTMLAnchorElement>("a.thing")) this.#prepare(word);
  }

  /** Whether the light lasts only as long as a word is pointed at. */
  get passing(): boolean {
    return this.#before !== null && this.#kept === null;
  }

  /** Another figure has come: the light of the last one has gone with it. */
  forget(): void {
    this.#before = null;
    this.#keep(null);
  }

  #prepare(word: HTMLAnchorElement): void {
    const beat = this.#beatOf(word);
    const href = word.getAttribute("href") ?? "";
    const hue = hueOf(href, factsOf(beat.view).nodes);
    if (hue) word.style.setProperty("--thing", hue);
    const here = (): boolean => this.figures.current === beat;
    // The network moves only on a click.
    if (!href.startsWith("#pull"))
      for (const event of ["pointerenter", "focus"])
        word.addEventListener(event, () => {
          if (here()) this.#light(href);
        });
    for (const event of ["pointerleave", "blur"])
      word.addEventListener(event, () => {
        if (!this.#kept) this.#restore();
      });
    word.addEventListener("click", async (event) => {
      event.preventDefault();
      const again = this.#kept === word;
      if (!here()) await this.figures.go(beat);
      this.#restore();
      if (again) return;
      this.#light(href);
      this.#keep(word);
    });
  }

  /** Words before the first beat speak of its figure, those between two of the one before. */
  #beatOf(word: HTMLElement): Beat {
    const { beats } = this.figures;
    const before = beats.filter(
      ({ root }) => root.contains(word) || root.compareDocumentPosition(word) & Node.DOCUMENT_POSITION_FOLLOWING,
    );
    return before.at(-1) ?? beats[0]!;
  }

  #light(href: string): void {
    const { exhibit } = this.figures;
    if (!exhibit || this.#kept) return;
    this.#restore();
    const light = lightOf(href);
    const now = exhibit.state?.() ?? {};
    this.#before = Object.fromEntries(Object.keys(light).map((key) => [key, now[key] ?? ""]));
    // Only one thing is selected: the earlier selection comes back afterwards.
    for (const key of ["node", "link", "follow"]) if (now[key] !== undefined) this.#before[key] = now[key];
    exhibit.choose(light);
  }

  #restore(): void {
    if (this.#before) this.figures.exhibit?.choose(this.#before);
    this.#before = null;
    this.#keep(null);
  }

  #keep(word: HTMLAnchorElement | null): void {
    this.#kept?.removeAttribute("data-kept");
    this.#kept = word;
    word?.setAttribute("data-kept", "");
  }
}
