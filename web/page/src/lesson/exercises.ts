// An exercise: an answer that is typed, with hints for some that are wrong, or options to choose from.

import { element, wordButton } from "../kit/dom";
import type { Request } from "./lab";
import { remember, remembered } from "./memory";
import { contentOf, mark, optionsOf, replyTo, verdict, type Option } from "./options";

/** Spaces of all widths, the marks that group digits, and a unit or a full stop behind a number do not matter. */
const normal = (text: string): string =>
  text
    .trim()
    .toLowerCase()
    .replace(/(?<=\d)[\s,'\u2019_]+(?=\d)/g, "")
    .replace(/\s+/g, " ")
    .replace(/^([\d.]*\d)(?: ?[a-z]+|\.)$/, "$1");

/** The possible readings of a typed answer: a comma groups digits, or is a decimal comma. */
const readings = (text: string): string[] => [normal(text), normal(text.replace(/(?<=^\s*\d+),(?=\d+\D*$)/, "."))];

interface Verdict {
  right: boolean;
  words: (Node | string)[];
}

/** To a wrong answer of which the lesson knows nothing. */
const ANYTHING_ELSE = "Go back to the lesson's figure, and count there; or show the solution.";

const said = (right: boolean, words: string): Verdict => ({ right, words: [element("b", words)] });

/** `run` makes the run of an exercise's command, once there is an answer to compare it with. */
export function exercise(
  form: HTMLFormElement,
  run: (request: Request, said: string, place: HTMLElement) => void = () => undefined,
): void {
  const options = optionsOf(form);
  const input = form.querySelector<HTMLInputElement>(".entry input");
  const output = verdict();
  const entry = form.querySelector<HTMLElement>(".entry")!;
  entry.after(output);
  const { request } = entry.dataset;
  const made = element("p.made");
  if (input && request !== undefined) output.after(made);
  const judge = (): void => {
    const { right, words } = input ? typed(form, input.value) : chosen(options);
    output.classList.toggle("right", right);
    output.replaceChildren(...words);
    if (input && input.value.trim() !== "" && request !== undefined && made.childElementCount === 0)
      made.append(
        wordButton("Run the command here", () => run(JSON.parse(request) as Request, input.value.trim(), made)),
      );
  };
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    judge();
    remember(form.id, input ? input.value : options.map(({ input: { checked } }) => (checked ? "1" : "0")).join(""));
  });
  const before = remembered(form.id);
  if (before === undefined) return;
  if (input) input.value = before;
  else
    options.forEach((option, i) => {
      option.input.checked = before[i] === "1";
    });
  judge();
}

function typed(form: HTMLFormElement, text: string): Verdict {
  const answers = readings(text);
  const means = (answer = ""): boolean => answers.includes(normal(answer));
  if (means("")) return said(false, "Type an answer.");
  if (means(form.dataset.answer)) return said(true, "Right.");
  const hint = [...form.querySelectorAll<HTMLElement>(".hints > li")].find((one) => means(one.dataset.answer));
  return hint
    ? { right: false, words: [element("b", "Not yet."), document.createTextNode(" "), ...contentOf(hint)] }
    : { right: false, words: [element("b", "Not yet."), ` ${ANYTHING_ELSE}`] };
}

/** A wrong option is named first; then it is said whether all were found. */
function chosen(options: readonly Option[]): Verdict {
  const checked = options.filter(({ input }) => input.checked);
  mark(options, checked);
  if (checked.length === 0) return said(false, "Choose an answer.");
  const wrong = checked.find(({ right }) => !right);
  if (wrong) return { right: false, words: replyTo(wrong) };
  if (checked.length < options.filter(({ right }) => right).length)
    return said(false, "Right so far, but there are more.");
  return { right: true, words: replyTo(checked[0]!) };
}
