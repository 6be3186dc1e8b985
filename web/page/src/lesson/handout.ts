// A printed lesson is a handout: its figures show a few steps, its answers are open, and the solutions of its exercises
// stand at the end.

import { element } from "../kit/dom";
import { whenPrinting } from "../kit/print";
import { answerOf, contentOf } from "./options";

/** A beat's figure in the text, and what takes its place on paper; null: it stays. */
export interface Paper {
  still: HTMLElement;
  drawn: HTMLElement | null;
}

export function handOut(figures: () => Paper[]): void {
  const html = document.documentElement;
  let opened: HTMLDetailsElement[] = [];
  let solutions: HTMLElement | null = null;
  let papers: Paper[] = [];
  let theme: string | undefined;
  whenPrinting(
    () => {
      theme = html.dataset.theme;
      html.dataset.theme = "light";
      opened = [...document.querySelectorAll<HTMLDetailsElement>(".ask:not([open]), .vote details:not([open])")];
      for (const details of opened) details.open = true;
      papers = figures();
      for (const { still, drawn } of papers) if (drawn) still.prepend(drawn);
      solutions = solutionsOf();
      document.querySelector("article")?.append(solutions);
    },
    () => {
      if (theme !== undefined) html.dataset.theme = theme;
      for (const details of opened) details.open = false;
      for (const { drawn } of papers) drawn?.remove();
      solutions?.remove();
    },
  );
}

/** The frames of all strips in one; null: there are none. */
export function inOneStrip(strips: readonly (HTMLElement | null)[]): HTMLElement | null {
  const [first = null, ...others] = strips.filter((one) => one !== null);
  for (const { children } of others) first!.append(...children);
  return first;
}

function solutionsOf(): HTMLElement {
  const parts = [...document.querySelectorAll(".exercise")].flatMap((form) => [
    element("h3", ...contentOf(form.querySelector("h3"))),
    ...answerOf(form.querySelector("details.answer")),
  ]);
  return element("section.solutions", element("h2", "Solutions"), ...parts);
}
