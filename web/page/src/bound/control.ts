// The slider that pulls the network apart into the picture of its bound, and lets it go back.

import { button, element, icon, wordButton } from "../kit/dom";
import { eased, Motion, prefersStill } from "../kit/motion";

const WHOLE_MS = 500;
const ICON = "M9 4v16M15 4v16M6 8.5 2.5 12 6 15.5M18 8.5l3.5 3.5-3.5 3.5";

/** The share by which the network is pulled: 0 not at all, 1 to the picture of its bound. */
interface Pullable {
  pull: number;
}

export class PullControl {
  readonly root: HTMLElement;
  readonly slider = element("input", {
    type: "range",
    min: "0",
    max: "100",
    step: "1",
    id: "pull",
    "aria-label": "from the network to the proof",
  });
  /** The same in one press, where the slider is out of sight. */
  readonly button = button("the picture of the bound", "U", icon(ICON), () => this.flip());
  readonly #motion = new Motion((elapsed) => this.#advance(elapsed));
  #way: { from: number; to: number; left: number } | null = null;

  /** `shown` is called when something that is drawn has changed. */
  constructor(
    private readonly options: Pullable,
    private readonly shown: () => void,
  ) {
    const end = (words: string, goal: number): HTMLElement => {
      const made = wordButton(words, () => this.to(goal));
      made.title = `${words} (U)`;
      return made;
    };
    this.root = element("div.puller", end("the network", 0), this.slider, end("the proof", 1));
    this.button.classList.add("apart");
    this.slider.addEventListener("input", () => this.#set(Number(this.slider.value) / 100));
  }

  /** Its place, or its destination. */
  get goal(): number {
    return this.#way?.to ?? this.options.pull;
  }

  flip(): void {
    this.to(this.goal < 0.5 ? 1 : 0);
  }

  /** Goes there in half a second, or at once where motion is not wanted. */
  to(goal: number, atOnce = prefersStill()): void {
    if (atOnce || goal === this.options.pull) {
      this.#set(goal);
      return;
    }
    this.#way = { from: this.options.pull, to: goal, left: WHOLE_MS };
    this.#motion.start();
  }

  /** `possible`: the film has a picture of its bound. */
  update(possible: boolean): void {
    this.root.hidden = this.button.hidden = !possible;
    this.button.setAttribute("aria-pressed", String(this.goal >= 0.5));
    const value = String(Math.round(this.options.pull * 100));
    if (this.slider.value !== value) this.slider.value = value;
    this.slider.setAttribute(
      "aria-valuetext",
      value === "0" ? "the network" : value === "100" ? "the proof" : `${value} %`,
    );
  }

  #set(pull: number): void {
    this.#way = null;
    this.#motion.stop();
    this.options.pull = pull;
    this.shown();
  }

  #advance(elapsed: number): boolean {
    const way = this.#way;
    if (!way) return false;
    way.left -= elapsed;
    if (way.left <= 0) {
      this.#set(way.to);
      return false;
    }
    this.options.pull = way.from + (way.to - way.from) * eased(1 - way.left / WHOLE_MS);
    this.shown();
    return true;
  }
}
