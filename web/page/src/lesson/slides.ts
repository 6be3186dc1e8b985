// A lesson as slides, for a lecture hall: one part of a beat at a time, moved on by the keys of every presenter's clicker.

import type { Choices } from "../kit/address";
import { element, say, wordButton } from "../kit/dom";
import type { Exhibit } from "../kit/exhibit";
import { fillScreen, leaveScreen, watchScreen } from "../kit/screen";
import type { Beat } from "./beats";
import { DESK_KEYS, type DeskWord } from "./desk";
import { contentOf } from "./options";
import { partsOf, type Part } from "./parts";
import { Poll } from "./poll";

/** The lesson, as its slides use it. */
export interface Teacher {
  readonly exhibit: Exhibit | null;
  readonly beats: readonly Beat[];
  go(beat: Beat, choices?: Choices): Promise<void>;
  /** Slides came, moved on or went. */
  moved(): void;
  ended(beat: Beat): void;
}

const html = document.documentElement;

export class Slides {
  #parts: Part[] = [];
  #at = 0;
  #desk: Window | null = null;
  /** Whether the film of this slide was started. */
  #played = false;
  readonly #polls = new Map<HTMLElement, Poll>();
  readonly #head = element("h2.slide-head");
  readonly #slide = element("div.slide", { tabindex: "-1" });
  readonly #number = element("p.slide-number", { role: "status" });
  readonly #notes = element("aside.slide-notes", { "aria-label": "speaker's notes" });
  readonly #foot = element("footer.slide-foot", this.#notes, this.#number, this.#deskButton());

  constructor(
    private readonly teacher: Teacher,
    private readonly host: HTMLElement,
  ) {
    // A second window takes the screen away; the slides stay.
    watchScreen(() => {
      if (!this.#desk || this.#desk.closed) this.end();
    });
    addEventListener("message", ({ source, data }: MessageEvent<Partial<{ dcubeKey: string }> | null>) => {
      if (!this.#desk || source !== this.#desk || !this.on) return;
      if (DESK_KEYS.includes(data?.dcubeKey ?? "")) this.press(data!.dcubeKey!);
      else this.#tell();
    });
  }

  /** The window with the notes, for a second screen. */
  #deskButton(): HTMLElement {
    const made = wordButton("Desk", () => this.openDesk(), "button.open-desk");
    made.title = "a window for the lecturer: notes, the next slide, a clock (W)";
    return made;
  }

  openDesk(): void {
    const page = location.href.split("#")[0]!;
    this.#desk = window.open(`${page}#desk=1`, "dcube-desk", "popup,width=900,height=700");
  }

  #tell(): void {
    this.#desk?.postMessage({ dcubeSlide: this.#at } satisfies DeskWord, "*");
  }

  get on(): boolean {
    return this.#parts.length > 0;
  }

  /** The slides' part of the address. */
  get address(): Choices {
    return this.on ? { present: "1", part: String(this.part.number) } : {};
  }

  get part(): Part {
    return this.#parts[this.#at]!;
  }

  async begin(beat: Beat, part: number, choices: Choices = {}): Promise<void> {
    if (!this.on) {
      this.#parts = partsOf(this.teacher.beats);
      this.host.append(this.#head, this.#slide, this.#foot);
      html.toggleAttribute("data-slides", true);
    }
    const first = this.#parts.findIndex((one) => one.beat === beat);
    const wanted = this.#parts.findIndex((one) => one.beat === beat && one.number === part);
    await this.#show(Math.max(first, wanted), choices);
  }

  end(): void {
    if (!this.on) return;
    const { beat } = this.part;
    this.#parts = [];
    for (const part of [this.#head, this.#slide, this.#foot]) part.remove();
    for (const key of ["slides", "part", "notes"]) delete html.dataset[key];
    leaveScreen();
    this.teacher.ended(beat);
  }

  /** Handles a key; false: it means nothing here. */
  press(key: string): boolean {
    switch (key) {
      case "PageDown":
      case "ArrowRight":
      case " ":
        this.#next();
        return true;
      case "PageUp":
      case "ArrowLeft":
        void this.#show(this.#at - 1);
        return true;
      case "ArrowDown":
        this.teacher.exhibit?.step?.(1);
        return true;
      case "ArrowUp":
        this.teacher.exhibit?.step?.(-1);
        return true;
      case "Home":
        void this.#show(0);
        return true;
      case "End":
        void this.#show(this.#parts.length - 1);
        return true;
      case "f":
        if (document.fullscreenElement) leaveScreen();
        else fillScreen();
        return true;
      case "w":
        this.openDesk();
        return true;
      case "n":
        html.toggleAttribute("data-notes");
        return true;
      case "p":
      case "Escape":
        this.end();
        return true;
      default:
        return false;
    }
  }

  /** A question is answered and a film played before the next slide comes. */
  #next(): void {
    if (!this.#reveal()) void this.#show(this.#at + 1);
  }

  /** False: all of this slide was seen. */
  #reveal(): boolean {
    const { question, kind } = this.part;
    const poll = question && this.#polls.get(question);
    if (poll) return poll.reveal();
    if (kind === "title" || this.#played) return false;
    this.#played = true;
    return this.teacher.exhibit?.play?.() ?? false;
  }

  async #show(at: number, choices: Choices = {}): Promise<void> {
    if (at < 0 || at >= this.#parts.length) return;
    this.#at = at;
    this.#played = false;
    const part = this.part;
    html.dataset.part = part.kind;
    const inside = part.kind === "film" || part.kind === "bound" || part.question?.closest(".beat");
    this.#head.replaceChildren(
      ...contentOf(inside ? part.beat.root.querySelector("h2") : document.querySelector("article > h1")),
    );
    this.#head.hidden = part.kind === "title";
    this.#slide.replaceChildren(...this.#content(part));
    this.#foot.querySelector(".parameters")?.remove();
    if (part.kind === "film" && part.beat.sliders) this.#foot.prepend(part.beat.sliders.shown());
    this.#notes.replaceChildren(...part.notes.flatMap(contentOf));
    if (part.notes.length === 0) this.#notes.textContent = "No notes for this slide.";
    this.#tell();
    const lesson = document.querySelector<HTMLElement>("article")?.dataset.lesson ?? "";
    say(this.#number, `lesson ${lesson}, ${at + 1} of ${this.#parts.length}`);
    await this.teacher.go(part.beat, {
      present: "1",
      ...(part.kind === "bound" ? { pull: "100", bound: "1", table: "0" } : {}),
      ...choices,
    });
    this.#slide.focus();
    this.teacher.moved();
  }

  #content(part: Part): Node[] {
    if (part.kind === "title")
      return ["h1", ".about"].map((line) => document.querySelector(`article > ${line}`)!.cloneNode(true));
    if (!part.question) return [];
    const poll = this.#polls.get(part.question) ?? new Poll(part.question);
    this.#polls.set(part.question, poll);
    return [poll.root];
  }
}
