// A lesson: its text on the left, on the right the figure of the beat that is read. Its state is the beat and the choices
// in the figure; the address has both: 05.html#beat=3&step=2&follow=0-7.

import { prefersStill } from "../kit/motion";
import { readAddress, watchAddress, writeAddress, type Choices } from "../kit/address";
import { button, element, wordButton } from "../kit/dom";
import type { Exhibit, Piece } from "../kit/exhibit";
import { isForPage, letters } from "../kit/letters";
import { embedded } from "../kit/look";
import { fillScreen } from "../kit/screen";
import { plot } from "../schedule/plot";
import { addDocument, beats, emptyDocument, isBoardView, type Beat } from "./beats";
import { foldCards } from "./cards";
import { Desk } from "./desk";
import { exercise } from "./exercises";
import { handOut, inOneStrip } from "./handout";
import { beatRead, scrollTo, watchReading } from "./reading";
import { Slides } from "./slides";
import { theLab } from "./lab";
import { Opening } from "./opening";
import { partsOf } from "./parts";
import { Things } from "./things";
import { made, trial, tryable } from "./trying";
import { SETTLED, vote } from "./votes";

export interface Stagehand {
  /** Shows a state of one of the page's documents; null: another was requested meanwhile. */
  show(view: number, choices: Choices): Promise<Exhibit | null>;
  load(view: number): Promise<Piece>;
  /** A document that was lent is not needed any more. */
  forget(view: number): void;
  /** Called when the picture has come to rest. */
  changed: (choices: Choices) => void;
}

/** The lesson's own keys of the address; `theme` is the reader's, not the beat's. */
const OWN = new Set(["desk", "opening", "beat", "part", "present", "theme", "embed"]);
/** A figure that grows by itself: until this value, and how fast. */
const GROWN = "3";
const GROWING_MS = 1300;
const others = (choices: Choices): Choices =>
  Object.fromEntries(Object.entries(choices).filter(([key]) => !OWN.has(key)));

export class Lesson {
  readonly beats = beats();
  current: Beat | null = null;
  exhibit: Exhibit | null = null;
  /** The first state of each document, by its number. */
  readonly #first = new Map<number, Choices>();
  /** The state of the current beat before any choice of the reader's. */
  #own: Choices = {};
  /** The page's position when a figure was requested: the figure stays until the page is moved. */
  #heldAt = NaN;
  /** Whether the figure was brought from elsewhere in the text. */
  #brought = false;
  #running: { stop(): void } | null = null;
  /** The documents of the beats, as they are printed. */
  readonly #forPaper: [Beat, Piece[]][] = [];
  readonly #things: Things;
  readonly #slides: Slides;

  constructor(
    private readonly stage: Stagehand,
    private readonly host: HTMLElement,
  ) {
    stage.changed = (choices) => this.#write(choices);
    this.#things = new Things(this);
    this.#slides = new Slides(this, host);
    for (const beat of this.beats) {
      this.#numbered(beat);
      // Votes are judged before; a toggle does not bubble.
      for (const event of ["change", SETTLED, "toggle"])
        beat.root.addEventListener(event, ({ target }) => void this.#answered(beat, target as Element), {
          capture: event === "toggle",
        });
    }
    for (const field of document.querySelectorAll<HTMLFieldSetElement>(".vote")) vote(field);
    for (const form of document.querySelectorAll<HTMLFormElement>("form.exercise"))
      exercise(form, (...what) => void made(this, ...what));
    for (const root of document.querySelectorAll<HTMLElement>("section.exercise")) trial(this, root);
    for (const figure of document.querySelectorAll<HTMLElement>("figure.plot")) plot(figure);
    if (!embedded())
      document.querySelector("article > nav")?.append(button("as slides", "P", "Slides", () => this.#present()));
    host.addEventListener("present", () => this.#present());
    document.addEventListener("keydown", (event) => this.#press(event), { capture: true });
    watchReading(() => this.#read());
    watchAddress((choices) => void this.#follow(choices));
    handOut(() =>
      this.#forPaper.map(([{ root, choices }, pieces]) => ({
        still: root.querySelector<HTMLElement>(".still")!,
        drawn: inOneStrip(pieces.map((piece) => piece.printed(choices))),
      })),
    );
  }

  /** Shows the beat of the address, else the first. */
  async begin(): Promise<void> {
    const choices = readAddress();
    if (choices.desk === "1" && window.opener) {
      new Desk(partsOf(this.beats), window.opener as Window);
      return;
    }
    if (choices.opening) {
      await this.go(this.beats[0]!);
      void new Opening(this, this.host, Number(choices.opening)).play();
      return;
    }
    if (this.#beatOf(choices)) await this.#follow(choices);
    else {
      await this.go(this.beats[0]!, others(choices));
      void this.#grow(this.beats[0]!);
    }
    await this.#readForPaper();
  }

  /** Reads what is drawn when the lesson is printed: then there is no time for it. */
  async #readForPaper(): Promise<void> {
    for (const beat of this.beats)
      if (beat.view >= 0)
        this.#forPaper.push([beat, await Promise.all(beat.printed.map((view) => this.stage.load(view)))]);
  }

  /** One value of its slider on; false: it is grown. */
  async grow(beat: Beat): Promise<boolean> {
    if (!beat.sliders?.advance(GROWN)) return false;
    await this.#vary(beat);
    return true;
  }

  /** A network that is only to be looked at doubles by itself, until the reader does something; without motion it is grown. */
  async #grow(beat: Beat): Promise<void> {
    if (beat.choices.look !== "network" || embedded()) return;
    if (prefersStill()) while (this.current === beat && (await this.grow(beat)));
    if (prefersStill()) return;
    const timer = window.setInterval(async () => {
      if (this.current !== beat || this.#slides.on || !(await this.grow(beat))) clearInterval(timer);
    }, GROWING_MS);
    for (const event of ["pointerdown", "keydown", "wheel", "touchstart"])
      addEventListener(event, () => clearInterval(timer), { once: true, passive: true });
  }

  /** Shows a beat as it is, but for the choices. */
  async go(beat: Beat, choices: Choices = {}): Promise<void> {
    this.current = beat;
    if (!beat.lent) {
      beat.sliders?.choose(choices);
      if (beat.view < 0 && !(await this.#make(beat))) return;
    }
    this.#things.forget();
    for (const { root } of this.beats) root.toggleAttribute("data-current", root === beat.root);
    this.exhibit = null; // until the beat's own is there
    const first = this.#first.get(beat.view);
    const exhibit = await this.stage.show(beat.view, first ? { ...first, ...beat.choices } : {});
    if (!exhibit) return;
    this.exhibit = exhibit;
    document.body.classList.add("running");
    // A run that failed is shown where it did.
    if (beat.lent) exhibit.choose({ bound: "1", ...(exhibit.failed ? {} : { step: "0" }) });
    else if (!first) {
      this.#first.set(beat.view, { ...others(exhibit.state?.() ?? {}), follow: "", light: "", pull: "0" });
      exhibit.choose(beat.choices);
    }
    this.#own = exhibit.state?.() ?? {};
    exhibit.choose({ present: "0", ...choices });
    for (const title of exhibit.root.querySelectorAll<HTMLElement>(".title"))
      title.dataset.figure = beat.lent ? "Your run" : beat.figure;
    exhibit.root.dataset.look = beat.choices.look ?? "";
    for (const title of exhibit.root.querySelectorAll<HTMLElement>(".title"))
      title.dataset.heading = beat.root.querySelector("h2")?.textContent ?? "";
    exhibit.root.toggleAttribute("data-asks", beat.choices.bound === "later" && !beat.lent);
    this.#tell(beat);
    foldCards(exhibit);
  }

  /** The film with another parameter takes the place of the one that is on, in the same state. */
  async #vary(beat: Beat): Promise<void> {
    const before = beat === this.current ? this.exhibit : null;
    await this.go(beat, before?.carried?.() ?? {});
    if (before && this.exhibit !== before) this.exhibit?.follows?.(before);
    this.moved();
  }

  /** Runs a slider's choice that the page has no film of; false: there is none, or it moved on. */
  async #make(beat: Beat): Promise<boolean> {
    const sliders = beat.sliders!;
    const request = sliders.request;
    this.#running?.stop();
    this.#running = null;
    sliders.say("Running..");
    const here = (): boolean => this.current === beat && sliders.request === request;
    try {
      const lab = await theLab();
      if (!here()) return false;
      const running = (this.#running = lab.film(request));
      const text = await running.document;
      if (!here()) return false;
      sliders.made(addDocument(text));
      return true;
    } catch (error) {
      if (here()) sliders.say((error as Error).message);
      return false;
    }
  }

  async lend(beat: Beat, text: string): Promise<void> {
    const { lent } = beat;
    beat.lent = addDocument(text);
    this.#heldAt = scrollY;
    await this.go(beat);
    if (lent) this.#forget(lent);
    if (!this.exhibit?.failed) this.exhibit?.play?.();
  }

  async bring(beat: Beat, choices: Choices): Promise<void> {
    this.#heldAt = scrollY;
    this.#brought = true;
    await this.go(beat, choices);
    this.moved();
  }

  giveBack(beat: Beat): void {
    const { lent } = beat;
    beat.lent = null;
    this.#heldAt = scrollY;
    void this.go(beat).then(() => {
      if (lent) this.#forget(lent);
      this.moved();
    });
  }

  #forget(view: number): void {
    emptyDocument(view);
    this.#first.delete(view);
    this.stage.forget(view);
  }

  moved(): void {
    if (this.exhibit) this.#write(this.exhibit.state?.() ?? {});
  }

  ended(beat: Beat): void {
    void this.#goAndScroll(beat);
  }

  #beatOf(choices: Choices): Beat | undefined {
    return this.beats.find(({ number }) => String(number) === choices.beat);
  }

  async #follow(choices: Choices): Promise<void> {
    const beat = this.#beatOf(choices);
    if (!beat) return;
    if (choices.present === "1" && !embedded()) await this.#slides.begin(beat, Number(choices.part), others(choices));
    else if (this.#slides.on) this.#slides.end();
    else await this.#goAndScroll(beat, others(choices));
  }

  async #goAndScroll(beat: Beat, choices: Choices = {}): Promise<void> {
    await this.go(beat, choices);
    scrollTo(beat);
    this.#heldAt = scrollY;
    this.moved();
  }

  #read(): void {
    if (this.#slides.on || scrollY === this.#heldAt) return;
    // A form that opens moves the text: its film stays until the reader scrolls away from it.
    if ((this.current?.lent || this.#brought) && Math.abs(scrollY - this.#heldAt) < innerHeight / 2) return;
    this.#heldAt = NaN;
    this.#brought = false;
    const beat = beatRead(this.beats);
    if (beat !== this.current) void this.go(beat).then(() => this.moved());
  }

  /** A beat's figure can be quoted by its number, and be shown again. */
  #numbered(beat: Beat): void {
    const link = element("a.figure", { href: `#beat=${beat.number}` }, beat.figure);
    const again = wordButton(
      "Show this",
      () => {
        this.giveBack(beat);
      },
      "button.again",
    );
    if (beat.sliders) {
      beat.sliders.moved = () => {
        this.#heldAt = scrollY;
        void this.#vary(beat);
      };
      const text = beat.root.querySelector(":scope > p") ?? beat.root.querySelector(":scope > h2");
      if (text) text.after(beat.sliders.shown());
      else beat.root.append(beat.sliders.shown());
    }
    // A run would take the board away, and show what its reader is to find.
    beat.root.append(element("p.figures", link, again, ...(isBoardView(beat.view) ? [] : tryable(this, beat))));
  }

  /** A vote is about its own beat's figure. A wrong one is answered by the picture: by what its reply names first, else,
      once the question is settled, by the bound. After a right one the film of a bound plays. */
  async #answered(beat: Beat, target: Element): Promise<void> {
    const vote = target.closest(".vote") !== null;
    if (vote && beat !== this.current && !this.#slides.on) {
      this.#heldAt = scrollY;
      await this.go(beat);
    }
    this.#tell(beat);
    const option = vote && beat === this.current ? target.closest("li.right, li.wrong") : null;
    if (!option) return;
    const ofBound = beat.choices.bound === "later" && !this.exhibit?.failed;
    const shown = option.querySelector<HTMLAnchorElement>(".reply a.thing");
    if (option.matches(".right")) {
      if (ofBound && !this.#slides.on && !prefersStill()) this.exhibit?.play?.();
    } else if (shown) await this.#things.click(shown);
    else if (ofBound && option.closest("[data-settled]")) this.exhibit?.choose({ bound: "1", pull: "100" });
  }

  /** Plays the beat's film from its beginning. */
  async play(beat: Beat): Promise<void> {
    await this.bring(beat, { step: "0" });
    this.exhibit?.play?.();
  }

  /** A beat with a question hides its bound and the run's length until the question is answered, or the answer opened. */
  #tell(beat: Beat): void {
    const { exhibit } = this;
    if (
      beat !== this.current ||
      !exhibit?.root.hasAttribute("data-asks") ||
      !beat.root.querySelector("[data-settled], details[open]")
    )
      return;
    exhibit.root.removeAttribute("data-asks");
    const bound = exhibit.failed ? "0" : "1"; // what went wrong is not about how fast it is
    exhibit.choose({ bound });
    this.#own = { ...this.#own, bound };
    foldCards(exhibit);
  }

  #present(): void {
    if (this.#slides.on) this.#slides.end();
    else {
      fillScreen();
      void this.#slides.begin(this.current!, 1);
    }
  }

  #press(event: KeyboardEvent): void {
    if (!isForPage(event) || embedded()) return;
    const target = event.target as HTMLElement;
    if (target.closest("input, select, textarea") && !(this.#slides.on && event.key.startsWith("Page"))) return; // a clicker's keys
    if (target.closest("button, a, summary") && [" ", "Enter"].includes(event.key)) return;
    if (target.closest(".list, table") && event.key.startsWith("Arrow")) return;
    const key = event.key.length === 1 ? event.key.toLowerCase() : event.key;
    if (/^[a-z]$/.test(key) && !letters.areKeys) return;
    if (this.#slides.on) {
      if (!this.#slides.press(key)) return;
    } else if (key === "p") this.#present();
    else return;
    event.preventDefault();
    event.stopPropagation();
  }

  /** The address has the beat, and the choices beyond it. */
  #write(now: Choices): void {
    if (!this.current || !this.exhibit || this.current.lent || this.#things.passing) return;
    const chosen = others(now);
    const changed = Object.entries(chosen).filter(([key, value]) => this.#own[key] !== value);
    const gone = Object.keys(others(this.#own)).filter((key) => chosen[key] === undefined);
    const values = this.current.sliders?.chosen ?? {};
    if (
      location.hash === "" &&
      this.current === this.beats[0] &&
      changed.length + gone.length + Object.keys(values).length === 0 &&
      !this.#slides.on
    )
      return;
    writeAddress({
      beat: String(this.current.number),
      ...values,
      ...this.#slides.address,
      ...Object.fromEntries(changed),
      ...Object.fromEntries(gone.map((key) => [key, ""])),
    });
  }
}
