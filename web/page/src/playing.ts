// The documents of a page, and the exhibit of the one that is on.

import { readAddress, watchAddress, writeAddress, type Choices } from "./kit/address";
import { Allowance, Unreadable } from "./kit/columns";
import { element } from "./kit/dom";
import type { Exhibit, Piece } from "./kit/exhibit";
import { breath } from "./kit/motion";
import { App } from "./viewer/app";
import { checkView, LIMITS, parsed, type ViewDocument } from "./viewer/document";
import { loadFilm } from "./viewer/film";
import { Player, type Loaded } from "./viewer/player";
import { printed } from "./viewer/printed";
import { Replay, unitsOf } from "./viewer/replay";

/** A long text, which takes a while to read. */
const LONG = 2 ** 20;

/** The text of a document that the page has. */
export const textOf = (index: number): string | undefined => document.getElementById(`view-${index}`)?.textContent;

export class Playing {
  readonly host = document.querySelector("main")!;
  on: { piece: Piece; exhibit: Exhibit } | null = null;
  readonly #pieces = new Map<number, Promise<Piece>>();
  /** Times that another document was requested. */
  #asked = 0;

  /** `lesson`: a text stands beside the exhibit. `other` knows documents that are no films. */
  constructor(
    private readonly lesson: boolean,
    private readonly other: (found: unknown) => Piece | null = () => null,
  ) {
    // For the rest of the page, for tests, and for the browser's console.
    Object.assign(window, {
      dcube: () => this.on?.exhibit,
      dcubePlay: (...what: Parameters<Playing["play"]>) => this.play(...what),
    });
  }

  /** The page is its first document, with the choices of the address. */
  async alone(): Promise<void> {
    this.put(await this.load(0), readAddress(), writeAddress);
    watchAddress((choices) => this.on?.exhibit.choose(choices));
  }

  /** If another document is requested while this one is read, that one stays, and this is null. */
  async show(index: number, choices: Choices, changed: (choices: Choices) => void): Promise<Exhibit | null> {
    const mine = ++this.#asked;
    const piece = await this.load(index);
    if (mine !== this.#asked) return null;
    this.put(piece, choices, (now) => {
      if (this.on?.piece === piece) changed(now);
    });
    return this.on!.exhibit;
  }

  /** Plays a document that was made while the page is open; `changed` gets the choices made in it. Throws Unreadable. */
  async play(
    text: string,
    choices: Choices = {},
    changed: (choices: Choices) => void = () => undefined,
  ): Promise<Exhibit> {
    const mine = ++this.#asked;
    const piece = await this.#read(text);
    if (mine === this.#asked) this.put(piece, choices, changed);
    return this.on!.exhibit;
  }

  forget(index: number): void {
    this.#pieces.delete(index);
  }

  load(index: number): Promise<Piece> {
    const text = textOf(index);
    const piece =
      this.#pieces.get(index) ??
      (text === undefined ? Promise.reject(new Unreadable(`this page has no document ${index}`)) : this.#read(text));
    this.#pieces.set(index, piece);
    return piece;
  }

  put(piece: Piece, choices: Choices, changed: (choices: Choices) => void): void {
    if (this.on?.piece === piece) this.on.exhibit.choose(choices);
    else {
      this.on?.exhibit.dispose();
      this.on = { piece, exhibit: piece.shown(this.host, choices, changed, this.lesson) };
    }
  }

  async #read(text: string): Promise<Piece> {
    const found = parsed(text);
    const other = this.other(found);
    if (other) return other;
    if (text.length > LONG) await breath();
    const view = checkView(found as ViewDocument);
    const allowance = new Allowance(LIMITS.unpacked);
    const loaded: Loaded[] = [];
    for (const data of view.films) {
      const film = await loadFilm(data, allowance);
      loaded.push({ film, replay: film.hasPackets ? new Replay(film, unitsOf(film)) : null });
    }
    const player = new Player(view, loaded);
    return {
      shown: (...how) => new App(player, ...how),
      printed: (choices) => printed(player, choices),
    };
  }
}

/** Begins, and says what went wrong if that fails. */
export function begin(playing: Playing, how: () => Promise<void>): void {
  const { host } = playing;
  how()
    .then(() => {
      document.body.classList.add("running");
      playing.on?.exhibit.restyled();
    })
    .catch((error: unknown) => {
      const message = error instanceof Unreadable ? `${error.message}.` : "it is not what this page expects.";
      if (!(error instanceof Unreadable)) console.error(error);
      host.append(
        element("p.verdict", { role: "alert" }, `This page's data cannot be read: ${message}`),
        element(
          "p",
          "A page is made by ",
          element("code", "dcube view COLLECTIVE --dim D --html FILE"),
          " or, of a trace, by ",
          element("code", "dcube view --trace FILE --html FILE"),
          ".",
        ),
      );
    })
    .finally(() => {
      document.body.dataset.ready = "";
    });
}
