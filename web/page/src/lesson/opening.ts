// The opening of the lessons and of the site, in a frame: #opening=5 on the page of the first lesson. Its network doubles by
// itself, blocks flow over it (the figure with that number), and it is pulled apart at the links that decide.

import { element, say, wordButton } from "../kit/dom";
import type { Exhibit } from "../kit/exhibit";
import { prefersStill } from "../kit/motion";
import type { Beat } from "./beats";

/** The lesson, as its opening uses it. */
export interface Theatre {
  readonly beats: readonly Beat[];
  readonly exhibit: Exhibit | null;
  go(beat: Beat, choices?: Record<string, string>): Promise<void>;
  /** Moves the beat's first slider on by one; false: it is there. */
  grow(beat: Beat): Promise<boolean>;
}

const PAUSE_MS = 1300;
const READING_MS = 2600;
const LINES = {
  grows: "Join a node and its twin, two pairs, two squares: a cube.",
  flows: "Every node sends every other node a block. No link ever rests: 4 steps.",
  parts: "16 blocks have to cross each way, over 4 links. No algorithm will ever be faster.",
};

const pause = (ms: number): Promise<void> => new Promise((done) => setTimeout(done, ms));

export class Opening {
  readonly #line = element("p.opening-line", { role: "status" });
  readonly #again = wordButton("Again", () => void this.play());

  constructor(
    private readonly theatre: Theatre,
    host: HTMLElement,
    /** The number of the figure in which blocks flow. */
    private readonly number: number,
  ) {
    document.documentElement.toggleAttribute("data-opening", true);
    host.append(element("div.opening", this.#line, this.#again));
  }

  async play(): Promise<void> {
    const { theatre } = this;
    const [first] = theatre.beats as [Beat];
    const flow = theatre.beats[this.number - 1] ?? first;
    this.#again.hidden = true;
    if (!prefersStill()) {
      say(this.#line, LINES.grows);
      await theatre.go(first, { d: "0" });
      do await pause(PAUSE_MS);
      while (await theatre.grow(first));
      say(this.#line, LINES.flows);
      await theatre.go(flow, { step: "0", pull: "0", show: "-1" });
      await this.#film();
      await pause(READING_MS);
    }
    say(this.#line, LINES.parts);
    await theatre.go(flow, { step: "0", pull: "100", bound: "1", show: "-1" });
    if (!prefersStill()) {
      await pause(READING_MS);
      await this.#film();
    }
    this.#again.hidden = prefersStill();
  }

  /** Plays the film to its end. */
  async #film(): Promise<void> {
    while (this.theatre.exhibit?.play?.()) await pause(200);
  }
}
