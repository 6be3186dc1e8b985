// The schedule as the trace that dcube verify takes: to copy, and as a file.

import { download, element, say, wordButton } from "../kit/dom";
import type { BoardData } from "./document";
import { linkFile, type Draft } from "./draft";
import type { Game } from "./game";
import { Judged } from "./judged";
import { traceLines } from "./rules";

const NAME = "board.jsonl";
const NETWORK = "network.txt";

export class TraceCard {
  readonly root = element("section.card.schedule-lines");
  readonly #lines = element("pre", { tabindex: "0", "aria-label": "the schedule's lines" });
  readonly #address = element("code");
  readonly #linked = element("span", { role: "status" });
  readonly #copied = element("span", { role: "status" });
  readonly #network = wordButton(`Save ${NETWORK}`, () => download(this.#links, NETWORK, "text/plain"));
  readonly #judged = new Judged();
  #text = "";
  #links = "";

  constructor() {
    this.root.append(
      element("h2", "Your schedule"),
      this.#judged.root,
      element("p", "The address of this page has it: whoever opens it sees what you found."),
      element(
        "div.row",
        wordButton("Copy link", () => void this.#copy(location.href, this.#address)),
        this.#linked,
        this.#address,
      ),
      element(
        "details",
        element("summary", "As a file"),
        this.#lines,
        element(
          "div.row",
          wordButton("Copy", () => void this.#copy(this.#text, this.#lines)),
          wordButton("Save", () => download(this.#text, NAME, "application/jsonl")),
          this.#network,
          this.#copied,
        ),
        element("p", element("code", `dcube verify ${NAME}`)),
      ),
    );
  }

  update(data: BoardData, draft: Draft | null, game: Game, onePort: boolean): void {
    const head = JSON.stringify({ ...data.head, ports: onePort ? "one" : "all" });
    const steps = game.moves.length > 0 ? [...game.steps, game.moves] : game.steps;
    // A file of links says nothing of ports: their numbers are the reader's.
    this.#text = [head, ...traceLines(game.task, steps, draft === null), ""].join("\n");
    this.#links = draft ? linkFile(draft) : "";
    this.#network.hidden = draft === null;
    say(this.#lines, this.#text);
    say(this.#address, "");
    this.root.hidden = !game.complete || steps.length === 0;
    this.#judged.update(
      game.complete && steps.length > 0
        ? { trace: this.#text, files: draft ? { [NETWORK]: this.#links } : {}, steps: steps.length }
        : null,
    );
  }

  /** Where a page may not copy, the text is shown and selected, so that the person can. */
  async #copy(text: string, place: HTMLElement): Promise<void> {
    const said = place === this.#lines ? this.#copied : this.#linked;
    try {
      await navigator.clipboard.writeText(text);
      say(said, "Copied.");
    } catch {
      say(place, text);
      getSelection()?.selectAllChildren(place);
      say(said, "Selected: copy it with the keyboard.");
    }
    setTimeout(() => say(said, ""), 4000);
  }
}
