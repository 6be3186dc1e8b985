// The card that explains why no algorithm is faster, with its arithmetic and how far the run has come.

import type { PullControl } from "../bound/control";
import { element, say } from "../kit/dom";
import { counted, grouped, tenths } from "../kit/words";
import type { Film } from "./film";

const MOST_CELLS = 64;

export class ProofCard {
  readonly root = element("section.card.proof");
  readonly #fills: HTMLElement[] = [];
  readonly #tally = element("p.tally");
  readonly #after = element("p.after");
  readonly #cells: number = 0;

  constructor(
    private readonly film: Film,
    pull: PullControl,
    light: (what: "ends" | "bound" | null) => void,
  ) {
    const { bound } = film.data;
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
    this.root.append(
      element("h2", bound.title),
      ...(bound.picture ? [pull.root] : []),
      lines,
      strip,
      this.#tally,
      ...(bound.gap ? [element("p.gap", bound.gap)] : []),
      this.#after,
    );
  }

  update(now: number, shown: boolean): void {
    const { bound } = this.film.data;
    this.root.hidden = !bound || !shown;
    if (!bound || !shown) return;
    const at = this.film.inSteps ? now : now / this.film.data.ticks_per_ns;
    const total = Math.max(this.#extent(), bound.value, 1e-9);
    this.#fills.forEach((fill, i) => {
      const share = this.#cells > 1 ? at - i : at / total;
      fill.style.width = `${Math.round(1000 * Math.min(1, Math.max(0, share))) / 10}%`;
    });
    say(this.#tally, this.#words(now));
    say(this.#after, now >= this.film.length && bound.after ? bound.after : "");
  }

  #words(now: number): string {
    const { data, length } = this.film;
    const { tally, met, value, unit } = data.bound!;
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
    const { bound } = this.film.data;
    const most = Math.max(...bound!.links.map((link) => this.film.onLink(link).length));
    if (!this.film.inSteps || bound!.unit !== "steps" || most <= bound!.value) return "";
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
