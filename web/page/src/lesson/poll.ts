// A question on a slide. The lecturer counts hands by clicking an option (with Shift one less), then shows the right one.

import { element, say, wordButton } from "../kit/dom";
import { answerOf, contentOf, optionsOf } from "./options";

export class Poll {
  readonly root: HTMLElement;
  readonly #show = wordButton("Show the answer", () => this.reveal(), "button.reveal");

  constructor(question: HTMLElement) {
    const heading = element("h2", ...contentOf(question.querySelector("legend, summary")));
    const answer = question.matches("details") ? question : question.querySelector("details.answer");
    this.root = element(
      "div.poll",
      heading,
      ...beforeOptions(question),
      counted(question),
      element("div.reply", { role: "status" }, ...answerOf(answer)),
      this.#show,
    );
  }

  /** False: it was. */
  reveal(): boolean {
    if (this.#show.hidden) return false;
    this.root.toggleAttribute("data-revealed", true);
    this.#show.hidden = true;
    return true;
  }
}

/** The text between a vote's question and its options. */
function beforeOptions(question: HTMLElement): Node[] {
  const parts = [...question.children];
  const options = parts.findIndex((part) => part.matches(".options"));
  return parts
    .slice(1, Math.max(1, options))
    .filter((part) => !part.matches(".note"))
    .map((part) => part.cloneNode(true));
}

function counted(question: HTMLElement): HTMLElement | null {
  const options = optionsOf(question);
  if (options.length === 0) return null;
  const counts = options.map(() => 0);
  const bars = options.map(() => element("i"));
  const numbers = options.map(() => element("b"));
  const update = (): void => {
    const most = Math.max(1, ...counts);
    counts.forEach((count, i) => {
      say(numbers[i]!, count === 0 ? "" : String(count));
      bars[i]!.style.width = `${(100 * count) / most}%`;
    });
  };
  return element(
    "ul",
    ...options.map(({ item, right }, i) => {
      const words = element("span", ...contentOf(item.querySelector("label > span")));
      const button = element("button", { type: "button" }, bars[i]!, words, numbers[i]!);
      button.addEventListener("click", ({ shiftKey }) => {
        counts[i] = Math.max(0, counts[i]! + (shiftKey ? -1 : 1));
        update();
      });
      const reply = element("p.says", ...contentOf(item.querySelector(".reply")));
      return element("li", { class: right ? "right" : "wrong" }, button, reply);
    }),
  );
}
