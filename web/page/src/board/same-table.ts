// The table of a schedule in which everybody does the same: what node 0 sends over each port in each step. The column of the
// step that is being made is tapped instead of links.

import { element, say } from "../kit/dom";
import { range } from "../kit/numbers";
import type { Film } from "../viewer/film";
import { wayWords } from "../schedule/schedule";
import type { Game } from "./game";
import type { Symmetry } from "./symmetry";

const BITS = ["no bit", "its only bit", "both bits", "all three bits"];

/** "111 = for the node whose number differs in all three bits: for node 0 that is 7" */
function exampleOf(film: Film): string {
  const { network, data } = film;
  const cube = data.network.relative === "xor";
  const way = network.nodes - 1;
  const whose = data.messages.kind === "copies" ? "from" : "for";
  const which = cube
    ? `whose number differs in ${BITS[network.ports] ?? `all ${network.ports} bits`}`
    : "that far along each ring";
  return `${wayWords(film, way)} = ${whose} the node ${which}: for node 0 that is ${way}`;
}

export class SameTable {
  readonly root = element("div.same");
  /** What a name in the table means, by an example: below the table, and as wide as the board. */
  readonly words = element("p.same-words");

  constructor(private readonly tap: (link: number) => void) {}

  /** `open`: the link whose choice is shown. */
  update(game: Game, symmetry: Symmetry | null, film: Film, open: number): void {
    this.root.hidden = this.words.hidden = symmetry === null;
    if (!symmetry) return;
    say(this.words, exampleOf(film));
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
      made.toggleAttribute("data-open", open >= 0 && game.network.port[open] === port);
      made.addEventListener("click", () => this.tap(link));
      return element("td.now", made);
    };
    const columns = range(steps.length);
    this.root.replaceChildren(
      element(
        "table",
        element("caption.hidden", "What every node sends, seen from itself"),
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
    this.root.scrollLeft = this.root.scrollWidth; // the step that is being made
    if (focused) this.root.querySelector<HTMLElement>(`[data-cell="${focused}"]`)?.focus();
  }
}
