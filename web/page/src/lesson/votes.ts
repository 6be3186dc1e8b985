// A vote in the text: a choice is judged at once, with the reason.

import { element, wordButton } from "../kit/dom";
import { mark, optionsOf, replyTo, verdict } from "./options";
import { remember, remembered } from "./memory";

export function vote(field: HTMLFieldSetElement): void {
  const options = optionsOf(field);
  const said = verdict();
  field.querySelector(".options")!.after(said);
  const name = options[0]!.input.name;
  const judge = (): void => {
    const chosen = options.find(({ input }) => input.checked);
    if (!chosen) return;
    mark(options, [chosen]);
    said.replaceChildren(...replyTo(chosen));
    remember(name, String(options.indexOf(chosen)));
  };
  const unfold = foldBehind(field);
  field.addEventListener("change", () => {
    judge();
    unfold();
  });
  const before = options[Number(remembered(name) ?? NaN)];
  if (!before) return;
  before.input.checked = true;
  judge();
  unfold();
}

/** Folds the rest of the beat, which has the answer, until there is a vote or the reader goes on without one. */
function foldBehind(field: HTMLFieldSetElement): () => void {
  const rest: Element[] = [];
  for (let next = field.nextElementSibling; next && !next.matches(".figures, .trial, .vote"); )
    [rest[rest.length], next] = [next, next.nextElementSibling];
  if (!field.closest(".beat") || rest.length === 0) return () => undefined;
  const on = element(
    "p.fold",
    wordButton("Go on without voting", () => unfold(), "button.quiet"),
  );
  const fold = (folded: boolean): void => {
    for (const part of rest) part.toggleAttribute("data-folded", folded);
    on.hidden = !folded;
  };
  const unfold = (): void => fold(false);
  field.after(on);
  fold(true);
  return unfold;
}
