// Play, pause, step, start, end; how fast; and the time line beside them.

import { button, element, icon, say } from "./dom";
import { PLAY } from "./icons";
import { Timeline } from "./timeline";

const ICONS = {
  start: "M6 5v14M19 5 9 12l10 7z",
  back: "M17 5 7 12l10 7z",
  play: PLAY,
  pause: "M6 5h4v14H6zM14 5h4v14h-4z",
  on: "M7 5l10 7-10 7z",
  end: "M18 5v14M5 5l10 7-10 7z",
};

export interface TransportActions {
  start(): void;
  back(): void;
  toggle(): void;
  on(): void;
  end(): void;
  seek(time: number): void;
  /** The bars are let go. */
  rest(): void;
  faster(): void;
}

export class Transport {
  readonly root: HTMLElement;
  readonly timeline: Timeline;
  readonly #play: HTMLButtonElement;
  readonly #count = element("b");
  readonly #of = element("span.of");
  readonly #speed: HTMLButtonElement;
  #playing: boolean | undefined;

  constructor(actions: TransportActions) {
    this.timeline = new Timeline(
      (time) => actions.seek(time),
      () => actions.rest(),
    );
    this.#play = button("play", "Space", null, () => actions.toggle());
    this.#play.className = "play";
    this.#speed = button("speed, change it", "- and +", null, () => actions.faster());
    this.#speed.className = "speed";
    const buttons = element(
      "div.buttons",
      { role: "group", "aria-label": "play" },
      button("to the start", "Home", icon(ICONS.start, true), () => actions.start()),
      button("one step back", "Left", icon(ICONS.back, true), () => actions.back()),
      this.#play,
      button("one step on", "Right", icon(ICONS.on, true), () => actions.on()),
      button("to the end", "End", icon(ICONS.end, true), () => actions.end()),
    );
    this.root = element(
      "footer.transport",
      buttons,
      element("p.count", this.#count, this.#of),
      this.timeline.root,
      this.#speed,
    );
    this.state(false, "1\u00d7");
  }

  state(playing: boolean, speed: string): void {
    if (playing !== this.#playing) {
      this.#playing = playing;
      this.#play.replaceChildren(icon(playing ? ICONS.pause : ICONS.play, true));
      this.#play.setAttribute("aria-label", playing ? "pause" : "play");
      this.#play.title = playing ? "pause (Space)" : "play (Space)";
    }
    say(this.#speed, speed);
    this.#speed.setAttribute("aria-label", `speed ${speed}, change it`);
  }

  /** "step 5" and " of 8". */
  at(count: string, of: string): void {
    say(this.#count, count);
    say(this.#of, of);
  }
}
