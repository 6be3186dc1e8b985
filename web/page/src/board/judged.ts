// The program's own judge, where it can be had: it reads the board's schedule as dcube verify would, and must agree.

import { element, wordButton } from "../kit/dom";
import { counted } from "../kit/words";
import { isLoaded, mayRun, theLab } from "../lesson/lab";

/** A finished schedule, as a trace. */
export interface Finished {
  trace: string;
  /** The files that it names. */
  files: Record<string, string>;
  steps: number;
}

export class Judged {
  readonly root = element("p.judged", { role: "status" });
  #of = "";

  /** null: nothing is finished. A page with dcube's judge asks it at once, others by a button. */
  update(finished: Finished | null): void {
    const trace = finished?.trace ?? "";
    this.root.hidden = !finished || !mayRun();
    if (trace === this.#of) return;
    this.#of = trace;
    this.root.classList.remove("wrong");
    this.root.replaceChildren();
    if (!finished || !mayRun()) return;
    if (isLoaded()) void this.#ask(finished);
    else this.root.append(wordButton("Ask dcube's judge", () => void this.#ask(finished)));
  }

  async #ask(finished: Finished): Promise<void> {
    const say = (words: string, wrong: boolean): void => {
      if (finished.trace !== this.#of) return;
      this.root.classList.toggle("wrong", wrong);
      this.root.replaceChildren(words);
    };
    say("dcube's judge reads it..", false);
    try {
      const { accepted, words } = await (await theLab()).judge(finished.trace, finished.files);
      if (accepted) say(`Accepted by dcube's judge: ${counted(finished.steps, "step")}.`, false);
      else
        say(`dcube's judge does not agree with this board: ${words}. One of the two is wrong; please report it.`, true);
    } catch (error) {
      say((error as Error).message, false);
    }
  }
}
