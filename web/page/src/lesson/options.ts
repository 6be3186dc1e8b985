// Options to choose from, in votes and exercises: which are right, and the reply to a choice.

import { element } from "../kit/dom";

export interface Option {
  readonly item: HTMLElement;
  readonly input: HTMLInputElement;
  readonly right: boolean;
}

export const optionsOf = (root: Element): Option[] =>
  [...root.querySelectorAll<HTMLElement>(".options > li")].map((item) => ({
    item,
    input: item.querySelector("input")!,
    right: item.classList.contains("right"),
  }));

/** Copies of an element's contents. */
export const contentOf = (source: Element | null | undefined): Node[] =>
  [...(source?.childNodes ?? [])].map((node) => node.cloneNode(true));

/** Copies of an answer, without its heading and the speaker's notes. */
export const answerOf = (source: Element | null): Node[] =>
  [...(source?.children ?? [])].filter((part) => !part.matches("summary, .note")).map((part) => part.cloneNode(true));

/** "Right." or "Not this one.", and the option's own words. */
export const replyTo = ({ item, right }: Option): Node[] => [
  element("b", right ? "Right." : "Not this one."),
  document.createTextNode(" "),
  ...contentOf(item.querySelector(".reply")),
];

/** Marks the options that were chosen and judged. */
export function mark(options: readonly Option[], judged: readonly Option[]): void {
  for (const option of options) option.item.toggleAttribute("data-judged", judged.includes(option));
}

/** A place for verdicts, which is read aloud. */
export function verdict(): HTMLOutputElement {
  return element("output.verdict-of-answer", { role: "status" });
}
