// Words in the colour of a thing: pointed at, they light it in the figure; clicked, they leave it lit. Words for another
// figure, or for a step, bring it when they are clicked, and some play it.

import type { Choices } from "../kit/address";
import type { Exhibit } from "../kit/exhibit";
import { factsOf, type Beat } from "./beats";

/** The lesson, as the words use it. */
export interface Figures {
  readonly beats: readonly Beat[];
  readonly current: Beat | null;
  readonly exhibit: Exhibit | null;
  go(beat: Beat): Promise<void>;
  /** Shows a beat's figure while the text stays where it is. */
  bring(beat: Beat, choices: Choices): Promise<void>;
  play(beat: Beat): Promise<void>;
}

/** These move the figure, so that pointing at them changes nothing. */
const ON_CLICK = /^#(play$|(pull|step|figure)=)/;

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
    for (const word of document.querySelectorAll<HTMLAnchorElement>("a.thing")) {
      const hue = hueOf(word.getAttribute("href")!, factsOf(this.#beatOf(word).view).nodes);
      if (hue) word.style.setProperty("--thing", hue);
    }
    // Words in replies are copies, which come and go.
    const watch = (event: string, met: (word: HTMLAnchorElement, event: Event) => void): void =>
      document.addEventListener(event, (what) => {
        const word = (what.target as Element).closest<HTMLAnchorElement>("a.thing");
        if (word) met(word, what);
      });
    for (const event of ["pointerover", "focusin"]) watch(event, (word) => this.#meet(word));
    for (const event of ["pointerout", "focusout"])
      watch(event, () => {
        if (!this.#kept) this.#restore();
      });
    watch("click", (word, event) => {
      event.preventDefault();
      void this.click(word);
    });
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

  #meet(word: HTMLAnchorElement): void {
    const href = word.getAttribute("href")!;
    if (this.figures.current === this.#beatOf(word) && !ON_CLICK.test(href)) this.#light(href);
  }

  /** Does what a click on the word does. */
  async click(word: HTMLAnchorElement): Promise<void> {
    const href = word.getAttribute("href")!;
    const { figure: number, ...rest } = Object.fromEntries(new URLSearchParams(href.slice(1)));
    const beat = number === undefined ? this.#beatOf(word) : this.figures.beats[Number(number) - 1]!;
    if (number !== undefined || rest.step !== undefined) {
      this.#restore();
      await this.figures.bring(beat, rest);
      return;
    }
    if (href === "#play") {
      this.#restore();
      await this.figures.play(beat);
      return;
    }
    const again = this.#kept === word;
    if (this.figures.current !== beat) await this.figures.go(beat);
    this.#restore();
    if (again) return;
    this.#light(href);
    this.#keep(word);
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
