// The bounds beside the board, and how far the schedule has come.

import { element, say } from "../kit/dom";
import { counted } from "../kit/words";
import type { Bounds } from "./document";
import type { Game } from "./game";

export class BoundsCard {
  readonly root = element("section.card.proof.limits");
  #of: Bounds | null = null;
  /** The bounds are shown after the first finished try, or to who asks. */
  readonly #asked = element("details.asked");
  readonly #you = element("p");
  readonly #meters = { steps: element("i"), packets: element("i") };

  update(game: Game, bounds: Bounds): void {
    if (bounds !== this.#of) this.#build(bounds);
    this.#of = bounds;
    if (game.complete && game.steps.length > 0) this.#asked.open = true;
    const steps = game.steps.length;
    say(
      this.#you,
      `You: ${counted(steps, "step")}, ${counted(game.sent, "packet")}${game.complete ? "." : " so far."}`,
    );
    this.#fill(this.#meters.steps, steps, bounds.steps?.value ?? 0);
    this.#fill(this.#meters.packets, game.sent, bounds.packets.value);
  }

  #fill(meter: HTMLElement, value: number, bound: number): void {
    meter.style.width = `${Math.min(100, (100 * value) / Math.max(1, bound))}%`;
    meter.classList.toggle("over", value > bound);
  }

  #build({ steps, packets }: Bounds): void {
    const limit = (value: string, words: string, meter: HTMLElement): HTMLElement =>
      element(
        "div",
        element("p", element("b.limit", value), words && `: ${words}.`),
        element("div.meter", { "aria-hidden": "true" }, meter),
      );
    const lines = element(
      "dl",
      ...(steps?.lines ?? []).map(({ words, number }) => element("div", element("dt", words), element("dd", number))),
    );
    const why =
      steps && steps.lines.length > 0 ? element("details", element("summary", "Why not fewer steps?"), lines) : null;
    this.#asked.replaceChildren(
      element("summary", "How few are possible?"),
      element("h2", "Every schedule needs at least"),
      limit(counted(steps?.value ?? 0, "step"), "", this.#meters.steps),
      why ?? "",
      limit(counted(packets.value, "packet"), packets.words, this.#meters.packets),
    );
    this.root.replaceChildren(this.#you, this.#asked);
  }
}
