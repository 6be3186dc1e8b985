// One document as a page shows it: a film with its player, or a board. A lesson shows one after the other.

import type { Choices } from "./address";

export interface Exhibit {
  /** A film that ends in what went wrong. */
  readonly failed?: boolean;
  readonly root: HTMLElement;
  /** Takes choices as an address or a lesson gives them; what makes no sense here changes nothing. */
  choose(choices: Choices): void;
  /** The choices, as an address would say them; a lesson's words change some of it for a while. */
  state?(): Choices;
  /** The choices of a film that one in its place with another parameter takes over, as far as they make sense there. */
  carried?(): Choices;
  /** Called when a film has taken another one's place: the picture may move from that one's to its own. */
  follows?(other: Exhibit): void;
  /** Plays on, to the end; false: nothing is left to play. */
  play?(): boolean;
  step?(by: 1 | -1): void;
  /** The theme, the size or the kind of page has changed. */
  restyled(): void;
  /** Takes it off the page; its state stays with its document. */
  dispose(): void;
}

/** A document that was read: the same one is shown again where it was left. */
export interface Piece {
  /** `changed` gets the choices that its address has. */
  shown(host: HTMLElement, choices: Choices, changed: (choices: Choices) => void, lesson: boolean): Exhibit;
  /** As a lesson prints it; null: it has no picture. */
  printed(choices: Choices): HTMLElement | null;
}
