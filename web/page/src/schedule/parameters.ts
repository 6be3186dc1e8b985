// Sliders for the parameters of a lesson's film: every value has a document of its own, and a slider shows another one.

import type { Choices } from "../kit/address";
import { element, say } from "../kit/dom";
import { counted, grouped, tenths } from "../kit/words";
import { parsed, type FilmData, type ViewDocument } from "../viewer/document";
import { Slider } from "./slider";

/** A parameter's name, by its option. */
const WORDS: Record<string, string> = {
  dim: "dimension",
  groups: "groups",
  packets: "packets per message",
  bytes: "bytes",
  beta: "ns to start a packet",
  tau: "ns per byte",
  topology: "size",
  halvings: "halvings",
};

/** The run's length, and its lower bound. */
function takes({ clock, steps, end, ticks_per_ns, bound }: FilmData): string {
  const inSteps = clock === "steps";
  const count = inSteps ? steps : Math.round((end / ticks_per_ns) * 10) / 10;
  const least = bound && (bound.unit === "ns") !== inSteps ? bound : null;
  const words = least
    ? least.met
      ? ", the fewest there can be"
      : `; the lower bound is ${grouped(tenths(least.value))}`
    : "";
  return (inSteps ? counted(count, "step") : `${grouped(count)} ns`) + words;
}

interface Parameter {
  name: string;
  option: string;
  values: string[];
}

export class Parameters {
  /** Called when a slider was moved. */
  moved: () => void = () => undefined;
  readonly #all: Parameter[];
  /** -1: the page has none yet, and the request makes it. */
  readonly #documents: number[];
  readonly #requests: Record<string, unknown>[];
  #said = "";
  readonly #first: readonly number[];
  readonly #sets: { sliders: Slider[]; result: HTMLElement }[] = [];
  /** The index of each one's value. */
  #places: number[];

  /** `sliders` is "d:dim=2|3 g:groups=1|2", `documents` are those of all their values, the last one's following each other. */
  constructor(
    sliders: string,
    documents: string,
    view: number,
    private readonly bound: boolean,
    requests = "",
  ) {
    this.#all = [...sliders.matchAll(/(\w+):([\w-]*)=(\S+)/g)].map(([, name, option, values]) => ({
      name: name!,
      option: option!,
      values: values!.split("|"),
    }));
    this.#documents = documents.split(" ").map((number) => (number === "-" ? -1 : Number(number)));
    this.#requests = JSON.parse(requests || "[]") as Record<string, unknown>[];
    let rest = this.#documents.indexOf(view);
    this.#places = this.#all
      .map(({ values }) => values.length)
      .reduceRight((places: number[], count) => {
        places.unshift(rest % count);
        rest = Math.floor(rest / count);
        return places;
      }, []);
    this.#first = this.#places;
  }

  /** The document of the values that are chosen; -1: it is still to be made. */
  get view(): number {
    return this.#documents[this.#place]!;
  }

  /** The documents of all values that the page has films of. */
  get films(): number[] {
    return this.#documents.filter((number) => number >= 0);
  }

  /** The request that makes it. */
  get request(): Record<string, unknown> {
    return this.#requests[this.#place] ?? {};
  }

  get #place(): number {
    return this.#places.reduce((sum, place, i) => sum * this.#all[i]!.values.length + place, 0);
  }

  /** The document of the values that are chosen was made. */
  made(view: number): void {
    this.#documents[this.#place] = view;
    this.say("");
  }

  /** The text until the film is there; "": the film's length. */
  say(words: string): void {
    this.#said = words;
    this.#tell();
  }

  /** The values that differ from the first ones, by their names. */
  get chosen(): Choices {
    return Object.fromEntries(
      this.#all
        .map(({ name, values }, i) => [name, values[this.#places[i]!]!])
        .filter((_, i) => this.#places[i] !== this.#first[i]),
    );
  }

  /** Moves the first slider on by one, to a film that the page has; false: it is there, or there is none. */
  advance(last: string): boolean {
    const [{ values }] = this.#all as [Parameter];
    if (values[this.#places[0]!] === last || this.#places[0]! + 1 >= values.length) return false;
    this.#places = this.#places.map((place, i) => (i === 0 ? place + 1 : place));
    this.#tell();
    return this.view >= 0;
  }

  choose(choices: Choices): void {
    this.#said = "";
    this.#places = this.#all.map(({ name, values }, i) => {
      const place = values.indexOf(choices[name] ?? "");
      return place < 0 ? this.#places[i]! : place;
    });
    this.#tell();
  }

  /** A set of sliders; there may be several, which move together. */
  shown(): HTMLElement {
    const result = element("output");
    const sliders = this.#all.map(({ name, option, values }, i) => {
      const slider = new Slider("", (place) => {
        this.#places = this.#places.map((now, k) => (k === i ? place : now));
        this.#said = "";
        this.#tell();
        this.moved();
      });
      slider.named(`${name}${WORDS[option] ? `, ${WORDS[option]}` : ""}`, values.length - 1);
      return slider;
    });
    this.#sets.push({ sliders, result });
    this.#tell();
    return element("div.parameters", ...sliders.map(({ root }) => root), result);
  }

  #tell(): void {
    const words = this.#said || this.#words();
    for (const { sliders, result } of this.#sets) {
      sliders.forEach((slider, i) => slider.set(this.#places[i]!, this.#all[i]!.values[this.#places[i]!]));
      say(result, words);
    }
  }

  #words(): string {
    if (this.view < 0) return "";
    const [film] =
      (parsed(document.getElementById(`view-${this.view}`)?.textContent ?? "") as Partial<ViewDocument>).films ?? [];
    if (!film) return ""; // a board
    const { nodes, links } = film.network;
    const networks = this.#all.some(({ option }) => option === "dim" || option === "topology");
    return [networks && `${counted(nodes, "node")}, ${counted(links.length / 5, "link")}`, this.bound && takes(film)]
      .filter(Boolean)
      .join("; ");
  }
}
