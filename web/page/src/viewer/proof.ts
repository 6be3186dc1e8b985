// The card that explains why no algorithm is faster, with its arithmetic and how far each run has come.

import { element, say } from "../kit/dom";
import { counted, grouped, tenths } from "../kit/words";
import type { Bound } from "./document";
import type { Film } from "./film";

const MOST_CELLS = 64;

/** Films that have the same proof, each list in the order of the films. */
export function byProof(films: readonly Film[]): Film[][] {
  const groups = new Map<string, Film[]>();
  for (const film of films) {
    const { title, lines } = film.data.bound ?? {};
    const key = JSON.stringify([title, lines]);
    groups.set(key, [...(groups.get(key) ?? []), film]);
  }
  return [...groups.values()];
}

export class ProofCard {
  readonly root = element("section.card.proof");
  readonly #bound: Bound | null;
  readonly #runs: Progress[] = [];

  /** `films` have the same proof; `named`: they are two, or there are others beside them. */
  constructor(
    films: readonly Film[],
    named: boolean,
    pull: HTMLElement | null,
    light: (what: "ends" | "bound" | null) => void,
  ) {
    const bound = (this.#bound = films[0]!.data.bound);
    if (!bound) {
      this.root.hidden = true;
      return;
    }
    const lines = element("dl");
    bound.lines.forEach(({ words, number, about }, i) => {
      const last = i + 1 === bound.lines.length;
      const line = element(last ? "div.last" : "div", element("dt", words), element("dd", number));
      if (about) lightable(line, about, light);
      lines.append(line);
    });
    const name = ({ data: { label } }: Film): HTMLElement[] => (named ? [element("p.run", label)] : []);
    const [alone] = films.length === 1 ? films : [];
    this.root.append(element("h2", bound.title), ...(alone ? name(alone) : []), ...(pull ? [pull] : []), lines);
    for (const film of films) {
      const run = new Progress(film, film.data.bound!);
      this.#runs.push(run);
      this.root.append(...(alone ? [] : name(film)), ...run.parts);
    }
  }

  /** `nowOf`: the time of a film. */
  update(nowOf: (film: Film) => number, shown: boolean): void {
    this.root.hidden = !this.#bound || !shown;
    if (this.root.hidden) return;
    for (const run of this.#runs) run.update(nowOf(run.film));
  }
}

/** How far a run has come on its way to the bound, and beyond. */
class Progress {
  readonly parts: HTMLElement[];
  readonly #fills: HTMLElement[] = [];
  readonly #tally = element("p.tally");
  readonly #after = element("p.after");
  readonly #cells: number;

  constructor(
    readonly film: Film,
    private readonly bound: Bound,
  ) {
    const strip = element("div.strip", { "aria-hidden": "true" });
    const total = Math.max(this.#extent(), bound.value);
    this.#cells = film.inSteps && total <= MOST_CELLS ? total : 1;
    for (let i = 0; i < this.#cells; i++) {
      const fill = element("i");
      strip.append(element(i + 1 === bound.value && this.#cells > 1 ? "span.bound" : "span", fill));
      this.#fills.push(fill);
    }
    if (this.#cells === 1) {
      const mark = element("em");
      mark.style.left = `${(100 * bound.value) / Math.max(total, 1e-9)}%`;
      strip.append(mark);
    }
    this.parts = [strip, this.#tally, ...(bound.gap ? [element("p.gap", bound.gap)] : []), this.#after];
  }

  update(now: number): void {
    const { film, bound } = this;
    const at = film.inSteps ? now : now / film.data.ticks_per_ns;
    const total = Math.max(this.#extent(), bound.value, 1e-9);
    this.#fills.forEach((fill, i) => {
      const share = this.#cells > 1 ? at - i : at / total;
      fill.style.width = `${Math.round(1000 * Math.min(1, Math.max(0, share))) / 10}%`;
    });
    say(this.#tally, this.#words(now));
    say(this.#after, now >= film.length && bound.after ? bound.after : "");
  }

  #words(now: number): string {
    const { data, length } = this.film;
    const { tally, met, value, unit } = this.bound;
    const done = now >= length;
    const end = done && met ? " The run ends at the bound." : "";
    const so =
      data.clock === "steps"
        ? `after ${grouped(Math.floor(now))} of ${counted(length, "step")}`
        : `after ${grouped(Math.floor(now / data.ticks_per_ns))} of ${grouped(Math.round(length / data.ticks_per_ns))} ns`;
    const least = `the lower bound is ${unit === "ns" ? `${grouped(tenths(value))} ns` : counted(value, "step")}.`;
    if (this.film.event) return `T${least.slice(1)}`; // how long a run that went wrong takes is nothing to compare with it
    if (!tally || !this.film.hasPackets) return `${so[0]!.toUpperCase()}${so.slice(1)}; ${least}${end}`;
    const crossed = tally.words.replace("{n}", grouped(this.film.tally(now))).replace("{total}", grouped(tally.total));
    return `${crossed}, ${so}.${end}${done ? "" : this.#fullest()}`;
  }

  /** Of a run that takes more steps than its bound: the gate that has to let more packets through than the bound allows for. */
  #fullest(): string {
    const { value, links, unit } = this.bound;
    const most = Math.max(...links.map((link) => this.film.onLink(link).length));
    if (!this.film.inSteps || unit !== "steps" || most <= value) return "";
    return ` ${grouped(most)} of this run's packets need one and the same of these links: that alone is ${counted(most, "step")}.`;
  }

  /** The run's length in the unit of the bound. */
  #extent(): number {
    return this.film.inSteps ? this.film.length : this.film.length / this.film.data.ticks_per_ns;
  }
}

/** A line that lights its things in the picture, under the pointer or with the focus. */
function lightable(line: HTMLElement, about: "nodes" | "links", light: (what: "ends" | "bound" | null) => void): void {
  line.dataset.about = about;
  const words = line.querySelector("dt")!;
  words.tabIndex = 0;
  for (const on of ["pointerenter", "focusin"])
    line.addEventListener(on, () => light(about === "nodes" ? "ends" : "bound"));
  for (const off of ["pointerleave", "focusout"]) line.addEventListener(off, () => light(null));
}
