// A vote in the text: a choice is judged at once, with the reason. A wrong one may be followed by a second; then the
// question is settled, and what follows it is shown.

import { element, wordButton } from "../kit/dom";
import { mark, optionsOf, replyTo, verdict, type Option } from "./options";
import { remember, remembered } from "./memory";

/** On a vote's field, from then on; it sends an event of this name, too. */
export const SETTLED = "settled";

export function vote(field: HTMLFieldSetElement): void {
  const options = optionsOf(field);
  const said = verdict();
  field.querySelector(".options")!.after(said);
  const name = options[0]!.input.name;
  let first: Option | null = null;
  const unfold = foldBehind(field, () => settle(first !== null));
  const settle = (opened: boolean): void => {
    if (field.hasAttribute("data-settled")) return;
    field.toggleAttribute("data-settled", true);
    unfold.all();
    const answer = field.querySelector<HTMLDetailsElement>("details.answer");
    if (answer && opened) answer.open = true;
    field.dispatchEvent(new Event(SETTLED, { bubbles: true }));
  };
  const judge = (settled: boolean): void => {
    const chosen = options.find(({ input }) => input.checked);
    if (!chosen) return;
    mark(options, [chosen]);
    said.replaceChildren(...replyTo(chosen));
    const second = first !== null && first !== chosen;
    first ??= chosen;
    if (chosen.right || second || settled) settle(second && !chosen.right);
    else unfold.offer("Show the answer");
    remember(name, `${options.indexOf(chosen)}${field.hasAttribute("data-settled") ? "" : "?"}`);
  };
  field.addEventListener("change", () => judge(false));
  const before = remembered(name) ?? "";
  const option = options[parseInt(before, 10)];
  if (!option) return;
  option.input.checked = true;
  judge(!before.endsWith("?"));
}

interface Fold {
  /** Shows all of it. */
  all(): void;
  /** The words of the button that does. */
  offer(words: string): void;
}

/** Folds the answer, and the rest of the beat, until the question is settled or the reader goes on without it. */
function foldBehind(field: HTMLFieldSetElement, settle: () => void): Fold {
  const rest = [...field.querySelectorAll(":scope > details.answer"), ...restOf(field)];
  if (!field.closest(".beat") || rest.length === 0) return { all: () => undefined, offer: () => undefined };
  const on = wordButton("Go on without voting", settle, "button.quiet");
  const line = element("p.fold", on);
  const fold = (folded: boolean): void => {
    for (const part of rest) part.toggleAttribute("data-folded", folded);
    line.hidden = !folded;
  };
  field.after(line);
  fold(true);
  return {
    all: () => fold(false),
    offer: (words) => {
      on.textContent = words;
    },
  };
}

/** What stands behind it in the beat, up to the next question. */
function restOf(field: Element): Element[] {
  const rest: Element[] = [];
  for (let next = field.nextElementSibling; next && !next.matches(".figures, .trial, .vote"); )
    [rest[rest.length], next] = [next, next.nextElementSibling];
  return rest;
}
