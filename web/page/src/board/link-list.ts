// The board's links as buttons, for people without a pointer: Tab goes to them, arrows from one to the next, Enter taps.

import { element, say } from "../kit/dom";
import { range } from "../kit/numbers";
import { label, linkWords } from "./words";
import type { Game } from "./game";

export class LinkList {
  readonly root = element("div.hidden.list");
  #buttons: HTMLButtonElement[] = [];
  #game: Game | null = null;
  #at = 0;

  constructor(
    private readonly tap: (link: number) => void,
    private readonly focused: (link: number) => void,
  ) {}

  update(game: Game): void {
    if (this.#game?.network !== game.network) this.#build(game);
    this.#game = game;
    this.#buttons.forEach((made, link) => {
      const on = game.on(link).map(({ packet }) => label(game.task, packet, game.task.links.from[link]));
      say(made, `${linkWords(game.task, link)}: ${on.join(" and ") || "empty"}`);
      made.setAttribute("aria-pressed", String(on.length > 0));
    });
  }

  #build({ network, task }: Game): void {
    this.#at = 0;
    const links = range(network.directed).sort(
      (a, b) => network.from[a]! - network.from[b]! || network.port[a]! - network.port[b]!,
    );
    this.#buttons = [];
    const items = links.map((link, i) => {
      const made = element("button", { type: "button", tabindex: i === 0 ? "0" : "-1" }, linkWords(task, link));
      made.addEventListener("focus", () => {
        this.#at = i;
        this.focused(link);
      });
      made.addEventListener("blur", () => this.focused(-1));
      made.addEventListener("click", () => this.tap(link));
      made.addEventListener("keydown", (event) => this.#move(event, links));
      this.#buttons[link] = made;
      return element("li", made);
    });
    this.root.replaceChildren(
      element("ul", { "aria-label": "links, by sender; arrows go from one to the next" }, ...items),
    );
  }

  #move(event: KeyboardEvent, links: readonly number[]): void {
    const by = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 }[event.key];
    const to =
      event.key === "Home"
        ? 0
        : event.key === "End"
          ? links.length - 1
          : by
            ? (this.#at + by + links.length) % links.length
            : -1;
    if (to < 0) return;
    event.preventDefault();
    event.stopPropagation();
    this.#buttons[links[this.#at]!]!.tabIndex = -1;
    this.#buttons[links[to]!]!.tabIndex = 0;
    this.#buttons[links[to]!]!.focus();
  }
}
