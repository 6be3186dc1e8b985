// A vote in the text: a choice is judged at once, with the reason.

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
  field.addEventListener("change", judge);
  const before = options[Number(remembered(name) ?? NaN)];
  if (!before) return;
  before.input.checked = true;
  judge();
}
