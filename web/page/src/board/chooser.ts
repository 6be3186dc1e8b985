// The packets that may go over the link that was tapped last: press one to put it there or to take it off.

import { element } from "../kit/dom";
import type { Game } from "./game";
import type { Move } from "./rules";
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
    const shown = [...offers.slice(0, MOST), ...offers.slice(MOST).filter(({ packet }) => on.includes(packet))];
    this.root.hidden = offers.length < 2;
    const key = [link, on.join(), shown.map(({ packet, useful }) => `${packet}${useful}`).join()].join("|");
    if (key === this.#key || this.root.hidden) return;
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
