// The table of a schedule in which everybody does the same: what node 0 sends over each port in each step. The column of the
// step that is being made is tapped instead of links.

import { element } from "../kit/dom";
import { range } from "../kit/numbers";
import type { Film } from "../viewer/film";
import { wayWords } from "../schedule/schedule";
import type { Game } from "./game";
import type { Symmetry } from "./symmetry";

export class SameTable {
  readonly root = element("div.same");

  constructor(private readonly tap: (link: number) => void) {}

  update(game: Game, symmetry: Symmetry | null, film: Film): void {
    this.root.hidden = symmetry === null;
    if (!symmetry) return;
    const focused = (document.activeElement as HTMLElement | null)?.dataset.cell;
    const links = game.network.leaving(0);
    const steps = game.complete ? game.steps : [...game.steps, game.moves];
    const sent = (step: number, link: number): string =>
      (steps[step] ?? [])
        .filter((move) => move.link === link)
        .map(({ packet }) => wayWords(film, symmetry.way(packet)))
        .join(", ");
    const cell = (step: number, link: number): HTMLElement => {
      const words = sent(step, link);
      if (game.complete || step !== game.steps.length) return element("td", words);
      const port = game.network.port[link]!;
      const made = element(
        "button",
        { type: "button", "data-cell": String(link), "aria-label": `port ${port}: ${words || "nothing"}` },
        words || "+",
      );
      made.addEventListener("click", () => this.tap(link));
      return element("td.now", made);
    };
    const columns = range(steps.length);
    this.root.replaceChildren(
      element(
        "table",
        element(
          "caption",
          "What every node sends, seen from itself: a block is named by the way from its origin to its target",
        ),
        element(
          "thead",
          element("tr", element("td"), ...columns.map((step) => element("th", { scope: "col" }, `step ${step + 1}`))),
        ),
        element(
          "tbody",
          ...links.map((link) =>
            element(
              "tr",
              element("th", { scope: "row" }, `port ${game.network.port[link]}`),
              ...columns.map((step) => cell(step, link)),
            ),
          ),
        ),
      ),
    );
    if (focused) this.root.querySelector<HTMLElement>(`[data-cell="${focused}"]`)?.focus();
  }
}
