// The packets that may go over the link that was tapped last: press one to put it there or to take it off. Their place is
// kept where a link ever has a choice, so that the picture does not change its size from tap to tap.

import { element } from "../kit/dom";
import type { Game } from "./game";
import { countOf, type Move } from "./rules";
import { label } from "./words";

const MOST = 24;

export class Chooser {
  readonly root = element("div.chooser", { role: "group" });
  #key = "";

  constructor(private readonly toggle: (move: Move) => void) {}

  update(game: Game, link: number): void {
    const { from, to } = game.task.links;
    const on = link < 0 ? [] : game.on(link).map(({ packet }) => packet);
    const offers = link < 0 ? [] : game.offers(link);
    // By their numbers: which is the most useful is for the person to find.
    const shown = offers.filter(({ packet }, i) => i < MOST || on.includes(packet)).sort((a, b) => a.packet - b.packet);
    this.root.hidden = countOf(game.task) < 2;
    if (offers.length < 2) {
      this.#key = "";
      this.root.replaceChildren();
      this.root.removeAttribute("aria-label");
    }
    if (offers.length < 2 || this.root.hidden) return;
    const key = [link, on.join(), shown.map(({ packet, useful }) => `${packet}${useful}`).join()].join("|");
    if (key === this.#key) return;
    this.#key = key;
    const focused = (document.activeElement as HTMLElement | null)?.dataset.packet;
    this.root.setAttribute("aria-label", `packets for the link from ${from[link]} to ${to[link]}`);
    this.root.replaceChildren(
      element("span", `${from[link]} \u2192 ${to[link]}`),
      ...shown.map(({ packet, useful }) => {
        const made = element(
          "button",
          { type: "button", "aria-pressed": String(on.includes(packet)), "data-packet": String(packet) },
          label(game.task, packet, from[link]),
        );
        made.classList.toggle("of-no-use", !useful);
        made.addEventListener("click", () => this.toggle({ link, packet }));
        return made;
      }),
      offers.length > shown.length ? element("span", `and ${offers.length - shown.length} more`) : "",
    );
    if (focused) this.root.querySelector<HTMLElement>(`[data-packet="${focused}"]`)?.focus();
  }
}
