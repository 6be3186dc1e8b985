// The lecturer's window beside the slides: notes, the next slide, a clock, and the clicker's keys. It is the same page with
// #desk=1, opened by the one that projects; the two talk by messages, so that it works from disk, too.

import { element, say, wordButton } from "../kit/dom";
import { contentOf } from "./options";
import type { Part } from "./parts";

/** What the two windows say: the number of the slide; a key that was pressed at the desk. */
export type DeskWord = { dcubeSlide: number } | { dcubeKey: string };
/** The keys that the desk may press. */
export const DESK_KEYS: readonly string[] = ["PageUp", "PageDown", "ArrowUp", "ArrowDown"];

/** A slide in one line. */
function titleOf(part: Part | undefined, lesson: string): string {
  if (!part) return "the end";
  if (part.kind === "title") return lesson;
  const heading = part.beat.root.querySelector("h2")?.textContent ?? "";
  const question = part.question?.querySelector("legend, summary")?.textContent;
  return question ?? `${heading}${part.kind === "bound" ? ": why not fewer" : ": the film"}`;
}

export class Desk {
  readonly #now = element("h1");
  readonly #notes = element("div.desk-notes");
  readonly #next = element("p.desk-next");
  readonly #clock = element("p.desk-clock");
  readonly #began = Date.now();
  readonly #lesson = document.querySelector("article > h1")?.textContent ?? "";

  constructor(
    private readonly parts: readonly Part[],
    private readonly hall: Window,
  ) {
    document.documentElement.toggleAttribute("data-desk", true);
    const key = (words: string, name: string): HTMLElement => wordButton(words, () => this.#press(name));
    document.body.replaceChildren(
      element(
        "main.desk",
        this.#clock,
        this.#now,
        this.#notes,
        this.#next,
        element(
          "div.desk-keys",
          key("Back", "PageUp"),
          key("Next", "PageDown"),
          key("Film: a step back", "ArrowUp"),
          key("Film: a step on", "ArrowDown"),
        ),
      ),
    );
    addEventListener("message", ({ source, data }: MessageEvent<Partial<{ dcubeSlide: number }> | null>) => {
      if (source === hall && typeof data?.dcubeSlide === "number") this.#show(data.dcubeSlide);
    });
    addEventListener("keydown", (event) => {
      if (!DESK_KEYS.includes(event.key)) return;
      event.preventDefault();
      this.#press(event.key);
    });
    this.#tick();
    setInterval(() => this.#tick(), 1000);
    this.#press(""); // asks which slide it is
  }

  #press(dcubeKey: string): void {
    this.hall.postMessage({ dcubeKey } satisfies DeskWord, "*");
  }

  #show(at: number): void {
    const part = this.parts[at];
    if (!part) return;
    say(this.#now, `${at + 1} of ${this.parts.length}. ${titleOf(part, this.#lesson)}`);
    this.#notes.replaceChildren(...part.notes.flatMap(contentOf));
    if (part.notes.length === 0) this.#notes.textContent = "No notes for this slide.";
    say(this.#next, `Next: ${titleOf(this.parts[at + 1], this.#lesson)}`);
  }

  #tick(): void {
    const minutes = Math.floor((Date.now() - this.#began) / 60_000);
    const time = new Date().toLocaleTimeString([], { hour: "2-digit", minute: "2-digit" });
    say(this.#clock, `${time} \u00b7 ${minutes} min`);
  }
}
