// The panel with a program of one's own, which every node runs in place of an algorithm.

import { choice, element, wordButton } from "../kit/dom";
import { plain } from "../kit/words";
import type { Desk, Panel } from "./desk";
import { editor } from "./editor";
import { EXAMPLES } from "./examples";
import type { Said } from "./program";
import type { Answer } from "./protocol";
import type { Request } from "./request";
import { errorWords } from "./words";

const MOST_SAID = 400;
/** The program that the editor begins with. */
const FIRST_EXAMPLE = "doubling";

export class OwnProgram implements Panel {
  readonly name = "program";
  readonly label = "Program";
  readonly root = element("div.lab-own");
  readonly #editor;
  readonly #said = element("pre", { tabindex: "0", "aria-label": "output of the nodes" });
  readonly #heading = element("h3", "Output of the nodes");
  readonly #examples;
  readonly #note = element("p.hint", { role: "status" });
  #name = "mine";
  /** It has not been opened yet. */
  #fresh = true;

  constructor(private readonly desk: Desk) {
    const examples = (this.#examples = choice(
      "Example",
      [["", "your own"], ...EXAMPLES.map(({ name, title }): [string, string] => [name, title])],
      "",
      (name) => this.#example(name),
    ));
    const place = element("div");
    this.root.append(
      element("h2", "A program of your own"),
      element(
        "p.hint",
        "Every node runs it, in place of an algorithm. yield ends the node's step. Errors are shown at their line.",
      ),
      element(
        "div.lab-buttons",
        examples,
        wordButton("Run", () => this.#run(), "button.lab-word.lab-again"),
      ),
      this.#note,
      place,
      this.#heading,
      this.#said,
    );
    this.#editor = editor(place, {
      source: EXAMPLES.find(({ name }) => name === FIRST_EXAMPLE)!.source,
      changed: () => {
        examples.select.value = "";
        this.#name = "mine";
        this.#use();
      },
      run: () => this.#run(),
    });
    this.#heading.hidden = this.#said.hidden = true;
  }

  /** Once it is opened, the next run is of this program. */
  update(opened: boolean): void {
    if (!opened) return;
    const { program } = this.desk.request() as { program?: { source?: string } };
    if (!program && this.#fresh) this.#begin();
    else if (!program) this.#use();
    this.#fresh = false;
  }

  /** The example for the form's collective, on its network; there may be none: then the form gets another example's. */
  #begin(): void {
    const { collective, topology } = this.desk.request();
    const cube = String(topology ?? "hypercube:4").startsWith("hypercube:");
    const suits = EXAMPLES.find(({ request }) => request.collective === collective && collective !== undefined);
    const example = suits && cube ? suits : EXAMPLES.find(({ name }) => name === FIRST_EXAMPLE)!;
    const kept = example === suits && String(example.request.topology).startsWith("hypercube:");
    const program = { name: example.name, source: example.source };
    this.#editor.source = example.source;
    this.#examples.select.value = this.#name = example.name;
    const { algorithm: _, ...request } = this.desk.request();
    if (kept) this.desk.propose({ ...example.request, ...request, program });
    else {
      this.#note.textContent = `There is no example for what the form asked: this is ${example.title.toLowerCase()}.`;
      this.desk.propose({ ...example.request, program });
    }
  }

  answered({ program }: Request, { error, results }: Answer): void {
    const source = (program as { source?: unknown } | undefined)?.source;
    if (typeof source !== "string") return;
    this.#fresh = false;
    this.#editor.source = source;
    this.#editor.setError(
      error && error.kind !== "stopped" && error.kind !== "input" ? (error.line ?? null) : null,
      error?.line && !results.document ? errorWords(error) : "", // the film says it
    );
    const said = (results.said ?? []) as Said[];
    this.#heading.hidden = this.#said.hidden = said.length === 0;
    this.#said.textContent = said
      .slice(0, MOST_SAID)
      .map(({ node, step, text }) => `node ${node}, step ${step}: ${plain(text, 400)}`)
      .join("\n");
  }

  #use(): void {
    this.desk.program({ name: this.#name, source: this.#editor.source });
  }

  #run(): void {
    this.#use();
    this.desk.run();
  }

  #example(name: string): void {
    const example = EXAMPLES.find((one) => one.name === name);
    if (!example) return;
    this.#note.textContent = "";
    this.#editor.replace(example.source);
    this.#name = name;
    this.#examples.select.value = name;
    void this.desk.take({ ...example.request, program: { name, source: example.source } });
  }
}
