// The summary by keyboard and for screen readers: a button at a dot of the matrix, and one at a group. They are not
// visible; the summary draws where they are.

import { element, say } from "../kit/dom";
import { ARROWS } from "../kit/letters";
import type { Holding } from "./holding";
import type { Matrix } from "./matrix";
import type { Selection } from "./options";
import type { Quotient } from "./quotient";

/** Dots that an arrow moves by with Shift. */
const LEAP = 10;

export class SummaryKeys {
  readonly root = element("div.hidden.list");
  /** The keyboard's place; null: elsewhere. */
  at: "dot" | "group" | null = null;
  column = 0;
  row = 0;
  group = 0;
  readonly #live = element("p", { role: "status" });
  readonly #buttons: Record<"dot" | "group", HTMLButtonElement>;

  constructor(
    private readonly matrix: Matrix,
    private readonly quotient: Quotient | null,
    private readonly holding: Holding,
    private readonly now: () => number,
    private readonly select: (selection: Selection | null) => void,
    private readonly again: () => void,
  ) {
    this.#buttons = { dot: this.#button("dot"), group: this.#button("group") };
    this.root.append(
      element(
        "p",
        { id: "dots" },
        "Arrows go from dot to dot, with Shift by ten; Enter shows what the dot stands for, Shift and Enter its row's node.",
      ),
      this.#buttons.dot,
      ...(quotient ? [this.#buttons.group] : []),
      this.#live,
    );
    this.update();
  }

  /** Updates the words of its place, when the state has changed. */
  update(): void {
    const { matrix, quotient, holding } = this;
    say(this.#buttons.dot, matrix.words(this.column, this.row, this.now()));
    if (quotient) say(this.#buttons.group, quotient.words(this.group, holding));
  }

  #button(at: "dot" | "group"): HTMLButtonElement {
    const made = element("button", { type: "button", "aria-describedby": "dots" });
    const go = (to: typeof this.at): void => {
      this.at = to;
      this.again();
    };
    made.addEventListener("focus", () => go(at));
    made.addEventListener("blur", () => go(null));
    made.addEventListener("keydown", (event) => this.#press(event, at));
    return made;
  }

  #press(event: KeyboardEvent, at: "dot" | "group"): void {
    const { matrix } = this;
    const by = ARROWS[event.key];
    if (event.key === "Enter") {
      if (at === "group") this.select({ what: "group", group: this.group });
      else
        this.select(
          event.shiftKey
            ? { what: "node", node: matrix.bySteps ? this.column : this.row }
            : matrix.pick(this.column, this.row, this.now()),
        );
    } else if (by) {
      const far = event.shiftKey ? LEAP : 1;
      if (at === "group") this.group = this.quotient!.next(this.group, by[0], by[1]);
      else {
        this.column = Math.max(0, Math.min(matrix.columns - 1, this.column + far * by[0]));
        this.row = Math.max(0, Math.min(matrix.rows - 1, this.row + far * by[1]));
      }
      this.update();
      say(this.#live, this.#buttons[at].textContent);
      this.again();
    } else return;
    event.preventDefault();
    event.stopPropagation();
  }
}
