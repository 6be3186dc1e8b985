// The page around a player: title, stages, sentence, cards, transport. It only shows the player's state.

import { PullControl } from "../bound/control";
import { element, say, sayTitle } from "../kit/dom";
import { embedded } from "../kit/look";
import { range } from "../kit/numbers";
import { readTheme, type Theme } from "../kit/theme";
import { Transport } from "../kit/transport";
import { counted, grouped, tenths } from "../kit/words";
import { countWords } from "./axis";
import { Controls, type PageActions } from "./controls";
import { avoid, Details } from "./details";
import type { Phase } from "./document";
import { Legend } from "./legend";
import type { Register, Selection } from "./options";
import type { Player } from "./player";
import { byProof, ProofCard } from "./proof";
import { longestSentence, registerOf, sentenceAt } from "./sentence";
import { FilmView } from "./film-view";
import { whyCard } from "./why";

/** Above so many phases of one kind, or with longer names, the names would not fit. */
const MOST_ALIKE = 5;
const SHORT = 14;

/** "pair 3" and "pairs 4 to 7" are of one kind, and have a first and a last number. */
function numbered({ name }: Phase): { kind: string; first: string; last: string } {
  const [, kind = "", first = "", last = first] =
    /^(.*\D)s (\d+) to (\d+)$/.exec(name) ?? /^(.*\D) (\d+)$/.exec(name) ?? [];
  return { kind, first, last };
}

/** Phases that are only numbered, "pair 1", "pair 2", .., under one name. */
function together(phases: readonly Phase[]): Phase[] {
  const groups: Phase[][] = [];
  const kind = (phase: Phase): string => numbered(phase).kind;
  for (const phase of phases) {
    const last = groups.at(-1);
    if (last && kind(phase) !== "" && kind(last[0]!) === kind(phase)) last.push(phase);
    else groups.push([phase]);
  }
  return groups.flatMap((group) => {
    if (group.length === 1 || (group.length <= MOST_ALIKE && group[0]!.name.length <= SHORT)) return group;
    const [first, last] = [group[0]!, group.at(-1)!];
    return [{ ...first, last: last.last, name: `${kind(first)}s ${numbered(first).first} to ${numbered(last).last}` }];
  });
}

export class Page {
  readonly root = element("div.player", { tabindex: "-1" });
  readonly controls: Controls;
  readonly views: FilmView[];
  readonly transport: Transport;
  readonly sentence = element("p.sentence");
  readonly #live = element("div.hidden", { role: "status", "aria-live": "polite" });
  readonly pull: PullControl;
  readonly #proofs: ProofCard[];
  /** Whether the time line has the bound. */
  #marked = true;
  readonly #legend: Legend;
  readonly #details: Details;
  readonly #side: HTMLElement;
  theme: Theme;
  /** Called when the picture has come to rest. */
  settled: () => void = () => undefined;
  /** Called when something was chosen while the film plays, which does not come to rest. */
  selected: () => void = () => undefined;
  #selected: Selection | null = null;
  /** The subject of the details. */
  #described: Selection | null = null;
  #spoken = 0;
  #written = "";
  #roomFor: Register | null = null;
  #rest = 0;

  constructor(
    readonly player: Player,
    actions: PageActions,
    private readonly lesson: boolean,
  ) {
    const { view, loaded } = player;
    const versus = loaded.length > 1;
    this.controls = new Controls(player, actions);
    this.views = loaded.map((one, i) => new FilmView(player, one, i, versus));
    this.pull = new PullControl(player.options, () => player.display.show());
    this.#proofs = this.#proofCards();
    this.#legend = versus ? new Legend("Click a packet to follow it in both films.") : new Legend();
    this.#details = new Details(() => player.select(null), lesson);
    this.transport = new Transport({
      start: () => this.#jump(0),
      end: () => this.#jump(player.axis.stops - 1),
      back: () => player.step(-1),
      on: () => player.step(1),
      toggle: () => player.toggle(),
      seek: (time) => {
        player.pause();
        player.seekTime(time);
      },
      // Only in the middle of a step every packet is seen.
      rest: () => player.seek(player.stop),
      faster: () => player.faster(1, true),
    });
    this.transport.root.append(this.pull.button);
    this.theme = readTheme(document.documentElement);
    const stages = element(versus ? "div.stages.versus" : "div.stages", ...this.views.map(({ root }) => root));
    this.#side = element(
      "aside.side",
      { "aria-label": "explanation" },
      ...this.#proofs.map(({ root }) => root),
      this.#details.root,
      this.#legend.root,
      ...loaded.map(({ film: { data } }) => whyCard(data.why, versus ? data.label : "")),
    );
    const main = element("div.main", ...this.#verdicts(), stages, this.sentence, this.#live);
    const title = element(lesson ? "h2.title" : "h1");
    sayTitle(title, view.title);
    const top = element("header.top", title, this.controls.root, element("p.subtitle", this.#subtitle()));
    top.hidden = embedded();
    this.root.append(element("div.frame", top, element("div.body", main, this.#side), this.transport.root));
    this.transport.root.hidden = player.axis.length === 0;
    this.#timeline();
    player.display = this;
    new ResizeObserver(() => this.resized()).observe(this.root);
  }

  resized(): void {
    this.transport.timeline.measure();
    this.show();
  }

  /** The theme or the page's type has changed. */
  restyled(): void {
    this.theme = readTheme(document.documentElement);
    for (const view of this.views) view.refresh();
    this.resized();
  }

  show(): void {
    const { player } = this;
    const now = player.axis.toFilm(player.film, player.now);
    this.#side.hidden = embedded() || (player.loaded.length > 1 && (this.lesson || player.options.present));
    this.#keepRoom();
    this.#say(now); // first: a longer sentence leaves the stages less room
    for (const view of this.views) view.show(this.theme);
    const { bound } = player.options;
    if (bound !== this.#marked) this.#timeline();
    for (const proof of this.#proofs) proof.update((film) => player.axis.toFilm(film, player.now), bound);
    this.pull.update(bound && this.views.some(({ picture }) => picture.pulls));
    this.#cards(now);
    const { selection } = player.options;
    if (selection !== this.#selected) {
      this.#selected = selection;
      if (player.playing) this.selected();
    }
    this.transport.state(player.playing, `${player.speed < 1 ? `1/${1 / player.speed}` : player.speed}\u00d7`);
    this.transport.at(...this.#count(player.now));
    this.transport.timeline.draw(player.now, this.theme);
    this.controls.update();
    clearTimeout(this.#rest);
    this.#rest = window.setTimeout(() => this.#settle(), 120);
  }

  /** Slow parts, and those that are read aloud, wait until nothing moves. */
  #settle(): void {
    if (this.player.moving) return; // a slow machine's frames are farther apart than that
    for (const view of this.views) view.settle();
    this.settled();
  }

  #cards(now: number): void {
    const { player } = this;
    const { film, replay } = player.loaded[0]!;
    const { selection } = player.options;
    const view = this.views[0]!.picture;
    if (selection && replay && !player.view.versus) {
      this.#details.root.hidden = false;
      this.#legend.root.hidden = true;
      this.#details.update(film, replay, now, selection, player.journeys[0] ?? null, this.theme);
      const place = selection === this.#described ? null : view.scene?.placeOf(selection);
      if (place) avoid(this.#details.root, view.root, place);
      this.#described = selection;
      return;
    }
    this.#described = null;
    this.#details.root.hidden = true;
    this.#legend.update(
      this.views.map((one) => one.explained),
      player.options,
      this.theme,
    );
  }

  /** A card for each proof; the slider is in the first one that has a picture. */
  #proofCards(): ProofCard[] {
    const { player } = this;
    const films = player.loaded.map(({ film }) => film);
    let pull: HTMLElement | null = this.pull.root;
    return byProof(films).map((alike) => {
      const slider = alike[0]!.data.bound?.picture ? pull : null;
      if (slider) pull = null;
      return new ProofCard(alike, films.length > 1, slider, (light) => player.change({ light }));
    });
  }

  #say(now: number): void {
    const { player } = this;
    const { lead, text } = player.view.versus
      ? { lead: "", text: player.view.versus.sentence }
      : sentenceAt(player.film, now, this.#register);
    const whole = [lead, text].filter(Boolean).join(" ");
    if (whole === this.#written) return;
    this.#written = whole;
    this.sentence.style.setProperty("--letters", String(whole.length));
    this.sentence.replaceChildren(element("span", lead && element("b", lead), lead ? ` ${text}` : text));
    for (const view of this.views) view.describe(player.view.title, whole);
    const [count, of] = this.#count(player.now);
    this.transport.timeline.value(
      player.now,
      `${count}${of}, ${player.film.use.at(now)} of ${player.film.network.directed} links`,
    );
    // Spoken at most every two seconds while playing.
    const time = performance.now();
    if (player.playing && time - this.#spoken < 2000) return;
    this.#spoken = time;
    say(this.#live, whole);
  }

  /** "step 5 of 8" */
  get count(): string {
    return this.#count(this.player.now).join("");
  }

  /** "step 5", " of 8". */
  #count(now: number): [string, string] {
    const { axis } = this.player;
    return countWords(axis.inSteps, now, axis.length);
  }

  /** The room that the longest sentence takes. */
  #keepRoom(): void {
    if (this.player.view.versus || this.#roomFor === this.#register) return;
    this.#roomFor = this.#register;
    this.sentence.dataset.longest = longestSentence(this.player.film, this.#register);
  }

  get #register(): Register {
    return registerOf(this.player.film, this.player.options);
  }

  #jump(stop: number): void {
    this.player.pause();
    this.player.seek(stop);
  }

  #subtitle(): string {
    const { view, film, loaded } = this.player;
    return loaded.length > 1 ? view.subtitle : `${view.subtitle} Algorithm: ${film.data.name}`;
  }

  #verdicts(): HTMLElement[] {
    return this.player.loaded
      .flatMap(({ film: { event } }) => event ?? [])
      .map(({ heading, node }) => {
        const words = element("p.verdict", { role: "alert" }, heading);
        if (node >= 0) {
          words.addEventListener("pointerenter", () => this.player.change({ focus: node }));
          words.addEventListener("pointerleave", () => this.player.change({ focus: -1 }));
        }
        return words;
      });
  }

  #timeline(): void {
    const { axis, loaded, options } = this.player;
    this.#marked = options.bound;
    const mark = ({ film }: (typeof loaded)[number]): number | null => {
      const { bound } = film.data;
      return options.bound && bound && (bound.unit === "ns") !== axis.inSteps ? bound.value : null;
    };
    const { bound } = this.player.film.data;
    const words = bound
      ? `lower bound: ` +
        `${bound.unit === "steps" ? counted(bound.value, "step") : `${grouped(tenths(bound.value))} ${bound.unit}`}` +
        `${bound.met ? ", met" : ""}`
      : "";
    const { film } = this.player;
    this.transport.timeline.set({
      label: "Links in use",
      markLabel: mark(loaded[0]!) === null ? "" : loaded.length > 1 ? "lower bound of each" : words,
      length: axis.length,
      tracks: loaded.map((one) => ({
        length: axis.fromFilm(one.film, one.film.length),
        borders: axis.inSteps ? range(one.film.length + 1) : null,
        height: (from, to) => one.film.use.mean(axis.toFilm(one.film, from), axis.toFilm(one.film, to)),
        mark: mark(one),
      })),
      phases:
        loaded.length > 1
          ? []
          : together(film.data.phases).map(({ first, last, name }) => ({
              from: axis.inSteps ? first - 1 : axis.fromFilm(film, first),
              to: axis.fromFilm(film, last),
              name,
            })),
    });
  }
}
